//! Writing an entry into a program's own file: whole, with what was there kept beside it, and never into a vault.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

use super::merge::{MergeError, merged};
use super::{Program, Server};

/// How many files of the same name are kept beside it.
const KEPT_MAX: u32 = 1_000;

/// What became of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Written {
    /// It says so already.
    AsItWas,
    /// It was not there.
    New,
    /// What it said before is kept in this file.
    Merged(PathBuf),
}

/// Why a file could not be written. It is as it was.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// It cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// It is not what it should be.
    #[error("cannot merge into {}", path.display())]
    Merge {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: MergeError,
    },
    /// It lies in a vault, this one or another.
    #[error("{} lies in a vault", .0.display())]
    InVault(PathBuf),
    /// Nobody, or not this user, may write it.
    #[error("{} is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Somebody else wrote it meanwhile.
    #[error("{} was changed meanwhile", .0.display())]
    Changed(PathBuf),
}

impl WriteError {
    /// What to try.
    pub(crate) fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "look whether the file can be written; without --write the entry is printed for pasting",
            Self::Merge { .. } => {
                "nothing was changed; mend the file, or paste what is printed without --write where it belongs"
            }
            Self::InVault(_) => "nothing is ever written into a vault; paste what is printed without --write elsewhere",
            Self::ReadOnly(_) => {
                "nothing was changed; make it writable, or paste what is printed without --write where it belongs"
            }
            Self::Changed(_) => "nothing was changed; quit the program that writes it and try again",
        }
    }
}

/// Merges a server into a program's file.
pub(crate) fn write(program: Program, path: &Path, server: &Server, vault: &Path) -> Result<Written, WriteError> {
    let failed = |source: io::Error| WriteError::Io { path: path.to_owned(), source };
    // Settings are often links into a folder that is kept elsewhere: the link stays.
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => resolved(path),
        Err(error) => return Err(failed(error)),
    };
    if real.starts_with(vault) || real.ancestors().any(|part| part.join(".obsidian").is_dir()) {
        return Err(WriteError::InVault(path.to_owned()));
    }
    let old = match fs::read(&real) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    let text = String::from_utf8(old.clone().unwrap_or_default())
        .map_err(|_| failed(io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8")))?;
    let text = merged(&text, program.format(), &server.name, &program.entry(server))
        .map_err(|source| WriteError::Merge { path: path.to_owned(), source })?;
    let Some(text) = text else { return Ok(Written::AsItWas) };
    if old.is_some() && !may_be_written(&real) {
        return Err(WriteError::ReadOnly(path.to_owned()));
    }
    replace(&real, old.as_deref(), text.as_bytes()).map_err(failed)?.ok_or_else(|| WriteError::Changed(path.to_owned()))
}

/// Where a file will lie that is not there: `..` and links on the way to it are followed.
fn resolved(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut real, part| {
        if part == Component::ParentDir {
            real.pop();
        } else {
            real.push(part);
        }
        real.canonicalize().unwrap_or(real)
    })
}

/// A file can be replaced though it is read-only: who made it so did not want that.
fn may_be_written(file: &Path) -> bool {
    let is_read_only = file.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
    !is_read_only && OpenOptions::new().append(true).open(file).is_ok()
}

/// Replaces a file as a whole, and keeps what it said beside it; nothing when it says something else than `old` by now.
fn replace(file: &Path, old: Option<&[u8]>, new: &[u8]) -> io::Result<Option<Written>> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Both go when they are dropped without a name of their own.
    let new = put(folder, new, file)?;
    let kept = old.map(|old| put(folder, old, file)).transpose()?;
    // As late as can be: the program may run and write, too.
    let now = match fs::read(file) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if now.as_deref() != old {
        return Ok(None);
    }
    let Some(kept) = kept else {
        return match new.persist_noclobber(file) {
            Ok(_) => Ok(Some(Written::New)),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error.error),
        };
    };
    let kept = keep(kept, file)?;
    match new.persist(file) {
        Ok(_) => Ok(Some(Written::Merged(kept))),
        Err(error) => {
            drop(fs::remove_file(kept));
            Err(error.error)
        }
    }
}

