//! Adjacent statements: those before and after a statement.

use memora_claim::StatementId;
use memora_vault::Band;
use rusqlite::Row;

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
    /// Whether a machine wrote their note.
    pub captured: bool,
}

/// A note in which a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatementNote {
    /// The statement.
    pub statement: StatementId,
    /// The row id of the note, valid in one snapshot.
    pub note: i64,
    /// The band of the place.
    pub band: Band,
    /// Whether a machine wrote the note.
    pub captured: bool,
}

const BEFORE: &str = "SELECT s.statement, s.band, o.statement, o.band, n.captured
    FROM json_each(?1) AS wanted JOIN sources AS s ON s.statement = wanted.value
    JOIN sources AS o ON o.note = s.note AND o.ordinal = s.ordinal - s.before
    JOIN notes AS n ON n.id = s.note";

/// What follows stands close behind: to look through the rest of a note for it would take a time that grows with its square.
const BEHIND: &str = "SELECT s.statement, s.band, o.statement, o.band, n.captured
    FROM json_each(?1) AS wanted JOIN sources AS s ON s.statement = wanted.value
    JOIN sources AS o ON o.note = s.note AND o.ordinal BETWEEN s.ordinal + 1 AND s.ordinal + 64
        AND o.ordinal - o.before = s.ordinal
    JOIN notes AS n ON n.id = s.note";

impl Snapshot {
    /// Returns the notes of some statements.
    pub fn notes_of_statements(&self, statements: &[StatementId]) -> Result<Vec<StatementNote>, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT DISTINCT s.statement, s.note, s.band, n.captured
             FROM json_each(?1) AS wanted CROSS JOIN sources AS s ON s.statement = wanted.value
             JOIN notes AS n ON n.id = s.note",
        )?;
        let read = |row: &Row<'_>| {
            Ok(StatementNote {
                statement: codec::decode_statement(row.get(0)?)?,
                note: row.get(1)?,
                band: codec::decode_band(row.get(2)?)?,
                captured: row.get(3)?,
            })
        };
        let wanted = codec::encode_ids(statements.iter().map(|id| codec::encode_statement(*id)));
        query.query_and_then([wanted], read)?.collect()
    }

    /// Returns the statements adjacent to some statements.
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
                    captured: row.get(4)?,
                });
            }
        }
        Ok(found)
    }
}
