//! One pass over a vault's folders.
//!
//! The one rule to know: one metadata call a note, none for anything else. Ignore files are looked for in the listing
//! of a folder, never by opening what may not be there, and links inside the vault are not followed: what they lead to
//! is met at its real path.

use std::fs::{DirEntry, FileType};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::ignored::{GIT, Layer, MEMORA};
use super::locate::{is_hidden_name, is_note_name, is_note_path};
use super::vault::{Hash, NOTE_BYTES_MAX, Vault};
use super::{FileStat, SettingsProblem, SkipReason};
use crate::{Fingerprint, NotePath, Place};

/// What a walk found. Both lists are sorted by path.
#[derive(Clone, Debug)]
pub struct Walk {
    /// The notes to read.
    pub notes: Vec<Found>,
    /// What is passed over and why: notes, folders that cannot be listed (notes known below them are not gone), links
    /// that lead out.
    pub skipped: Vec<Skipped>,
    /// Attachments, `.canvas`, `.base` and other files that are no notes.
    pub unread: usize,
    /// What is wrong with ignore files, by file.
    pub problems: Vec<SettingsProblem>,
    /// [`Vault::rules_fingerprint`] and the ignore files met.
    pub rules: Fingerprint,
}

/// A note on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where.
    pub path: NotePath,
    /// What the file system says of it.
    pub stat: FileStat,
    /// What its place and name say of it.
    pub place: Place,
}

/// A file that is passed over.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
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
    layer: Option<Rc<Layer>>,
    /// Why nothing below it is read; it is listed all the same, to say which notes that hides.
    hidden: Option<SkipReason>,
}

pub(super) fn walk(vault: &Vault) -> Walk {
    let mut hash = vault.rules_hash();
    let mut walker = Walker {
        vault,
        walk: Walk {
            notes: Vec::new(),
            skipped: Vec::new(),
            unread: 0,
            problems: Vec::new(),
            rules: vault.rules_fingerprint(),
        },
        folders: vec![Folder { real: vault.root().to_path_buf(), path: String::new(), layer: None, hidden: None }],
    };
    while let Some(folder) = walker.folders.pop() {
        walker.list(folder, &mut hash);
    }
    let mut walk = walker.walk;
    walk.notes.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    walk.skipped.sort_unstable();
    walk.problems.sort_by(|a, b| a.file.cmp(&b.file));
    walk.rules = hash.finish();
    walk
}

struct Walker<'v> {
    vault: &'v Vault,
    walk: Walk,
    folders: Vec<Folder>,
}

impl Walker<'_> {
    fn list(&mut self, mut folder: Folder, hash: &mut Hash) {
        let entries: Result<Vec<DirEntry>, _> = std::fs::read_dir(&folder.real).and_then(Iterator::collect);
        let Ok(mut entries) = entries else {
            let path = if folder.path.is_empty() { ".".to_owned() } else { folder.path };
            return self.skip(path, folder.hidden.unwrap_or(SkipReason::Unreadable));
        };
        // Sorted here too, so that the hash of the ignore files does not depend on the file system's order.
        entries.sort_by_cached_key(DirEntry::file_name);
        if folder.hidden.is_none() {
            let there = |name: &&str| entries.iter().any(|entry| entry.file_name() == *name);
            let names: Vec<&str> = [MEMORA, GIT].into_iter().filter(there).collect();
            let reading = Layer::read(self.vault.root(), &folder.path, folder.layer.take(), &names, hash);
            self.walk.problems.extend(reading.problems);
            folder.layer = reading.layer;
            if reading.closed {
                folder.hidden = Some(SkipReason::IgnoredByMemora);
            }
        }
        for entry in entries {
            self.entry(&folder, &entry);
        }
    }

    fn entry(&mut self, folder: &Folder, entry: &DirEntry) {
        let raw = entry.file_name();
        let name = raw.to_string_lossy();
        let path = if folder.path.is_empty() { name.to_string() } else { format!("{}/{name}", folder.path) };
        if is_hidden_name(&name) {
            // iCloud keeps `.Plan.md.icloud` in place of `Plan.md`. The note is reported under the name its owner knows.
            let original = name.strip_prefix('.').and_then(|name| name.strip_suffix(".icloud"));
            if let Some(original) = original.filter(|original| is_note_name(original)) {
                let at = path.len() - name.len();
                let path = format!("{}{original}", path.get(..at).unwrap_or_default());
                let hidden = folder.hidden.or_else(|| self.excluded(folder, &path));
                self.skip(path, hidden.unwrap_or(SkipReason::CloudPlaceholder));
            }
            return;
        }
        let kind = entry.file_type();
        if kind.as_ref().is_ok_and(FileType::is_dir) {
            let bad = raw.to_str().is_none() || name.contains('\\');
            let ignored = || folder.layer.as_deref().and_then(|layer| layer.ignores(&path, true));
            let hidden = folder.hidden.or_else(|| bad.then_some(SkipReason::BadName)).or_else(ignored);
            self.folders.push(Folder { real: entry.path(), path, layer: folder.layer.clone(), hidden });
        } else if kind.as_ref().is_ok_and(FileType::is_symlink) {
            self.link(folder, &entry.path(), &name, path);
        } else if !is_note_name(&name) {
            self.walk.unread += usize::from(folder.hidden.is_none());
        } else if let Some(reason) = folder.hidden {
            self.skip(path, reason);
        } else if !kind.is_ok_and(|kind| kind.is_file()) {
            self.skip(path, SkipReason::Unreadable);
        } else if raw.to_str().is_none() {
            self.skip(path, SkipReason::BadName);
        } else {
            self.note(folder, entry, path);
        }
    }

    fn note(&mut self, folder: &Folder, entry: &DirEntry, path: String) {
        if let Some(reason) = self.excluded(folder, &path) {
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
                let place = self.vault.place_of_name(&path);
                self.walk.notes.push(Found { path, stat: FileStat::of(&metadata), place });
            }
        }
    }

    /// Says what a link is worth reporting for. One that leads to what the walk meets anyway is worth nothing.
    fn link(&mut self, folder: &Folder, at: &Path, name: &str, path: String) {
        let is_note = is_note_name(name);
        let excluded = folder.hidden.or_else(|| self.excluded(folder, &path));
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
            let met = self.vault.relative(&real).is_some_and(|real| {
                let real = real.as_str();
                if is_folder { !real.split('/').any(is_hidden_name) } else { is_note_path(real) }
            });
            if !met {
                self.skip(path, SkipReason::Hidden);
            }
        }
    }

    fn excluded(&self, folder: &Folder, path: &str) -> Option<SkipReason> {
        let ignored = folder.layer.as_deref().and_then(|layer| layer.ignores(path, false));
        ignored.or_else(|| self.vault.excluded_by_name(path))
    }

    fn skip(&mut self, path: String, reason: SkipReason) {
        self.walk.skipped.push(Skipped { path, reason });
    }
}
