//! Adjacent statements: those before and after a statement.

use memora_claim::StatementId;
use memora_vault::Band;

use crate::{ReadError, Snapshot, codec};

/// The position of one statement relative to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjacency {
    /// It precedes the other, in the same note.
    Before,
    /// It follows the other, in the same note.
    Behind,
}

/// A statement adjacent to another one, at one place of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjacentStatement {
    /// The requested statement.
    pub from: StatementId,
    /// The band of its place.
    pub from_band: Band,
    /// The position of the other relative to it.
    pub relation: Adjacency,
    /// The other statement.
    pub to: StatementId,
    /// The band of its place.
    pub to_band: Band,
}

const BEFORE: &str = "SELECT s.statement, s.band, o.statement, o.band
    FROM json_each(?1) AS wanted JOIN sources AS s ON s.statement = wanted.value
    JOIN sources AS o ON o.note = s.note AND o.ordinal = s.ordinal - s.before";

const BEHIND: &str = "SELECT s.statement, s.band, o.statement, o.band
    FROM json_each(?1) AS wanted JOIN sources AS s ON s.statement = wanted.value
    JOIN sources AS o ON o.note = s.note AND o.ordinal > s.ordinal AND o.ordinal - o.before = s.ordinal";

impl Snapshot {
    /// Returns the notes of some statements: each with the row id of the note, valid in this snapshot, and its band.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn notes_of_statements(&self, statements: &[StatementId]) -> Result<Vec<(StatementId, i64, Band)>, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT DISTINCT s.statement, s.note, s.band
             FROM json_each(?1) AS wanted CROSS JOIN sources AS s ON s.statement = wanted.value",
        )?;
        let mut rows = query.query([codec::encode_ids(statements.iter().map(|id| codec::encode_statement(*id)))])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push((codec::decode_statement(row.get(0)?)?, row.get(1)?, codec::decode_band(row.get(2)?)?));
        }
        Ok(found)
    }

    /// Returns the statements adjacent to some statements.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn adjacent_statements(&self, statements: &[StatementId]) -> Result<Vec<AdjacentStatement>, ReadError> {
        let wanted = codec::encode_ids(statements.iter().map(|id| codec::encode_statement(*id)));
        let mut found = Vec::new();
        for (sql, relation) in [(BEFORE, Adjacency::Before), (BEHIND, Adjacency::Behind)] {
            let mut query = self.conn()?.prepare_cached(sql)?;
            let mut rows = query.query([&wanted])?;
            while let Some(row) = rows.next()? {
                found.push(AdjacentStatement {
                    from: codec::decode_statement(row.get(0)?)?,
                    from_band: codec::decode_band(row.get(1)?)?,
                    relation,
                    to: codec::decode_statement(row.get(2)?)?,
                    to_band: codec::decode_band(row.get(3)?)?,
                });
            }
        }
        Ok(found)
    }
}
