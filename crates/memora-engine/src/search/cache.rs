//! The cache of the search.

use std::cell::OnceCell;
use std::collections::BTreeSet;

/// What a session has read of the vault to place statements in time.
#[derive(Default)]
pub(crate) struct SearchCache {
    /// Folders with notes that are numbered by weeks, as far as this door may see; read when first needed.
    pub(super) weekly_folders: OnceCell<BTreeSet<String>>,
}
