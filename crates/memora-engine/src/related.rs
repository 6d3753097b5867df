//! What belongs to the statements that were found: their neighbours in the note, and the note itself.
//!
//! Only what this door may see is looked at, on both ends of an edge.

use std::collections::BTreeMap;

use memora_claim::StatementId;
use memora_redact::Door;
use memora_retrieve::{Edge, EdgeKind};
use memora_store::{ReadError, Relation};

use crate::session::Session;

impl<D: Door> Session<'_, D> {
    /// Some statements by the notes they stand in, as far as this door sees them there.
    pub(crate) fn notes_of(&self, statements: &[StatementId]) -> Result<Vec<Vec<StatementId>>, ReadError> {
        let mut notes: BTreeMap<i64, Vec<StatementId>> = BTreeMap::new();
        for (statement, note, band) in self.snapshot.notes_of(statements)? {
            if self.door.shows(band) {
                notes.entry(note).or_default().push(statement);
            }
        }
        Ok(notes.into_values().collect())
    }

    /// The edges of some statements.
    pub(crate) fn related(&self, seeds: &[StatementId]) -> Result<Vec<Edge>, ReadError> {
        let neighbours = self.snapshot.related(seeds)?;
        let shown =
            neighbours.into_iter().filter(|edge| self.door.shows(edge.from_band) && self.door.shows(edge.to_band));
        let kind = |relation| match relation {
            Relation::Before => EdgeKind::Before,
            Relation::Behind => EdgeKind::Behind,
        };
        Ok(shown.map(|edge| Edge { from: edge.from, kind: kind(edge.relation), to: edge.to }).collect())
    }
}
