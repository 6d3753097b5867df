//! A store: the folder, and the connections that are kept open for the next reader or writer.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::batch::Batch;
use crate::migrate::Database;
use crate::setup::{self, OpenedDatabase, OpenReport, SetAsideReason};
use crate::{Journal, OpenError, Proposals, ReadError, Snapshot, WriteError, Writer};

/// How many idle connections are kept for readers.
const IDLE_MAX: usize = 4;

/// The durable state of one vault. Cheap to clone; clones share their connections. Usable from any thread.
#[derive(Clone)]
pub struct Store {
    shared: Arc<ConnectionPool>,
}

/// What snapshots and writers give back to when they end.
pub(crate) struct ConnectionPool {
    dir: PathBuf,
    readers: Mutex<Vec<PooledConnection>>,
    /// Index and journal of the last writer.
    writer: Mutex<Option<(PooledConnection, PooledConnection)>>,
    /// Words were deleted, and the write-ahead log could not be emptied of them yet.
    pub(crate) unwiped: AtomicBool,
}

/// A connection, and which file it leads to.
pub(crate) struct PooledConnection {
    pub(crate) conn: Connection,
    file: Option<(u64, u64)>,
}

/// What a thorough look at the databases found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreHealth {
    /// Every page, row and index entry of the index holds together.
    pub index_sound: bool,
    /// The same of the journal.
    pub journal_sound: bool,
}

impl Store {
    /// Opens the store in `dir`, which must lie outside the vault, and says what was found there.
    ///
    /// 1. What is missing is made, closed to everybody but its owner.
    /// 2. An index that is damaged, or that a later version wrote, is set aside and an empty one made.
    /// 3. A damaged journal likewise; a journal of a later version is refused, since it could not be made again.
    ///
    /// # Errors
    /// [`OpenError`].
    pub fn open(dir: &Path) -> Result<(Self, OpenReport), OpenError> {
        setup::make_folder(dir)?;
        let journal = setup::prepare_database(dir, Database::Journal)?;
        let index = setup::prepare_database(dir, Database::Index)?;
        let shared = ConnectionPool {
            dir: dir.to_owned(),
            readers: Mutex::default(),
            writer: Mutex::default(),
            unwiped: AtomicBool::new(false),
        };
        Ok((Self { shared: Arc::new(shared) }, OpenReport { index, journal }))
    }

