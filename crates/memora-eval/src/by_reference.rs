//! Rows that name their notes by repository, path and bytes, over folders with public vaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The folder of `owner/name` among the vaults: `owner+name`.
pub(crate) fn folder_of(vaults: &Path, repo: &str) -> PathBuf {
    vaults.join(repo.replacen('/', "+", 1))
}

/// Rows by their repository, each in the order of the file.
pub(crate) fn by_repo<R>(rows: Vec<R>, repo: impl Fn(&R) -> &String) -> BTreeMap<String, Vec<R>> {
    let mut found: BTreeMap<String, Vec<R>> = BTreeMap::new();
    for row in rows {
        found.entry(repo(&row).clone()).or_default().push(row);
    }
    found
}
