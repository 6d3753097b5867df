//! Scans some places only: notes and folders that may have changed.
//!
//! Invariant: **a partial scan finds what a walk would find there, or says that it cannot.** Places are looked up in
//! the listing of their folder, so that names come out as the file system has them, no matter the case or accents in
//! the event.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::io::ErrorKind;

use super::{Folder, FolderWalker, GITIGNORE, MEMORAIGNORE, VaultWalk, child_path};
use crate::disk::fold_name;
use crate::disk::locate::{is_hidden_name, original_name};
use crate::disk::reason::possible_originals;
use crate::disk::vault::Vault;

/// Only a full walk can tell: something cannot be listed, or is reached by a link or an alternative name.
struct NeedsFullWalk;

impl Vault {
    /// Lists what a [walk](Vault::walk) would find at `places` (notes and folders, relative to the vault) and below.
    /// Paths not found are gone: see [`VaultWalk::covers`]. `None` where only a full walk can tell, as below a link.
    /// Changed settings and ignore files also need a full walk.
    #[must_use]
    pub fn scan_places<'p>(&self, places: impl IntoIterator<Item = &'p str>) -> Option<VaultWalk> {
        let places: BTreeSet<&str> = places.into_iter().collect();
        if places.contains("") {
            return None;
        }
        let mut walker = FolderWalker::new(self);
        let covered: BTreeSet<String> = places.iter().map(|place| fold_name(place)).collect();
        let mut by_folder: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
        for place in places.iter().filter(|place| !is_below_another(place, &covered)) {
            let (folder, name) = place.rsplit_once('/').unwrap_or(("", place));
            by_folder.entry(folder).or_default().insert(fold_name(name));
        }
        walker.walk.places = Some(covered);
        for (path, names) in by_folder {
            if let Some(folder) = walker.resolve_folder(path).ok()? {
                walker.list_named(&folder, &names).ok()?;
            }
        }
        Some(walker.list_remaining())
    }
}

fn is_below_another(place: &str, places: &BTreeSet<String>) -> bool {
    let folded = fold_name(place);
    folded.match_indices('/').filter_map(|(at, _)| folded.get(..at)).any(|parent| places.contains(parent))
}

impl FolderWalker<'_> {
    /// Returns the folder at a path, with its ignore files; `None` if it does not exist or is never listed.
    fn resolve_folder(&mut self, path: &str) -> Result<Option<Folder>, NeedsFullWalk> {
        let mut folder = self.root_folder();
        self.read_ignore_files(&mut folder, &[MEMORAIGNORE, GITIGNORE]);
        for name in path.split('/').filter(|name| !name.is_empty()) {
            if is_hidden_name(name) {
                return Ok(None);
            }
            folder = self.subfolder(&folder, name.as_ref());
            match std::fs::symlink_metadata(&folder.real) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(metadata) if metadata.is_symlink() => return Err(NeedsFullWalk),
                Ok(_) => return Ok(None),
                Err(error) => return none_if_gone(&error),
            }
            self.read_ignore_files(&mut folder, &[MEMORAIGNORE, GITIGNORE]);
        }
        match folder.real.canonicalize() {
            Ok(real) if real == folder.real => Ok(Some(folder)),
            Ok(_) => Err(NeedsFullWalk),
            Err(error) => none_if_gone(&error),
        }
    }

    /// Visits the entries of a folder that have one of these names, folded.
    fn list_named(&mut self, folder: &Folder, names: &BTreeSet<String>) -> Result<(), NeedsFullWalk> {
        let entries: Result<Vec<DirEntry>, _> = std::fs::read_dir(&folder.real).and_then(Iterator::collect);
        for entry in entries.map_err(|_| NeedsFullWalk)? {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let is_named = names.contains(&fold_name(original_name(&name)));
            // Whether a second version is read depends on the note beside it.
            let stem = name.strip_suffix(".md").unwrap_or_default();
            let is_copy = || possible_originals(stem).any(|note| names.contains(&fold_name(&format!("{note}.md"))));
            if is_named || is_copy() {
                if let Some(places) = &mut self.walk.places {
                    places.insert(fold_name(&child_path(folder, &name)));
                }
                self.visit_entry(folder, &entry);
            }
        }
        Ok(())
    }
}

fn none_if_gone(error: &std::io::Error) -> Result<Option<Folder>, NeedsFullWalk> {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
        _ => Err(NeedsFullWalk),
    }
}
