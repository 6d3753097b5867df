//! The periodic review: what in the vault wants a person's eye, in one order, of which each limit and each page is a cut.
//!
//! [`Session::challenge`] gathers it for a door, [`propose`] has a model word what is stale anew, [`note`] makes a note of it in which choices can be ticked, and [`ticks`]
//! reads them back. The one rule to know: **it asks, and decides nothing.** Whatever was decided, or put off a short while
//! ago, is not asked again.

mod find;
mod frontier;
mod intentions;
mod kept;
mod note;
mod passed;
mod propose;
mod ticks;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use memora_claim::{DecisionKind, ClaimId, StatementId};
use memora_redact::{Door, WireClaim};
use memora_store::ReadError;
use memora_vault::Band;

use crate::session::Session;
use crate::wire::{ReviewItem, ChallengeReport, ReviewChoice, Freshness, KindCount, ReviewKind as Kind};

pub use kept::KeepReviewError;
pub use note::WriteReviewError;
pub use propose::ProposedRewordings;
pub use ticks::{ApplyReviewsError, TickOutcome};

/// Something to ask, before it is ranked.
struct ReviewCandidate<D> {
    kind: Kind,
    /// What tells it from others of its kind, and orders those on which equally much rests.
    key: String,
    challenge: ReviewItem<D>,
}

/// What is asked about claims, before anything rests on them or can be decided.
fn new_review_item<D>(kind: Kind, question: String, why: String, advice: &str, claims: Vec<WireClaim<D>>) -> ReviewItem<D> {
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
        choices: Vec::new(),
        proposed: None,
        new: true,
    }
}

fn new_choice(tick: &'static str, act: DecisionKind, claim: &str, over: &[&str]) -> ReviewChoice {
    let over = over.iter().map(|id| (*id).to_owned()).collect();
    ReviewChoice { tick, act, claim: claim.to_owned(), over, despite: Vec::new() }
}

/// How long what was put off is not asked again, in days.
const POSTPONED_DAYS: i64 = 30;

impl<D: Door> Session<'_, D> {
    /// Gathers what wants a person's eye: of all of it, in its one order, the first `limit`.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn challenge(&self, limit: usize, freshness: Freshness) -> Result<ChallengeReport<D>, ReadError> {
        let mut items = self.stale_items(freshness)?;
        items.extend(self.contradiction_items(freshness)?);
        items.extend(self.edit_items()?);
        items.extend(self.aging_items()?);
        items.extend(self.intention_items()?);
        items.extend(self.single_source_items()?);
        items.extend(self.problem_items()?);
        items.extend(self.frontier_items()?);
        let passed = self.unanswered_questions()?;
        let is_passed = |item: &ReviewCandidate<D>| passed::question_key(item).is_some_and(|asked| passed.contains(&asked));
        items.retain(|item| !self.is_postponed(item) && !is_passed(item));
        dedup_by_claim(&mut items);
        items.sort_by(|a, b| {
            let rank = |item: &ReviewCandidate<D>| (Reverse(item.challenge.dependents), item.kind);
            rank(a).cmp(&rank(b)).then_with(|| a.key.cmp(&b.key))
        });
        let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
        for item in &items {
            *counts.entry(item.kind).or_default() += 1;
        }
        let found = counts.into_iter().map(|(kind, count)| KindCount { kind, count }).collect();
        let mut items = interleave_kinds(items);
        items.truncate(limit);
        let last = self.mark_new_items(&mut items)?;
        let items = items.into_iter().map(|item| item.challenge).collect();
        Ok(ChallengeReport { day: self.memora.config.today.to_string(), items, found, last, written: None, freshness })
    }

    /// The day so many days before today, as text.
    fn days_ago(&self, days: i64) -> String {
        let today = self.memora.config.today;
        today.checked_sub(days.days()).unwrap_or(today).to_string()
    }

    /// Whether the user put it off a short while ago.
    fn is_postponed<C>(&self, item: &ReviewCandidate<C>) -> bool {
        let since = self.days_ago(POSTPONED_DAYS);
        let puts_off = |choice: &&ReviewChoice| choice.act == DecisionKind::Later;
        let Some(later) = item.challenge.choices.iter().find(puts_off) else { return false };
        // Which of two is the older may change.
        let named = std::iter::once(&later.claim).chain(&later.over).filter_map(|id| ClaimId::parse(id).ok());
        let named: BTreeSet<StatementId> = named.map(|id| id.statement()).collect();
        self.decisions().all_by_time().iter().any(|made| {
            made.act == DecisionKind::Later
                && made.named_claims().map(ClaimId::statement).collect::<BTreeSet<_>>() == named
                && made.at.get(..10).is_some_and(|day| day > since.as_str())
        })
    }
}

/// Leaves out what is asked of a claim that something weightier is asked of.
fn dedup_by_claim<D>(items: &mut Vec<ReviewCandidate<D>>) {
    let of_one = |item: &ReviewCandidate<D>| match item.challenge.claims.as_slice() {
        [first, ..] => ClaimId::parse(first.id()).ok().map(|id| id.statement()),
        [] => None,
    };
    items.sort_by_key(|item| item.kind);
    let mut asked = BTreeSet::new();
    items.retain(|item| {
        let single = !matches!(item.kind, Kind::Contradiction | Kind::Edit);
        of_one(item).is_none_or(|id| !single || asked.insert(id))
    });
}

/// The order of a review: the first few of each kind before more of any. Whatever its limit, or wherever a page of it ends, it
/// is a cut of this order.
fn interleave_kinds<D>(items: Vec<ReviewCandidate<D>>) -> Vec<ReviewCandidate<D>> {
    let mut seen: BTreeMap<Kind, usize> = BTreeMap::new();
    let turn_of = |item: ReviewCandidate<D>| {
        let nth = seen.entry(item.kind).or_default();
        let turn = *nth / ITEMS_PER_TURN;
        *nth += 1;
        (turn, item)
    };
    let mut turns: Vec<(usize, ReviewCandidate<D>)> = items.into_iter().map(turn_of).collect();
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, item)| item).collect()
}

/// How many of one kind come before the others have their turn.
const ITEMS_PER_TURN: usize = 3;

#[cfg(test)]
mod tests {
    use memora_redact::LocalDoor;

    use super::*;

    fn kinds_in_turns(kinds: &[Kind]) -> Vec<Kind> {
        let item = |kind: &Kind| {
            let challenge = new_review_item::<LocalDoor>(*kind, String::new(), String::new(), "", Vec::new());
            ReviewCandidate { kind: *kind, key: String::new(), challenge }
        };
        interleave_kinds(kinds.iter().map(item).collect()).iter().map(|item| item.kind).collect()
    }

    #[test]
    fn no_kind_keeps_another_waiting_for_more_than_three() {
        use Kind::{Aging, Frontier, Stale};
        assert_eq!(
            kinds_in_turns(&[Aging, Aging, Stale, Aging, Aging, Aging, Frontier]),
            [Aging, Aging, Stale, Aging, Frontier, Aging, Aging]
        );
        assert_eq!(kinds_in_turns(&[]), []);
    }
}
