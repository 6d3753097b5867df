//! The results of `memora_claim` and `memora_entity`.

use memora_engine::report::{
    DecisionKind, DecisionReport, EdgeDirection, EdgeLabel, EdgeReport, Extractor, Freshness, SupersessionBasis,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AgentClaim, ClaimDetail, ClaimLookup, EntityLookup, EntityRole};
use crate::budget::truncate_text;

/// What `memora_claim` tells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ClaimResult")]
#[serde(bound = "")]
pub struct ClaimResult<D> {
    /// The id that was asked for.
    pub asked: String,
    /// `current`, `superseded`, `withdrawn`, `changed`, `missing_note`, `unknown`, or `not_indexed_yet`: unknown, and notes
    /// are due.
    pub status: ClaimLookup,
    /// The status in a sentence.
    pub explanation: String,
    /// Every reading of the statement, once for each place.
    pub claims: Vec<AgentClaim<D>>,
    /// What it is to other claims, behind the last of `claims`.
    pub edges: Vec<ClaimEdge<D>>,
    /// What the user decided about it, by time, the last ten.
    pub decisions: Vec<AgentDecision>,
    /// When the statement was first indexed, in seconds since 1970; `null` at a cloud door.
    pub first_seen: Option<i64>,
    /// Which rule read the claims, or `model`.
    pub extractors: Vec<Extractor>,
    /// The language models that read them.
    pub models: Vec<String>,
    /// Pass it on as `cursor` for more; `null` where there is no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What a claim is to another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ClaimEdge")]
#[serde(bound = "")]
pub struct ClaimEdge<D> {
    /// `supersedes`, `contradicts`, `entails`, `corroborates` or `derives`.
    pub kind: EdgeLabel,
    /// `to`: the claim does so to the other; `from`: the other to it.
    pub direction: EdgeDirection,
    /// `decision`, `words_of_change` or `later_date`; `null` where nothing is superseded.
    pub basis: Option<SupersessionBasis>,
    /// The other claim, re-read a moment ago.
    pub other: AgentClaim<D>,
}

/// What the user decided about a claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AgentDecision {
    /// When, in UTC.
    pub at: String,
    /// `keep`, `both`, `retract`, `restore` or `later`.
    pub act: DecisionKind,
    /// About which claim.
    pub claim: String,
    /// Over, or beside, which others, ten at most.
    pub over: Vec<String>,
    /// Though which of the claims that it derives from gave way, ten at most.
    pub despite: Vec<String>,
}

/// What `memora_entity` tells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "EntityResult")]
#[serde(bound = "")]
pub struct EntityResult<D> {
    /// `found`, `ambiguous`, `unknown`, or `not_indexed_yet`: unknown, and notes are due.
    pub status: EntityLookup,
    /// Who or what is meant, or may be, when that is open.
    pub meant: Vec<AgentEntity>,
    /// Names of notes that are close to the one asked for, if no note has that one.
    pub nearest: Vec<String>,
    /// In how many statements the notes name it.
    pub mentioned: usize,
    /// Claims about it first, then those that name it otherwise.
    pub claims: Vec<EntityClaim<D>>,
    /// What is named in the same blocks, most often first.
    pub co_occurs: Vec<AgentNeighbour>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Pass it on as `cursor` for more claims; `null` where there are no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What several names are names of.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AgentEntity {
    /// A note's title; a bare name as it is written.
    pub name: String,
    /// Other names.
    pub names: Vec<String>,
    /// The note; `null` for a bare name.
    pub path: Option<String>,
}

/// A claim about an entity, or one that names it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "EntityClaim")]
#[serde(bound = "")]
pub struct EntityClaim<D> {
    /// `subject`, or `mention`.
    pub role: EntityRole,
    /// The claim.
    #[serde(flatten)]
    pub claim: AgentClaim<D>,
}

/// Something that is named in the same blocks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AgentNeighbour {
    /// A note's title; a bare name as it is written.
    pub name: String,
    /// In how many blocks.
    pub count: usize,
}

impl<D> ClaimEdge<D> {
    /// Converts an edge; `None` if the other claim is redacted.
    pub(crate) fn from_report(edge: &EdgeReport<D>) -> Option<Self> {
        let EdgeReport { kind, direction, basis, .. } = *edge;
        Some(Self { kind, direction, basis, other: AgentClaim::from_wire(&edge.other, ClaimDetail::Brief)? })
    }
}

impl AgentDecision {
    pub(crate) fn from_report(decision: &DecisionReport) -> Self {
        let DecisionReport { at, act, claim, over, despite } = decision.clone();
        let some = |ids: Vec<String>| ids.into_iter().take(10).collect();
        Self { at: truncate_text(&at, 40), act, claim, over: some(over), despite: some(despite) }
    }
}
