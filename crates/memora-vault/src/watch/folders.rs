//! The set of watched folders.
//!
//! Where the system watches folder by folder (Linux, BSD), only folders that can contain notes or settings are watched:
//! not `.git`, not `node_modules`, nothing behind a link. Elsewhere the vault is watched as a whole, and other events
//! are ignored.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use notify::{RecommendedWatcher, RecursiveMode, Watcher, WatcherKind};

use super::{DirtySet, WatchLimitation};
use crate::disk::{SETTINGS_FILES, is_hidden_name};

/// The folders that are watched.
#[derive(Debug, Default)]
pub(super) struct WatchedFolders(BTreeSet<PathBuf>);

impl WatchedFolders {
    /// Watches new folders among the dirty places, and forgets those that are gone.
    pub(super) fn watch_dirty(
        &mut self,
        native: &mut RecommendedWatcher,
        root: &Path,
        dirty: &DirtySet,
    ) -> Result<(), WatchLimitation> {
        if !matches!(RecommendedWatcher::kind(), WatcherKind::Inotify | WatcherKind::Kqueue) {
            if self.0.insert(root.to_owned()) {
                native.watch(root, RecursiveMode::Recursive).map_err(|error| WatchLimitation::from_error(&error))?;
            }
            return Ok(());
        }
        if dirty.is_everything() {
            // A folder of the same name may be another one now: each is asked for anew, which costs little.
            self.0.clear();
            self.watch_root(native, root)?;
            for folder in settings_folders() {
                self.watch_folder(native, &root.join(folder))?;
            }
            return self.watch_tree(native, root.to_owned());
        }
        for place in dirty.places() {
            let path = root.join(place);
            self.0.retain(|folder| !folder.starts_with(&path));
            self.watch_tree(native, path)?;
        }
        Ok(())
    }

    /// Watches a folder and all below it, each before it is listed, so that nothing created meanwhile is missed.
    fn watch_tree(&mut self, native: &mut RecommendedWatcher, path: PathBuf) -> Result<(), WatchLimitation> {
        let mut left = vec![path];
        while let Some(path) = left.pop() {
            if !self.watch_folder(native, &path)? {
                continue;
            }
            let Ok(entries) = std::fs::read_dir(&path) else { continue };
            let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
            let seen = folders.filter(|entry| !is_hidden_name(&entry.file_name().to_string_lossy()));
            left.extend(seen.map(|entry| entry.path()));
        }
        Ok(())
    }

    /// Watches the vault's own folder, which must exist.
    fn watch_root(&mut self, native: &mut RecommendedWatcher, root: &Path) -> Result<(), WatchLimitation> {
        if self.watch_folder(native, root)? { Ok(()) } else { Err(WatchLimitation::FolderMissing) }
    }

    /// Watches one folder; returns whether it is a folder, and not a link.
    fn watch_folder(&mut self, native: &mut RecommendedWatcher, path: &Path) -> Result<bool, WatchLimitation> {
        if self.0.contains(path) {
            return Ok(true);
        }
        if !std::fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_dir()) {
            return Ok(false);
        }
        match native.watch(path, RecursiveMode::NonRecursive) {
            Ok(()) => {
                self.0.insert(path.to_owned());
                Ok(true)
            }
            // Gone again, or closed to us: a walk says so, and its parent says when that changes.
            Err(error) if is_local_error(&error) => Ok(false),
            Err(error) => Err(WatchLimitation::from_error(&error)),
        }
    }
}

fn is_local_error(error: &notify::Error) -> bool {
    match &error.kind {
        notify::ErrorKind::PathNotFound => true,
        notify::ErrorKind::Io(error) => {
            matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied)
        }
        _ => false,
    }
}

/// The folders that settings lie in, and those above them.
fn settings_folders() -> BTreeSet<&'static str> {
    SETTINGS_FILES
        .into_iter()
        .flat_map(|file| file.match_indices('/').filter_map(move |(at, _)| file.get(..at)))
        .collect()
}
