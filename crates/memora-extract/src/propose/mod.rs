//! Claims that somebody else proposes, such as a language model, and that are taken only as far as the notes bear them out.
//!
//! A [`Proposal`] is a quote with a subject, a predicate and an object. [`Extract::grounded`] looks for the quote in the
//! passage, works out the place itself, and makes a [`Claim`] of the proposal, or says why not: [`Ungrounded`]. The one rule
//! to know: **nothing that is proposed is believed.** Every word of a claim stands in its statement, the subject's at least in
//! what stands around it; how it is meant is read from the notes by the same rules as ever.
//!
//! Deliberately not here: what a model is, what it is sent, and who may be sent what.

mod clause;
mod ground;
mod order;
mod reply;
mod stance;
mod words;

use std::collections::BTreeMap;
use std::fmt;

use memora_claim::{Claim, TextBlock};

use crate::ClaimExtractor;

pub use ground::is_equivalent_claim;
pub use reply::{NotProposals, PROPOSALS_MAX, ProposalReply};

/// How sure a reading by a model is held to be, whoever the model: less than any clause that rules read, which are .62 at
/// least, and more than a statement that is kept whole.
pub const MODEL_CONFIDENCE: f32 = 0.55;

/// What somebody says that a passage states. Nothing is known of it yet.
#[derive(Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The words that are said to state it.
    pub quote: String,
    /// Who or what it is about.
    pub subject: String,
    /// What is said of the subject.
    pub predicate: String,
    /// What it is said of; may be empty.
    pub object: String,
}

/// Says how much it is, never the words.
impl fmt::Debug for Proposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Proposal({} bytes)",
            self.quote.len() + self.subject.len() + self.predicate.len() + self.object.len()
        )
    }
}

/// Whoever has proposals for passages: a model's replies that were kept, a test.
pub trait Proposer {
    /// What it proposes for a passage, in its order.
    fn proposals(&self, passage: &TextBlock<'_>) -> Vec<Proposal>;
}

/// Why a proposal became no claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ungrounded {
    /// It is no proposal: something is missing, empty, or larger than anything said in a sentence.
    Malformed,
    /// The passage has no such words.
    NotFound,
    /// Several of its statements have them.
    Ambiguous,
    /// The passage holds something more guarded than the statement. What a model makes of the one, having seen the other, is
    /// not said of it.
    Guarded,
    /// The statement asserts nothing: it is a question, a wish, or said only to be likely.
    NotAsserted,
    /// The subject stands neither in the statement nor around it, or another one stands in its place.
    Subject,
    /// The predicate is not in the words that were quoted.
    Predicate,
    /// The object is not in the words that were quoted, or not behind the predicate.
    Object,
    /// The words deny it, and the proposal does not.
    LostNegation,
    /// The words plan it, or hold it for possible, and the proposal says it outright.
    LostModality,
    /// It leaves words out, in a language whose negations are not known here.
    LeftOut,
    /// The rules read the same.
    Duplicate,
}

impl Ungrounded {
    /// Every reason.
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

    /// A stable word for it.
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

/// What is left of the proposals for a passage.
#[derive(Clone, Debug, Default)]
pub struct Grounded {
    /// The claims, each of a statement of the passage; in the order of their ids.
    pub claims: Vec<Claim>,
    /// How many proposals became none, and why.
    pub rejected: BTreeMap<Ungrounded, usize>,
}

impl ClaimExtractor<'_> {
    /// Takes what somebody proposes for a passage, as far as the notes bear it out.
    #[must_use]
    pub fn ground_from(&self, passage: &TextBlock<'_>, by: &impl Proposer) -> Grounded {
        self.ground_proposals(passage, &by.proposals(passage))
    }

    /// Takes of some proposals for a passage what the notes bear out.
    #[must_use]
    pub fn ground_proposals(&self, passage: &TextBlock<'_>, proposals: &[Proposal]) -> Grounded {
        let mut grounded = Grounded::default();
        for proposal in proposals.iter().take(PROPOSALS_MAX) {
            match ground::ground_proposal(*self, passage, proposal) {
                Ok(claim) if grounded.claims.iter().any(|other| is_equivalent_claim(other, &claim, passage.note())) => {
                    *grounded.rejected.entry(Ungrounded::Duplicate).or_default() += 1;
                }
                Ok(claim) => grounded.claims.push(claim),
                Err(why) => *grounded.rejected.entry(why).or_default() += 1,
            }
        }
        grounded.claims.sort_by_key(|claim| claim.id);
        grounded
    }
}

#[cfg(test)]
mod tests;
