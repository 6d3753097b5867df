//! Writes an entry into a program's settings file: atomically, with a backup beside it, and never into a vault.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};

use tempfile::NamedTempFile;

use super::merge::{MergeError, merge_entry};
use super::{ClientProgram, ServerEntry};

use memora_engine::Hint;

/// The maximum number of backups of one file.
const BACKUPS_MAX: u32 = 1_000;

/// The result of writing a settings file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    /// The file has the entry already.
    Unchanged,
    /// The file was created.
    Created,
    /// The entry was merged; the former content is in this backup.
    Merged(PathBuf),
}

impl WriteOutcome {
    /// Returns the word for it in reports, and where the former content is.
    pub(crate) fn describe(self) -> (&'static str, Option<String>) {
        match self {
            Self::Unchanged => ("as_it_was", None),
            Self::Created => ("new", None),
            Self::Merged(kept) => ("merged", Some(kept.display().to_string())),
        }
    }
}

/// An error that left the file unchanged.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SettingsWriteError {
    /// The file cannot be read or written.
    #[error("cannot use {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The entry cannot be merged into the content.
    #[error("cannot merge into {}", path.display())]
    Merge {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: MergeError,
    },
    /// The file lies in a vault, this one or another.
    #[error("{} lies in a vault", .0.display())]
    InVault(PathBuf),
    /// The file is read-only, or this user may not write it.
    #[error("{} is read-only", .0.display())]
    ReadOnly(PathBuf),
    /// Another program changed the file meanwhile.
    #[error("{} was changed meanwhile", .0.display())]
    ChangedMeanwhile(PathBuf),
}

impl Hint for SettingsWriteError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "check that the file can be written; without --write the entry is printed for pasting",
            Self::Merge { .. } => {
                "nothing was changed; mend the file, or paste what is printed without --write where it belongs"
            }
            Self::InVault(_) => "nothing is ever written into a vault; paste what is printed without --write elsewhere",
            Self::ReadOnly(_) => {
                "nothing was changed; make it writable, or paste what is printed without --write where it belongs"
            }
            Self::ChangedMeanwhile(_) => "nothing was changed; quit the program that writes it and try again",
        }
    }
}

/// Merges a server into a program's settings file.
pub(crate) fn write_entry(
    program: ClientProgram,
    path: &Path,
    server: &ServerEntry,
    vault: &Path,
) -> Result<WriteOutcome, SettingsWriteError> {
    let fields = program.server_fields(server);
    edit_file(path, vault, |text| merge_entry(text, program.settings_format(), &server.name, &fields))
}

/// Edits a program's settings file: `edit` gets its text, which is empty where there is no file, and gives the new one, or
/// `None` where nothing changes.
pub(crate) fn edit_file(
    path: &Path,
    vault: &Path,
    edit: impl FnOnce(&str) -> Result<Option<String>, MergeError>,
) -> Result<WriteOutcome, SettingsWriteError> {
    let failed = |source: io::Error| SettingsWriteError::Io { path: path.to_owned(), source };
    // Settings are often symlinks into another folder: the link is kept.
    let real = match path.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_err() => {
            resolve_future_path(path)
        }
        Err(error) => return Err(failed(error)),
    };
    if real.starts_with(vault) || real.ancestors().any(|part| part.join(".obsidian").is_dir()) {
        return Err(SettingsWriteError::InVault(path.to_owned()));
    }
    let old = match fs::read(&real) {
        Ok(bytes) => Some(bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(failed(error)),
    };
    let text = String::from_utf8(old.clone().unwrap_or_default())
        .map_err(|_| failed(io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8")))?;
    let text = edit(&text).map_err(|source| SettingsWriteError::Merge { path: path.to_owned(), source })?;
    let Some(text) = text else { return Ok(WriteOutcome::Unchanged) };
    if old.is_some() && !is_writable(&real) {
        return Err(SettingsWriteError::ReadOnly(path.to_owned()));
    }
    replace_file(&real, old.as_deref(), text.as_bytes())
        .map_err(failed)?
        .ok_or_else(|| SettingsWriteError::ChangedMeanwhile(path.to_owned()))
}

/// Resolves the path of a file that need not exist yet, following `..` and symlinks.
pub(crate) fn resolve_future_path(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut real, part| {
        if part == Component::ParentDir {
            real.pop();
        } else {
            real.push(part);
        }
        real.canonicalize().unwrap_or(real)
    })
}

/// Whether a file may be written. A read-only file could be replaced, but its owner did not want that.
fn is_writable(file: &Path) -> bool {
    let is_read_only = file.metadata().is_ok_and(|metadata| metadata.permissions().readonly());
    !is_read_only && OpenOptions::new().append(true).open(file).is_ok()
}

/// Replaces a file atomically and keeps a backup; `None` if its content is no longer `old`.
fn replace_file(file: &Path, old: Option<&[u8]>, new: &[u8]) -> io::Result<Option<WriteOutcome>> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    // Temporary files are deleted on drop unless they are persisted.
    let new = write_temp_file(folder, new, file)?;
    let kept = old.map(|old| write_temp_file(folder, old, file)).transpose()?;
    // Check as late as possible: the program may be running and writing, too.
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
            Ok(_) => Ok(Some(WriteOutcome::Created)),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error.error),
        };
    };
    let kept = persist_backup(kept, file)?;
    match new.persist(file) {
        Ok(_) => Ok(Some(WriteOutcome::Merged(kept))),
        Err(error) => {
            drop(fs::remove_file(kept));
            Err(error.error)
        }
    }
}

