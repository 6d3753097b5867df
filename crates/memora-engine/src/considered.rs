//! What a search considers before it orders: for measuring the stages apart, and for training the second.
//!
//! Nothing here leaves through a door: `memora-eval` reads it, of vaults that are public.

use memora_redact::LocalDoor;
use memora_retrieve::FEATURE_NAMES;

use crate::find::{SearchError, SearchOptions};
use crate::rerank::RerankPassage;
use crate::session::{Session, clearest_source};

/// A statement that the first stage found for a question.
#[derive(Clone, Debug)]
pub struct CandidateFeatures {
    /// Where it stands: path, first byte and end of its clearest place.
    pub place: (String, usize, usize),
    /// Its own words.
    pub words: String,
    /// What the transformer reads of it: title, nearest headings, words.
    pub text: String,
    /// What the second stage weighs, in the order of [`FEATURES`].
    pub features: [f32; FEATURE_NAMES.len()],
}

impl Session<'_, LocalDoor> {
    /// Returns what the second stage orders for a question: as the first stage has it, the likeliest first, or, with `read`,
    /// with what the transformer makes of those that it reads, and in no order.
    ///
    /// # Errors
    /// [`SearchError`].
    pub fn candidate_features(
        &self,
        question: &str,
        options: &SearchOptions,
        read: bool,
    ) -> Result<Vec<CandidateFeatures>, SearchError> {
        let considered = self.collect_features(question, options, read)?.into_iter().filter_map(|(statement, features)| {
            let row = &clearest_source(&statement)?.row;
            let place = (row.note.to_string(), row.start, row.end);
            let text = RerankPassage::in_clearest_band(&statement)?.text;
            Some(CandidateFeatures { place, words: statement.wording.words.clone(), text, features: features.to_array() })
        });
        Ok(considered.collect())
    }
}
