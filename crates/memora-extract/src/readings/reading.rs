//! A reading, and the context in which a statement is read.

use memora_claim::{Modality, Phase, ValidityExpr};

use crate::clause::ClauseWord;

/// Readings with less confidence are not claimed: on the labelled notes more of them are wrong than right.
pub(crate) const CONFIDENCE_MIN: f32 = 0.62;

/// The subject of a reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReadingSubject {
    /// Words of the statement.
    Named(String),
    /// The subject of the context: the statement omits its own, or has only "it".
    FromContext,
}

/// One fact that a statement states.
#[derive(Clone, Debug)]
pub(crate) struct StatementReading {
    pub(crate) subject: ReadingSubject,
    pub(crate) predicate: String,
    /// Empty if the verb has no object.
    pub(crate) object: String,
    pub(crate) qualifiers: Vec<String>,
    pub(crate) modality: Modality,
    pub(crate) negated: bool,
    pub(crate) attribution: Option<String>,
    pub(crate) phase: Phase,
    /// The topic of a change: "serialization" in "switched serialization to MessagePack".
    pub(crate) topic: Option<String>,
    pub(crate) confidence: f32,
    /// Whether it is from a clause with a verb of its own.
    pub(crate) is_clause: bool,
    /// Whether it is a verbless description of its subject: "too bitter".
    pub(crate) is_described: bool,
    /// Whether that verb is finite: "reviews", not "reviewing".
    pub(crate) is_finite: bool,
    /// Whether that clause is the sentence's main clause, or coordinated to it.
    pub(crate) is_main: bool,
    /// Its validity, by its own words.
    pub(crate) holds: ValidityExpr,
    /// The speaker it is attributed to, without the verb.
    pub(super) speaker: Option<String>,
    /// The tokens of its parts.
    pub(super) parts: ReadingTokens,
    /// Whether its parts show that the parse is wrong: a finite verb inside a noun phrase.
    pub(crate) torn: bool,
}

impl StatementReading {
    /// Creates an asserted reading `subject | predicate | object` without a clause; other fields are set by the caller.
    pub(super) fn new_asserted(subject: ReadingSubject, predicate: String, object: String) -> Self {
        Self {
            subject,
            predicate,
            object,
            qualifiers: Vec::new(),
            modality: Modality::Asserted,
            negated: false,
            attribution: None,
            phase: Phase::Steady,
            topic: None,
            confidence: 0.0,
            is_clause: false,
            is_described: false,
            is_finite: false,
            is_main: true,
            holds: ValidityExpr::default(),
            speaker: None,
            parts: ReadingTokens::default(),
            torn: false,
        }
    }
}

/// The context of a statement, and how it may be used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ReadingContext<'a> {
    /// Whether the statement may take its subject from the context; a self-contained one may not.
    pub(crate) lends: bool,
    /// The name of the context's subject, if known here.
    pub(crate) name: Option<&'a str>,
    /// Whether the text begins the statement, so that "it" can only refer to the context.
    pub(crate) first: bool,
}

/// The tokens of a reading.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadingTokens {
    pub(super) subject: Vec<usize>,
    pub(super) predicate: Vec<usize>,
    pub(super) object: Vec<usize>,
    pub(super) beside: Vec<usize>,
    /// The first token of each qualifier.
    pub(super) beside_starts: Vec<usize>,
    pub(super) verb: Option<usize>,
}

impl ReadingTokens {
    pub(super) fn new(subject: &[usize], predicate: &[ClauseWord], object: &[usize], beside: &[Vec<usize>]) -> Self {
        Self {
            subject: subject.to_vec(),
            predicate: predicate.iter().filter_map(|word| word.token()).collect(),
            object: object.to_vec(),
            beside: beside.concat(),
            beside_starts: beside.iter().filter_map(|run| run.first().copied()).collect(),
            verb: predicate.iter().rev().find_map(|word| word.token()),
        }
    }

    pub(super) fn all_tokens(&self) -> impl Iterator<Item = usize> {
        self.subject.iter().chain(&self.predicate).chain(&self.object).chain(&self.beside).copied()
    }
}
