//! The review, of one session: [`ReviewBuilder`], whose methods are in the files of this folder.

use memora_claim::DecisionKind;
use memora_redact::WireClaim;
use memora_vault::Band;

use crate::report::{ReviewChoice, ReviewItem, ReviewKind as Kind};
use crate::state::session::Session;

/// A review item before ranking.
pub(super) struct ReviewCandidate {
    pub(super) kind: Kind,
    /// A key that is unique within the kind, and breaks ties of equally many dependents.
    pub(super) key: String,
    pub(super) question: ReviewItem,
}

/// Builds an item about claims, without dependents and choices.
pub(super) fn new_review_item(
    kind: Kind,
    question: String,
    why: String,
    advice: &str,
    claims: Vec<WireClaim>,
) -> ReviewItem {
    let of = |band: Band| claims.iter().any(|claim| claim.band() == band);
    let strictest = [Band::Secret, Band::Private].into_iter().find(|band| of(*band)).unwrap_or_default();
    ReviewItem {
        kind,
        question,
        why,
        advice: advice.to_owned(),
        band: strictest,
        dependents: 0,
        claims,
        formerly: None,
        path: None,
        memory: None,
        choices: Vec::new(),
        proposed: None,
        new: true,
    }
}

pub(super) fn new_choice(tick: &'static str, act: DecisionKind, claim: &str, over: &[&str]) -> ReviewChoice {
    let over = over.iter().map(|id| (*id).to_owned()).collect();
    ReviewChoice { tick, act, claim: claim.to_owned(), over, despite: Vec::new(), words: None }
}

/// The collection of review items, for one session.
pub struct ReviewBuilder<'s> {
    pub(super) session: &'s Session<'s>,
}

impl<'s> ReviewBuilder<'s> {
    pub(crate) fn new(session: &'s Session<'s>) -> Self {
        Self { session }
    }

    /// What the user ticked.
    pub(crate) fn ticks(&self) -> ReviewTicks<'s> {
        ReviewTicks { session: self.session }
    }
}

/// The answers that the user ticked in written reviews, and their effect.
pub(crate) struct ReviewTicks<'s> {
    pub(super) session: &'s Session<'s>,
}