/// Gives what a file said the first name beside it that is free.
fn keep(mut old: NamedTempFile, file: &Path) -> io::Result<PathBuf> {
    for number in 1..=KEPT_MAX {
        let kept = match number {
            1 => beside(file, "before-memora"),
            number => beside(file, &format!("before-memora-{number}")),
        };
        match old.persist_noclobber(&kept) {
            Ok(_) => return Ok(kept),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => old = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files are kept beside it"))
}

fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    file.with_file_name(name)
}

/// Writes a new file into a folder, with the permissions of another; where that is not there, for this user alone.
fn put(folder: &Path, bytes: &[u8], like: &Path) -> io::Result<NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix(".memora-").tempfile_in(folder)?;
    if let Ok(metadata) = like.metadata() {
        file.as_file().set_permissions(metadata.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server() -> Server {
        Server { name: "memora".to_owned(), command: "memora".to_owned(), args: vec!["mcp".to_owned()] }
    }

    fn files(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_there_is_kept_beside_it_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, vault) = (folder.path().join("mcp.json"), Path::new("/nowhere"));
        assert_eq!(write(Program::Cursor, &path, &server(), vault).expect("it is written"), Written::New);
        assert_eq!(write(Program::Cursor, &path, &server(), vault).expect("it is there"), Written::AsItWas);
        for text in ["{\"a\": 1}", "{\"a\": 2}"] {
            fs::write(&path, text).expect("a file");
            let Written::Merged(kept) = write(Program::Cursor, &path, &server(), vault).expect("it is merged") else {
                panic!("it was there");
            };
            assert_eq!(fs::read_to_string(kept).expect("it is kept"), text);
        }
        let kept = ["mcp.json", "mcp.json.before-memora", "mcp.json.before-memora-2"];
        assert_eq!(files(folder.path()), kept);
    }

    #[test]
    fn a_broken_file_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.json");
        for bytes in [b"{\"mcpServers\": {".as_slice(), b"\xff\xfe{}"] {
            fs::write(&path, bytes).expect("a file");
            write(Program::Cursor, &path, &server(), Path::new("/nowhere")).expect_err("it is broken");
            assert_eq!(fs::read(&path).expect("it is there"), bytes);
            assert_eq!(files(folder.path()), ["mcp.json"]);
        }
    }

    #[test]
    fn nothing_is_written_into_a_vault() {
        let folder = tempfile::tempdir().expect("a folder");
        let vault = folder.path().canonicalize().expect("it is there");
        let path = vault.join("new/.cursor/mcp.json");
        let error = write(Program::Cursor, &path, &server(), &vault).expect_err("it is in the vault");
        assert!(matches!(error, WriteError::InVault(_)));
        assert!(files(&vault).is_empty());
    }

    #[test]
    fn nothing_is_written_into_another_vault_whatever_way_leads_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("other");
        fs::create_dir_all(other.join(".obsidian")).expect("a vault");
        for place in ["other/mcp.json", "other/new/mcp.json", "none/../other/mcp.json", "other/../none/../other/a/b"] {
            let path = folder.path().join(place);
            let error = write(Program::Cursor, &path, &server(), Path::new("/nowhere")).expect_err("it is in a vault");
            assert!(matches!(error, WriteError::InVault(_)), "{place}");
        }
        assert_eq!(files(folder.path()), ["other"]);
        assert_eq!(files(&other), [".obsidian"]);
        let beside = folder.path().join("other/../mcp.json");
        write(Program::Cursor, &beside, &server(), Path::new("/nowhere")).expect("it is beside the vault");
        assert_eq!(files(folder.path()), ["mcp.json", "other"]);
    }

    #[test]
    fn a_file_that_is_read_only_is_left_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.json");
        fs::write(&path, "{}").expect("a file");
        let old = fs::metadata(&path).expect("it is there").permissions();
        let mut read_only = old.clone();
        read_only.set_readonly(true);
        fs::set_permissions(&path, read_only).expect("it is ours");
        let error = write(Program::Cursor, &path, &server(), Path::new("/nowhere")).expect_err("it is read-only");
        assert!(matches!(error, WriteError::ReadOnly(_)));
        assert!(error.hint().starts_with("nothing was changed"));
        assert_eq!(fs::read_to_string(&path).expect("it is there"), "{}");
        assert_eq!(files(folder.path()), ["mcp.json"]);
        fs::set_permissions(&path, old).expect("it is ours");
    }

    #[test]
    fn what_was_not_written_is_not_kept_either() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.json");
        fs::write(&path, "{\"a\": 1}").expect("a file");
        for read in [Some(b"{}".as_slice()), None] {
            assert_eq!(replace(&path, read, b"{\"b\": 1}").expect("it can be written"), None);
            assert_eq!(files(folder.path()), ["mcp.json"]);
        }
        assert_eq!(replace(&folder.path().join("gone.json"), Some(b"{}"), b"{\"b\": 1}").expect("it is gone"), None);
        // A folder can be read as no file, nor be replaced by one.
        fs::create_dir(folder.path().join("folder.json")).expect("a folder");
        replace(&folder.path().join("folder.json"), Some(b"{}"), b"{\"b\": 1}").expect_err("it is a folder");
        assert_eq!(files(folder.path()), ["folder.json", "mcp.json"]);
    }

    #[test]
    fn of_many_that_write_at_once_each_keeps_something_or_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.json");
        fs::write(&path, "{}").expect("a file");
        let written: Vec<_> = std::thread::scope(|scope| {
            let write = || write(Program::Cursor, &path, &server(), Path::new("/nowhere"));
            let writers: Vec<_> = (0..6).map(|_| scope.spawn(write)).collect();
            writers.into_iter().map(|writer| writer.join().expect("it ends")).collect()
        });
        let mut kept: Vec<PathBuf> = Vec::new();
        for written in written {
            match written {
                Ok(Written::Merged(path)) => kept.push(path),
                Ok(Written::AsItWas) | Err(WriteError::Changed(_)) => {}
                other => panic!("{other:?}"),
            }
        }
        assert!(!kept.is_empty());
        assert_eq!(files(folder.path()).len(), 1 + kept.len());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link_and_who_may_read_it_stays_so() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().expect("a folder");
        let (real, path) = (folder.path().join("kept.json"), folder.path().join("mcp.json"));
        fs::write(&real, "{}").expect("a file");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).expect("it is ours");
        symlink(&real, &path).expect("a link");
        write(Program::Cursor, &path, &server(), Path::new("/nowhere")).expect("it is written");
        assert!(path.symlink_metadata().expect("it is there").is_symlink());
        assert!(fs::read_to_string(&real).expect("it is there").contains("memora"));
        for name in ["kept.json", "kept.json.before-memora"] {
            let mode = fs::metadata(folder.path().join(name)).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
}
