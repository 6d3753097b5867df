//! The files of a store: created for their owner only, locked, checked on opening, set aside if damaged.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::ErrorCode;

use crate::connection::{open_connection, truncate_wal};
use crate::schema::{Database, read_version, upgrade};
use crate::{OpenError, ReadError};

/// Number of attempts for the write lock during setup or reset, and the pause between them.
const LOCK_TRIES: u32 = 50;
const LOCK_PAUSE: Duration = Duration::from_millis(100);

/// The result of opening, for each database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenReport {
    /// The index.
    pub index: OpenedDatabase,
    /// The journal.
    pub journal: OpenedDatabase,
}

/// The result of opening one database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenedDatabase {
    /// It was missing and has been created.
    Fresh,
    /// It was usable; it may have been upgraded.
    Existing,
    /// It was unusable, has been moved away, and an empty one created.
    Rebuilt {
        /// Why.
        reason: SetAsideReason,
        /// The new path of the old file.
        moved_to: PathBuf,
    },
}

/// The reason why a database was set aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetAsideReason {
    /// It is not a database, not one of ours, or its pages are inconsistent.
    Damaged,
    /// A later version of the program wrote it. Index only.
    Newer {
        /// Its format.
        found: i64,
    },
}

/// Creates the folder if missing, for its owner only. An existing folder keeps its permissions: it may contain more
/// than the store, and the files are closed to others anyway.
pub(crate) fn make_folder(dir: &Path) -> Result<(), OpenError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|source| OpenError::Io { path: dir.to_owned(), source })
}

/// Opens a file for writing, created if missing, for its owner only. SQLite gives its side files the same permissions.
pub(crate) fn open_owner_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mut permissions = file.metadata()?.permissions();
        if permissions.mode() & 0o077 != 0 {
            permissions.set_mode(0o600);
            file.set_permissions(permissions)?;
        }
    }
    Ok(file)
}

