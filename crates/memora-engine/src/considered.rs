//! What a search considers before it orders: for measuring the stages apart, and for training the second.
//!
//! Nothing here leaves through a door: `memora-eval` reads it, of vaults that are public.

use memora_redact::LocalDoor;
use memora_retrieve::FEATURES;

use crate::find::{SearchError, SearchOptions};
use crate::rerank::Passage;
use crate::session::{Session, clearest};

/// A statement that the first stage found for a question.
#[derive(Clone, Debug)]
pub struct Considered {
    /// Where it stands: path, first byte and end of its clearest place.
    pub place: (String, usize, usize),
    /// Its own words.
    pub words: String,
    /// What the transformer reads of it: title, nearest headings, words.
    pub text: String,
    /// What the second stage weighs, in the order of [`FEATURES`].
    pub features: [f32; FEATURES.len()],
}

impl Session<'_, LocalDoor> {
    /// Returns what the second stage orders for a question: as the first stage has it, the likeliest first, or, with `read`,
    /// with what the transformer makes of those that it reads, and in no order.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn considered(
        &self,
        question: &str,
        options: &SearchOptions,
        read: bool,
    ) -> Result<Vec<Considered>, SearchError> {
        let considered = self.featured(question, options, read)?.into_iter().filter_map(|(statement, features)| {
            let row = &clearest(&statement)?.row;
            let place = (row.note.to_string(), row.start, row.end);
            let text = Passage::clearest(&statement)?.text;
            Some(Considered { place, words: statement.wording.words.clone(), text, features: features.values() })
        });
        Ok(considered.collect())
    }
}
