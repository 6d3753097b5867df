//! The formats of the two databases, as numbered SQL files run over `PRAGMA user_version`.
//!
//! A released file is never edited; a new format is a new file at the end of the list.

use rusqlite::{Connection, TransactionBehavior};

use crate::ReadError;

/// The two databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Database {
    Index,
    Journal,
}

impl Database {
    /// Its file's name in the state folder.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Self::Index => "index.db",
            Self::Journal => "journal.db",
        }
    }

    fn migrations(self) -> &'static [&'static str] {
        match self {
            Self::Index => &[
                include_str!("../migrations/index/0001_claims.sql"),
                include_str!("../migrations/index/0003_readings.sql"),
            ],
            Self::Journal => &[include_str!("../migrations/journal/0001_journal.sql")],
        }
    }

    /// The latest format known here.
    pub(crate) fn latest(self) -> i64 {
        crate::code::int(self.migrations().len())
    }
}

/// The format of a database; 0 when it is new.
pub(crate) fn version(conn: &Connection) -> Result<i64, ReadError> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Brings a database to the latest format, in one transaction. One of a later format is left alone.
pub(crate) fn migrate(conn: &mut Connection, database: Database) -> Result<(), ReadError> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read inside the transaction: another process may have been first.
    let done = usize::try_from(version(&transaction)?).map_err(|_| ReadError::Damaged)?;
    for sql in database.migrations().iter().skip(done) {
        transaction.execute_batch(sql)?;
    }
    if done < database.migrations().len() {
        transaction.pragma_update(None, "user_version", database.latest())?;
    }
    transaction.commit()?;
    Ok(())
}

/// The tables and indices of both databases, freshly made, as SQL for a reader.
///
/// # Panics
/// When a migration of this very crate does not run on an empty database.
#[must_use]
pub fn schema_sql() -> String {
    let dump = |database: Database| -> Result<String, ReadError> {
        let mut conn = Connection::open_in_memory()?;
        migrate(&mut conn, database)?;
        let mut dump = format!("-- {}, format {}\n", database.file(), database.latest());
        let mut query = conn.prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            dump.push('\n');
            dump.push_str(&row.get::<_, String>(0)?);
            dump.push_str(";\n");
        }
        Ok(dump)
    };
    [Database::Index, Database::Journal]
        .map(|database| dump(database).expect("the migrations run on an empty database"))
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_names_every_table_once() {
        let sql = schema_sql();
        for table in ["state", "notes", "wordings", "claims", "sources", "changes", "former", "renames", "first_seen"] {
            assert_eq!(sql.matches(&format!("CREATE TABLE {table} (")).count(), 1, "{table}");
        }
    }

    #[test]
    fn migrating_twice_changes_nothing() {
        let mut conn = Connection::open_in_memory().expect("a database in memory");
        migrate(&mut conn, Database::Index).expect("first");
        migrate(&mut conn, Database::Index).expect("second");
        assert_eq!(version(&conn), Ok(Database::Index.latest()));
    }
}
