//! Which claims a sync added and removed, for the readers at each door.

use std::collections::HashMap;

use memora_claim::ClaimId;
use memora_store::{ClaimChange, ClaimReaders};
use memora_vault::Band;

/// The claims that a sync changed: as many as it changed, and none where all are new.
#[derive(Clone, Debug, Default)]
pub struct ClaimChanges {
    /// The index was empty: every claim that is there now was added.
    all_new: bool,
    /// The readers of a claim before the sync and now.
    by_claim: HashMap<ClaimId, (ClaimReaders, ClaimReaders)>,
}

impl ClaimChanges {
    /// The changes of an index that begins empty.
    pub(crate) fn of_new_index() -> Self {
        Self { all_new: true, by_claim: HashMap::new() }
    }

    /// Adds what one batch changed.
    pub(crate) fn extend(&mut self, changes: &[ClaimChange]) {
        if !self.all_new {
            for ClaimChange { claim, before, now } in changes {
                self.by_claim.entry(*claim).or_insert((*before, *now)).1 = *now;
            }
        }
    }

    /// How many claims were added and removed for a reader that may see everything up to a band and sees `total` now. A
    /// claim that one batch removed and another brought back is neither.
    pub(crate) fn count(&self, strictest: Band, total: usize) -> (usize, usize) {
        if self.all_new {
            return (total, 0);
        }
        let count = |seen_before: bool| {
            let changed = |(before, now): &&(ClaimReaders, ClaimReaders)| {
                before.include(strictest) == seen_before && now.include(strictest) != seen_before
            };
            self.by_claim.values().filter(changed).count()
        };
        (count(false), count(true))
    }
}
