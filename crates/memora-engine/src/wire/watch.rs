//! What `watch` prints.

use schemars::JsonSchema;
use serde::Serialize;

use super::Freshness;
use crate::Synced;

/// What `watch` took in at once: a line.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WatchLine {
    /// `begun`: the first, with all that was due; `changed`: what was heard of; `walked`: found by walking the vault, after
    /// settings changed, after sleep, or because changes may have gone unheard.
    pub why: &'static str,
    /// Notes.
    pub notes: WatchedNotes,
    /// Claims; `null` at a cloud door, since they count guarded ones too.
    pub claims: Option<WatchedClaims>,
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

impl WatchLine {
    /// What a round did, for a door that is local or not.
    #[must_use]
    pub fn of(synced: &Synced, is_first: bool, local: bool) -> Self {
        let why = match (is_first, synced.partial) {
            (true, _) => "begun",
            (false, true) => "changed",
            (false, false) => "walked",
        };
        let Synced { seen, changed, removed, renamed, claims_added, claims_removed, .. } = *synced;
        Self {
            why,
            notes: WatchedNotes { seen, changed, removed, renamed },
            claims: local.then_some(WatchedClaims { added: claims_added, removed: claims_removed }),
            freshness: synced.freshness(),
        }
    }

    /// Whether anything changed.
    #[must_use]
    pub fn says_something(&self) -> bool {
        self.why == "begun" || self.notes.changed > 0 || self.notes.removed > 0 || self.notes.renamed > 0
    }
}
