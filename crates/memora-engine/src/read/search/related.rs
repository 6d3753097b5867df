//! Statements related to hits: their neighbours in the note, and the note itself.
//!
//! Both ends of an edge must be visible at this door, in a note of those whose text is searched.

use std::collections::BTreeMap;

use memora_claim::StatementId;
use memora_redact::Viewer;
use memora_retrieve::{ActivationEdge, ActivationEdgeKind};
use memora_store::{Adjacency, Authors, ReadError};

use crate::read::search::ClaimSearch;

impl ClaimSearch<'_> {
    /// Groups statements by note, as far as this door sees them there.
    pub(crate) fn group_by_note(
        &self,
        statements: &[StatementId],
        authors: Authors,
    ) -> Result<Vec<Vec<StatementId>>, ReadError> {
        let mut notes: BTreeMap<i64, Vec<StatementId>> = BTreeMap::new();
        for place in self.session.snapshot.notes_of_statements(statements)? {
            if self.session.door.may_show(place.band) && authors.include(place.captured) {
                notes.entry(place.note).or_default().push(place.statement);
            }
        }
        Ok(notes.into_values().collect())
    }

    /// The edges of some statements.
    pub(crate) fn neighbour_edges(
        &self,
        seeds: &[StatementId],
        authors: Authors,
    ) -> Result<Vec<ActivationEdge>, ReadError> {
        let neighbours = self.session.snapshot.adjacent_statements(seeds)?;
        let shown = neighbours.into_iter().filter(|edge| {
            let is_shown = self.session.door.may_show(edge.from_band) && self.session.door.may_show(edge.to_band);
            is_shown && authors.include(edge.captured)
        });
        let kind = |relation| match relation {
            Adjacency::Before => ActivationEdgeKind::Before,
            Adjacency::Behind => ActivationEdgeKind::After,
        };
        Ok(shown.map(|edge| ActivationEdge { from: edge.from, kind: kind(edge.relation), to: edge.to }).collect())
    }
}
