//! What belongs to the statements that were found: their neighbours in the note.
//!
//! Only what this door may see is looked at, on both ends of an edge.

use memora_claim::StatementId;
use memora_redact::Door;
use memora_retrieve::{Edge, EdgeKind};
use memora_store::{ReadError, Relation};

use crate::session::Session;

impl<D: Door> Session<'_, D> {
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
