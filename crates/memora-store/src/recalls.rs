//! Which memories were recalled: once an item, kind of door and session. It has ids and days, never words.

use rusqlite::{Connection, params};

use crate::{Journal, ReadError};

/// The recalls of one vault's memories, open for writing; the journal counts them. Each call is a transaction of its own.
pub struct Recalls {
    conn: Connection,
}

impl Recalls {
    pub(crate) fn new(conn: Connection) -> Self {
        Self { conn }
    }

    /// Records that items were shown in a session, on a day (`YYYY-MM-DD`).
    pub fn record(&self, items: &[&str], local: bool, session: &str, day: &str) -> Result<(), ReadError> {
        let transaction = self.conn.unchecked_transaction()?;
        for item in items {
            transaction
                .prepare_cached("INSERT OR IGNORE INTO recalls (item, local, session, day) VALUES (?1, ?2, ?3, ?4)")?
                .execute(params![item, local, session, day])?;
        }
        transaction.commit()?;
        Ok(())
    }
}

impl Journal {
    /// Returns in how many sessions an item was recalled, and the last day; at cloud doors alone unless `local`.
    pub fn count_recalls(&self, item: &str, local: bool) -> Result<(usize, Option<String>), ReadError> {
        let sql = "SELECT count(*), max(day) FROM recalls WHERE item = ?1 AND (?2 OR local = 0)";
        Ok(self.conn()?.prepare_cached(sql)?.query_row(params![item, local], |row| {
            let count: i64 = row.get(0)?;
            Ok((usize::try_from(count).unwrap_or_default(), row.get(1)?))
        })?)
    }
}
