//! A reading of a statement.

use std::fmt;

use memora_vault::PartialDate;
use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::time::{TimeExpr, resolve_validity};
use crate::{ClaimId, StatementId};

/// A reading of a statement: subject, predicate, object, with how and when it holds.
///
/// Carries words of the vault, so its `Debug` gives lengths only and it has no `Display` and no `Serialize`: it reaches
/// a door through `memora-redact`, or not at all.
#[derive(Clone, PartialEq)]
pub struct Claim {
    /// Its name.
    pub id: ClaimId,
    /// Who or what it is about; `None` where the note's title says so: see [`Claim::subject_at`].
    pub subject: Option<String>,
    /// What is said of the subject, in the statement's words, or `states`.
    pub predicate: String,
    /// What it is said of, in the statement's words; empty for a verb with nothing behind it.
    pub object: String,
    /// What else hangs on the verb, in the statement's words: a place, a purpose, a condition.
    pub qualifiers: Vec<String>,
    /// The canonical relation, where a table knows it: `uses_language`.
    pub relation: Option<String>,
    /// Whether it is asserted outright.
    pub modality: Modality,
    /// Whether it is denied: "does not support".
    pub negated: bool,
    /// Who says or thinks so, where it is reported in passing: "Anna says".
    pub attribution: Option<String>,
    /// Whether the words tell of a change.
    pub phase: Phase,
    /// How sure the extractor is, 0 to 1; orders claims, and is no probability.
    pub confidence: f32,
    /// Which rule read it.
    pub extractor: Extractor,
    /// When it holds, as far as the words say.
    pub holds: ValidityExpr,
    /// Whether it is worth being asked about later: such claims are listed, exported and reviewed. The others tell names,
    /// changes and answers what the statement says.
    pub listed: bool,
}

/// The predicate of a claim that stands for a whole sentence.
pub const STATES: &str = "states";

impl Claim {
    /// Makes a claim and names it.
    #[must_use]
    pub fn new(statement: StatementId, subject: Option<String>, predicate: &str, object: &str) -> Self {
        Self {
            id: ClaimId::from_reading(statement, subject.as_deref(), predicate, object),
            subject,
            predicate: predicate.to_owned(),
            object: object.to_owned(),
            qualifiers: Vec::new(),
            relation: None,
            modality: Modality::Asserted,
            negated: false,
            attribution: None,
            phase: Phase::Steady,
            confidence: 0.5,
            extractor: Extractor::Sentence,
            holds: ValidityExpr::default(),
            listed: false,
        }
    }
}

impl Claim {
    /// Whether its writer has taken it back: it stands under "Rejected", or is a task that was cancelled.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.modality == Modality::Rejected || self.extractor == Extractor::Task && self.predicate == "cancelled"
    }

    /// Whether it is a task that is still to be done.
    #[must_use]
    pub fn is_open_task(&self) -> bool {
        self.extractor == Extractor::Task && matches!(self.predicate.as_str(), "open" | "in progress" | "deferred")
    }

    /// The subject where it stands: its own, else the title of the note.
    #[must_use]
    pub fn subject_or_title<'a>(&'a self, title: &'a str) -> &'a str {
        self.subject.as_deref().unwrap_or(title)
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim")
            .field("id", &self.id)
            .field("object_bytes", &self.object.len())
            .field("modality", &self.modality)
            .field("extractor", &self.extractor)
            .finish_non_exhaustive()
    }
}

/// When a claim holds, by its words: perhaps relative to the day on which its note was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ValidityExpr {
    /// When it begins, or happened.
    pub from: Option<TimeExpr>,
    /// When it ends.
    pub until: Option<TimeExpr>,
}

impl ValidityExpr {
    /// Whether the words name no time at all, so that the day the note was written may stand in.
    #[must_use]
    pub const fn is_unspecified(&self) -> bool {
        self.from.is_none() && self.until.is_none()
    }

    /// The same of what is yet to come, see [`When::ahead`].
    #[must_use]
    pub fn prefer_future(self) -> Self {
        Self { from: self.from.map(TimeExpr::prefer_future), until: self.until.map(TimeExpr::prefer_future) }
    }

    /// When that is, for a note written on this day.
    #[must_use]
    pub fn resolve(self, written: Option<PartialDate>) -> Validity {
        resolve_validity((self.from, self.until), written)
    }
}

/// When a claim holds in the world; unknown is unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Validity {
    /// First day, month or year it holds.
    pub from: Option<PartialDate>,
    /// Last day, month or year it holds.
    pub until: Option<PartialDate>,
}

/// How a statement is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum Modality {
    /// Said to be so.
    Asserted,
    /// A task, an intention, an instruction.
    Planned,
    /// Only if something else holds.
    Conditional,
    /// Somebody's words or thoughts: "Anna says", a block quote, a note that a machine captured.
    Reported,
    /// A question.
    Questioned,
    /// Stands under a heading such as "Rejected".
    Rejected,
    /// Shown as code: nobody says that it is so.
    Code,
}

impl Claim {
    /// Whether it only has the statement's own words: nothing was read of them, and nothing is to be asked about later.
    #[must_use]
    pub fn is_verbatim(&self) -> bool {
        self.extractor == Extractor::Sentence
    }
}

impl Modality {
    /// Every modality.
    pub const ALL: [Self; 7] = [
        Self::Asserted,
        Self::Planned,
        Self::Conditional,
        Self::Reported,
        Self::Questioned,
        Self::Rejected,
        Self::Code,
    ];

    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The modality of this [word](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|m| m.as_str() == word)
    }
}

/// What a claim's words tell of its beginning and end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum Phase {
    /// It holds, or happened; no word of change.
    #[default]
    Steady,
    /// It began: "switched to MessagePack".
    Begun,
    /// It ended: "switched from JSON".
    Ended,
}

impl Phase {
    /// Every phase.
    pub const ALL: [Self; 3] = [Self::Steady, Self::Begun, Self::Ended];

    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// The phase of this [word](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.as_str() == word)
    }
}

/// Who read a claim: which rule, from most to least explicit, or a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum Extractor {
    /// A property of the front matter.
    Property,
    /// An inline field.
    Field,
    /// A table row.
    Row,
    /// A definition: `Term — …`.
    Definition,
    /// A label and its value: `Price: 40 euros`.
    Label,
    /// A task.
    Task,
    /// A clause of a sentence.
    Clause,
    /// A line without a verb: "room booked".
    Fragment,
    /// No rule: a language model, whose words were found in the notes.
    Model,
    /// A whole sentence.
    Sentence,
}

impl Extractor {
    /// Every extractor.
    pub const ALL: [Self; 10] = [
        Self::Property,
        Self::Field,
        Self::Row,
        Self::Definition,
        Self::Label,
        Self::Task,
        Self::Clause,
        Self::Fragment,
        Self::Model,
        Self::Sentence,
    ];

    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether its predicate is a name that the user gave: of a property, a field, a column, a label.
    #[must_use]
    pub fn has_named_predicate(self) -> bool {
        matches!(self, Self::Property | Self::Field | Self::Row | Self::Label)
    }

    /// The extractor of this [word](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.as_str() == word)
    }
}