/// Tries to acquire the write lock; `None` if it is held elsewhere.
pub(crate) fn try_write_lock(dir: &Path) -> io::Result<Option<File>> {
    let file = open_owner_file(&dir.join("write.lock"))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Waits for the write lock, with a limit.
pub(crate) fn wait_for_write_lock(dir: &Path) -> Result<File, OpenError> {
    for _ in 0..LOCK_TRIES {
        match try_write_lock(dir) {
            Ok(Some(file)) => return Ok(file),
            Ok(None) => std::thread::sleep(LOCK_PAUSE),
            Err(source) => return Err(OpenError::Io { path: dir.join("write.lock"), source }),
        }
    }
    Err(OpenError::Busy)
}

/// Ensures that a sound database of the latest version is in the folder.
///
/// The write lock is taken only if something has to be created or moved, so that a program that only reads starts
/// while another one writes; waiting ends as soon as the other process has created the database, although it may hold
/// the lock while filling it. Only the header, the schema and the first pages are checked: reading it all would cost
/// more than indexing nothing. Other damage is reported as [`ReadError::Damaged`] when it is found.
///
/// # Errors
/// [`OpenError`]; also for a journal of a later version, which is left untouched.
pub(crate) fn prepare_database(dir: &Path, database: Database) -> Result<OpenedDatabase, OpenError> {
    let path = dir.join(database.file_name());
    for _ in 0..LOCK_TRIES {
        if path.is_file() && matches!(inspect_schema(&path, database), Ok(SchemaState::Latest)) {
            open_owner_file(&path).map_err(|source| OpenError::Io { path, source })?;
            return Ok(OpenedDatabase::Existing);
        }
        match try_write_lock(dir) {
            Ok(Some(_lock)) => return prepare_locked(dir, database),
            Ok(None) => std::thread::sleep(LOCK_PAUSE),
            Err(source) => return Err(OpenError::Io { path: dir.join("write.lock"), source }),
        }
    }
    Err(OpenError::Busy)
}

/// The same, with the lock held.
pub(crate) fn prepare_locked(dir: &Path, database: Database) -> Result<OpenedDatabase, OpenError> {
    let path = dir.join(database.file_name());
    if path.is_dir() {
        return set_aside_database(dir, database, SetAsideReason::Damaged);
    }
    let io_error = |source| OpenError::Io { path: path.clone(), source };
    open_owner_file(&path).map_err(io_error)?;
    let reason = match inspect_schema(&path, database) {
        Ok(SchemaState::Latest) => return Ok(OpenedDatabase::Existing),
        Ok(SchemaState::Older { version }) => match upgrade_database(&path, database) {
            Ok(()) if version == 0 => return Ok(OpenedDatabase::Fresh),
            Ok(()) => return Ok(OpenedDatabase::Existing),
            Err(ReadError::Damaged) => SetAsideReason::Damaged,
            // Our own upgrades run on our own tables: so some of these are missing.
            Err(ReadError::Sqlite(error)) if version > 0 && error.is_about_sql() => SetAsideReason::Damaged,
            Err(ReadError::Sqlite(error)) => return Err(OpenError::Sqlite(error)),
        },
        Ok(SchemaState::Newer { found }) if database == Database::Journal => {
            return Err(OpenError::NewerJournal { found, known: database.latest_version() });
        }
        Ok(SchemaState::Newer { found }) => SetAsideReason::Newer { found },
        Err(ReadError::Damaged) => SetAsideReason::Damaged,
        Err(ReadError::Sqlite(error)) => return Err(OpenError::Sqlite(error)),
    };
    set_aside_database(dir, database, reason)
}

/// Moves a database away and creates an empty one. The lock must be held.
pub(crate) fn set_aside_database(
    dir: &Path,
    database: Database,
    reason: SetAsideReason,
) -> Result<OpenedDatabase, OpenError> {
    let path = dir.join(database.file_name());
    let moved_to = move_database_away(dir, database, reason)?;
    open_owner_file(&path).map_err(|source| OpenError::Io { path: path.clone(), source })?;
    upgrade_database(&path, database)?;
    tracing::warn!(file = database.file_name(), ?reason, "database set aside");
    Ok(OpenedDatabase::Rebuilt { reason, moved_to })
}

enum SchemaState {
    Latest,
    Older { version: i64 },
    Newer { found: i64 },
}

fn inspect_schema(path: &Path, database: Database) -> Result<SchemaState, ReadError> {
    let conn = open_connection(path)?;
    let version = read_version(&conn)?;
    if version < 0 {
        return Err(ReadError::Damaged);
    }
    if version > database.latest_version() {
        return Ok(SchemaState::Newer { found: version });
    }
    if version < database.latest_version() {
        let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
        // A foreign database: none of ours has tables and no version.
        return if version == 0 && tables > 0 { Err(ReadError::Damaged) } else { Ok(SchemaState::Older { version }) };
    }
    let probes: &[&str] = match database {
        Database::Index => &[
            "SELECT uuid, sequence, pruned FROM state WHERE only_row = 1",
            "SELECT 1 FROM (SELECT max(id) FROM notes) WHERE 1 = (SELECT count(*) FROM state)",
            "SELECT count(*) FROM (SELECT statement FROM sources LIMIT 1)",
        ],
        Database::Journal => &[
            "SELECT count(*) FROM (SELECT statement FROM former LIMIT 1)",
            "SELECT count(*) FROM (SELECT at FROM first_seen LIMIT 1)",
            "SELECT count(*) FROM (SELECT taken FROM proposals LIMIT 1)",
        ],
    };
    for probe in probes {
        conn.query_row(probe, [], |_| Ok(())).map_err(|error| match error.sqlite_error_code() {
            // "No such table" and the like.
            Some(ErrorCode::Unknown) => ReadError::Damaged,
            _ => error.into(),
        })?;
    }
    Ok(SchemaState::Latest)
}

fn upgrade_database(path: &Path, database: Database) -> Result<(), ReadError> {
    let mut conn = open_connection(path)?;
    let before = read_version(&conn)?;
    upgrade(&mut conn, database)?;
    if before > 0 {
        // Gives back the space of what was dropped. A reader may prevent it; then later rows use that space.
        drop(conn.execute_batch("VACUUM"));
        truncate_wal(&conn);
    }
    Ok(())
}

/// Suffixes of a database's files: itself, the write-ahead log, the shared memory.
const FILE_SUFFIXES: [&str; 3] = ["", "-wal", "-shm"];

fn append_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Renames a database with its side files to the first free `….corrupt-N` (`….newer-N`).
///
/// An index contains vault text, and text deleted from the vault must be deleted here. So of indexes only the latest
/// copy is kept. Journals cannot be recreated, and all are kept.
fn move_database_away(dir: &Path, database: Database, reason: SetAsideReason) -> Result<PathBuf, OpenError> {
    let path = dir.join(database.file_name());
    let word = match reason {
        SetAsideReason::Damaged => "corrupt",
        SetAsideReason::Newer { .. } => "newer",
    };
    let taken = find_set_aside_copies(dir, database)?;
    let mut free =
        (1_u32..).map(|n| append_suffix(&path, &format!(".{word}-{n}"))).filter(|name| !taken.contains(name));
    let target = free.next().unwrap_or_else(|| append_suffix(&path, ".corrupt"));
    for suffix in FILE_SUFFIXES {
        let from = append_suffix(&path, suffix);
        match std::fs::rename(&from, append_suffix(&target, suffix)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(OpenError::Io { path: from, source }),
        }
    }
    if database == Database::Index {
        remove_files(taken)?;
    }
    Ok(target)
}

/// Removes databases that were set aside before.
pub(crate) fn remove_set_aside_copies(dir: &Path, database: Database) -> Result<(), OpenError> {
    remove_files(find_set_aside_copies(dir, database)?)
}

/// Finds the files that were set aside, side files included.
fn find_set_aside_copies(dir: &Path, database: Database) -> Result<Vec<PathBuf>, OpenError> {
    let io_error = |source| OpenError::Io { path: dir.to_owned(), source };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).map_err(io_error)? {
        let name = entry.map_err(io_error)?.file_name();
        let rest = name.to_str().and_then(|name| name.strip_prefix(database.file_name()));
        if rest.is_some_and(|rest| rest.starts_with(".corrupt-") || rest.starts_with(".newer-")) {
            found.push(dir.join(name));
        }
    }
    Ok(found)
}

