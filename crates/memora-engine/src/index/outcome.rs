//! What a sync did, and what `watch` says of it.

use std::time::Duration;

use crate::index::claim_changes::ClaimChanges;
use crate::report::{Freshness, ReviewReport, WatchLine, WatchedClaims, WatchedNotes, WatchedPass, WatchedReview};

/// The outcome of a sync.
#[derive(Clone, Debug, Default)]
pub struct SyncOutcome {
    /// Notes in the vault.
    pub seen: usize,
    /// Notes whose content was new.
    pub changed: usize,
    /// Notes that were deleted.
    pub removed: usize,
    /// Notes that were renamed or moved.
    pub renamed: usize,
    /// Claims that are new.
    pub claims_added: usize,
    /// Claims that were removed.
    pub claims_removed: usize,
    /// Both by door.
    pub claims: ClaimChanges,
    /// Attachments and other files that are not notes.
    pub unread: usize,
    /// Notes that are due and were left for later.
    pub pending: usize,
    /// Another process is writing the index, so nothing was done.
    pub locked: bool,
    /// Another process is writing the lexical indexes, so that searches by words miss what it has not yet written.
    pub words_behind: bool,
    /// Another process is writing the vectors, so that searches by meaning miss some.
    pub vectors_behind: bool,
    /// Statements that have no vector yet by the embedder that answers.
    pub vectors_due: usize,
    /// Stopped by the user.
    pub stopped: bool,
    /// Only places that were said to have changed were looked at, not the whole vault.
    pub partial: bool,
    /// Deleted words may still be on the disk, in a log that another process holds open.
    pub unwiped: bool,
    /// Time spent walking the vault.
    pub walked: Duration,
    /// Time spent in all.
    pub took: Duration,
}

impl SyncOutcome {
    /// Whether another process is writing what a search reads: the statements, or the words that find them.
    #[must_use]
    pub fn is_blocked(&self) -> bool {
        self.locked || self.words_behind
    }

    /// Whether a search finds everything that is in the vault now.
    #[must_use]
    pub fn freshness(&self) -> Freshness {
        Freshness { fresh: self.pending == 0 && !self.is_blocked(), pending: self.pending }
    }

    /// Returns the line of `watch` about it, for a local or a cloud door.
    #[must_use]
    pub fn watch_line(&self, is_first: bool, local: bool) -> WatchLine {
        let why = match (is_first, self.partial) {
            (true, _) => "begun",
            (false, true) => "changed",
            (false, false) => "walked",
        };
        let Self { seen, changed, removed, renamed, claims_added, claims_removed, .. } = *self;
        WatchLine {
            why,
            notes: WatchedNotes { seen, changed, removed, renamed },
            claims: local.then_some(WatchedClaims { added: claims_added, removed: claims_removed }),
            review: None,
            memories: None,
            freshness: self.freshness(),
        }
    }

    /// Returns the line about a review that was stored behind it.
    #[must_use]
    pub fn review_line<D>(&self, report: &ReviewReport<D>, local: bool) -> WatchLine {
        let items = report.items.len();
        let new = report.last.as_ref().map_or(items, |last| last.new_since);
        let review = local.then_some(WatchedReview { items, new });
        WatchLine { why: "reviewed", review, ..self.without_changes().watch_line(false, local) }
    }

    /// Returns the line about a pass over memories behind it.
    #[must_use]
    pub fn pass_line(&self, pass: WatchedPass, local: bool) -> WatchLine {
        let memories = local.then_some(pass);
        WatchLine { why: "consolidated", memories, ..self.without_changes().watch_line(false, local) }
    }

    fn without_changes(&self) -> Self {
        Self { seen: self.seen, pending: self.pending, ..Self::default() }
    }
}
