//! The result of `memora_review`: contradictions, stale sentences, and whatever else wants a person's eye.

use std::fmt;

use memora_engine::report::{
    BreakReason, ChangePair, ContradictionReport, Freshness, KindCount, PairStatus, ReviewItem, ReviewKind, StaleClaim,
    SupersessionBasis,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::note_text::{note_path, note_text};
use super::passage::write_freshness;
use super::{AgentClaim, ClaimDetail, ListStatus, write_next};

/// What `memora_review` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ReviewResult")]
#[serde(bound = "")]
pub struct ReviewResult<D> {
    /// `found`; `none`: nothing that this client may see, or no more; or `not_indexed_yet`: nothing, and notes are due.
    pub status: ListStatus,
    /// Of `contradictions`: what is dated first, then by date, the latest first.
    pub contradictions: Vec<AgentContradiction<D>>,
    /// Of `stale`: that first on which most rests.
    pub stale: Vec<StaleSentence<D>>,
    /// Of `changes`: newer statements, those of the newest note first, each beside the older ones that come nearest.
    pub changes: Vec<AgentChange<D>>,
    /// Of `everything`: three of each kind before more of any, and of those that first on which most rests.
    pub items: Vec<AgentReviewItem<D>>,
    /// How many items there are of each kind in all: `stale`, `contradiction`, `changed`, `edit`, `aging`, `intention`, `single_source`, `problems` or
    /// `frontier`.
    pub found: Vec<KindCount>,
    /// Pass it on as `from` for more; `null` where there is no more.
    pub next: Option<usize>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

impl<D> fmt::Display for ReviewResult<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = write_lines(&self.contradictions).chain(write_lines(&self.stale));
        let lines = lines.chain(write_lines(&self.changes)).chain(write_lines(&self.items));
        let lines: Vec<String> = lines.collect();
        match self.status {
            ListStatus::Found => f.write_str(&lines.join("\n"))?,
            ListStatus::None => f.write_str("nothing that you may see")?,
            ListStatus::NotIndexedYet => f.write_str("not indexed yet: ask again in a moment")?,
        }
        if !self.found.is_empty() {
            let counts: Vec<String> = self.found.iter().map(|kind| format!("{} {}", kind.count, kind.kind)).collect();
            write!(f, "\nin all: {}", counts.join(", "))?;
        }
        write_next(f, self.next)?;
        write_freshness(f, self.freshness)
    }
}

fn write_lines<T: fmt::Display>(items: &[T]) -> impl Iterator<Item = String> {
    items.iter().map(ToString::to_string)
}

/// Two claims that cannot both hold.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Contradiction")]
#[serde(bound = "")]
pub struct AgentContradiction<D> {
    /// `open`, or `superseded` where one of the two no longer holds.
    pub status: PairStatus,
    /// `decision`, `words_of_change` or `later_date`: why it no longer holds; `null` while it is open.
    pub basis: Option<SupersessionBasis>,
    /// The relation of which they are, or the verb.
    pub about: String,
    /// Why they contradict, in a sentence.
    pub why: String,
    /// What was superseded; while it is open, what holds from an earlier day, if they say.
    pub older: AgentClaim<D>,
    /// The other.
    pub newer: AgentClaim<D>,
}

/// A newer statement beside older ones. Whether they still hold is for the reader to judge.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Change")]
#[serde(bound = "")]
pub struct AgentChange<D> {
    /// The newer one.
    pub newer: AgentClaim<D>,
    /// The older ones, the nearest first, two at most.
    pub older: Vec<AgentClaim<D>>,
    /// The words of the newer one that end an older one, or put another value in its place; `null` where none does.
    pub ended_by: Option<String>,
}

impl<D> AgentChange<D> {
    pub(crate) fn from_pair(pair: &ChangePair<D>) -> Option<Self> {
        let older: Vec<_> =
            pair.older.iter().filter_map(|claim| AgentClaim::from_wire(claim, ClaimDetail::Brief)).collect();
        Some(Self {
            newer: AgentClaim::from_wire(&pair.newer, ClaimDetail::Brief)?,
            ended_by: pair.ended_by.as_deref().map(|words| note_text(words, 200)),
            older,
        })
        .filter(|change| !change.older.is_empty())
    }

    pub(crate) fn claims(&self) -> impl Iterator<Item = &AgentClaim<D>> {
        std::iter::once(&self.newer).chain(&self.older)
    }
}

