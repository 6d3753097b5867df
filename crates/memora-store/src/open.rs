//! The store: its folder, and a pool of connections for readers and writers.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::batch::Batch;
use crate::schema::Database;
use crate::setup::{self, OpenReport, OpenedDatabase, SetAsideReason};
use crate::{Journal, OpenError, Proposals, ReadError, Recalls, Snapshot, WriteError, Writer};

/// Maximum number of idle reader connections.
const IDLE_MAX: usize = 4;

/// The durable state of one vault. Cheap to clone; clones share their connections. Usable from any thread.
#[derive(Clone)]
pub struct Store {
    shared: Arc<ConnectionPool>,
}

/// The connection pool to which snapshots and writers return their connections.
pub(crate) struct ConnectionPool {
    dir: PathBuf,
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

/// The result of an integrity check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreHealth {
    /// Every page, row and index entry of the index is consistent.
    pub index_sound: bool,
    /// The same for the journal.
    pub journal_sound: bool,
}

impl Store {
    /// Opens the store in `dir`, which must be outside the vault, and reports the state of its databases.
    ///
    /// 1. Missing files are created, readable by their owner only.
    /// 2. A damaged index, or one of a later version, is set aside and an empty one created.
    /// 3. A damaged journal likewise; a journal of a later version is refused, since it could not be recreated.
    pub fn open(dir: &Path) -> Result<(Self, OpenReport), OpenError> {
        setup::make_folder(dir)?;
        let journal = setup::prepare_database(dir, Database::Journal)?;
        let index = setup::prepare_database(dir, Database::Index)?;
        let shared = ConnectionPool {
            dir: dir.to_owned(),
            readers: Mutex::default(),
            journals: Mutex::default(),
            writer: Mutex::default(),
            unwiped: AtomicBool::new(false),
        };
        Ok((Self { shared: Arc::new(shared) }, OpenReport { index, journal }))
    }

    /// Begins a read transaction: the store as of the last commit, unaffected by later writes. Never waits for writers.
    ///
    /// Drop it soon: the log of later commits cannot be checkpointed while it exists.
    pub fn snapshot(&self) -> Result<Snapshot, ReadError> {
        let kept = self.shared.take_reader()?;
        Snapshot::begin(kept, Arc::clone(&self.shared))
    }

    /// Opens the journal for reading.
    pub fn journal(&self) -> Result<Journal, ReadError> {
        Ok(Journal::new(self.shared.take_journal()?, self.shared()))
    }

    /// Opens the proposals of language models.
    pub fn proposals(&self) -> Result<Proposals, ReadError> {
        Ok(Proposals::new(self.shared.connect(Database::Journal)?.conn, self.shared()))
    }

    /// Opens the recalls of memories.
    pub fn recalls(&self) -> Result<Recalls, ReadError> {
        Ok(Recalls::new(self.shared.connect(Database::Journal)?.conn))
    }

    /// Removes deleted words from the write-ahead logs. Returns whether none remain: false if another process is
    /// reading, which keeps them until it ends or this is called again.
    pub fn wipe_deleted_words(&self) -> Result<bool, ReadError> {
        if !self.shared.unwiped.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let index = truncate_wal(&self.shared.connect(Database::Index)?.conn);
        let wiped = truncate_wal(&self.shared.connect(Database::Journal)?.conn) && index;
        self.shared.unwiped.store(!wiped, Ordering::Relaxed);
        Ok(wiped)
    }

    /// Begins a batch; `None` if another one is being written, here or in another process.
    ///
    /// `now` (seconds since 1970) is the time recorded in the journal.
    pub fn try_writer(&self, now: i64) -> Result<Option<Writer>, WriteError> {
        let Some(lock) = setup::try_write_lock(&self.shared.dir).map_err(WriteError::Lock)? else { return Ok(None) };
        Writer::begin(Batch::begin(self.shared(), lock)?, now).map(Some)
    }

    /// Empties the index, and the journal too unless `keep_journal`. The index gets a new [`Snapshot::uuid`], so that
    /// derived indexes notice. Databases that were set aside are removed.
    ///
    /// Emptied in place rather than deleted: another process may have the files open.
    ///
    /// # Errors
    /// [`OpenError::Busy`] if another process keeps writing; others as for [`Store::open`].
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

    /// Sets the index aside and creates an empty one: the recovery from [`ReadError::Damaged`].
    ///
    /// # Errors
    /// As for [`Store::reset`].
    pub fn rebuild_index(&self) -> Result<OpenedDatabase, OpenError> {
        self.rebuild_database(Database::Index)
    }

    /// Sets the journal aside and creates an empty one: the recovery if it is damaged and cannot be written.
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

    /// Checks the integrity of both databases. Reads them completely, so it may take long.
    ///
    /// # Errors
    /// [`ReadError::Sqlite`] if a file cannot be opened or read at all; damage is a result, not an error.
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
                     DELETE FROM links; DELETE FROM former_ids; DELETE FROM sources; DELETE FROM names; DELETE FROM facts;
                     DELETE FROM wordings; DELETE FROM problems;
                     DELETE FROM note_terms; DELETE FROM notes; DELETE FROM skipped;
                     DELETE FROM changes; DELETE FROM meta; DELETE FROM passages;
                     DELETE FROM vector_codes; DELETE FROM vectors_due;
                     DELETE FROM vector_sets; DELETE FROM token_vectors;
                     UPDATE counts SET notes = 0, sources = 0, claims = 0;
                     UPDATE totals SET captured = 0, statements = 0, claims = 0, problems = 0;
                     UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;
                     COMMIT;"
                }
                Database::Journal => {
                    "BEGIN IMMEDIATE; DELETE FROM former; DELETE FROM renames; DELETE FROM first_seen;
                     DELETE FROM proposals; DELETE FROM edits; DELETE FROM recalls; COMMIT;"
                }
            };
            kept.conn.execute_batch(sql)?;
            // Reclaims the space. A reader may prevent it; the pages are overwritten with zeros in any case.
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

/// Checkpoints the write-ahead log and truncates it, so that deleted words do not remain in it. Does not wait for
/// readers; returns whether it succeeded.
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
        // The file first: if it is replaced in between, the connection counts as outdated and is not reused.
        let file = setup::file_id(&path);
        Ok(PooledConnection { conn: setup::open_connection(&path)?, file })
    }

    fn is_current(&self, kept: &PooledConnection, database: Database) -> bool {
        kept.file.is_some() && kept.file == setup::file_id(&self.path(database))
    }

    fn take_reader(&self) -> Result<PooledConnection, ReadError> {
        if let Some(kept) = self.take_idle(&self.readers, Database::Index) {
            return Ok(kept);
        }
        let kept = self.connect(Database::Index)?;
        kept.conn.execute_batch("PRAGMA query_only = ON")?;
        Ok(kept)
    }

    fn take_journal(&self) -> Result<PooledConnection, ReadError> {
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

    fn close_idle_connections(&self) {
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
