//! Writing an entry into a program's own file: whole, with what was there kept beside it, and never into the vault.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

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
    /// It lies in the vault.
    #[error("{} lies in the vault", .0.display())]
    InVault(PathBuf),
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
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => path.to_owned(),
        Err(error) => return Err(failed(error)),
    };
    if is_within(&real, vault) {
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
    let folder = real.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(failed)?;
    let kept = old.as_ref().map(|old| keep(&real, old)).transpose().map_err(failed)?;
    let fresh = beside(&real, &format!("memora-{}", std::process::id()));
    let written = put(&fresh, text.as_bytes(), &real).and_then(|()| {
        // As late as can be: the program may run and write, too.
        if fs::read(&real).ok() != old { Ok(false) } else { fs::rename(&fresh, &real).map(|()| true) }
    });
    match written {
        Ok(true) => Ok(kept.map_or(Written::New, Written::Merged)),
        Ok(false) => {
            drop(fs::remove_file(&fresh));
            Err(WriteError::Changed(path.to_owned()))
        }
        Err(error) => {
            drop(fs::remove_file(&fresh));
            Err(failed(error))
        }
    }
}

/// Whether a file, or the nearest folder above it that there is, lies in the vault.
fn is_within(file: &Path, vault: &Path) -> bool {
    let there = file.ancestors().find_map(|path| path.canonicalize().ok());
    there.is_some_and(|there| there.starts_with(vault))
}

/// Puts what a file said into a new one beside it.
fn keep(file: &Path, old: &[u8]) -> io::Result<PathBuf> {
    for number in 1..=KEPT_MAX {
        let kept = match number {
            1 => beside(file, "before-memora"),
            number => beside(file, &format!("before-memora-{number}")),
        };
        match put(&kept, old, file) {
            Ok(()) => return Ok(kept),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
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

/// Writes a file that was not there, which may be read and written by whom another may be.
fn put(path: &Path, bytes: &[u8], like: &Path) -> io::Result<()> {
    let mut file: File = OpenOptions::new().write(true).create_new(true).open(path)?;
    if let Ok(metadata) = like.metadata() {
        file.set_permissions(metadata.permissions())?;
    }
    file.write_all(bytes)?;
    file.sync_all()
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
