//! Reports of the lifecycle of claims: contradictions, edges, decisions.

use memora_claim::{ClaimId, Decision, MemoryDecision};
use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{
    BreakReason, ChangeJudgement, DecisionKind, EdgeDirection, EdgeLabel, Freshness, MemoryItem, PairJudgement,
    PairStatus, SupersessionBasis,
};
use crate::report::typed::for_door;

/// What `contradictions` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ContradictionsReport")]
#[serde(bound = "D: Door")]
pub struct ContradictionsReport<D = DoorView> {
    /// What is open first, then what is dated, then by date, the latest first.
    pub contradictions: Vec<ContradictionReport<D>>,
    /// How many are open. What a model took out is among them: it closes nothing.
    pub open: usize,
    /// How many are not, since one of the two was superseded; `--all` lists them.
    pub resolved: usize,
    /// Whether there are more than were asked for.
    pub more: bool,
    /// The model that was asked whether what is open is a contradiction; `null` where none was.
    pub judged: Option<ContradictionJudgementReport>,
    /// Lines of `.memora/decisions.jsonl` that could not be read, from 1; they are kept.
    pub unread: Vec<usize>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(ContradictionsReport { contradictions } keeping { open, resolved, more, judged, unread, freshness });

impl<D> ContradictionsReport<D> {
    /// Returns the number of open contradictions that no model dismissed.
    #[must_use]
    pub fn remaining_open(&self) -> usize {
        self.open - self.judged.as_ref().map_or(0, |by| by.no_contradiction)
    }
}

/// Who judged what is open by the rules, and what came of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ContradictionJudgementReport {
    /// The model.
    pub model: String,
    /// How often it was asked.
    pub calls: usize,
    /// How many it found to contradict, too.
    pub contradiction: usize,
    /// How many it took out, since both can hold; `--all` lists them.
    pub no_contradiction: usize,
    /// How many are open by the rules alone: it said nothing of them that could be read, or was not asked.
    pub not_judged: usize,
    /// What it failed with, if it did.
    pub failure: Option<String>,
}

/// Two claims that cannot both hold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Contradiction")]
#[serde(bound = "D: Door")]
pub struct ContradictionReport<D = DoorView> {
    /// `open`, or `superseded` where one of the two no longer holds.
    pub status: PairStatus,
    /// `decision`, `words_of_change` or `later_date`: why it no longer holds; `null` while it is open.
    pub basis: Option<SupersessionBasis>,
    /// The relation of which they are, or the verb.
    pub about: String,
    /// Why they contradict, in a sentence.
    pub why: String,
    /// What was superseded; while it is open, what holds from an earlier day, or from none, or stands first.
    pub older: WireClaim<D>,
    /// The other.
    pub newer: WireClaim<D>,
    /// What a model found: `contradiction`, `no_contradiction` or `not_judged`; `null` where it was not to be asked.
    pub judged: Option<PairJudgement>,
}

for_door!(ContradictionReport { older, newer } keeping { status, basis, about, why, judged });

/// What `changes` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ChangesReport")]
#[serde(bound = "D: Door")]
pub struct ChangesReport<D = DoorView> {
    /// Newer statements beside older ones, those of the newest note first; before them those that a model finds changed.
    pub pairs: Vec<ChangePair<D>>,
    /// How many newer statements were read for them.
    pub read: usize,
    /// Pass it on as `from` for more; `null` where there are no more.
    pub next: Option<usize>,
    /// The model that was asked what the newer ones do to the older ones; `null` where none was.
    pub judged: Option<ChangesJudgementReport>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(ChangesReport { pairs } keeping { read, next, judged, freshness });

impl<D> ChangesReport<D> {
    /// Returns whether a pair is listed that no model took out.
    #[must_use]
    pub fn has_remaining(&self) -> bool {
        let is_taken_out =
            |pair: &ChangePair<D>| !pair.judged.is_empty() && pair.judged.iter().all(|word| word.is_taken_out());
        !self.pairs.iter().all(is_taken_out)
    }
}

/// Who judged what newer statements do to older ones, and what came of it; pairs are counted by their older statements.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ChangesJudgementReport {
    /// The model.
    pub model: String,
    /// How often it was asked.
    pub calls: usize,
    /// How many of the older ones it found to hold no longer.
    pub changed: usize,
    /// How many it took out, since the newer one says the same; `--all` lists them.
    pub same: usize,
    /// How many it took out, since both hold; `--all` lists them.
    pub both_hold: usize,
    /// How many it said nothing of that could be read, or was not asked about.
    pub not_judged: usize,
    /// What it failed with, if it did.
    pub failure: Option<String>,
}

impl ChangeJudgement {
    /// Returns whether a pair with this verdict is listed with `--all` alone.
    #[must_use]
    pub fn is_taken_out(self) -> bool {
        matches!(self, Self::Same | Self::BothHold)
    }
}