/// Persists a backup under the first free name beside the file.
fn persist_backup(mut old: NamedTempFile, file: &Path) -> io::Result<PathBuf> {
    for number in 1..=BACKUPS_MAX {
        let kept = match number {
            1 => backup_path(file, "before-memora"),
            number => backup_path(file, &format!("before-memora-{number}")),
        };
        match old.persist_noclobber(&kept) {
            Ok(_) => return Ok(kept),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => old = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::Error::new(io::ErrorKind::AlreadyExists, "too many files are kept beside it"))
}

fn backup_path(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    file.with_file_name(name)
}

/// Writes a temporary file with the permissions of `like`; if that does not exist, for this user alone.
fn write_temp_file(folder: &Path, bytes: &[u8], like: &Path) -> io::Result<NamedTempFile> {
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

    fn server() -> ServerEntry {
        ServerEntry { name: "memora".to_owned(), command: "memora".to_owned(), args: vec!["mcp".to_owned()] }
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
        assert_eq!(
            write_entry(ClientProgram::Cursor, &path, &server(), vault).expect("it is written"),
            WriteOutcome::Created
        );
        assert_eq!(
            write_entry(ClientProgram::Cursor, &path, &server(), vault).expect("it is there"),
            WriteOutcome::Unchanged
        );
        for text in ["{\"a\": 1}", "{\"a\": 2}"] {
            fs::write(&path, text).expect("a file");
            let WriteOutcome::Merged(kept) =
                write_entry(ClientProgram::Cursor, &path, &server(), vault).expect("it is merged")
            else {
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
            write_entry(ClientProgram::Cursor, &path, &server(), Path::new("/nowhere")).expect_err("it is broken");
            assert_eq!(fs::read(&path).expect("it is there"), bytes);
            assert_eq!(files(folder.path()), ["mcp.json"]);
        }
    }

    #[test]
    fn nothing_is_written_into_a_vault() {
        let folder = tempfile::tempdir().expect("a folder");
        let vault = folder.path().canonicalize().expect("it is there");
        let path = vault.join("new/.cursor/mcp.json");
        let error = write_entry(ClientProgram::Cursor, &path, &server(), &vault).expect_err("it is in the vault");
        assert!(matches!(error, SettingsWriteError::InVault(_)));
        assert!(files(&vault).is_empty());
    }

    #[test]
    fn nothing_is_written_into_another_vault_whatever_way_leads_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let other = folder.path().join("other");
        fs::create_dir_all(other.join(".obsidian")).expect("a vault");
        for place in ["other/mcp.json", "other/new/mcp.json", "none/../other/mcp.json", "other/../none/../other/a/b"] {
            let path = folder.path().join(place);
            let error = write_entry(ClientProgram::Cursor, &path, &server(), Path::new("/nowhere"))
                .expect_err("it is in a vault");
            assert!(matches!(error, SettingsWriteError::InVault(_)), "{place}");
        }
        assert_eq!(files(folder.path()), ["other"]);
        assert_eq!(files(&other), [".obsidian"]);
        let beside = folder.path().join("other/../mcp.json");
        write_entry(ClientProgram::Cursor, &beside, &server(), Path::new("/nowhere")).expect("it is beside the vault");
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
        let error =
            write_entry(ClientProgram::Cursor, &path, &server(), Path::new("/nowhere")).expect_err("it is read-only");
        assert!(matches!(error, SettingsWriteError::ReadOnly(_)));
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
            assert_eq!(replace_file(&path, read, b"{\"b\": 1}").expect("it can be written"), None);
            assert_eq!(files(folder.path()), ["mcp.json"]);
        }
        assert_eq!(
            replace_file(&folder.path().join("gone.json"), Some(b"{}"), b"{\"b\": 1}").expect("it is gone"),
            None
        );
        // A folder can be read as no file, nor be replaced by one.
        fs::create_dir(folder.path().join("folder.json")).expect("a folder");
        replace_file(&folder.path().join("folder.json"), Some(b"{}"), b"{\"b\": 1}").expect_err("it is a folder");
        assert_eq!(files(folder.path()), ["folder.json", "mcp.json"]);
    }

    #[test]
    fn of_many_that_write_at_once_each_keeps_something_or_changes_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("mcp.json");
        fs::write(&path, "{}").expect("a file");
        let written: Vec<_> = std::thread::scope(|scope| {
            let write = || write_entry(ClientProgram::Cursor, &path, &server(), Path::new("/nowhere"));
            let writers: Vec<_> = (0..6).map(|_| scope.spawn(write)).collect();
            writers.into_iter().map(|writer| writer.join().expect("it ends")).collect()
        });
        let mut kept: Vec<PathBuf> = Vec::new();
        for written in written {
            match written {
                Ok(WriteOutcome::Merged(path)) => kept.push(path),
                Ok(WriteOutcome::Unchanged) | Err(SettingsWriteError::ChangedMeanwhile(_)) => {}
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
        write_entry(ClientProgram::Cursor, &path, &server(), Path::new("/nowhere")).expect("it is written");
        assert!(path.symlink_metadata().expect("it is there").is_symlink());
        assert!(fs::read_to_string(&real).expect("it is there").contains("memora"));
        for name in ["kept.json", "kept.json.before-memora"] {
            let mode = fs::metadata(folder.path().join(name)).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{name}");
        }
    }
}
