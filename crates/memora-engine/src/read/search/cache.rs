//! The caches of the search.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use memora_store::NoteFilter;
use memora_vault::NotePath;

use crate::state::commit_cache::CommitCache;
use crate::state::lexical_indexes::note_number;

/// What a session has read of the vault to place statements in time.
#[derive(Default)]
pub(crate) struct SearchCache {
    /// Folders with notes that are numbered by weeks, as far as this door may see; read when first needed.
    pub(super) weekly_folders: OnceCell<BTreeSet<String>>,
}

/// The notes that the last filter let through: a server is asked within the same folders again and again.
pub(crate) type FilteredNotesCache = CommitCache<NoteFilter, FilteredNotes>;

/// The notes that pass a filter, of all bands.
pub(crate) struct FilteredNotes {
    paths: BTreeSet<NotePath>,
    /// As the lexical indexes know them.
    pub(super) numbers: Arc<HashSet<u64>>,
}

impl FilteredNotes {
    pub(super) fn new(paths: BTreeSet<NotePath>) -> Self {
        let numbers = Arc::new(paths.iter().map(note_number).collect());
        Self { paths, numbers }
    }

    pub(super) fn contains(&self, note: &NotePath) -> bool {
        self.paths.contains(note)
    }
}
