//! The results of `memora_read` and `memora_about`.

use std::fmt;

use memora_engine::Door;
use memora_engine::report::{
    DecisionKind, DecisionReport, EdgeDirection, EdgeLabel, EdgeReport, Freshness, SupersessionBasis,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::passage::{write_freshness, write_lines};
use super::{AgentClaim, AgentPassage, ClaimDetail, ClaimLookup, EntityLookup, EntityRole, MemoryPage, write_next};
use crate::budget::truncate_text;

/// What `memora_read` tells of a claim.
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
    /// Every reading of the statement, once for each place, the first ten.
    pub claims: Vec<AgentClaim<D>>,
    /// What it is to other claims, the first ten.
    pub edges: Vec<ClaimEdge<D>>,
    /// What the user decided about it, by time, the last ten.
    pub decisions: Vec<AgentDecision>,
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

/// What `memora_about` tells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "AboutResult")]
#[serde(bound = "")]
pub struct AboutResult<D> {
    /// `found`, `ambiguous`, `unknown`, or `not_indexed_yet`: unknown, and notes are due.
    pub status: EntityLookup,
    /// Who or what is meant, or may be, when that is open.
    pub meant: Vec<AgentEntity>,
    /// Names of notes that are close to the one asked for, if no note has that one.
    pub nearest: Vec<String>,
    /// Whether only notes that machines wrote have the name: `captured` takes them too.
    pub only_captured: bool,
    /// What is dated first, in time order; then claims about it, then those that name it otherwise.
    pub claims: Vec<EntityClaim<D>>,
    /// What is named in the same blocks, most often first.
    pub co_occurs: Vec<AgentNeighbour>,
    /// Pass it on as `from` for more claims; `null` where there are no more.
    pub next: Option<usize>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What `memora_read` shows: a note, a claim, or what is remembered.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ReadResult")]
#[serde(bound = "D: Door")]
pub struct ReadResult<D: Door> {
    /// The note, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<NoteResult<D>>,
    /// The claim, where one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<ClaimResult<D>>,
    /// Memories, where some were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryPage<D>>,
}

impl<D: Door> Default for ReadResult<D> {
    fn default() -> Self {
        Self { note: None, claim: None, memory: None }
    }
}

/// A page of a note.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "NoteResult")]
#[serde(bound = "")]
pub struct NoteResult<D> {
    /// The note, from the vault's root.
    pub path: String,
    /// Its statements, under their headings.
    pub passages: Vec<AgentPassage<D>>,
    /// Pass it on as `from` for more; `null` where there is no more.
    pub next: Option<usize>,
    /// Whether nothing of the note is withheld.
    pub is_whole: bool,
    /// Whether a machine wrote it: then it is not the user's own word.
    pub captured: bool,
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

impl<D: Door> fmt::Display for ReadResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.note.iter().try_for_each(|note| write!(f, "{note}"))?;
        self.claim.iter().try_for_each(|claim| write!(f, "{claim}"))?;
        self.memory.iter().try_for_each(|memory| write!(f, "{memory}"))
    }
}

/// Its headings, and each statement with its line and id.
impl<D> fmt::Display for NoteResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.captured {
            f.write_str("a machine wrote this note: it is not the user's word\n")?;
        }
        if self.passages.is_empty() {
            write!(f, "{}\nnothing in it, or no more, that you may see", self.path)?;
        }
        for (number, passage) in self.passages.iter().enumerate() {
            // The path is told once.
            let place = passage.place.strip_prefix(self.path.as_str()).filter(|_| number > 0).map(str::trim_start);
            let place = place.unwrap_or(&passage.place);
            write!(
                f,
                "{}{place}{}",
                if number > 0 && !place.is_empty() { "\n" } else { "" },
                write_lines(&passage.lines)
            )?;
        }
        write_next(f, self.next)?;
        if !self.is_whole {
            f.write_str("\nparts of this note may be withheld from you by the user's rules")?;
        }
        write_freshness(f, self.freshness)
    }
}

/// What it says, its places, and what it is to others.
impl<D> fmt::Display for ClaimResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[claim:{}] {}: {}", self.asked, self.status, self.explanation)?;
        let mut places: Vec<String> = self.claims.iter().map(ToString::to_string).collect();
        places.dedup();
        places.iter().try_for_each(|place| write!(f, "\n{place}"))?;
        for ClaimEdge { kind, direction, other, .. } in &self.edges {
            let said = match direction {
                EdgeDirection::To => format!("it {kind}"),
                EdgeDirection::From => format!("{kind} it"),
            };
            write!(f, "\n{said}: {other}")?;
        }
        for AgentDecision { at, act, claim, over, .. } in &self.decisions {
            let over = over.iter().map(|id| format!(" over [claim:{id}]")).collect::<String>();
            write!(f, "\nthe user decided {at}: {act} [claim:{claim}]{over}")?;
        }
        write_freshness(f, self.freshness)
    }
}

impl<D> fmt::Display for AboutResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.status {
            EntityLookup::Found => {}
            EntityLookup::Ambiguous => f.write_str("several have this name; call again with a path:\n")?,
            EntityLookup::Unknown if self.only_captured => {
                f.write_str("only notes that machines wrote have this name: captured takes them too")?;
            }
            EntityLookup::Unknown => f.write_str("no note that you may see has this name")?,
            EntityLookup::NotIndexedYet => f.write_str("not indexed yet: ask again in a moment")?,
        }
        let meant = self.meant.iter().map(ToString::to_string).collect::<Vec<_>>();
        f.write_str(&meant.join("\n"))?;
        if !self.nearest.is_empty() {
            write!(f, "\nnames like it: {}", self.nearest.join(", "))?;
        }
        self.claims.iter().try_for_each(|claim| write!(f, "\n{claim}"))?;
        if !self.co_occurs.is_empty() {
            let beside = self.co_occurs.iter().map(|other| format!("{} {}", other.name, other.count));
            write!(f, "\nbeside it: {}", beside.collect::<Vec<_>>().join(", "))?;
        }
        write_next(f, self.next)?;
        write_freshness(f, self.freshness)
    }
}

impl fmt::Display for AgentEntity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        self.path.iter().try_for_each(|path| write!(f, " ({path})"))?;
        let others: Vec<&str> = self.names.iter().map(String::as_str).filter(|name| *name != self.name).collect();
        if others.is_empty() { Ok(()) } else { write!(f, ", also: {}", others.join(", ")) }
    }
}

/// The day it is of, where known, then the claim.
impl<D> fmt::Display for EntityClaim<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.claim.since().iter().try_for_each(|day| write!(f, "{day}  "))?;
        write!(f, "{}", self.claim)
    }
}
