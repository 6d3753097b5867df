//! The review that was collected last.

use std::sync::{Mutex, PoisonError};

use memora_engine::LocalDoor;
use memora_engine::report::ReviewReport;

/// The review that was collected last, with the state and the day that it is of: to go through it must not take as long as to collect it.
///
/// Invariant: **what is shown of it was re-read**: the bytes of each claim of an item are compared with their hash before it is shown,
/// and if any differ, the review is collected anew.
#[derive(Default)]
pub(crate) struct LastReview(Mutex<Option<(ReviewState, ReviewReport<LocalDoor>)>>);

/// What a review rests on: the state of index and decisions, and the day.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct ReviewState {
    pub(crate) mark: u64,
    pub(crate) day: String,
}

impl LastReview {
    pub(crate) fn find(&self, state: &ReviewState) -> Option<ReviewReport<LocalDoor>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.as_ref().filter(|(of, _)| of == state).map(|(_, report)| report.clone())
    }

    pub(crate) fn keep(&self, state: ReviewState, report: &ReviewReport<LocalDoor>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((state, report.clone()));
    }
}