/// A newer statement beside the older ones that come nearest. Whether they still hold is for the reader.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ChangePair")]
#[serde(bound = "D: Door")]
pub struct ChangePair<D = DoorView> {
    /// The newer one.
    pub newer: WireClaim<D>,
    /// The older ones, the nearest first.
    pub older: Vec<WireClaim<D>>,
    /// How many newer statements come before this one: the `from` with which a page begins with it.
    pub at: usize,
    /// How near the first of the older ones comes, from 0 to 1, before a model takes any out.
    pub score: f32,
    /// The words of the newer one that end an older one, or put another value in its place; `null` where none does.
    pub ended_by: Option<String>,
    /// What a model found of each of the older ones, in their order; empty where none was to be asked.
    pub judged: Vec<ChangeJudgement>,
}

for_door!(ChangePair { newer, older } keeping { at, score, ended_by, judged });

/// What `stale` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "StaleReport")]
#[serde(bound = "D: Door")]
pub struct StaleReport<D = DoorView> {
    /// That first on which most rests, then by note and place.
    pub stale: Vec<StaleClaim<D>>,
    /// What agents remember that cites what no longer holds, the newest first.
    pub memories: Vec<StaleMemory<D>>,
    /// Whether there are more than were asked for.
    pub more: bool,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(StaleReport { stale, memories } keeping { more, freshness });

/// A sentence that cites what no longer holds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "StaleClaim")]
#[serde(bound = "D: Door")]
pub struct StaleClaim<D = DoorView> {
    /// The sentence, by its first reading.
    pub claim: WireClaim<D>,
    /// How many sentences rest on it, directly and by way of others.
    pub dependents: usize,
    /// What of its grounds gave way; never empty.
    pub because: Vec<BrokenSupportReport<D>>,
}

for_door!(StaleClaim { claim, because } keeping { dependents });

/// A memory that cites what no longer holds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "StaleMemory")]
#[serde(bound = "D: Door")]
pub struct StaleMemory<D = DoorView> {
    /// The memory.
    pub memory: MemoryItem<D>,
    /// What of its grounds gave way; never empty.
    pub because: Vec<BrokenSupportReport<D>>,
}

for_door!(StaleMemory { memory, because } keeping {  });

/// Something that a sentence rests on and that no longer holds.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Ground")]
#[serde(bound = "D: Door")]
pub struct BrokenSupportReport<D = DoorView> {
    /// The claim, by the id that it is cited by.
    pub claim: String,
    /// `superseded`, `withdrawn`, or `gone`: no sentence of the notes says it any more.
    pub how: BreakReason,
    /// The same in a sentence, with the way there.
    pub explanation: String,
    /// The claim as it still stands; `null` where it is gone.
    pub was: Option<WireClaim<D>>,
    /// What superseded it.
    pub now: Vec<WireClaim<D>>,
    /// The sentences between, nearest first, eight at most; empty where it is cited directly.
    pub by_way_of: Vec<WireClaim<D>>,
}

for_door!(BrokenSupportReport { was, now, by_way_of } keeping { claim, how, explanation });

/// What a claim is to another.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ClaimEdge")]
#[serde(bound = "D: Door")]
pub struct EdgeReport<D = DoorView> {
    /// The claim that was asked for, of its statement's.
    pub claim: String,
    /// `supersedes`, `contradicts`, `entails`, `corroborates`, or `derives`: its sentence cites the other.
    pub kind: EdgeLabel,
    /// `to`: the claim does so to the other; `from`: the other to it.
    pub direction: EdgeDirection,
    /// `decision`, `words_of_change` or `later_date`; `null` where nothing is superseded.
    pub basis: Option<SupersessionBasis>,
    /// The claim whose words tell of the change.
    pub told_by: Option<String>,
    /// The other, re-read a moment ago.
    pub other: WireClaim<D>,
}

for_door!(EdgeReport { other } keeping { claim, kind, direction, basis, told_by });

/// A line of `.memora/decisions.jsonl`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Decision")]
pub struct DecisionReport {
    /// When, in UTC.
    pub at: String,
    /// `keep`, `both`, `retract`, `end`, `restore` or `later`.
    #[serde(rename = "do")]
    pub act: DecisionKind,
    /// About which claim, or memory.
    pub claim: String,
    /// Over, or beside, which others.
    pub over: Vec<String>,
    /// Though which of the claims that it derives from gave way, or say otherwise.
    pub despite: Vec<String>,
}

/// What `keep`, `retract` or `restore` decided.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "DecidedReport")]
#[serde(bound = "D: Door")]
pub struct DecidedReport<D = DoorView> {
    /// The line that was added.
    pub decision: DecisionReport,
    /// The claims that it names, as they stand now.
    pub claims: Vec<WireClaim<D>>,
}

for_door!(DecidedReport { claims } keeping { decision });

impl DecisionReport {
    /// Builds the report of a decision.
    pub(crate) fn from_decision(made: &Decision) -> Self {
        let list = |ids: &[ClaimId]| ids.iter().map(ToString::to_string).collect();
        Self {
            at: made.at.clone(),
            act: made.act,
            claim: made.claim.to_string(),
            over: list(&made.over),
            despite: list(&made.despite),
        }
    }

    /// Builds the report of a decision about a memory.
    pub(crate) fn from_memory_decision(made: &MemoryDecision) -> Self {
        let despite = made.despite.iter().map(ToString::to_string).collect();
        Self { at: made.at.clone(), act: made.act, claim: made.memory.clone(), over: Vec::new(), despite }
    }
}
