//! The reports of `review` and `review --apply`.

use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, DecisionKind, DecisionReport, Freshness, ReviewKind};
use crate::report::typed::for_door;

/// What `review` asks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ReviewReport")]
#[serde(bound = "D: Door")]
pub struct ReviewReport<D = DoorView> {
    /// The day that counts as today.
    pub day: String,
    /// What wants a person's eye: three of each kind before more of any, and of those that first on which most rests.
    pub items: Vec<ReviewItem<D>>,
    /// How many there are of each kind, those left out for the limit among them.
    pub found: Vec<KindCount>,
    /// The review that was kept last, by `watch` or `--write`; `null` where none was, and at a cloud door.
    pub last: Option<LastReview>,
    /// The note that `--write` made; `null` without it, and at a cloud door.
    pub written: Option<String>,
    /// What `--write` left out, since it stands in a review of today already; `null` where nothing does, and at a cloud
    /// door.
    pub already: Option<AlreadyWritten>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(ReviewReport { items } keeping { day, found, last, written, already, freshness });

/// Items that stand in reviews of the same day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AlreadyWritten {
    /// The review notes, by path.
    pub paths: Vec<String>,
    /// How many items.
    pub count: usize,
}

impl<D> ReviewReport<D> {
    /// Keeps the first `limit` items; the total counts stay.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.items.truncate(limit);
        if let Some(last) = &mut self.last {
            last.new_since = self.items.iter().filter(|item| item.new).count();
        }
        self
    }
}

/// How many there are of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct KindCount {
    /// The kind.
    pub kind: ReviewKind,
    /// How many.
    pub count: usize,
}

/// A review that was kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct LastReview {
    /// On which day it was made.
    pub day: String,
    /// How many of the items here are not in it.
    pub new_since: usize,
}

/// Something that wants a person's eye.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ReviewItem")]
#[serde(bound = "D: Door")]
pub struct ReviewItem<D = DoorView> {
    /// `stale`, `contradiction`, `changed`, `edit`, `aging`, `intention`, `single_source`, `frontier` or `memory`.
    pub kind: ReviewKind,
    /// What is asked.
    pub question: String,
    /// Why, in a sentence.
    pub why: String,
    /// What to do, in a sentence.
    pub advice: String,
    /// `public`, `private` or `secret`: how guarded the strictest of what it is about is.
    pub band: Band,
    /// How many sentences rest on what it is about.
    pub dependents: usize,
    /// The claims it is about; of two the older first. Each was re-read a moment ago.
    pub claims: Vec<WireClaim<D>>,
    /// The words that stood there before, of an edit; `null` where they were guarded.
    pub formerly: Option<String>,
    /// The note, where it is about one as a whole.
    pub path: Option<String>,
    /// The id of the memory that it is about; `null` where it is about notes.
    pub memory: Option<String>,
    /// How a stale sentence may be reworded, by a model that was asked; `null` where none was, or nothing held.
    pub proposed: Option<ProposedWording>,
    /// What can be decided.
    pub choices: Vec<ReviewChoice>,
    /// Whether it is not in the review that was kept last; at a cloud door always.
    pub new: bool,
}

for_door!(ReviewItem { claims } keeping { kind, question, why, advice, band, dependents, formerly, path, memory, proposed, choices, new });

/// How a sentence may be reworded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProposedWording {
    /// One sentence with its citations, verified against what it cites.
    pub text: String,
    /// The model that drafted it.
    pub by: String,
}

/// One way to decide.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ReviewChoice {
    /// What to tick: `keep new`, `keep old`, `both true`, `not a contradiction`, `still true`, `no longer true`, `keep
    /// the memory`, `forget it` or `later`.
    pub tick: &'static str,
    /// `keep`, `both`, `end`, `retract` or `later`.
    #[serde(rename = "do")]
    pub act: DecisionKind,
    /// About which claim, or memory.
    pub claim: String,
    /// Over, or beside, which others.
    pub over: Vec<String>,
    /// Though which of the claims that it derives from gave way.
    pub despite: Vec<String>,
    /// Signs the words of the memory that is asked about.
    #[serde(skip)]
    pub(crate) words: Option<String>,
}

impl ReviewChoice {
    /// Encodes the decision, as it stands behind a box of a review note; `AtDoor::apply_choice` takes it.
    #[must_use]
    pub fn to_tick(&self) -> String {
        let list = |word: &str, ids: &[String]| match ids {
            [] => String::new(),
            ids => format!(" {word} {}", ids.join(" ")),
        };
        let words = self.words.as_ref().map(|words| format!(" words {words}")).unwrap_or_default();
        format!("{} {}{words}{}{}", self.act, self.claim, list("over", &self.over), list("despite", &self.despite))
    }
}

/// What `review --apply` did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "AppliedReport")]
pub struct AppliedReport {
    /// The decisions that were added, as far as this door may see what they are about.
    pub applied: Vec<DecisionReport>,
    /// Ticks that could not be applied; empty at a cloud door.
    pub refused: Vec<RefusedTick>,
    /// Whether some of them want to be mended: they contradict each other, or cannot be read. Never at a cloud door.
    pub conflict: bool,
}

/// A tick that could not be applied.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RefusedTick {
    /// The review.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// Why.
    pub why: String,
}
