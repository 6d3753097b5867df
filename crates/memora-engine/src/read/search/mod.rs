//! Search: claims are ranked, re-read and sorted for the door.

pub(crate) mod answer_selection;
pub(crate) mod cache;
pub(crate) mod candidate_features;
mod candidates;
mod claim_search;
mod looked_for;
pub(crate) mod nearest_passages;
pub(crate) mod passages;
pub(crate) mod related;
mod report;
pub(crate) mod rerank;
pub(crate) mod scoring;
pub(crate) mod time_filter;

use memora_claim::time::Period;
use memora_redact::ClearClaim;
use memora_retrieve::{EvidenceStrength, LexicalError, RankedScore};
use memora_store::{Authors, NoteFilter, ReadError};
use memora_vault::{Hint, PartialDate};

use crate::state::lexical_indexes::DeriveError;
use crate::state::session::Session;

pub use claim_search::SearchResults;

/// Options of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// How many claims at most.
    pub limit: usize,
    /// How many claims an answer has where only a time is asked about; `limit` by default.
    pub time_only_limit: Option<usize>,
    /// Conditions on the notes they stand in.
    pub filter: NoteFilter,
    /// Whose notes are searched.
    pub authors: Authors,
    /// The day as of which is asked; `None` for now.
    pub as_of: Option<PartialDate>,
    /// Only statements of this day, month or year, or a later one.
    pub since: Option<PartialDate>,
    /// Only statements of this day, month or year, or an earlier one.
    pub until: Option<PartialDate>,
    /// Whether hits by meaning or by proximity alone are left out.
    pub lexical_only: bool,
    /// Whether what only resembles the question stays, where none of its words is in the notes.
    pub keep_semantic_only: bool,
    /// Whether hits alone are wanted, and not which guarded claims the question names.
    pub hits_only: bool,
    /// Whether the words are a statement, whose like is looked for, and not a question: its days leave nothing out.
    pub is_statement: bool,
    /// Whether the transformer is not asked how much the likeliest hits are like the question, word by word. That takes half a second
    /// where it has not read them, and puts passages into no better order.
    pub without_likeness: bool,
}

impl SearchOptions {
    /// The options of an answer: `wanted` claims but at most `most`; by default five, or ten where only a time
    /// is asked about.
    #[must_use]
    pub fn for_answer(wanted: Option<usize>, most: usize) -> Self {
        const CLAIMS: usize = 5;
        const DIGEST: usize = 10;
        let time_only_limit = wanted.is_none().then_some(DIGEST);
        Self { limit: wanted.unwrap_or(CLAIMS).clamp(1, most), time_only_limit, ..Self::default() }
    }

    /// From the first day of `since` to the last day of `until`; `None` where neither is given, or no day is left.
    pub(crate) fn asked_period(&self) -> Option<Period> {
        let first = || PartialDate::from_year(1);
        let last = || PartialDate::from_year(9999);
        self.since.or(self.until)?;
        Period::from_dates(self.since.or_else(first)?, self.until.or_else(last)?)
    }
}

/// A claim that was found, re-read, and may pass the door.
pub struct FoundClaim<'s> {
    /// The claim.
    pub claim: ClearClaim<'s>,
    /// The probability that it answers, 0 to 1; BM25 in a lexical search.
    pub score: f32,
    /// The sort key, in log-odds.
    pub rank: f32,
    /// How far it answers the question.
    pub strength: EvidenceStrength,
    /// Whether it cannot answer, however similar it is.
    pub(crate) off_topic: bool,
    /// Which words were found, and where.
    pub why: Vec<String>,
    /// Its place in each list, and what spreading added.
    pub ranks: Ranks,
}

impl FoundClaim<'_> {
    /// Whether it may begin an answer: it is evidence for the question, and about what is asked.
    pub(crate) fn is_evidence(&self) -> bool {
        self.strength != EvidenceStrength::Nearest && !self.off_topic
    }
}

/// How a hit was ranked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ranks {
    /// Among those that hold words of the question; the score is BM25.
    pub lexical: Option<RankedScore>,
    /// Among those that mean the like; the score is the cosine.
    pub semantic: Option<RankedScore>,
    /// The score it got from related hits.
    pub spread: f32,
}

/// Why a search failed.
#[derive(Debug, thiserror::Error)]
pub enum SearchError {
    /// The store.
    #[error(transparent)]
    Store(#[from] ReadError),
    /// The lexical index.
    #[error(transparent)]
    Lexical(#[from] LexicalError),
    /// The vectors.
    #[error(transparent)]
    Vectors(#[from] DeriveError),
}

impl Hint for SearchError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Store(error) => error.hint(),
            Self::Lexical(error) => error.hint(),
            Self::Vectors(error) => error.hint(),
        }
    }
}

/// The search for claims, for one session.
pub struct ClaimSearch<'s> {
    session: &'s Session<'s>,
}

impl<'s> ClaimSearch<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }
}

/// The words of a text, in lower case.
pub(crate) fn lowercase_words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
