//! What belongs to the statements that were found: their neighbours in the note, and the note itself.
//!
//! Only what this door may see is looked at, on both ends of an edge.

use std::collections::{BTreeMap, HashMap};

use memora_claim::StatementId;
use memora_redact::Door;
use memora_retrieve::{Edge, EdgeKind, FoundNote, Fused, SEEDS_MAX, WorthNote, share, worth_of_notes};
use memora_store::{ReadError, Relation};

use crate::session::Session;

/// Of so many notes all is looked at.
const NOTES: usize = 5;

/// Of a long one, so much in front of its best statement and behind it.
const NEAR: usize = 48;

impl<D: Door> Session<'_, D> {
    /// Adds to what was found what its notes are worth, and to those of the best notes what else they say: the answer to a
    /// question often has no word of it, in a note that is about it.
    pub(crate) fn share_notes(
        &self,
        fused: &mut Vec<Fused>,
        got: &mut HashMap<StatementId, f32>,
    ) -> Result<(), ReadError> {
        let seeds: Vec<_> = fused.iter().take(SEEDS_MAX).map(|fused| fused.statement).collect();
        let mut notes: BTreeMap<i64, Vec<StatementId>> = BTreeMap::new();
        for (statement, note, band) in self.snapshot.notes_of(&seeds)? {
            if self.door.shows(band) {
                notes.entry(note).or_default().push(statement);
            }
        }
        let notes: Vec<_> = notes.into_iter().map(|(note, statements)| FoundNote { note, statements }).collect();
        let worth = worth_of_notes(fused, &notes);
        let found = worth.iter().flat_map(|worth| {
            let of = notes.iter().find(|found| found.note == worth.note);
            of.into_iter().flat_map(|found| &found.statements).map(|statement| (*statement, worth.share))
        });
        let mut shares: Vec<(StatementId, f32)> = found.collect();
        for WorthNote { note, best, share } in worth.into_iter().take(NOTES) {
            let near = self.snapshot.nearest_in_note((note, best), NEAR, self.door.strictest())?;
            shares.extend(near.into_iter().map(|statement| (statement, share)));
        }
        share(fused, &shares, got);
        Ok(())
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