    /// Begins to read: the store as of the last commit, whatever is written meanwhile. Never waits for a writer.
    ///
    /// Drop it soon: the log of later commits cannot be folded back while it is there.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn snapshot(&self) -> Result<Snapshot, ReadError> {
        let kept = self.shared.take_reader()?;
        Snapshot::begin(kept, Arc::clone(&self.shared))
    }

    /// Opens the journal for reading.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn journal(&self) -> Result<Journal, ReadError> {
        Ok(Journal::new(self.shared.connect(Database::Journal)?.conn))
    }

    /// Opens what language models proposed.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn proposals(&self) -> Result<Proposals, ReadError> {
        Ok(Proposals::new(self.shared.connect(Database::Journal)?.conn, self.shared()))
    }

    /// Empties the write-ahead logs of words that were deleted. Returns whether none of them lingers there: false when another
    /// process is reading, which keeps them until it ends or until this is called again.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn wipe_deleted_words(&self) -> Result<bool, ReadError> {
        if !self.shared.unwiped.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let index = truncate_wal(&self.shared.connect(Database::Index)?.conn);
        let wiped = truncate_wal(&self.shared.connect(Database::Journal)?.conn) && index;
        self.shared.unwiped.store(!wiped, Ordering::Relaxed);
        Ok(wiped)
    }

    /// Begins a batch, unless another one is being written, here or in another process: then `None`.
    ///
    /// `now` (seconds since 1970) is the time that the journal notes.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn try_writer(&self, now: i64) -> Result<Option<Writer>, WriteError> {
        let Some(lock) = setup::try_write_lock(&self.shared.dir).map_err(WriteError::Lock)? else { return Ok(None) };
        Writer::begin(Batch::begin(self.shared(), lock)?, now).map(Some)
    }

    /// Empties the index, and the journal too unless it is to be kept. The index gets a new [`Snapshot::uuid`], so that
    /// derived indexes notice. Copies of databases that were set aside are removed with them.
    ///
    /// Emptied in place rather than deleted: another process may have the files open.
    ///
    /// # Errors
    /// [`OpenError::Busy`] when another process keeps writing; others as for [`Store::open`].
    pub fn reset(&self, keep_journal: bool) -> Result<(), OpenError> {
        let _lock = setup::wait_for_write_lock(&self.shared.dir)?;
        self.clear_database(Database::Index)?;
        setup::remove_set_aside_copies(&self.shared.dir, Database::Index)?;
        if !keep_journal {
            self.clear_database(Database::Journal)?;
            setup::remove_set_aside_copies(&self.shared.dir, Database::Journal)?;
        }
        Ok(())
    }

    /// Sets the index aside and makes an empty one: the way out of [`ReadError::Damaged`].
    ///
    /// # Errors
    /// As for [`Store::reset`].
    pub fn rebuild_index(&self) -> Result<OpenedDatabase, OpenError> {
        self.rebuild_database(Database::Index)
    }

    /// Sets the journal aside and makes an empty one: the way out when it is damaged and cannot be written.
    ///
    /// # Errors
    /// As for [`Store::reset`].
    pub fn rebuild_journal(&self) -> Result<OpenedDatabase, OpenError> {
        self.rebuild_database(Database::Journal)
    }

    fn rebuild_database(&self, database: Database) -> Result<OpenedDatabase, OpenError> {
        let _lock = setup::wait_for_write_lock(&self.shared.dir)?;
        self.shared.close_idle_connections();
        setup::set_aside_database(&self.shared.dir, database, SetAsideReason::Damaged)
    }

    /// Reads both databases from end to end. Takes as long as that takes.
    ///
    /// # Errors
    /// [`ReadError::Sqlite`] when a file cannot be opened or read at all; damage is an answer, not an error.
    pub fn check_integrity(&self) -> Result<StoreHealth, ReadError> {
        let sound = |database| {
            let verdict = self.shared.connect(database).and_then(|kept| {
                let word: String = kept.conn.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
                let dangling = kept.conn.prepare("PRAGMA foreign_key_check")?.exists([])?;
                Ok(word == "ok" && !dangling)
            });
            match verdict {
                Err(ReadError::Damaged) => Ok(false),
                other => other,
            }
        };
        Ok(StoreHealth { index_sound: sound(Database::Index)?, journal_sound: sound(Database::Journal)? })
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.shared.dir
    }

    pub(crate) fn shared(&self) -> Arc<ConnectionPool> {
        Arc::clone(&self.shared)
    }

    fn clear_database(&self, database: Database) -> Result<(), OpenError> {
        let emptied = self.shared.connect(database).and_then(|kept| {
            let sql = match database {
                Database::Index => {
                    "BEGIN IMMEDIATE;
                     DELETE FROM links; DELETE FROM sources; DELETE FROM names; DELETE FROM claims;
                     DELETE FROM wordings; DELETE FROM problems;
                     DELETE FROM note_tags; DELETE FROM note_properties; DELETE FROM notes; DELETE FROM skipped;
                     DELETE FROM changes; DELETE FROM meta; DELETE FROM passages;
                     DELETE FROM vector_codes; DELETE FROM vectors; DELETE FROM vectors_due;
                     DELETE FROM vector_sets; DELETE FROM token_vectors;
                     UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;
                     COMMIT;"
                }
                Database::Journal => {
                    "BEGIN IMMEDIATE; DELETE FROM former; DELETE FROM renames; DELETE FROM first_seen;
                     DELETE FROM proposals; DELETE FROM edits; COMMIT;"
                }
            };
            kept.conn.execute_batch(sql)?;
            // Gives the space back. A reader may be in the way; the pages are overwritten with zeros in any case.
            drop(kept.conn.execute_batch("VACUUM"));
            truncate_wal(&kept.conn);
            Ok(())
        });
        match emptied {
            Err(ReadError::Damaged) => {
                self.shared.close_idle_connections();
                setup::set_aside_database(&self.shared.dir, database, SetAsideReason::Damaged).map(|_| ())
            }
            other => Ok(other?),
        }
    }
}

/// Folds the write-ahead log back and cuts it to nothing, so that deleted words do not linger in it. Does not wait for
/// readers; returns whether it was done.
pub(crate) fn truncate_wal(conn: &Connection) -> bool {
    let impatient = conn.busy_timeout(std::time::Duration::ZERO);
    let done = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    let patient = conn.busy_timeout(std::time::Duration::from_secs(5));
    impatient.is_ok() && patient.is_ok() && done == Ok(0)
}

impl ConnectionPool {
    fn path(&self, database: Database) -> PathBuf {
        self.dir.join(database.file_name())
    }

    fn connect(&self, database: Database) -> Result<PooledConnection, ReadError> {
        let path = self.path(database);
        // The file first: if it is replaced in between, the connection is taken for an old one and not used again.
        let file = setup::file_id(&path);
        Ok(PooledConnection { conn: setup::open_connection(&path)?, file })
    }

    fn is_current(&self, kept: &PooledConnection, database: Database) -> bool {
        kept.file.is_some() && kept.file == setup::file_id(&self.path(database))
    }

    fn take_reader(&self) -> Result<PooledConnection, ReadError> {
        while let Some(kept) = lock_mutex(&self.readers).pop() {
            if self.is_current(&kept, Database::Index) {
                return Ok(kept);
            }
        }
        let kept = self.connect(Database::Index)?;
        kept.conn.execute_batch("PRAGMA query_only = ON")?;
        Ok(kept)
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

    /// Takes a reader's connection back, if its transaction could be ended.
    pub(crate) fn return_reader(&self, kept: PooledConnection) {
        let mut idle = lock_mutex(&self.readers);
        if kept.conn.is_autocommit() && idle.len() < IDLE_MAX {
            idle.push(kept);
        }
    }

    /// Takes a writer's connections back, if their transactions could be ended.
    pub(crate) fn return_writer(&self, index: PooledConnection, journal: PooledConnection) {
        if index.conn.is_autocommit() && journal.conn.is_autocommit() {
            *lock_mutex(&self.writer) = Some((index, journal));
        }
    }

    fn close_idle_connections(&self) {
        lock_mutex(&self.readers).clear();
        lock_mutex(&self.writer).take();
    }
}

/// A panic elsewhere cannot leave a list of idle connections half changed.
fn lock_mutex<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
