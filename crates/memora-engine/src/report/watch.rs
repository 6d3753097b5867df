//! The report lines of `watch`.

use schemars::JsonSchema;
use serde::Serialize;

use super::Freshness;

/// What `watch` took in at once: a line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WatchLine {
    /// `begun`: the first, with all that was due; `changed`: what was heard of; `walked`: found by walking the vault, after
    /// settings changed, after sleep, or because changes may have gone unheard; `reviewed`: `--review-every` was due; `consolidated`: `--consolidate-every` was due.
    pub why: &'static str,
    /// Notes.
    pub notes: WatchedNotes,
    /// Claims; `null` at a cloud door, since they count guarded ones too.
    pub claims: Option<WatchedClaims>,
    /// What a review found; `null` where there was none, and at a cloud door.
    pub review: Option<WatchedReview>,
    /// What a pass over memories did; `null` where there was none, and at a cloud door.
    pub memories: Option<WatchedPass>,
    /// Whether everything that was heard of is in the index.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// Notes counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WatchedNotes {
    /// Notes in the vault.
    pub seen: usize,
    /// Notes read, because they were new or changed.
    pub changed: usize,
    /// Notes that went.
    pub removed: usize,
    /// Notes that were renamed or moved.
    pub renamed: usize,
}

/// Claims counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WatchedClaims {
    /// Claims that are new.
    pub added: usize,
    /// Claims that went.
    pub removed: usize,
}

/// A review, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WatchedReview {
    /// What wants a person's eye.
    pub items: usize,
    /// How many of it were not in the review before.
    pub new: usize,
}

/// A pass over memories, counted.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct WatchedPass {
    /// Facts of sessions that were saved.
    pub saved: usize,
    /// Steps that are proposed.
    pub proposed: usize,
}

impl WatchLine {
    /// Returns whether anything changed.
    #[must_use]
    pub fn has_changes(&self) -> bool {
        self.why == "begun" || self.notes.changed > 0 || self.notes.removed > 0 || self.notes.renamed > 0
    }
}
