//! The store: its folder, and what reads and writes it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::batch::Batch;
use crate::connection::truncate_wal;
use crate::pool::ConnectionPool;
use crate::schema::{Database, empty_tables};
use crate::setup::{self, OpenReport, OpenedDatabase, SetAsideReason};
use crate::{Journal, OpenError, Proposals, ReadError, Recalls, Snapshot, WriteError, Writer};

/// The durable state of one vault. Cheap to clone; clones share their connections. Usable from any thread.
#[derive(Clone)]
pub struct Store {
    shared: Arc<ConnectionPool>,
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
        Ok((Self { shared: Arc::new(ConnectionPool::new(dir)) }, OpenReport { index, journal }))
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
            empty_tables(&kept.conn, database)?;
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
