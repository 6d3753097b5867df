//! Rows that reference notes of public vaults by repository, path and bytes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Returns the folder of `owner/name` among the vaults: `owner+name`.
pub(crate) fn repo_folder(vaults: &Path, repo: &str) -> PathBuf {
    vaults.join(repo.replacen('/', "+", 1))
}

/// Groups rows by repository, each group in the order of the file.
pub(crate) fn group_by_repo<R>(rows: Vec<R>, repo: impl Fn(&R) -> &String) -> BTreeMap<String, Vec<R>> {
    let mut found: BTreeMap<String, Vec<R>> = BTreeMap::new();
    for row in rows {
        found.entry(repo(&row).clone()).or_default().push(row);
    }
    found
}
