//! A store: the folder, and the connections that are kept open for the next reader or writer.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::batch::Batch;
use crate::migrate::Database;
use crate::setup::{self, Opened, Opening, SetAside};
use crate::{Journal, OpenError, Proposals, ReadError, Snapshot, WriteError, Writer};

/// How many idle connections are kept for readers.
const IDLE_MAX: usize = 4;

/// The durable state of one vault. Cheap to clone; clones share their connections. Usable from any thread.
#[derive(Clone)]
pub struct Store {
    shared: Arc<Shared>,
}

/// What snapshots and writers give back to when they end.
pub(crate) struct Shared {
    dir: PathBuf,
    readers: Mutex<Vec<Kept>>,
    /// Index and journal of the last writer.
    writer: Mutex<Option<(Kept, Kept)>>,
    /// Words were deleted, and the write-ahead log could not be emptied of them yet.
    pub(crate) unwiped: AtomicBool,
}

/// A connection, and which file it leads to.
pub(crate) struct Kept {
    pub(crate) conn: Connection,
    file: Option<(u64, u64)>,
}

/// What a thorough look at the databases found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Health {
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
    pub fn open(dir: &Path) -> Result<(Self, Opening), OpenError> {
        setup::make_folder(dir)?;
        let journal = setup::prepare(dir, Database::Journal)?;
        let index = setup::prepare(dir, Database::Index)?;
        let shared = Shared {
            dir: dir.to_owned(),
            readers: Mutex::default(),
            writer: Mutex::default(),
            unwiped: AtomicBool::new(false),
        };
        Ok((Self { shared: Arc::new(shared) }, Opening { index, journal }))
    }

    /// Begins to read: the store as of the last commit, whatever is written meanwhile. Never waits for a writer.
    ///
    /// Drop it soon: the log of later commits cannot be folded back while it is there.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn snapshot(&self) -> Result<Snapshot, ReadError> {
        let kept = self.shared.reader()?;
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
    pub fn wipe(&self) -> Result<bool, ReadError> {
        if !self.shared.unwiped.load(Ordering::Relaxed) {
            return Ok(true);
        }
        let index = wipe_log(&self.shared.connect(Database::Index)?.conn);
        let wiped = wipe_log(&self.shared.connect(Database::Journal)?.conn) && index;
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
        let Some(lock) = setup::try_lock(&self.shared.dir).map_err(WriteError::Lock)? else { return Ok(None) };
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
        let _lock = setup::lock(&self.shared.dir)?;
        self.empty(Database::Index)?;
        setup::remove_copies(&self.shared.dir, Database::Index)?;
        if !keep_journal {
            self.empty(Database::Journal)?;
            setup::remove_copies(&self.shared.dir, Database::Journal)?;
        }
        Ok(())
    }

    /// Sets the index aside and makes an empty one: the way out of [`ReadError::Damaged`].
    ///
    /// # Errors
    /// As for [`Store::reset`].
    pub fn rebuild_index(&self) -> Result<Opened, OpenError> {
        self.rebuild(Database::Index)
    }

    /// Sets the journal aside and makes an empty one: the way out when it is damaged and cannot be written.
    ///
    /// # Errors
    /// As for [`Store::reset`].
    pub fn rebuild_journal(&self) -> Result<Opened, OpenError> {
        self.rebuild(Database::Journal)
    }

    fn rebuild(&self, database: Database) -> Result<Opened, OpenError> {
        let _lock = setup::lock(&self.shared.dir)?;
        self.shared.forget_connections();
        setup::set_aside(&self.shared.dir, database, SetAside::Damaged)
    }

    /// Reads both databases from end to end. Takes as long as that takes.
    ///
    /// # Errors
    /// [`ReadError::Sqlite`] when a file cannot be opened or read at all; damage is an answer, not an error.
    pub fn check(&self) -> Result<Health, ReadError> {
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
        Ok(Health { index_sound: sound(Database::Index)?, journal_sound: sound(Database::Journal)? })
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.shared.dir
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }

    fn empty(&self, database: Database) -> Result<(), OpenError> {
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
            wipe_log(&kept.conn);
            Ok(())
        });
        match emptied {
            Err(ReadError::Damaged) => {
                self.shared.forget_connections();
                setup::set_aside(&self.shared.dir, database, SetAside::Damaged).map(|_| ())
            }
            other => Ok(other?),
        }
    }
}

/// Folds the write-ahead log back and cuts it to nothing, so that deleted words do not linger in it. Does not wait for
/// readers; returns whether it was done.
pub(crate) fn wipe_log(conn: &Connection) -> bool {
    let impatient = conn.busy_timeout(std::time::Duration::ZERO);
    let done = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    let patient = conn.busy_timeout(std::time::Duration::from_secs(5));
    impatient.is_ok() && patient.is_ok() && done == Ok(0)
}

impl Shared {
    fn path(&self, database: Database) -> PathBuf {
        self.dir.join(database.file())
    }

    fn connect(&self, database: Database) -> Result<Kept, ReadError> {
        let path = self.path(database);
        // The file first: if it is replaced in between, the connection is taken for an old one and not used again.
        let file = setup::file_id(&path);
        Ok(Kept { conn: setup::connect(&path)?, file })
    }

    fn is_current(&self, kept: &Kept, database: Database) -> bool {
        kept.file.is_some() && kept.file == setup::file_id(&self.path(database))
    }

    fn reader(&self) -> Result<Kept, ReadError> {
        while let Some(kept) = locked(&self.readers).pop() {
            if self.is_current(&kept, Database::Index) {
                return Ok(kept);
            }
        }
        let kept = self.connect(Database::Index)?;
        kept.conn.execute_batch("PRAGMA query_only = ON")?;
        Ok(kept)
    }

    pub(crate) fn writer(&self) -> Result<(Kept, Kept), ReadError> {
        if let Some((index, journal)) = locked(&self.writer).take()
            && self.is_current(&index, Database::Index)
            && self.is_current(&journal, Database::Journal)
        {
            return Ok((index, journal));
        }
        Ok((self.connect(Database::Index)?, self.connect(Database::Journal)?))
    }

    /// Takes a reader's connection back, if its transaction could be ended.
    pub(crate) fn keep_reader(&self, kept: Kept) {
        let mut idle = locked(&self.readers);
        if kept.conn.is_autocommit() && idle.len() < IDLE_MAX {
            idle.push(kept);
        }
    }

    /// Takes a writer's connections back, if their transactions could be ended.
    pub(crate) fn keep_writer(&self, index: Kept, journal: Kept) {
        if index.conn.is_autocommit() && journal.conn.is_autocommit() {
            *locked(&self.writer) = Some((index, journal));
        }
    }

    fn forget_connections(&self) {
        locked(&self.readers).clear();
        locked(&self.writer).take();
    }
}

/// A panic elsewhere cannot leave a list of idle connections half changed.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
