//! What was found, and what was answered.

use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AnswerStatus, ClaimDays, EvidenceStrength, Freshness, Passage, SentenceReport};
use crate::report::typed::for_door;

/// What `search` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "SearchReport")]
#[serde(bound = "D: Door")]
pub struct SearchReport<D = DoorView> {
    /// Best first; of a query that names a time in the order of time.
    pub hits: Vec<SearchHit<D>>,
    /// Guarded claims about a subject that the query names, which this door may not see.
    pub redacted: Vec<WireClaim<D>>,
    /// Whether the query names a time: then each hit says which days it is of.
    pub of_time: bool,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(SearchReport { hits, redacted } keeping { of_time, freshness });

/// A claim found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "SearchHit")]
#[serde(bound = "D: Door")]
pub struct SearchHit<D = DoorView> {
    /// The claim, with its place.
    #[serde(flatten)]
    pub claim: WireClaim<D>,
    /// Words and meaning made one, from 0 to 1, and what spreading added.
    pub score: f32,
    /// `likely`, `possible`, or `nearest`: how far it answers the query.
    pub relevance: EvidenceStrength,
    /// Which words were found, and where.
    pub why: Vec<String>,
    /// How it came to its place.
    pub explain: RankExplanation,
    /// The days that it is of, where a time was asked about and it says so.
    pub days: Option<ClaimDays>,
}

for_door!(SearchHit { claim } keeping { score, relevance, why, explain, days });

/// A hit's place in each list, and what spreading added.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RankExplanation {
    /// Among those that hold words of the query; the score is BM25. `null` if it holds none.
    pub lexical: Option<ListRank>,
    /// Among those that mean the like; the score is the cosine. `null` if it is not among the nearest.
    pub semantic: Option<ListRank>,
    /// The score that it got from related hits.
    pub spread: f32,
}

/// A place in a list.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ListRank {
    /// From 1.
    pub rank: usize,
    /// Comparable within one list of one search.
    pub score: f32,
}

/// What `ask` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "AskReport")]
#[serde(bound = "D: Door")]
pub struct AskReport<D = DoorView> {
    /// `verified`, `supported`, `partial`, `unverified`, `no_evidence`, or `withheld`: what a draft was made of became guarded.
    pub status: AnswerStatus,
    /// `likely` or `possible`; `null` without an answer, and of one that a model drafted.
    pub relevance: Option<EvidenceStrength>,
    /// The answer: what was verified, with its citations.
    pub answer: String,
    /// The answer's sentences.
    pub sentences: Vec<SentenceReport>,
    /// The cited claims, with their places.
    pub claims: Vec<WireClaim<D>>,
    /// Of a question of time the days that each of `claims` is of, one for each; else empty.
    pub days: Vec<Option<ClaimDays>>,
    /// Claims that open contradictions set against the cited ones: the user has not decided which hold.
    pub contested: Vec<ContestedClaim<D>>,
    /// Guarded claims about a subject that the question names, which this door may not see.
    pub redacted: Vec<WireClaim<D>>,
    /// Who drafted it; `null` where it is the notes' own words.
    pub drafted: Option<DraftedBy>,
    /// What was looked for, where nothing was found that answers; else `null`.
    pub looked_for: Option<SearchedWords>,
    /// The passages that come nearest, the best first, some 2,950 bytes as they are written; none where only a time is asked about.
    pub nearest: Vec<Passage<D>>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(AskReport { claims, contested, redacted, nearest } keeping { status, relevance, answer, sentences, days, drafted, looked_for, freshness });

/// A cited claim, and one that contradicts it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ContestedClaim")]
#[serde(bound = "D: Door")]
pub struct ContestedClaim<D = DoorView> {
    /// The id of the cited claim.
    pub claim: String,
    /// What the notes say against it.
    pub against: WireClaim<D>,
}

for_door!(ContestedClaim { against } keeping { claim });

/// The words of a question, by whether they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SearchedWords {
    /// Those that stand in what was found, of whatever time, as far as this door sees it.
    pub known: Vec<String>,
    /// Those that stand in none of it.
    pub unknown: Vec<String>,
}

impl SearchedWords {
    /// Whether there are words, and none was found.
    pub(crate) fn is_all_unknown(&self) -> bool {
        self.known.is_empty() && !self.unknown.is_empty()
    }
}

/// Who drafted an answer, and what of the draft is left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DraftedBy {
    /// The model.
    pub model: String,
    /// How often it was asked.
    pub drafts: usize,
    /// What of the draft that the answer is left of did not hold.
    pub removed: RemovedReport,
}

/// How many sentences and citations of a draft did not hold, by verdict. Never what they say.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Removed")]
pub struct RemovedReport {
    /// Sentences of which a fact disagrees with the cited words.
    pub contradicted: usize,
    /// Sentences of which something is in nothing that they cite.
    pub unsupported: usize,
    /// Sentences that only paraphrase what they cite, where those are not wanted.
    pub paraphrased: usize,
    /// Sentences whose every citation fails, or one of whose is redacted.
    pub rejected: usize,
    /// Sentences without a citation.
    pub uncited: usize,
    /// Citations that do not stand.
    pub citations: usize,
}

impl<D> SearchReport<D> {
    /// Sorts the hits of a temporal query chronologically; other reports stay sorted by rank.
    #[must_use]
    pub fn sorted_by_time(mut self) -> Self {
        if self.of_time {
            self.hits.sort_by(|a, b| {
                let place = |claim: &super::WireClaim<D>| claim.place().map(|place| (place.path.clone(), place.start));
                let key = |days: &Option<ClaimDays>| (days.is_none(), days.clone());
                key(&a.days).cmp(&key(&b.days)).then_with(|| place(&a.claim).cmp(&place(&b.claim)))
            });
        }
        self
    }
}
