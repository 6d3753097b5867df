//! Snapshots of a folder, to detect any change on disk.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::SystemTime;

/// Everything below a folder at one moment: names, content hashes, modification times, permissions.
///
/// Folders are included: a file that was created and deleted again changes its folder's time. Access times are
/// excluded, since reading is allowed.
#[derive(Clone, PartialEq, Eq)]
#[must_use = "a picture is taken to be compared with another"]
pub struct TreeSnapshot(BTreeMap<String, SnapshotEntry>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct SnapshotEntry {
    kind: &'static str,
    length: u64,
    hash: Option<blake3::Hash>,
    modified: SystemTime,
    permissions: fs::Permissions,
    /// Inode and status-change time, if the system has them: they reveal a write that restores the modification time.
    identity: [i64; 3],
}

impl TreeSnapshot {
    /// Takes a snapshot of a folder.
    pub fn take(folder: &Path) -> Self {
        let mut entries = BTreeMap::new();
        collect_entries(folder, ".", &mut entries);
        Self(entries)
    }

    /// Returns the differences to a later snapshot, one per line; empty if there are none.
    #[must_use]
    pub fn difference(&self, later: &Self) -> String {
        let mut out = String::new();
        for (name, before) in &self.0 {
            match later.0.get(name) {
                None => drop(writeln!(out, "{name}: gone")),
                Some(after) => before.write_changes(after, name, &mut out),
            }
        }
        for name in later.0.keys().filter(|name| !self.0.contains_key(*name)) {
            let _ = writeln!(out, "{name}: new");
        }
        out
    }

    /// Returns the names of the files, relative to the folder, in order.
    pub fn file_names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter(|(_, entry)| entry.kind == "file").map(|(name, _)| name.as_str())
    }
}

impl std::fmt::Debug for TreeSnapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Picture of {} entries", self.0.len())
    }
}

impl SnapshotEntry {
    fn write_changes(&self, after: &Self, name: &str, out: &mut String) {
        if self.kind != after.kind {
            let _ = writeln!(out, "{name}: was a {}, is a {}", self.kind, after.kind);
        }
        if self.hash != after.hash {
            let _ = writeln!(out, "{name}: other bytes ({} before, {} after)", self.length, after.length);
        }
        if self.modified != after.modified {
            let _ = writeln!(out, "{name}: modified at {:?}, before at {:?}", after.modified, self.modified);
        }
        if self.permissions != after.permissions {
            let _ = writeln!(out, "{name}: permissions {:?}, before {:?}", after.permissions, self.permissions);
        }
        if self.identity != after.identity {
            let _ = writeln!(out, "{name}: replaced, or its status was changed");
        }
    }
}

fn collect_entries(path: &Path, name: &str, entries: &mut BTreeMap<String, SnapshotEntry>) {
    let meta = fs::symlink_metadata(path).unwrap_or_else(|error| panic!("cannot look at {}: {error}", path.display()));
    let kind = meta.file_type();
    let (kind, hash) = if kind.is_dir() {
        ("folder", None)
    } else if kind.is_file() {
        ("file", Some(blake3::hash(&fs::read(path).expect("a file can be read"))))
    } else {
        let target = fs::read_link(path).map(|target| target.into_os_string().into_encoded_bytes()).unwrap_or_default();
        ("link", Some(blake3::hash(&target)))
    };
    let entry = SnapshotEntry {
        kind,
        length: meta.len(),
        hash,
        modified: meta.modified().expect("the system keeps times"),
        permissions: meta.permissions(),
        identity: identity(&meta),
    };
    entries.insert(name.to_owned(), entry);
    if kind == "folder" {
        for child in fs::read_dir(path).expect("a folder can be listed") {
            let child = child.expect("a folder can be listed to its end");
            let below = child.file_name().to_string_lossy().into_owned();
            let name = if name == "." { below } else { format!("{name}/{below}") };
            collect_entries(&child.path(), &name, entries);
        }
    }
}

#[cfg(unix)]
fn identity(meta: &fs::Metadata) -> [i64; 3] {
    use std::os::unix::fs::MetadataExt as _;
    [i64::from_ne_bytes(meta.ino().to_ne_bytes()), meta.ctime(), meta.ctime_nsec()]
}

#[cfg(not(unix))]
fn identity(_meta: &fs::Metadata) -> [i64; 3] {
    [0; 3]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fixture;

    /// What a picture says after something was done to a vault of two notes.
    fn check(act: impl FnOnce(&Fixture), expected: &[&str]) {
        let vault = Fixture::from_notes(&[("a.md", "one\n"), ("b/c.md", "two\n")]);
        let before = TreeSnapshot::take(vault.vault());
        act(&vault);
        let difference = before.difference(&TreeSnapshot::take(vault.vault()));
        for line in expected {
            assert!(difference.contains(line), "no {line:?} in\n{difference}");
        }
        assert_eq!(difference.is_empty(), expected.is_empty(), "{difference}");
    }

    #[test]
    fn whatever_is_touched_is_seen() {
        check(|_| {}, &[]);
        check(|vault| assert_eq!(vault.read("a.md"), "one\n"), &[]);
        check(|vault| vault.write("a.md", "ones\n"), &["a.md: other bytes (4 before, 5 after)", "a.md: modified"]);
        check(|vault| vault.remove("b/c.md"), &["b/c.md: gone", "b: modified"]);
        check(|vault| vault.write("d.md", ""), &["d.md: new", ".: modified"]);
        let made_and_deleted = |vault: &Fixture| {
            vault.write("b/draft.md", "x");
            vault.remove("b/draft.md");
        };
        check(made_and_deleted, &["b: modified"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_write_that_hides_in_the_old_time_is_seen() {
        check(|vault| vault.rewrite_keep_mtime("a.md", "one\n"), &["a.md: replaced, or its status was changed"]);
    }
}
