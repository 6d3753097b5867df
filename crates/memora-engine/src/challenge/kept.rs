//! The last review, kept in the state folder: what was in it by ids alone, so that the next one can say what is new.

use std::collections::BTreeSet;

use memora_redact::{Door, LocalDoor, WireClaim};
use memora_store::{ReadError, WriteError};
use serde::{Deserialize, Serialize};

use super::Item;
use crate::Memora;
use crate::session::Session;
use crate::wire::{Challenge, ChallengeReport, LastReview};

/// The key under which the index remembers it.
const KEY: &str = "review";

/// A review without its words.
#[derive(Default, Serialize, Deserialize)]
struct Kept {
    at: String,
    items: BTreeSet<String>,
}

/// Why a review could not be kept.
#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    /// Another process is writing the index.
    #[error("another memora process is indexing this vault")]
    Locked,
    /// The index could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
}

impl Memora {
    /// Keeps a review of the user's own, for the next to be compared with; `at` is now, as
    /// [`memora_claim::Decision::at`] has it.
    ///
    /// # Errors
    /// [`KeepError`]; the last one stays then.
    pub fn keep_review(&mut self, report: &ChallengeReport<LocalDoor>, at: &str) -> Result<(), KeepError> {
        let items = report.items.iter().map(name).collect();
        let kept = Kept { at: at.to_owned(), items };
        let json = serde_json::to_string(&kept).unwrap_or_default();
        let now = jiff::Timestamp::now().as_second();
        let mut writer = self.store.try_writer(now)?.ok_or(KeepError::Locked)?;
        writer.set_meta(KEY, &json)?;
        writer.commit()?;
        Ok(())
    }
}

impl Memora {
    /// When the last review was kept, in UTC.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn last_review(&self) -> Result<Option<String>, ReadError> {
        let json = self.store.snapshot()?.meta(KEY)?;
        Ok(json.and_then(|json| serde_json::from_str::<Kept>(&json).ok()).map(|kept| kept.at))
    }
}

impl<D: Door> Session<'_, D> {
    /// Marks what was in the review that was kept last; how many items were not. What was kept is the user's own, so that a
    /// cloud door hears nothing of it.
    pub(super) fn compared_with_last(&self, items: &mut [Item<D>]) -> Result<Option<LastReview>, ReadError> {
        if !self.door.is_local() {
            return Ok(None);
        }
        let Some(json) = self.snapshot.meta(KEY)? else { return Ok(None) };
        // What cannot be read is of another version, and no reason to ask nothing.
        let Ok(kept) = serde_json::from_str::<Kept>(&json) else { return Ok(None) };
        for item in items.iter_mut() {
            item.challenge.new = !kept.items.contains(&name(&item.challenge));
        }
        let new_since = items.iter().filter(|item| item.challenge.new).count();
        Ok(Some(LastReview { day: kept.at.get(..10).unwrap_or_default().to_owned(), new_since }))
    }
}

/// What an item is known by: its kind and the claims it is about, or else a hash of its question.
fn name<D>(item: &Challenge<D>) -> String {
    let Challenge { kind, question, claims, .. } = item;
    match claims.as_slice() {
        [] => format!("{kind} {}", blake3::hash(question.as_bytes()).to_hex()),
        claims => format!("{kind} {}", claims.iter().map(WireClaim::id).collect::<Vec<_>>().join(" ")),
    }
}
