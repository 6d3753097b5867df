//! The candidates of a search before ranking: to measure the stages separately and to train the second one.
//!
//! Not shown at any door: only `memora-eval` reads it, for public vaults.

use memora_retrieve::FEATURE_NAMES;

use crate::index::token_vectors::RerankPassage;
use crate::read::search::{ClaimSearch, SearchError, SearchOptions};
use crate::state::sources::clearest_source;

/// A statement that the first stage found for a question.
#[derive(Clone, Debug)]
pub struct CandidateFeatures {
    /// Where it stands: path, first byte and end of its clearest place.
    pub place: (String, usize, usize),
    /// Its own words.
    pub words: String,
    /// The transformer's input: title, nearest headings, words.
    pub text: String,
    /// The features of the second stage, in the order of [`FEATURE_NAMES`].
    pub features: [f32; FEATURE_NAMES.len()],
}

impl ClaimSearch<'_> {
    /// Returns the candidates of the second stage for a question: in the order of the first stage or, with `read`,
    /// with the transformer's scores and in no particular order.
    pub fn candidate_features(
        &self,
        question: &str,
        options: &SearchOptions,
        read: bool,
    ) -> Result<Vec<CandidateFeatures>, SearchError> {
        let considered =
            self.collect_features(question, options, read)?.into_iter().filter_map(|(statement, features)| {
                let row = &clearest_source(&statement)?.row;
                let place = (row.note.to_string(), row.start, row.end);
                let text = RerankPassage::in_clearest_band(&statement)?.text;
                Some(CandidateFeatures {
                    place,
                    words: statement.wording.words.clone(),
                    text,
                    features: features.to_array(),
                })
            });
        Ok(considered.collect())
    }
}
