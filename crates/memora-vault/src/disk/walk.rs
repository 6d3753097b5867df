//! A walk of all folders of a vault.
//!
//! Invariant: one metadata call per note, none for anything else. Ignore files are found in the listing of a folder,
//! never by trying to open them, and links inside the vault are not followed: their targets are found at their real
//! paths.
//!
//! [`Vault::scan_places`] does the same for some places only.

mod partial_scan;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{DirEntry, FileType};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::ignore_files::{GITIGNORE, IgnoreLayer, MEMORAIGNORE};
use super::locate::{is_hidden_name, is_note_name, is_note_path, original_name};
use super::settings_hash::SettingsHasher;
use super::vault::{NOTE_BYTES_MAX, Vault};
use super::{FileStat, SettingsProblem, SkipReason, fold_name};
use crate::{Fingerprint, NotePath, PathContext};

/// The result of a walk. Both lists are sorted by path.
#[derive(Clone, Debug)]
pub struct VaultWalk {
    /// The notes to read.
    pub notes: Vec<FoundNote>,
    /// Skipped files and the reasons: notes, folders that cannot be listed (notes known below them are not gone), links
    /// that lead out.
    pub skipped: Vec<SkippedFile>,
    /// Attachments, `.canvas`, `.base` and other files that are no notes.
    pub unread: usize,
    /// What is wrong with ignore files, by file.
    pub problems: Vec<SettingsProblem>,
    /// [`Vault::rules_fingerprint`] and the ignore files met.
    pub rules: Fingerprint,
    /// The places that were scanned, [folded](super::fold_name); `None` for the whole vault.
    places: Option<BTreeSet<String>>,
}

impl VaultWalk {
    /// Whether only some places were scanned ([`Vault::scan_places`]).
    #[must_use]
    pub fn is_partial(&self) -> bool {
        self.places.is_some()
    }

    /// Whether no place was scanned, since none had changed.
    #[must_use]
    pub fn covers_nothing(&self) -> bool {
        self.places.as_ref().is_some_and(BTreeSet::is_empty)
    }

    /// Whether the walk would have found this path; if it did not, a note known there is gone.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        let Some(places) = &self.places else { return true };
        let folded = fold_name(path);
        let parents = folded.match_indices('/').filter_map(|(at, _)| folded.get(..at));
        parents.chain([folded.as_str()]).any(|place| places.contains(place))
    }
}

/// A note on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundNote {
    /// Where.
    pub path: NotePath,
    /// What the file system says of it.
    pub stat: FileStat,
    /// What its place and name say of it.
    pub place: PathContext,
}

/// A file that is skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SkippedFile {
    /// Where, relative to the vault; lossy when the name is not UTF-8, `.` for the root.
    pub path: String,
    /// Why.
    pub reason: SkipReason,
}

/// A folder to list.
struct Folder {
    real: PathBuf,
    /// Vault-relative, lossy; empty for the root.
    path: String,
    layer: Option<Rc<IgnoreLayer>>,
    /// Why nothing below is read; the folder is still listed, to report which notes that hides.
    hidden: Option<SkipReason>,
}

impl Vault {
    /// Lists all notes with their metadata, and everything that is skipped. Reads no note.
    #[must_use]
    pub fn walk(&self) -> VaultWalk {
        let mut walker = FolderWalker::new(self);
        let root = walker.root_folder();
        walker.folders.push(root);
        walker.list_remaining()
    }
}

struct FolderWalker<'v> {
    vault: &'v Vault,
    walk: VaultWalk,
    folders: Vec<Folder>,
    hash: SettingsHasher,
}

impl<'v> FolderWalker<'v> {
    fn new(vault: &'v Vault) -> Self {
        let walk = VaultWalk {
            notes: Vec::new(),
            skipped: Vec::new(),
            unread: 0,
            problems: Vec::new(),
            rules: vault.rules_fingerprint(),
            places: None,
        };
        Self { vault, walk, folders: Vec::new(), hash: vault.rules_hasher() }
    }

    fn root_folder(&self) -> Folder {
        Folder { real: self.vault.root().to_path_buf(), path: String::new(), layer: None, hidden: None }
    }

    /// Lists the folders that are left, and all below them.
    fn list_remaining(mut self) -> VaultWalk {
        while let Some(folder) = self.folders.pop() {
            self.list_folder(folder);
        }
        let mut walk = self.walk;
        walk.notes.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        walk.skipped.sort_unstable();
        walk.problems.sort_by(|a, b| a.file.cmp(&b.file));
        walk.rules = self.hash.finish();
        walk
    }

    fn list_folder(&mut self, mut folder: Folder) {
        let entries: Result<Vec<DirEntry>, _> = std::fs::read_dir(&folder.real).and_then(Iterator::collect);
        let mut entries = match entries {
            Ok(entries) => entries,
            // Deleted while we walked. A vault that is not there has not lost its notes.
            Err(error) if error.kind() == ErrorKind::NotFound && !folder.path.is_empty() => return,
            Err(_) => {
                let path = if folder.path.is_empty() { ".".to_owned() } else { folder.path };
                return self.skip(path, folder.hidden.unwrap_or(SkipReason::Unreadable));
            }
        };
        // Sorted here too, so that the hash of the ignore files does not depend on the file system's order.
        entries.sort_by_cached_key(DirEntry::file_name);
        let there = |name: &&str| entries.iter().any(|entry| entry.file_name() == *name);
        let names: Vec<&str> = [MEMORAIGNORE, GITIGNORE].into_iter().filter(there).collect();
        self.read_ignore_files(&mut folder, &names);
        for entry in entries {
            self.visit_entry(&folder, &entry);
        }
    }

