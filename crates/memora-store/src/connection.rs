//! Connections to a database, with the settings that all of them have.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::ReadError;

/// Maximum wait of a connection for another one's lock.
const BUSY_MAX: Duration = Duration::from_secs(5);

/// Opens a connection with the common settings.
pub(crate) fn open_connection(path: &Path) -> Result<Connection, ReadError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    #[cfg_attr(not(test), expect(unused_mut, reason = "only tests watch"))]
    let mut conn = Connection::open_with_flags(path, flags)?;
    #[cfg(test)]
    crate::query_tests::watch(&mut conn);
    conn.busy_timeout(BUSY_MAX)?;
    // Plans depend on the schema alone. Otherwise a cached statement with a range is planned anew whenever its bounds change.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    conn.set_prepared_statement_cache_capacity(64);
    enable_wal(&conn)?;
    conn.execute_batch(
        "PRAGMA synchronous = NORMAL;
         PRAGMA foreign_keys = ON;
         PRAGMA temp_store = MEMORY;
         PRAGMA trusted_schema = OFF;
         PRAGMA cache_size = -16000;",
    )?;
    // Deleted data is overwritten; the pragma returns a row too.
    conn.query_row("PRAGMA secure_delete = ON", [], |_| Ok(()))?;
    Ok(conn)
}

/// Enables the write-ahead log. SQLite does not wait for other connections here, despite the timeout: if several
/// open a new database at once, all but one get a busy error.
fn enable_wal(conn: &Connection) -> rusqlite::Result<()> {
    const PAUSE: Duration = Duration::from_millis(10);
    let since = Instant::now();
    loop {
        // Returns the mode in force, so it cannot be part of a batch.
        match conn.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())) {
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) && since.elapsed() < BUSY_MAX => {
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// Checkpoints the write-ahead log and truncates it, so that deleted words do not remain in it. Does not wait for
/// readers; returns whether it succeeded.
pub(crate) fn truncate_wal(conn: &Connection) -> bool {
    let impatient = conn.busy_timeout(std::time::Duration::ZERO);
    let done = conn.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get::<_, i64>(0));
    let patient = conn.busy_timeout(BUSY_MAX);
    impatient.is_ok() && patient.is_ok() && done == Ok(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Without the setting SQLite plans this query again for each range, once it knows how the values are distributed.
    #[test]
    fn a_query_is_planned_once_whatever_range_it_is_asked_for() {
        let dir = tempfile::tempdir().expect("a folder");
        let conn = Connection::open(dir.path().join("index.db")).expect("a database");
        conn.execute_batch(
            "CREATE TABLE places (note INTEGER, ordinal INTEGER);
             CREATE INDEX by_note ON places (note, ordinal);
             WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)
             INSERT INTO places SELECT i / 100, i % 100 FROM n;
             ANALYZE;",
        )
        .expect("a table");
        drop(conn);
        let conn = open_connection(&dir.path().join("index.db")).expect("a connection");
        let mut query =
            conn.prepare("SELECT 1 FROM places WHERE note = ?1 AND ordinal BETWEEN ?2 AND ?3").expect("a query");
        for first in 0..5 {
            assert!(query.exists([1, first, first + 3]).expect("rows"));
        }
        assert_eq!(query.get_status(rusqlite::StatementStatus::RePrepare), 0);
    }
}
