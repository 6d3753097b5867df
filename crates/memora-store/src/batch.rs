//! A transaction of both databases under the write lock: [`Batch`].

use std::fs::File;
use std::sync::Arc;

use rusqlite::Connection;

use crate::pool::{ConnectionPool, PooledConnection};
use crate::{ReadError, WriteError};

/// A transaction of the index, with the journal at hand. Dropping it rolls back, unless it was committed; then the
/// connections are returned, and finally the lock is released.
pub(crate) struct Batch {
    /// Index and journal; present until they are returned.
    kept: Option<(PooledConnection, PooledConnection)>,
    pub(crate) shared: Arc<ConnectionPool>,
    _lock: File,
}

impl Batch {
    /// Begins a transaction under a lock that is held.
    pub(crate) fn begin(shared: Arc<ConnectionPool>, lock: File) -> Result<Self, WriteError> {
        let (index, journal) = shared.take_writer()?;
        index.conn.execute_batch("BEGIN IMMEDIATE")?;
        Ok(Self { kept: Some((index, journal)), shared, _lock: lock })
    }

    pub(crate) fn index(&self) -> Result<&Connection, ReadError> {
        // Only `drop` takes it out.
        self.kept.as_ref().map(|(index, _)| &index.conn).ok_or(ReadError::Damaged)
    }

    pub(crate) fn journal(&self) -> Result<&Connection, ReadError> {
        self.kept.as_ref().map(|(_, journal)| &journal.conn).ok_or(ReadError::Damaged)
    }

    /// Returns the number of the last commit.
    pub(crate) fn sequence(&self) -> Result<u64, ReadError> {
        let sequence: i64 =
            self.index()?.query_row("SELECT sequence FROM state WHERE only_row = 1", [], |row| row.get(0))?;
        u64::try_from(sequence).map_err(|_| ReadError::Damaged)
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        if let Some((index, journal)) = self.kept.take() {
            // After a commit there is nothing to roll back, and SQLite says so.
            drop(index.conn.execute_batch("ROLLBACK"));
            drop(journal.conn.execute_batch("ROLLBACK"));
            self.shared.return_writer(index, journal);
        }
    }
}