impl<D> fmt::Display for AgentChange<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "new: {}", self.newer)?;
        if let Some(words) = &self.ended_by {
            write!(f, " (says otherwise: {words})")?;
        }
        self.older.iter().try_for_each(|claim| write!(f, "\n  before: {claim}"))
    }
}

/// A sentence of the notes that cites claims, of which one gave way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Stale")]
#[serde(bound = "")]
pub struct StaleSentence<D> {
    /// The sentence.
    pub claim: AgentClaim<D>,
    /// How many sentences rest on it.
    pub dependents: usize,
    /// What gave way, three at most.
    pub because: Vec<BrokenGround<D>>,
}

/// A claim that others derive from, and that gave way.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Ground")]
#[serde(bound = "")]
pub struct BrokenGround<D> {
    /// The claim's id, as it is cited.
    pub claim: String,
    /// `superseded`, `withdrawn`, or `gone`: its words are in the notes no longer.
    pub how: BreakReason,
    /// The same in a sentence.
    pub explanation: String,
    /// What superseded it, two at most.
    pub now: Vec<AgentClaim<D>>,
}

/// Something that wants a person's eye.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ReviewItem")]
#[serde(bound = "")]
pub struct AgentReviewItem<D> {
    /// Its kind.
    pub kind: ReviewKind,
    /// What is asked.
    pub question: String,
    /// Why.
    pub why: String,
    /// What to do.
    pub advice: String,
    /// How many sentences rest on what it is about.
    pub dependents: usize,
    /// The claims it is about, four at most; of two the older first.
    pub claims: Vec<AgentClaim<D>>,
    /// The note, where it is about one as a whole.
    pub path: Option<String>,
}

impl<D> AgentContradiction<D> {
    /// Converts a pair; `None` if either claim is redacted.
    pub(crate) fn from_report(pair: &ContradictionReport<D>) -> Option<Self> {
        let ContradictionReport { status, basis, .. } = *pair;
        Some(Self {
            status,
            basis,
            about: note_text(&pair.about, 100),
            why: note_text(&pair.why, 300),
            older: AgentClaim::from_wire(&pair.older, ClaimDetail::Brief)?,
            newer: AgentClaim::from_wire(&pair.newer, ClaimDetail::Brief)?,
        })
    }
}

impl<D> StaleSentence<D> {
    /// Converts a stale sentence with its broken grounds; `None` if it is redacted.
    pub(crate) fn from_report(stale: &StaleClaim<D>) -> Option<Self> {
        let because = stale.because.iter().take(3).map(|ground| BrokenGround {
            claim: ground.claim.clone(),
            how: ground.how,
            explanation: note_text(&ground.explanation, 400),
            now: AgentClaim::iter_brief(&ground.now).take(2).collect(),
        });
        let claim = AgentClaim::from_wire(&stale.claim, ClaimDetail::Brief)?;
        Some(Self { claim, dependents: stale.dependents, because: because.collect() })
    }

    /// Returns all claims in it.
    pub(crate) fn claims(&self) -> impl Iterator<Item = &AgentClaim<D>> {
        std::iter::once(&self.claim).chain(self.because.iter().flat_map(|ground| &ground.now))
    }
}

impl<D> AgentReviewItem<D> {
    pub(crate) fn from_item(item: &ReviewItem<D>) -> Self {
        Self {
            kind: item.kind,
            question: note_text(&item.question, 600),
            why: note_text(&item.why, 600),
            advice: note_text(&item.advice, 300),
            dependents: item.dependents,
            claims: AgentClaim::iter_brief(&item.claims).take(4).collect(),
            path: item.path.as_deref().map(|path| note_path(path, 300)),
        }
    }
}

/// Both claims, and why they are at odds.
impl<D> fmt::Display for AgentContradiction<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  {}\n  {}", self.why, self.older, self.newer)
    }
}

/// The sentence, and below it what gave way and what holds now.
impl<D> fmt::Display for StaleSentence<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.claim)?;
        for ground in &self.because {
            write!(f, "\n  [claim:{}] {}", ground.claim, ground.explanation)?;
            ground.now.iter().try_for_each(|now| write!(f, "\n  now: {now}"))?;
        }
        Ok(())
    }
}

/// The question, why it is asked, and the claims it is about.
impl<D> fmt::Display for AgentReviewItem<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.question)?;
        if !self.why.is_empty() {
            write!(f, " {}", self.why)?;
        }
        self.path.iter().filter(|_| self.claims.is_empty()).try_for_each(|path| write!(f, "\n  {path}"))?;
        self.claims.iter().try_for_each(|claim| write!(f, "\n  {claim}"))
    }
}
