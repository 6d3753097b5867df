//! The last review, stored in the state folder by ids alone, so that the next one can mark new items.

use std::collections::BTreeSet;

use memora_redact::{Door, LocalDoor, WireClaim};
use memora_store::{ReadError, WriteError};
use serde::{Deserialize, Serialize};

use super::ReviewCandidate;
use crate::Memora;
use crate::report::{ChallengeReport, LastReview, ReviewItem};
use crate::review::ReviewBuilder;

/// The metadata key of the stored review.
const REVIEW_META_KEY: &str = "review";

/// A review reduced to its item keys.
#[derive(Default, Serialize, Deserialize)]
struct KeptReview {
    at: String,
    items: BTreeSet<String>,
}

/// An error while storing a review.
#[derive(Debug, thiserror::Error)]
pub enum KeepReviewError {
    /// Another process is writing the index.
    #[error("another memora process is indexing this vault")]
    Locked,
    /// The index could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Memora {
    /// Stores a review at the local door, for comparison with the next one; `at` is the current time, in the format of
    /// [`memora_claim::Decision::at`].
    ///
    /// # Errors
    /// [`KeepReviewError`]; the previous review is kept then.
    pub fn keep_review(&mut self, report: &ChallengeReport<LocalDoor>, at: &str) -> Result<(), KeepReviewError> {
        let items = report.items.iter().map(item_key).collect();
        let kept = KeptReview { at: at.to_owned(), items };
        let json = serde_json::to_string(&kept).unwrap_or_default();
        let now = jiff::Timestamp::now().as_second();
        let mut writer = self.store.try_writer(now)?.ok_or(KeepReviewError::Locked)?;
        writer.set_meta(REVIEW_META_KEY, &json)?;
        writer.commit()?;
        Ok(())
    }
}

impl Memora {
    /// Returns the time of the last stored review, in UTC.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn last_review_time(&self) -> Result<Option<String>, ReadError> {
        let json = self.store.snapshot()?.meta(REVIEW_META_KEY)?;
        Ok(json.and_then(|json| serde_json::from_str::<KeptReview>(&json).ok()).map(|kept| kept.at))
    }
}

impl<D: Door> ReviewBuilder<'_, D> {
    /// Marks items that are not in the last stored review, and counts them. The stored review belongs to the local
    /// door, so a cloud door gets none of it.
    pub(super) fn mark_new_items(&self, items: &mut [ReviewCandidate<D>]) -> Result<Option<LastReview>, ReadError> {
        if !self.session.door.is_local() {
            return Ok(None);
        }
        let Some(json) = self.session.snapshot.meta(REVIEW_META_KEY)? else { return Ok(None) };
        // An unreadable record is from another version, and not a reason to fail.
        let Ok(kept) = serde_json::from_str::<KeptReview>(&json) else { return Ok(None) };
        for item in items.iter_mut() {
            item.challenge.new = !kept.items.contains(&item_key(&item.challenge));
        }
        let new_since = items.iter().filter(|item| item.challenge.new).count();
        Ok(Some(LastReview { day: kept.at.get(..10).unwrap_or_default().to_owned(), new_since }))
    }
}

/// Returns an item's key: its kind and the claims it is about, or else a hash of its question.
fn item_key<D>(item: &ReviewItem<D>) -> String {
    let ReviewItem { kind, question, claims, .. } = item;
    match claims.as_slice() {
        [] => format!("{kind} {}", blake3::hash(question.as_bytes()).to_hex()),
        claims => format!("{kind} {}", claims.iter().map(WireClaim::id).collect::<Vec<_>>().join(" ")),
    }
}
