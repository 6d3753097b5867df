//! The states of claims, and the groups in which they are compared.

use std::collections::BTreeMap;

use memora_claim::conflict::{ClaimStatus, Conflicts, Supersession};
use memora_claim::{Claim, ClaimId, Phase, StatementId, Validity};
use memora_store::StoredStatement;
use memora_vault::PartialDate;

use crate::report::BreakReason;

/// The key under which claims about one entity are compared.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ComparisonKey {
    /// A canonical relation.
    Relation(String),
    /// A verb, if there is no relation: only affirmation and negation of the same can be compared.
    Verb(String),
}

/// The claims about one entity under one relation or verb, and the conflicts among them.
#[derive(Default)]
pub(crate) struct ClaimGroup {
    pub(crate) judged: Conflicts,
    /// The compared claims, with their statements.
    pub(crate) members: BTreeMap<ClaimId, StoredStatement>,
}

/// The state of one claim, as far as a door may know.
#[derive(Clone, Default)]
pub(crate) struct LifecycleState {
    pub(crate) status: ClaimStatus,
    /// When it holds, by its words, its note, and the claims that superseded it.
    pub(crate) holds: Validity,
    pub(crate) superseded: Vec<Supersession>,
}

impl LifecycleState {
    /// Returns whether it can hold on a day; unknown dates do not exclude it.
    pub(crate) fn may_hold_on(&self, claim: &Claim, day: PartialDate, today: PartialDate) -> bool {
        let begins_after = |from: PartialDate| from.first_and_last_day().0 > day.first_and_last_day().1;
        let ended_before = |until: PartialDate| until.first_and_last_day().1 < day.first_and_last_day().0;
        if self.status == ClaimStatus::Withdrawn {
            return false;
        }
        if claim.phase == Phase::Ended {
            // "X no longer owns Y" does not hold before the end that it states.
            return !self.holds.until.is_some_and(begins_after);
        }
        let over = match self.holds.until {
            Some(until) => ended_before(until),
            None => {
                self.status == ClaimStatus::Superseded && today.first_and_last_day().0 <= day.first_and_last_day().0
            }
        };
        !over && !self.holds.from.is_some_and(begins_after)
    }
}

/// A claim that supports a statement, and no longer holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BrokenSupport {
    /// The claim, by its cited id.
    pub(crate) claim: ClaimId,
    pub(crate) how: BreakReason,
    /// The statements between the two, nearest first; empty if it is cited directly.
    pub(crate) by_way_of: Vec<StatementId>,
}

/// The state of a cited claim by itself.
#[derive(Clone)]
pub(crate) enum CitedState {
    /// It holds, under its current id, and cites others in turn.
    Holds(StatementId, Vec<ClaimId>),
    Broken(BreakReason),
    /// This door may not know of it.
    Unseen,
}