    /// Reads the ignore files with these names in a folder.
    fn read_ignore_files(&mut self, folder: &mut Folder, names: &[&str]) {
        if folder.hidden.is_some() {
            return;
        }
        let reading = IgnoreLayer::read(self.vault.root(), &folder.path, folder.layer.take(), names, &mut self.hash);
        self.walk.problems.extend(reading.problems);
        folder.layer = reading.layer;
        if reading.closed {
            folder.hidden = Some(SkipReason::IgnoredByMemora);
        }
    }

    /// Returns a subfolder, not listed yet.
    fn subfolder(&self, folder: &Folder, raw: &OsStr) -> Folder {
        let name = raw.to_string_lossy();
        let path = child_path(folder, &name);
        let bad = raw.to_str().is_none() || name.contains('\\');
        let ignored = || folder.layer.as_deref().and_then(|layer| layer.ignore_reason(&path, true));
        let hidden = folder.hidden.or_else(|| bad.then_some(SkipReason::BadName)).or_else(ignored);
        Folder { real: folder.real.join(raw), path, layer: folder.layer.clone(), hidden }
    }

    fn visit_entry(&mut self, folder: &Folder, entry: &DirEntry) {
        let raw = entry.file_name();
        let name = raw.to_string_lossy();
        let path = child_path(folder, &name);
        if is_hidden_name(&name) {
            // iCloud keeps `.Plan.md.icloud` in place of `Plan.md`. The note is reported under the name its owner knows.
            let original = original_name(&name);
            if original != name {
                let path = child_path(folder, original);
                let hidden = folder.hidden.or_else(|| self.exclusion_reason(folder, &path));
                self.skip(path, hidden.unwrap_or(SkipReason::CloudPlaceholder));
            }
            return;
        }
        let kind = entry.file_type();
        if kind.as_ref().is_ok_and(FileType::is_dir) {
            let below = self.subfolder(folder, &raw);
            self.folders.push(below);
        } else if kind.as_ref().is_ok_and(FileType::is_symlink) {
            self.visit_link(folder, &entry.path(), &name, path);
        } else if !is_note_name(&name) {
            self.walk.unread += usize::from(folder.hidden.is_none());
        } else if let Some(reason) = folder.hidden {
            self.skip(path, reason);
        } else if !kind.is_ok_and(|kind| kind.is_file()) {
            self.skip(path, SkipReason::Unreadable);
        } else if raw.to_str().is_none() {
            self.skip(path, SkipReason::BadName);
        } else {
            self.visit_note(folder, entry, path);
        }
    }

    fn visit_note(&mut self, folder: &Folder, entry: &DirEntry, path: String) {
        if let Some(reason) = self.exclusion_reason(folder, &path) {
            return self.skip(path, reason);
        }
        let Ok(path) = NotePath::new(path.as_str()) else { return self.skip(path, SkipReason::BadName) };
        let metadata = match entry.metadata() {
            Ok(metadata) => metadata,
            // Deleted while we walked.
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return,
            Err(_) => return self.skip(path.to_string(), SkipReason::Unreadable),
        };
        match metadata.len() {
            0 => self.skip(path.to_string(), SkipReason::Empty),
            size if size > NOTE_BYTES_MAX => self.skip(path.to_string(), SkipReason::TooLarge),
            _ => {
                let place = self.vault.context_by_name(&path);
                self.walk.notes.push(FoundNote { path, stat: FileStat::from_metadata(&metadata), place });
            }
        }
    }

    /// Reports a link if needed. A link to a target that the walk visits anyway is ignored.
    fn visit_link(&mut self, folder: &Folder, at: &Path, name: &str, path: String) {
        let is_note = is_note_name(name);
        let excluded = folder.hidden.or_else(|| self.exclusion_reason(folder, &path));
        if let Some(reason) = excluded {
            if is_note {
                self.skip(path, reason);
            }
            return;
        }
        let Ok(real) = at.canonicalize() else {
            if is_note {
                self.skip(path, SkipReason::Unreadable);
            }
            return;
        };
        let is_folder = real.is_dir();
        if !is_folder && !is_note {
            self.walk.unread += usize::from(!real.starts_with(self.vault.root()));
        } else if real == self.vault.root() {
            // A link to the vault itself.
        } else if !real.starts_with(self.vault.root()) {
            self.skip(path, SkipReason::LinkOutside);
        } else {
            let met = self.vault.relative_path(&real).is_some_and(|real| {
                let real = real.as_str();
                if is_folder { !real.split('/').any(is_hidden_name) } else { is_note_path(real) }
            });
            if !met {
                self.skip(path, SkipReason::Hidden);
            }
        }
    }

    fn exclusion_reason(&self, folder: &Folder, path: &str) -> Option<SkipReason> {
        let ignored = folder.layer.as_deref().and_then(|layer| layer.ignore_reason(path, false));
        ignored.or_else(|| self.vault.exclusion_by_name(path))
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        self.walk.skipped.push(SkippedFile { path, reason });
    }
}

/// A path in a folder.
fn child_path(folder: &Folder, name: &str) -> String {
    if folder.path.is_empty() { name.to_owned() } else { format!("{}/{name}", folder.path) }
}
