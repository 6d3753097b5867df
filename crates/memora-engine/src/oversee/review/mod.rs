//! The periodic review: items that need the user's attention, in one total order; limits and pages are prefixes of it.
//!
//! [`ReviewBuilder::report_items`] collects it for a door, [`rewording`] has a model reword stale sentences, [`note`] writes a
//! note with checkboxes, and [`checkboxes`] reads them back. Invariant: **a review asks, and decides nothing.** Decided
//! items, and recently postponed ones, are not asked again.

mod builder;
mod checkboxes;
mod claim_items;
mod coverage_items;
mod intention_items;
mod last_review;
mod memory_items;
mod note;
mod rewording;
mod unanswered;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use memora_claim::{ClaimId, DecisionKind, StatementId};
use memora_store::ReadError;

use crate::oversee::review::builder::ReviewCandidate;
use crate::read::lifecycle::Lifecycle;
use crate::report::{Freshness, KindCount, ReviewChoice, ReviewKind as Kind, ReviewReport};

pub use builder::ReviewBuilder;
pub use checkboxes::{ApplyReviewsError, TickOutcome};
pub use last_review::{KeepReviewError, ReviewHistory};
pub use note::WriteReviewError;
pub use rewording::ProposedRewordings;

/// The number of days for which a postponed item is not asked again.
const POSTPONED_DAYS: i64 = 30;

impl ReviewBuilder<'_> {
    /// Collects the review items, and returns the first `limit` in their total order.
    pub(crate) fn report_items(&self, limit: usize, freshness: Freshness) -> Result<ReviewReport, ReadError> {
        self.report_all(limit, freshness, Vec::new())
    }

    fn report_all(
        &self,
        limit: usize,
        freshness: Freshness,
        memories: Vec<ReviewCandidate>,
    ) -> Result<ReviewReport, ReadError> {
        let mut items = self.stale_items(freshness)?;
        items.extend(self.contradiction_items(freshness)?);
        items.extend(self.changed_items(freshness)?);
        items.extend(self.edit_items()?);
        items.extend(self.aging_items()?);
        items.extend(self.intention_items()?);
        items.extend(self.overdue_items()?);
        items.extend(self.single_source_items()?);
        items.extend(self.frontier_items()?);
        items.extend(memories);
        let passed = self.unanswered_questions()?;
        let is_passed =
            |item: &ReviewCandidate| unanswered::question_key(item).is_some_and(|asked| passed.contains(&asked));
        items.retain(|item| !self.is_postponed(item) && !is_passed(item));
        dedup_by_claim(&mut items);
        items.sort_by(|a, b| {
            let rank = |item: &ReviewCandidate| (Reverse(item.question.dependents), item.kind);
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
        let items = items.into_iter().map(|item| item.question).collect();
        Ok(ReviewReport {
            day: self.session.memora.config.today.to_string(),
            items,
            found,
            last,
            written: None,
            already: None,
            freshness,
        })
    }

    /// Returns the day this many days before today, as text.
    fn days_ago(&self, days: i64) -> String {
        let today = self.session.memora.config.today;
        today.checked_sub(days.days()).unwrap_or(today).to_string()
    }

    /// Returns whether the user postponed the item recently.
    fn is_postponed(&self, item: &ReviewCandidate) -> bool {
        let since = self.days_ago(POSTPONED_DAYS);
        let puts_off = |choice: &&ReviewChoice| choice.act == DecisionKind::Later;
        let Some(later) = item.question.choices.iter().find(puts_off) else { return false };
        if let Some(memory) = &item.question.memory {
            return self.is_memory_postponed(memory, &since);
        }
        // The order of the two claims may have changed.
        let named = std::iter::once(&later.claim).chain(&later.over).filter_map(|id| ClaimId::parse(id).ok());
        let named: BTreeSet<StatementId> = named.map(|id| id.statement()).collect();
        let at = Lifecycle::new(self.session).decisions().postponed_at(&named);
        at.and_then(|at| at.get(..10)).is_some_and(|day| day > since.as_str())
    }
}

/// Removes items about a claim that already has an item of a more important kind.
fn dedup_by_claim(items: &mut Vec<ReviewCandidate>) {
    let of_one = |item: &ReviewCandidate| match item.question.claims.as_slice() {
        [first, ..] => ClaimId::parse(first.id()).ok().map(|id| id.statement()),
        [] => None,
    };
    items.sort_by_key(|item| item.kind);
    let mut asked = BTreeSet::new();
    items.retain(|item| {
        let single = !matches!(item.kind, Kind::Contradiction | Kind::Edit | Kind::Memory);
        of_one(item).is_none_or(|id| !single || asked.insert(id))
    });
}

/// Interleaves the kinds: the first few items of each kind come before more of any. Limits and pages are prefixes of
/// this order.
fn interleave_kinds(items: Vec<ReviewCandidate>) -> Vec<ReviewCandidate> {
    let mut seen: BTreeMap<Kind, usize> = BTreeMap::new();
    let turn_of = |item: ReviewCandidate| {
        let nth = seen.entry(item.kind).or_default();
        let turn = *nth / ITEMS_PER_TURN;
        *nth += 1;
        (turn, item)
    };
    let mut turns: Vec<(usize, ReviewCandidate)> = items.into_iter().map(turn_of).collect();
    turns.sort_by_key(|(turn, _)| *turn);
    turns.into_iter().map(|(_, item)| item).collect()
}

/// The number of items of one kind in each turn.
const ITEMS_PER_TURN: usize = 3;

#[cfg(test)]
mod tests {
    use super::builder::new_review_item;
    use super::*;

    fn kinds_in_turns(kinds: &[Kind]) -> Vec<Kind> {
        let item = |kind: &Kind| {
            let question = new_review_item(*kind, String::new(), String::new(), "", Vec::new());
            ReviewCandidate { kind: *kind, key: String::new(), question }
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
