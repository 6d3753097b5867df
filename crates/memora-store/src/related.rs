//! What belongs to a statement: the ones in front of it and behind it.

use memora_claim::StatementId;
use memora_vault::Band;

use crate::{ReadError, Snapshot, code};

/// How one statement belongs to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adjacency {
    /// It stands in front of it, in the same note.
    Before,
    /// It stands behind it, in the same note.
    Behind,
}

/// A statement that belongs to another one, at one place of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdjacentStatement {
    /// The one asked for.
    pub from: StatementId,
    /// The band of its place.
    pub from_band: Band,
    /// How the other belongs to it.
    pub relation: Adjacency,
    /// The other.
    pub to: StatementId,
    /// The band of its place.
    pub to_band: Band,
}

const BEFORE: &str = "SELECT s.statement, s.band, o.statement, o.band
    FROM json_each(?1) AS wanted JOIN sources AS s ON s.statement = wanted.value
    JOIN sources AS o ON o.note = s.note AND o.ordinal = s.before";

const BEHIND: &str = "SELECT s.statement, s.band, o.statement, o.band
    FROM json_each(?1) AS wanted JOIN sources AS s ON s.statement = wanted.value
    JOIN sources AS o ON o.note = s.note AND o.before = s.ordinal";

impl Snapshot {
    /// Where some statements stand: each with the number of the note, which is good for this snapshot, and its band there.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn notes_of_statements(&self, statements: &[StatementId]) -> Result<Vec<(StatementId, i64, Band)>, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT DISTINCT s.statement, s.note, s.band
             FROM json_each(?1) AS wanted CROSS JOIN sources AS s ON s.statement = wanted.value",
        )?;
        let mut rows = query.query([code::encode_ids(statements.iter().map(|id| code::encode_statement(*id)))])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push((code::decode_statement(row.get(0)?)?, row.get(1)?, code::decode_band(row.get(2)?)?));
        }
        Ok(found)
    }

    /// What belongs to some statements.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn adjacent_statements(&self, statements: &[StatementId]) -> Result<Vec<AdjacentStatement>, ReadError> {
        let wanted = code::encode_ids(statements.iter().map(|id| code::encode_statement(*id)));
        let mut found = Vec::new();
        for (sql, relation) in [(BEFORE, Adjacency::Before), (BEHIND, Adjacency::Behind)] {
            let mut query = self.conn()?.prepare_cached(sql)?;
            let mut rows = query.query([&wanted])?;
            while let Some(row) = rows.next()? {
                found.push(AdjacentStatement {
                    from: code::decode_statement(row.get(0)?)?,
                    from_band: code::decode_band(row.get(1)?)?,
                    relation,
                    to: code::decode_statement(row.get(2)?)?,
                    to_band: code::decode_band(row.get(3)?)?,
                });
            }
        }
        Ok(found)
    }
}
