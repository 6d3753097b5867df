//! The results of `memora_search` and `memora_query_cited`.

use std::marker::PhantomData;

use memora_engine::Door;
use memora_engine::report::{ClaimDays, EvidenceStrength, Freshness, Passage, PassageLine};
use schemars::JsonSchema;
use serde::Serialize;

use crate::budget::truncate_text;

use super::{AgentClaim, ComparedSentence, QueryStatus, SearchStatus, WithheldSubject};

/// What `memora_search` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "SearchResult")]
#[serde(bound = "")]
pub struct SearchResult<D> {
    /// `found`; `nothing_found`: it is not in the notes that this client may see; `not_indexed_yet`: nothing was found, and
    /// notes are due, so that it may be there all the same.
    pub status: SearchStatus,
    /// Best first; of a query that names a time in the order of time.
    pub claims: Vec<AgentHit<D>>,
    /// What is withheld from this client.
    pub withheld: Vec<WithheldSubject>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Pass it on as `cursor` for more; `null` where there is no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// A claim found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Hit")]
#[serde(bound = "")]
pub struct AgentHit<D> {
    /// The claim.
    #[serde(flatten)]
    pub claim: AgentClaim<D>,
    /// `strong`, `weak`, or `none`: how far it answers the query.
    pub relevance: EvidenceStrength,
    /// The days that it is of, where a time was asked about and it says so; else `null`.
    pub days: Option<ClaimDays>,
}

/// What the notes say against a claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Contested")]
#[serde(bound = "")]
pub struct ContestedClaim<D> {
    /// The id of the claim that it is said against.
    pub contests: String,
    /// The other claim.
    #[serde(flatten)]
    pub claim: AgentClaim<D>,
}

/// A run of lines of a note under the same headings, around what was found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Passage")]
#[serde(bound = "")]
pub struct AgentPassage<D> {
    /// The note's path, and the headings above.
    pub place: String,
    /// Its sentences, items and rows, in order.
    pub lines: Vec<AgentPassageLine>,
    #[serde(skip)]
    door: PhantomData<D>,
}

/// A sentence, an item or a row of a passage.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "PassageLine")]
pub struct AgentPassageLine {
    /// The id to cite it by.
    pub claim: String,
    /// Its words.
    pub text: String,
    /// Whether it is what was found; absent where it only stands around that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub found: bool,
}

impl<D: Door> AgentPassage<D> {
    /// Shows a passage to an agent.
    pub(crate) fn from_passage(passage: &Passage<D>) -> Self {
        let line = |line: &PassageLine| AgentPassageLine {
            claim: line.claim.clone(),
            text: truncate_text(&line.text, LINE_BYTES_MAX),
            found: line.hit,
        };
        Self { place: passage.place(), lines: passage.lines.iter().map(line).collect(), door: PhantomData }
    }
}

/// The longest line that is shown whole.
const LINE_BYTES_MAX: usize = 900;

/// What `memora_query_cited` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "QueryResult")]
#[serde(bound = "")]
pub struct QueryResult<D> {
    /// Without a model: `claims`, or `no_evidence`. With one: `verified`, `supported`, `partial`, `unverified`, `no_evidence`, or
    /// `withheld` when what a draft was made of became guarded. In either case `not_indexed_yet` rather than `no_evidence`
    /// while notes are due.
    pub status: QueryStatus,
    /// `strong` or `weak`: how far the claims answer the question; `null` without any, and with a model.
    pub relevance: Option<EvidenceStrength>,
    /// The drafted answer: what was verified, with its citations. `null` where no model was asked, or nothing of its draft holds.
    pub answer: Option<String>,
    /// Sentences of the answer in words of their own, each with the words of the notes to show beside it.
    pub compare: Vec<ComparedSentence>,
    /// The claims to answer from, or those that the answer cites.
    pub claims: Vec<AgentClaim<D>>,
    /// The passages that come nearest, the best first, in the notes' own words. Absent where there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<AgentPassage<D>>,
    /// What the notes say against some of these claims, where the user has not decided which holds; absent where nothing is open.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contested: Vec<ContestedClaim<D>>,
    /// What is withheld from this client.
    pub withheld: Vec<WithheldSubject>,
    /// Who drafted the answer; `null` where no model was asked.
    pub drafted_by: Option<String>,
    /// How many sentences of the draft did not hold.
    pub removed: usize,
    /// Whether anything was left out for length.
    pub more: bool,
    /// How to cite.
    pub how_to_cite: &'static str,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}
