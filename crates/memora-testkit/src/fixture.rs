//! Temporary vaults that tests may modify: [`Fixture`].

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;

/// A vault in a temporary folder, which is deleted on drop.
#[derive(Debug)]
pub struct Fixture {
    /// Holds only the vault.
    folder: TempDir,
    vault: PathBuf,
}

impl Fixture {
    /// Creates a vault from pairs of path and text. Its folder is named `vault` and has `.obsidian/`.
    #[must_use]
    pub fn from_notes(notes: &[(&str, &str)]) -> Self {
        let fixture = Self::new_empty("vault");
        fs::create_dir(fixture.path(".obsidian")).expect("a new folder can be made");
        for (note, text) in notes {
            fixture.write(note, text);
        }
        fixture
    }

    /// Copies a folder, keeping its name and the modification times. Links are not followed.
    #[must_use]
    pub fn copy_from(folder: &Path) -> Self {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("the folder has a name");
        let fixture = Self::new_empty(name);
        copy_tree(folder, &fixture.vault);
        fixture
    }

    fn new_empty(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        // Canonical, since the program prints canonical paths.
        let vault = folder.path().canonicalize().expect("the folder is there").join(name);
        fs::create_dir(&vault).expect("a new folder can be made");
        Self { folder, vault }
    }

    /// Returns the vault's folder.
    #[must_use]
    pub fn vault(&self) -> &Path {
        &self.vault
    }

    /// Returns the temporary folder around the vault, for files outside it.
    #[must_use]
    pub fn parent_dir(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the path of a file of the vault.
    #[must_use]
    pub fn path(&self, file: &str) -> PathBuf {
        self.vault.join(file)
    }

    /// Reads a file of the vault.
    #[must_use]
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("cannot read {file}: {error}"))
    }

    /// Writes a file of the vault, and creates its folders.
    pub fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders can be made");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("cannot write {file}: {error}"));
    }

    /// Rewrites a file of the vault, keeping its modification time.
    pub fn rewrite_keep_mtime(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        let before = fs::metadata(&path).and_then(|meta| meta.modified()).expect("the file is there");
        self.write(file, bytes);
        set_modified(&path, before);
    }

    /// Deletes a file of the vault.
    pub fn remove(&self, file: &str) {
        fs::remove_file(self.path(file)).unwrap_or_else(|error| panic!("cannot delete {file}: {error}"));
    }
}

/// Copies what is in a folder to another one, with the times of change. Links are not followed.
pub(crate) fn copy_tree(from: &Path, to: &Path) {
    let entries = fs::read_dir(from).unwrap_or_else(|error| panic!("cannot list {}: {error}", from.display()));
    for entry in entries {
        let entry = entry.expect("a folder can be listed to its end");
        let (kind, target) = (entry.file_type().expect("an entry has a kind"), to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&target).expect("a new folder can be made");
            copy_tree(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).expect("a file can be copied");
            set_modified(&target, entry.metadata().and_then(|meta| meta.modified()).expect("a file has a time"));
        }
    }
    // Last, since every file created in a folder changes the folder's time.
    set_modified(to, fs::metadata(from).and_then(|meta| meta.modified()).expect("a folder has a time"));
}

fn set_modified(path: &Path, time: SystemTime) {
    let file = File::open(path).and_then(|file| file.set_modified(time));
    file.unwrap_or_else(|error| panic!("cannot set the time of {}: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TreeSnapshot;

    #[test]
    fn a_copy_has_the_bytes_and_the_times_of_its_model() {
        let model = Fixture::from_notes(&[("a.md", "one\n"), ("b/c.md", "two\n")]);
        set_modified(&model.path("b/c.md"), SystemTime::UNIX_EPOCH);
        let copy = Fixture::copy_from(model.vault());
        assert_eq!(copy.read("b/c.md"), "two\n");
        let time =
            |fixture: &Fixture, file| fs::metadata(fixture.path(file)).and_then(|m| m.modified()).expect("a time");
        for file in ["a.md", "b/c.md", "b"] {
            assert_eq!(time(&copy, file), time(&model, file), "{file}");
        }
    }

    #[test]
    fn rewriting_keeps_the_time_and_a_picture_sees_it_all_the_same() {
        let vault = Fixture::from_notes(&[("a.md", "one\n")]);
        let before = TreeSnapshot::take(vault.vault());
        vault.rewrite_keep_mtime("a.md", "two\n");
        let difference = before.difference(&TreeSnapshot::take(vault.vault()));
        assert!(difference.contains("a.md: other bytes"), "{difference}");
        assert!(!difference.contains("modified"), "{difference}");
    }
}
