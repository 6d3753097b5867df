//! Claims proposed by an external source, such as a language model, and accepted only if the notes support them.
//!
//! A [`Proposal`] is a quote with a subject, a predicate and an object. `ground_from` finds the
//! quote in the passage and makes a [`Claim`] of the proposal, or returns the reason not to: [`Ungrounded`]. Invariant:
//! **no proposal is trusted.** Every word of a claim is in its statement, or for the subject at least in its context;
//! its modality is read from the notes by the usual rules.
//!
//! Not here: the model, its prompt, and access control for the prompt.

mod clause_check;
mod compared_words;
mod grounding;
mod modality;
mod model_reply;
mod proposal;
mod quoted_statement;
mod word_order;

use std::collections::BTreeMap;

use memora_claim::{Claim, TextBlock};

use crate::ClaimExtractor;

pub use grounding::is_equivalent_claim;
pub use model_reply::{NotProposals, PROPOSALS_MAX, ProposalReply};
pub use proposal::{MODEL_CONFIDENCE, Proposal, Proposer, Ungrounded};

/// The accepted claims and rejected proposals of a passage.
#[derive(Clone, Debug, Default)]
pub struct Grounded {
    /// The claims, each of a statement of the passage, in the order of their ids.
    pub claims: Vec<Claim>,
    /// The number of rejected proposals by reason.
    pub rejected: BTreeMap<Ungrounded, usize>,
}

impl ClaimExtractor<'_> {
    /// Grounds the proposals that `by` has for a passage.
    #[must_use]
    pub fn ground_from(&self, passage: &TextBlock<'_>, by: &impl Proposer) -> Grounded {
        self.ground_proposals(passage, &by.proposals(passage))
    }

    /// Accepts the proposals for a passage that the notes support.
    #[must_use]
    pub fn ground_proposals(&self, passage: &TextBlock<'_>, proposals: &[Proposal]) -> Grounded {
        let mut grounded = Grounded::default();
        for proposal in proposals.iter().take(PROPOSALS_MAX) {
            match grounding::ground_proposal(*self, passage, proposal) {
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
