//! Which versions of notes were committed when, along the first parents of the commit that is checked out.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Instant;

use gix_hash::ObjectId;
use memora_vault::NotePath;

use super::repository::{Commit, Entry, Repository};

/// How many commits are walked.
const COMMITS_MAX: usize = 50_000;

/// A version of a note: its text, and by when it was committed.
pub(super) struct Version {
    pub(super) blob: ObjectId,
    pub(super) at: i64,
}

/// The versions of some notes, the newest first.
///
/// A walk that ends early counts its last commit for the first one: what stood there was written by then.
pub(super) fn versions_of(
    repository: &Repository,
    notes: &BTreeSet<NotePath>,
    ends: Instant,
) -> HashMap<NotePath, Vec<Version>> {
    let folders =
        notes.iter().flat_map(|note| note.as_str().match_indices('/').filter_map(|(at, _)| note.as_str().get(..at)));
    let mut walk = Walk { repository, notes, folders: folders.collect(), at: 0, versions: HashMap::new() };
    let mut newer = repository.read_commit(&repository.head);
    for walked in 1.. {
        let Some(commit) = newer else { break };
        let is_last = walked >= COMMITS_MAX || Instant::now() >= ends;
        let older = commit.parent.filter(|_| !is_last).and_then(|id| repository.read_commit(&id));
        walk.at = commit.at;
        walk.compare(&commit, older.as_ref());
        newer = older;
    }
    walk.versions
}

struct Walk<'r> {
    repository: &'r Repository,
    notes: &'r BTreeSet<NotePath>,
    /// The folders that they are in. No other is read: a repository may be made of trees without end.
    folders: HashSet<&'r str>,
    /// When the commit was made that is compared.
    at: i64,
    versions: HashMap<NotePath, Vec<Version>>,
}

impl Walk<'_> {
    /// Adds the notes that a commit has in another version than the one before.
    fn compare(&mut self, newer: &Commit, older: Option<&Commit>) {
        let (newer, older) = (self.vault_tree(newer), older.and_then(|older| self.vault_tree(older)));
        if let Some(newer) = newer {
            self.compare_trees(newer, older, "");
        }
    }

    /// The vault's folder in a commit.
    fn vault_tree(&self, commit: &Commit) -> Option<ObjectId> {
        self.repository.vault.iter().try_fold(commit.tree, |tree, name| {
            let entries = self.repository.read_tree(&tree)?;
            entries.into_iter().find(|entry| entry.is_tree && entry.name == *name).map(|entry| entry.id)
        })
    }

    fn compare_trees(&mut self, newer: ObjectId, older: Option<ObjectId>, folder: &str) {
        if older == Some(newer) {
            return;
        }
        let Some(entries) = self.repository.read_tree(&newer) else { return };
        let before = older.and_then(|id| self.repository.read_tree(&id)).unwrap_or_default();
        let before: HashMap<&str, &Entry> = before.iter().map(|entry| (entry.name.as_str(), entry)).collect();
        for entry in &entries {
            let old = before.get(entry.name.as_str()).filter(|old| old.is_tree == entry.is_tree).map(|old| old.id);
            if old == Some(entry.id) {
                continue;
            }
            let path = format!("{folder}{}", entry.name);
            if entry.is_tree {
                if self.folders.contains(path.as_str()) {
                    self.compare_trees(entry.id, old, &format!("{path}/"));
                }
            } else if let Some(note) = NotePath::new(&path).ok().filter(|note| self.notes.contains(note)) {
                self.versions.entry(note).or_default().push(Version { blob: entry.id, at: self.at });
            }
        }
    }
}
