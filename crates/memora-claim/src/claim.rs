//! Claims: structured readings of a statement.

use std::fmt;

use memora_vault::PartialDate;
use schemars::JsonSchema;
use serde::Serialize;
use strum::{Display, IntoStaticStr};

use crate::time::ValidityExpr;
use crate::{ClaimId, StatementId};

/// What stands in front of the day by which a task is due.
const DUE_MARK: char = '📅';

/// A reading of a statement: subject, predicate and object, with modality and validity.
///
/// Carries vault text, so `Debug` prints lengths only and there is no `Display` or `Serialize`: it reaches
/// a door through `memora-redact`, or not at all.
#[derive(Clone, PartialEq)]
pub struct Claim {
    /// The id of the claim.
    pub id: ClaimId,
    /// The subject; `None` if the note's title is the subject: see [`Claim::subject_or_title`].
    pub subject: Option<String>,
    /// The predicate, in the statement's words, or `states`.
    pub predicate: String,
    /// The object, in the statement's words; empty for an intransitive verb.
    pub object: String,
    /// Other complements of the verb, in the statement's words: place, purpose, condition.
    pub qualifiers: Vec<String>,
    /// The canonical relation, if a table maps the predicate to one: `uses_language`.
    pub relation: Option<String>,
    /// Whether the claim is asserted, planned, reported and so on.
    pub modality: Modality,
    /// Whether the claim is negated: "does not support".
    pub negated: bool,
    /// The person credited with the claim in passing: "Anna says".
    pub attribution: Option<String>,
    /// Whether the words express a change.
    pub phase: Phase,
    /// The extractor's confidence, 0 to 1; a score for ordering claims, not a probability.
    pub confidence: f32,
    /// The rule that read the claim.
    pub extractor: Extractor,
    /// The validity that the words express, unresolved.
    pub holds: ValidityExpr,
    /// Whether the claim is worth querying later: such claims are listed, exported and reviewed. Others only provide
    /// names and changes, and help to answer questions.
    pub listed: bool,
}

/// The predicate of a claim that represents a whole sentence.
pub const STATES: &str = "states";

impl Claim {
    /// Creates a claim and computes its id.
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
    /// Whether the author has retracted it: it is listed under "Rejected", or is a cancelled task.
    #[must_use]
    pub fn is_withdrawn(&self) -> bool {
        self.modality == Modality::Rejected || self.extractor == Extractor::Task && self.predicate == "cancelled"
    }

    /// Whether it is an unfinished task.
    #[must_use]
    pub fn is_open_task(&self) -> bool {
        self.extractor == Extractor::Task && matches!(self.predicate.as_str(), "open" | "in progress" | "deferred")
    }

    /// Returns the day by which an open task is due, as the Tasks plugin writes it: behind a calendar sign.
    #[must_use]
    pub fn due_day(&self) -> Option<PartialDate> {
        let (_, behind) = self.object.split_once(DUE_MARK).filter(|_| self.is_open_task())?;
        let day = behind.trim_start_matches(|c: char| !c.is_ascii_digit()).split_whitespace().next()?;
        PartialDate::parse(day).filter(|date| date.day().is_some())
    }

    /// Returns the claim's own subject, or else the title of the note.
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

/// How a statement is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema, IntoStaticStr, Display)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(inline, transform = memora_vault::closed_set)]
pub enum Modality {
    /// Asserted as fact.
    Asserted,
    /// A task, an intention, an instruction.
    Planned,
    /// Holds only if a condition does.
    Conditional,
    /// Someone's words or thoughts: "Anna says", a block quote, a note that a machine captured.
    Reported,
    /// A question.
    Questioned,
    /// Listed under a heading such as "Rejected".
    Rejected,
    /// Shown as code, so not asserted.
    Code,
}

impl Claim {
    /// Whether it holds the statement's own words only, without a structured reading; such claims are not listed.
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

    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses a [name](Self::as_str).
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
    /// It holds, or happened; no change is expressed.
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

    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Parses a [name](Self::as_str).
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
    /// A language model; its words were found in the notes.
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

    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether the predicate is a name chosen by the user: of a property, a field, a column, a label.
    #[must_use]
    pub fn has_named_predicate(self) -> bool {
        matches!(self, Self::Property | Self::Field | Self::Row | Self::Label)
    }

    /// Parses a [name](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|e| e.as_str() == word)
    }
}
