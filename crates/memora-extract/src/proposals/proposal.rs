//! A proposal, who makes it, and why it may be rejected.

use std::fmt;

use memora_claim::TextBlock;

/// The confidence of any model's reading: less than that of every clause read by rules, which is at least .62,
/// and more than that of a statement kept whole.
pub const MODEL_CONFIDENCE: f32 = 0.55;

/// An unverified claim about the content of a passage.
#[derive(Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The words that are said to state it.
    pub quote: String,
    /// The subject.
    pub subject: String,
    /// The predicate.
    pub predicate: String,
    /// The object; may be empty.
    pub object: String,
}

/// Prints the size, never the words.
impl fmt::Debug for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Proposal({} bytes)",
            self.quote.len() + self.subject.len() + self.predicate.len() + self.object.len()
        )
    }
}

/// A source of proposals for passages: stored model replies, or a test.
pub trait Proposer {
    /// Returns its proposals for a passage, in its order.
    fn proposals(&self, passage: &TextBlock<'_>) -> Vec<Proposal>;
}

/// Why a proposal was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ungrounded {
    /// It is not a proposal: something is missing, empty, or larger than a part of a sentence.
    Malformed,
    /// The quote is not in the passage.
    NotFound,
    /// The quote is in several statements of the passage.
    Ambiguous,
    /// The passage contains stricter content than the statement. A model that saw both may have mixed them, so its
    /// proposal is not accepted for the statement.
    Guarded,
    /// The statement asserts nothing: it is a question, a wish, or only called likely.
    NotAsserted,
    /// The subject is neither in the statement nor in its context, or another subject is in its place.
    Subject,
    /// The predicate is not in the quoted words.
    Predicate,
    /// The object is not in the quoted words, or not behind the predicate.
    Object,
    /// The words deny it, but the proposal does not.
    LostNegation,
    /// The words plan it, or call it possible, but the proposal asserts it.
    LostModality,
    /// It omits words, in a language whose negations are unknown here.
    LeftOut,
    /// The rules already extract the same claim.
    Duplicate,
}

impl Ungrounded {
    /// All reasons.
    pub const ALL: [Self; 12] = [
        Self::Malformed,
        Self::NotFound,
        Self::Ambiguous,
        Self::Guarded,
        Self::NotAsserted,
        Self::Subject,
        Self::Predicate,
        Self::Object,
        Self::LostNegation,
        Self::LostModality,
        Self::LeftOut,
        Self::Duplicate,
    ];

    /// Returns a stable name for the reason.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "malformed",
            Self::NotFound => "not_found",
            Self::Ambiguous => "ambiguous",
            Self::Guarded => "guarded",
            Self::NotAsserted => "not_asserted",
            Self::Subject => "unbacked_subject",
            Self::Predicate => "unbacked_predicate",
            Self::Object => "unbacked_object",
            Self::LostNegation => "lost_negation",
            Self::LostModality => "lost_modality",
            Self::LeftOut => "left_out",
            Self::Duplicate => "duplicate",
        }
    }
}
