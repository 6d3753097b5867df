//! A vault to spoil.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tempfile::TempDir;

/// A vault in a temporary folder, which goes when this goes.
#[derive(Debug)]
pub struct Fixture {
    /// Holds the vault and nothing else.
    folder: TempDir,
    vault: PathBuf,
}

impl Fixture {
    /// Makes a vault of these notes, each a path and a text. The folder is called `vault` and has `.obsidian/`.
    #[must_use]
    pub fn of(notes: &[(&str, &str)]) -> Self {
        let fixture = Self::empty("vault");
        fs::create_dir(fixture.path(".obsidian")).expect("a new folder can be made");
        for (note, text) in notes {
            fixture.write(note, text);
        }
        fixture
    }

    /// Copies a folder, with the times of files and folders, under the name it has. Links are not followed.
    #[must_use]
    pub fn copy_of(folder: &Path) -> Self {
        let name = folder.file_name().and_then(|name| name.to_str()).expect("the folder has a name");
        let fixture = Self::empty(name);
        copy(folder, &fixture.vault);
        fixture
    }

    fn empty(name: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder can be made");
        // Canonical, since what the program says of a place is canonical too.
        let vault = folder.path().canonicalize().expect("the folder is there").join(name);
        fs::create_dir(&vault).expect("a new folder can be made");
        Self { folder, vault }
    }

    /// The vault's folder.
    #[must_use]
    pub fn vault(&self) -> &Path {
        &self.vault
    }

    /// The temporary folder around the vault, for what lies beside it.
    #[must_use]
    pub fn beside(&self) -> &Path {
        self.folder.path()
    }

    /// Where a file of the vault lies.
    #[must_use]
    pub fn path(&self, file: &str) -> PathBuf {
        self.vault.join(file)
    }

    /// What a file of the vault says.
    #[must_use]
    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap_or_else(|error| panic!("cannot read {file}: {error}"))
    }

    /// Writes a file of the vault, and the folders it lies in.
    pub fn write(&self, file: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(file);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("folders can be made");
        fs::write(&path, bytes).unwrap_or_else(|error| panic!("cannot write {file}: {error}"));
    }

    /// Writes a file of the vault anew and gives it the time of change that it had.
    pub fn rewrite(&self, file: &str, bytes: impl AsRef<[u8]>) {
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

fn copy(from: &Path, to: &Path) {
    let entries = fs::read_dir(from).unwrap_or_else(|error| panic!("cannot list {}: {error}", from.display()));
    for entry in entries {
        let entry = entry.expect("a folder can be listed to its end");
        let (kind, target) = (entry.file_type().expect("an entry has a kind"), to.join(entry.file_name()));
        if kind.is_dir() {
            fs::create_dir(&target).expect("a new folder can be made");
            copy(&entry.path(), &target);
        } else if kind.is_file() {
            fs::copy(entry.path(), &target).expect("a file can be copied");
            set_modified(&target, entry.metadata().and_then(|meta| meta.modified()).expect("a file has a time"));
        }
    }
    // Last, since every file put into a folder changes the folder's time.
    set_modified(to, fs::metadata(from).and_then(|meta| meta.modified()).expect("a folder has a time"));
}

fn set_modified(path: &Path, time: SystemTime) {
    let file = File::open(path).and_then(|file| file.set_modified(time));
    file.unwrap_or_else(|error| panic!("cannot set the time of {}: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Picture;

    #[test]
    fn a_copy_has_the_bytes_and_the_times_of_its_model() {
        let model = Fixture::of(&[("a.md", "one\n"), ("b/c.md", "two\n")]);
        set_modified(&model.path("b/c.md"), SystemTime::UNIX_EPOCH);
        let copy = Fixture::copy_of(model.vault());
        assert_eq!(copy.read("b/c.md"), "two\n");
        let time =
            |fixture: &Fixture, file| fs::metadata(fixture.path(file)).and_then(|m| m.modified()).expect("a time");
        for file in ["a.md", "b/c.md", "b"] {
            assert_eq!(time(&copy, file), time(&model, file), "{file}");
        }
    }

    #[test]
    fn rewriting_keeps_the_time_and_a_picture_sees_it_all_the_same() {
        let vault = Fixture::of(&[("a.md", "one\n")]);
        let before = Picture::of(vault.vault());
        vault.rewrite("a.md", "two\n");
        let difference = before.difference(&Picture::of(vault.vault()));
        assert!(difference.contains("a.md: other bytes"), "{difference}");
        assert!(!difference.contains("modified"), "{difference}");
    }
}