fn remove_files(files: Vec<PathBuf>) -> Result<(), OpenError> {
    for path in files {
        let removed = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        match removed {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(OpenError::Io { path, source }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A process that fills a new index holds the lock for minutes; others must not have to wait for it.
    #[test]
    fn a_database_that_another_made_is_opened_while_its_maker_still_writes() {
        let dir = tempfile::tempdir().expect("a folder");
        let writer = wait_for_write_lock(dir.path()).expect("the lock");
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| prepare_database(dir.path(), Database::Index));
            std::thread::sleep(LOCK_PAUSE * 2);
            assert_eq!(prepare_locked(dir.path(), Database::Index).expect("made"), OpenedDatabase::Fresh);
            assert_eq!(waiting.join().expect("no panic").expect("opened"), OpenedDatabase::Existing);
        });
        drop(writer);
    }

    #[test]
    fn many_open_a_new_store_at_once() {
        for _ in 0..20 {
            let dir = tempfile::tempdir().expect("a folder");
            let opened = std::thread::scope(|scope| {
                let open = || {
                    [Database::Index, Database::Journal]
                        .map(|database| prepare_database(dir.path(), database).expect("a database"))
                };
                let openers: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
                openers.into_iter().flat_map(|opener| opener.join().expect("no panic")).collect::<Vec<_>>()
            });
            assert_eq!(opened.iter().filter(|found| **found == OpenedDatabase::Fresh).count(), 2, "{opened:?}");
        }
    }
}
