//! A git repository as files: where it is, what its head is, and its objects.

use std::fs;
use std::path::{Path, PathBuf};

use gix_hash::{Kind, ObjectId, oid};
use gix_object::{CommitRefIter, Find, TreeRefIter};

/// The largest object that is read, and the largest file of references.
const OBJECT_BYTES_MAX: usize = 8 << 20;
const REFERENCES_BYTES_MAX: u64 = 16 << 20;

/// What is read of a commit.
pub(super) struct Commit {
    pub(super) tree: ObjectId,
    /// The first parent: what was merged into it came with it.
    pub(super) parent: Option<ObjectId>,
    /// When it was committed, in nanoseconds since 1970.
    pub(super) at: i64,
}

/// An entry of a tree.
pub(super) struct Entry {
    pub(super) name: String,
    pub(super) is_tree: bool,
    pub(super) id: ObjectId,
}

/// A repository, and the commit that is checked out.
pub(super) struct Repository {
    objects: gix_odb::Handle,
    folder: PathBuf,
    pub(super) head: ObjectId,
    /// The folders that lead from its root to the vault.
    pub(super) vault: Vec<String>,
}

impl Repository {
    /// Opens the repository that a folder lies in. One that takes objects from elsewhere, or whose `.git` is no folder, is none.
    pub(super) fn open(vault: &Path) -> Option<Self> {
        let root = vault.ancestors().find(|folder| fs::symlink_metadata(folder.join(".git")).is_ok())?;
        let git = root.join(".git");
        let folder = git.join("objects");
        let is_folder = |path: &Path| fs::symlink_metadata(path).is_ok_and(|found| found.is_dir());
        let elsewhere = [git.join("commondir"), folder.join("info").join("alternates")];
        if !is_folder(&git) || !is_folder(&folder) || elsewhere.iter().any(|path| fs::symlink_metadata(path).is_ok()) {
            return None;
        }
        // What is opened below is a file: a pipe would be waited for.
        let mut packs = fs::read_dir(folder.join("pack")).into_iter().flatten().flatten();
        if packs.any(|pack| !pack.file_type().is_ok_and(|kind| kind.is_file())) {
            return None;
        }
        let names = vault.strip_prefix(root).ok()?.iter();
        let vault = names.map(|name| name.to_str().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
        let head = read_head(&git)?;
        let options = gix_odb::store::init::Options { alloc_limit_bytes: Some(OBJECT_BYTES_MAX), ..Default::default() };
        let objects = gix_odb::at_opts(&folder, Kind::Sha1, None, options).ok()?;
        Some(Self { objects, folder, head, vault })
    }

    /// Reads a commit.
    pub(super) fn read_commit(&self, id: &oid) -> Option<Commit> {
        let data = self.read(id, gix_object::Kind::Commit)?;
        let commit = || CommitRefIter::from_bytes(&data, Kind::Sha1);
        let tree = commit().tree_id().ok()?;
        let at = commit().committer().ok()?.seconds().checked_mul(1_000_000_000)?;
        Some(Commit { tree, parent: commit().parent_ids().next(), at })
    }

    /// Reads a tree; names that are no text are left out.
    pub(super) fn read_tree(&self, id: &oid) -> Option<Vec<Entry>> {
        let data = self.read(id, gix_object::Kind::Tree)?;
        let entries = TreeRefIter::from_bytes(&data, Kind::Sha1).filter_map(Result::ok);
        let read = entries.filter_map(|entry| {
            let name = std::str::from_utf8(entry.filename).ok()?.to_owned();
            Some(Entry { name, is_tree: entry.mode.is_tree(), id: entry.oid.to_owned() })
        });
        Some(read.collect())
    }

    /// Reads a file's text.
    pub(super) fn read_blob(&self, id: &oid) -> Option<String> {
        String::from_utf8(self.read(id, gix_object::Kind::Blob)?).ok()
    }

    fn read(&self, id: &oid, kind: gix_object::Kind) -> Option<Vec<u8>> {
        let hex = id.to_hex().to_string();
        let (first, rest) = hex.split_at_checked(2)?;
        // As in a pack: a pipe would be waited for.
        if fs::symlink_metadata(self.folder.join(first).join(rest)).is_ok_and(|found| !found.is_file()) {
            return None;
        }
        let mut bytes = Vec::new();
        let found = self.objects.try_find(id, &mut bytes).ok()??.kind;
        (found == kind).then_some(bytes)
    }
}

/// Whether a file is this object.
pub(super) fn is_blob(id: &oid, bytes: &[u8]) -> bool {
    gix_object::compute_hash(Kind::Sha1, gix_object::Kind::Blob, bytes).is_ok_and(|hash| hash == id)
}

/// The commit that is checked out.
fn read_head(git: &Path) -> Option<ObjectId> {
    let head = read_references(&git.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return parse_id(&head) };
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':']);
    if !name.starts_with("refs/") || !name.split('/').all(is_plain) {
        return None;
    }
    if let Some(id) = read_references(&git.join(name)) {
        return parse_id(&id);
    }
    let packed = read_references(&git.join("packed-refs"))?;
    packed
        .lines()
        .find_map(|line| line.split_once(' ').filter(|(_, packed)| *packed == name))
        .and_then(|(id, _)| parse_id(id))
}

fn parse_id(hex: &str) -> Option<ObjectId> {
    ObjectId::from_hex(hex.trim().as_bytes()).ok()
}

/// A file of the repository that names commits.
fn read_references(path: &Path) -> Option<String> {
    let found = fs::symlink_metadata(path).ok()?;
    if !found.is_file() || found.len() > REFERENCES_BYTES_MAX {
        return None;
    }
    fs::read_to_string(path).ok()
}
