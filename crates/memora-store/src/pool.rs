//! The pool to which snapshots and writers return their connections.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::ReadError;
use crate::connection::open_connection;
use crate::schema::Database;

/// Maximum number of idle reader connections.
const IDLE_MAX: usize = 4;

/// The idle connections to the databases in a folder.
pub(crate) struct ConnectionPool {
    pub(crate) dir: PathBuf,
    readers: Mutex<Vec<PooledConnection>>,
    /// The same of the journal.
    journals: Mutex<Vec<PooledConnection>>,
    /// Index and journal connections of the last writer.
    writer: Mutex<Option<(PooledConnection, PooledConnection)>>,
    /// Deleted words may still be in the write-ahead log.
    pub(crate) unwiped: AtomicBool,
}

/// A connection, and the identity of its file.
pub(crate) struct PooledConnection {
    pub(crate) conn: Connection,
    file: Option<(u64, u64)>,
}

impl ConnectionPool {
    pub(crate) fn new(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            readers: Mutex::default(),
            journals: Mutex::default(),
            writer: Mutex::default(),
            unwiped: AtomicBool::new(false),
        }
    }

    fn path(&self, database: Database) -> PathBuf {
        self.dir.join(database.file_name())
    }

    pub(crate) fn connect(&self, database: Database) -> Result<PooledConnection, ReadError> {
        let path = self.path(database);
        // The file first: if it is replaced in between, the connection counts as outdated and is not reused.
        let file = file_id(&path);
        Ok(PooledConnection { conn: open_connection(&path)?, file })
    }

    fn is_current(&self, kept: &PooledConnection, database: Database) -> bool {
        kept.file.is_some() && kept.file == file_id(&self.path(database))
    }

    pub(crate) fn take_reader(&self) -> Result<PooledConnection, ReadError> {
        if let Some(kept) = self.take_idle(&self.readers, Database::Index) {
            return Ok(kept);
        }
        let kept = self.connect(Database::Index)?;
        kept.conn.execute_batch("PRAGMA query_only = ON")?;
        Ok(kept)
    }

    pub(crate) fn take_journal(&self) -> Result<PooledConnection, ReadError> {
        self.take_idle(&self.journals, Database::Journal).map_or_else(|| self.connect(Database::Journal), Ok)
    }

    /// Takes an idle connection to a database as it is now; the others are closed.
    fn take_idle(&self, idle: &Mutex<Vec<PooledConnection>>, database: Database) -> Option<PooledConnection> {
        while let Some(kept) = lock_mutex(idle).pop() {
            if self.is_current(&kept, database) {
                return Some(kept);
            }
        }
        None
    }

    pub(crate) fn take_writer(&self) -> Result<(PooledConnection, PooledConnection), ReadError> {
        if let Some((index, journal)) = lock_mutex(&self.writer).take()
            && self.is_current(&index, Database::Index)
            && self.is_current(&journal, Database::Journal)
        {
            return Ok((index, journal));
        }
        Ok((self.connect(Database::Index)?, self.connect(Database::Journal)?))
    }

    /// Returns a reader's connection to the pool, if its transaction has ended.
    pub(crate) fn return_reader(&self, kept: PooledConnection) {
        return_idle(&self.readers, kept);
    }

    /// The same of the journal.
    pub(crate) fn return_journal(&self, kept: PooledConnection) {
        return_idle(&self.journals, kept);
    }

    /// Returns a writer's connections to the pool, if their transactions have ended.
    pub(crate) fn return_writer(&self, index: PooledConnection, journal: PooledConnection) {
        if index.conn.is_autocommit() && journal.conn.is_autocommit() {
            *lock_mutex(&self.writer) = Some((index, journal));
        }
    }

    pub(crate) fn close_idle_connections(&self) {
        lock_mutex(&self.readers).clear();
        lock_mutex(&self.journals).clear();
        lock_mutex(&self.writer).take();
    }
}

fn return_idle(pool: &Mutex<Vec<PooledConnection>>, kept: PooledConnection) {
    let mut idle = lock_mutex(pool);
    if kept.conn.is_autocommit() && idle.len() < IDLE_MAX {
        idle.push(kept);
    }
}

/// A panic elsewhere cannot leave a list of idle connections inconsistent.
fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the identity of a file, so that a connection to one that was set aside meanwhile is not reused.
#[cfg(unix)]
fn file_id(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let meta = std::fs::metadata(path).ok()?;
    Some((meta.dev(), meta.ino()))
}

/// On other systems an open file cannot be moved or removed, so that the question does not arise.
#[cfg(not(unix))]
fn file_id(path: &Path) -> Option<(u64, u64)> {
    path.exists().then_some((0, 0))
}
