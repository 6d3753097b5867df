//! A walk of some places only: notes and folders of which it is known that they may have changed.
//!
//! The one rule to know: **a look finds what a walk would find there, or says that it cannot.** Places are looked up in
//! the listing of their folder, so that a name is met as the file system has it, in whatever case or with whatever accents
//! it was heard of.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::DirEntry;
use std::io::ErrorKind;

use super::{Folder, GIT, MEMORA, Walk, Walker};
use crate::disk::fold;
use crate::disk::locate::{is_hidden_name, is_note_name};
use crate::disk::vault::Vault;

/// Only a walk can tell: something cannot be listed, or is reached by a link or by another name than its own.
struct Unsure;

/// Looks at places and all below them; `None` where only a walk can tell.
pub(in crate::disk) fn look<'p>(vault: &Vault, places: impl IntoIterator<Item = &'p str>) -> Option<Walk> {
    let places: BTreeSet<&str> = places.into_iter().collect();
    if places.contains("") {
        return None;
    }
    let mut walker = Walker::new(vault);
    let covered: BTreeSet<String> = places.iter().map(|place| fold(place)).collect();
    let mut by_folder: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for place in places.iter().filter(|place| !is_below_another(place, &covered)) {
        let (folder, name) = place.rsplit_once('/').unwrap_or(("", place));
        by_folder.entry(folder).or_default().insert(fold(name));
    }
    walker.walk.places = Some(covered);
    for (path, names) in by_folder {
        if let Some(folder) = walker.descend(path).ok()? {
            walker.list_some(&folder, &names).ok()?;
        }
    }
    Some(walker.finish())
}

fn is_below_another(place: &str, places: &BTreeSet<String>) -> bool {
    let folded = fold(place);
    folded.match_indices('/').filter_map(|(at, _)| folded.get(..at)).any(|parent| places.contains(parent))
}

impl Walker<'_> {
    /// The folder of this path, with the ignore files that hold in it; nothing where there is none that is ever listed.
    fn descend(&mut self, path: &str) -> Result<Option<Folder>, Unsure> {
        let mut folder = self.root();
        self.read_ignore_files(&mut folder, &[MEMORA, GIT]);
        for name in path.split('/').filter(|name| !name.is_empty()) {
            if is_hidden_name(name) {
                return Ok(None);
            }
            folder = self.subfolder(&folder, name.as_ref());
            match std::fs::symlink_metadata(&folder.real) {
                Ok(metadata) if metadata.is_dir() => {}
                Ok(metadata) if metadata.is_symlink() => return Err(Unsure),
                Ok(_) => return Ok(None),
                Err(error) => return none_if_gone(&error),
            }
            self.read_ignore_files(&mut folder, &[MEMORA, GIT]);
        }
        match folder.real.canonicalize() {
            Ok(real) if real == folder.real => Ok(Some(folder)),
            Ok(_) => Err(Unsure),
            Err(error) => none_if_gone(&error),
        }
    }

    /// Looks at the entries of a folder that have one of these names, folded.
    fn list_some(&mut self, folder: &Folder, names: &BTreeSet<String>) -> Result<(), Unsure> {
        let entries: Result<Vec<DirEntry>, _> = std::fs::read_dir(&folder.real).and_then(Iterator::collect);
        for entry in entries.map_err(|_| Unsure)? {
            if names.contains(&fold(known_as(&entry.file_name().to_string_lossy()))) {
                self.entry(folder, &entry);
            }
        }
        Ok(())
    }
}

fn none_if_gone(error: &std::io::Error) -> Result<Option<Folder>, Unsure> {
    match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Ok(None),
        _ => Err(Unsure),
    }
}

/// The name that the owner of a file knows: iCloud keeps `.Plan.md.icloud` in place of `Plan.md`.
pub(crate) fn known_as(name: &str) -> &str {
    let original = name.strip_prefix('.').and_then(|name| name.strip_suffix(".icloud"));
    original.filter(|original| is_note_name(original)).unwrap_or(name)
}
