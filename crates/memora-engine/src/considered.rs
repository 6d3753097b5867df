//! What a search considers before it orders: for measuring the stages apart, and for training the second.
//!
//! Nothing here leaves through a door: `memora-eval` reads it, of vaults that are public.

use memora_redact::LocalDoor;
use memora_retrieve::{Doc, FEATURES};

use crate::derive::docs;
use crate::find::{SearchError, SearchOptions};
use crate::session::{Session, clearest};

/// A statement that the first stage found for a question.
#[derive(Clone, Debug)]
pub struct Considered {
    /// Where it stands: path, first byte and end of its clearest place.
    pub place: (String, usize, usize),
    /// What the second stage reads of it.
    pub doc: Doc,
    /// What the second stage weighs, in the order of [`FEATURES`].
    pub features: [f32; FEATURES.len()],
}

impl Session<'_, LocalDoor> {
    /// Returns what the second stage orders for a question, the likeliest first.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn considered(&self, question: &str, options: &SearchOptions) -> Result<Vec<Considered>, SearchError> {
        let mut found = Vec::new();
        for (statement, features) in self.featured(question, options)? {
            let Some(source) = clearest(&statement) else { continue };
            let place = (source.row.note.to_string(), source.row.start, source.row.end);
            let doc = docs(&self.snapshot, &[statement.id], source.row.band)?.into_iter().find_map(|(_, doc)| doc);
            found.extend(doc.map(|doc| Considered { place, doc, features: features.values() }));
        }
        Ok(found)
    }
}
