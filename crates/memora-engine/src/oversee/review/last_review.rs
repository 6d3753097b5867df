//! The last review, stored in the state folder by ids alone, so that the next one can mark new items.

use std::collections::BTreeSet;

use memora_redact::{LocalDoor, Viewer, WireClaim};
use memora_store::{ReadError, WriteError};
use memora_vault::NotePath;
use serde::{Deserialize, Serialize};

use crate::oversee::review::builder::{ReviewBuilder, ReviewCandidate};
use crate::report::{AlreadyWritten, LastReview, ReviewItem, ReviewReport};
use crate::state::open::Memora;

/// The metadata key of the stored review.
const REVIEW_META_KEY: &str = "review";

/// A review reduced to its item keys.
#[derive(Default, Serialize, Deserialize)]
struct KeptReview {
    at: String,
    items: BTreeSet<String>,
    /// The last review written into the vault, by `--write`.
    #[serde(default)]
    written: Option<WrittenReview>,
}

/// A review that was written as a note, reduced to its item keys.
#[derive(Clone, Serialize, Deserialize)]
struct WrittenReview {
    day: String,
    notes: BTreeSet<String>,
    items: BTreeSet<String>,
}

impl KeptReview {
    /// Parses the stored record; one that cannot be read is from another version, and not a reason to fail.
    fn from_meta(json: Option<String>) -> Option<Self> {
        json.and_then(|json| serde_json::from_str(&json).ok())
    }
}

/// An error while storing a review.
#[derive(Debug, thiserror::Error)]
pub enum KeepReviewError {
    /// Another process is writing the index.
    #[error("another memora process is indexing this vault")]
    Locked,
    /// The index could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The index could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

/// The last review that was stored, and what of it was written into a note.
pub struct ReviewHistory<'m> {
    memora: &'m Memora,
}

impl Memora {
    /// The last review that was stored.
    pub fn review_history(&self) -> ReviewHistory<'_> {
        ReviewHistory { memora: self }
    }
}

impl ReviewHistory<'_> {
    /// Stores a review at the local door, for comparison with the next one; `at` is the current time, in the format of
    /// [`memora_claim::Decision::at`]. `written` is the part of it that was put into a note of today, with its path.
    ///
    /// # Errors
    /// [`KeepReviewError`]; the previous review is kept then.
    pub fn keep(
        &self,
        report: &ReviewReport<LocalDoor>,
        at: &str,
        written: Option<(&ReviewReport<LocalDoor>, &NotePath)>,
    ) -> Result<(), KeepReviewError> {
        let items = report.items.iter().map(item_key).collect();
        let now = jiff::Timestamp::now().as_second();
        let mut note = self.written_on(&report.day)?;
        if let Some((part, path)) = written {
            let fresh = || WrittenReview { day: report.day.clone(), notes: BTreeSet::new(), items: BTreeSet::new() };
            let note = note.get_or_insert_with(fresh);
            note.notes.insert(path.as_str().to_owned());
            note.items.extend(part.items.iter().map(item_key));
        }
        let kept = KeptReview { at: at.to_owned(), items, written: note };
        let json = serde_json::to_string(&kept).unwrap_or_default();
        let mut writer = self.memora.store.try_writer(now)?.ok_or(KeepReviewError::Locked)?;
        writer.set_meta(REVIEW_META_KEY, &json)?;
        writer.commit()?;
        Ok(())
    }

    /// Returns the time of the last stored review, in UTC.
    pub fn last_time(&self) -> Result<Option<String>, ReadError> {
        let json = self.memora.store.snapshot()?.meta(REVIEW_META_KEY)?;
        Ok(KeptReview::from_meta(json).map(|kept| kept.at))
    }

    /// Takes out of a review what stands in a review note of the same day already, and reports how much that is.
    /// Without such a note, or where it was deleted since, nothing is taken out.
    pub fn leave_out_written(&self, report: &mut ReviewReport<LocalDoor>) -> Result<(), ReadError> {
        let Some(note) = self.written_on(&report.day)? else { return Ok(()) };
        let before = report.items.len();
        report.items.retain(|item| !note.items.contains(&item_key(item)));
        let count = before - report.items.len();
        report.already = (count > 0).then(|| AlreadyWritten { paths: note.notes.into_iter().collect(), count });
        Ok(())
    }

    /// Returns what was written on a day, unless a note of it has gone since.
    fn written_on(&self, day: &str) -> Result<Option<WrittenReview>, ReadError> {
        let json = self.memora.store.snapshot()?.meta(REVIEW_META_KEY)?;
        let is_there = |path: &String| NotePath::new(path).is_ok_and(|path| self.memora.vault.read_note(&path).is_ok());
        let note = KeptReview::from_meta(json).and_then(|kept| kept.written);
        Ok(note.filter(|note| note.day == day && note.notes.iter().all(is_there)))
    }
}

impl ReviewBuilder<'_> {
    /// Marks items that are not in the last stored review, and counts them. The stored review belongs to the local
    /// door, so a cloud door gets none of it.
    pub(super) fn mark_new_items(&self, items: &mut [ReviewCandidate]) -> Result<Option<LastReview>, ReadError> {
        if !self.session.door.is_local() {
            return Ok(None);
        }
        let json = self.session.snapshot.meta(REVIEW_META_KEY)?;
        let Some(kept) = KeptReview::from_meta(json) else { return Ok(None) };
        for item in items.iter_mut() {
            item.question.new = !kept.items.contains(&item_key(&item.question));
        }
        let new_since = items.iter().filter(|item| item.question.new).count();
        Ok(Some(LastReview { day: kept.at.get(..10).unwrap_or_default().to_owned(), new_since }))
    }
}

/// Returns an item's key: its kind and the claims or the memory it is about, or else a hash of its question.
fn item_key<D>(item: &ReviewItem<D>) -> String {
    let ReviewItem { kind, question, claims, memory, .. } = item;
    if let Some(memory) = memory {
        return format!("{kind} {memory}");
    }
    match claims.as_slice() {
        [] => format!("{kind} {}", blake3::hash(question.as_bytes()).to_hex()),
        claims => format!("{kind} {}", claims.iter().map(WireClaim::id).collect::<Vec<_>>().join(" ")),
    }
}
