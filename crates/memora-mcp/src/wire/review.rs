//! The results of the review tools: contradictions, stale sentences, and the review itself.

use memora_engine::report::{
    BreakReason, ContradictionReport, Freshness, KindCount, PairStatus, ReviewItem, ReviewKind, StaleClaim,
    SupersessionBasis,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::note_text::{note_path, note_text};
use super::{AgentClaim, ClaimDetail, ListStatus};

/// What `memora_contradictions` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ContradictionsResult")]
#[serde(bound = "")]
pub struct ContradictionsResult<D> {
    /// `found`; `none`: no two claims that this client may see, or no more; or `not_indexed_yet`: none, and notes are due.
    pub status: ListStatus,
    /// How many pairs are open in all.
    pub open: usize,
    /// How many are not, since one of the two was superseded; `all` lists them.
    pub resolved: usize,
    /// What is open first, then what is dated, then by date, the latest first.
    pub contradictions: Vec<AgentContradiction<D>>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Pass it on as `cursor` for more; `null` where there is no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
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

/// What `memora_stale_claims` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "StaleResult")]
#[serde(bound = "")]
pub struct StaleResult<D> {
    /// `found`; `none`: none that this client may see, or no more; or `not_indexed_yet`: none, and notes are due.
    pub status: ListStatus,
    /// That first on which most rests.
    pub stale: Vec<StaleSentence<D>>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Pass it on as `cursor` for more; `null` where there is no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
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

/// What `memora_challenge` asks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ChallengeResult")]
#[serde(bound = "")]
pub struct ChallengeResult<D> {
    /// `found`; `none`: nothing that this client may see wants an eye, or no more; or `not_indexed_yet`: nothing, and notes
    /// are due.
    pub status: ListStatus,
    /// How many there are of each kind in all: `stale`, `contradiction`, `edit`, `aging`, `intention`, `single_source`, `problems` or
    /// `frontier`.
    pub found: Vec<KindCount>,
    /// What wants a person's eye: three of each kind before more of any, and of those that first on which most rests.
    pub items: Vec<ChallengeItem<D>>,
    /// What follows from all this, and what to call next.
    pub next: &'static str,
    /// Pass it on as `cursor` for more; `null` where there is no more.
    pub cursor: Option<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// Something that wants a person's eye.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ChallengeItem")]
#[serde(bound = "")]
pub struct ChallengeItem<D> {
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

impl<D> ChallengeItem<D> {
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
