//! The schemas of the two databases, tracked by `PRAGMA user_version`.
//!
//! An index of an older format begins anew, since all of it follows from the vault; its schema is one file. The journal is
//! upgraded by numbered files: a released one is never edited, a change is a new file at the end.

use rusqlite::{Connection, TransactionBehavior};

use crate::ReadError;

/// The format of the index: one more with each change of `schema/index.sql`.
const INDEX_FORMAT: i64 = 18;

const INDEX_SCHEMA: &str = include_str!("../schema/index.sql");

const JOURNAL_UPGRADES: [&str; 5] = [
    include_str!("../schema/journal/0001_journal.sql"),
    include_str!("../schema/journal/0002_proposals.sql"),
    include_str!("../schema/journal/0003_stamps.sql"),
    include_str!("../schema/journal/0004_edits.sql"),
    include_str!("../schema/journal/0005_recalls.sql"),
];

/// The two databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Database {
    Index,
    Journal,
}

impl Database {
    /// Returns its file name in the state folder.
    pub(crate) fn file_name(self) -> &'static str {
        match self {
            Self::Index => "index.db",
            Self::Journal => "journal.db",
        }
    }

    /// Returns the latest known schema version.
    pub(crate) fn latest_version(self) -> i64 {
        match self {
            Self::Index => INDEX_FORMAT,
            Self::Journal => crate::codec::encode_usize(JOURNAL_UPGRADES.len()),
        }
    }
}

/// Reads the schema version of a database; 0 if it is new.
pub(crate) fn read_version(conn: &Connection) -> Result<i64, ReadError> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Brings a database to the latest version, in one transaction. A later version is left alone.
pub(crate) fn upgrade(conn: &mut Connection, database: Database) -> Result<(), ReadError> {
    // Tables are dropped in any order.
    conn.pragma_update(None, "foreign_keys", false)?;
    let upgraded = upgrade_in_transaction(conn, database);
    conn.pragma_update(None, "foreign_keys", true)?;
    upgraded
}

fn upgrade_in_transaction(conn: &mut Connection, database: Database) -> Result<(), ReadError> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read inside the transaction: another process may have been first.
    let version = read_version(&transaction)?;
    if version >= database.latest_version() {
        return Ok(());
    }
    match database {
        Database::Index => {
            drop_tables(&transaction)?;
            transaction.execute_batch(INDEX_SCHEMA)?;
        }
        Database::Journal => {
            let done = usize::try_from(version).map_err(|_| ReadError::Damaged)?;
            for sql in JOURNAL_UPGRADES.iter().skip(done) {
                transaction.execute_batch(sql)?;
            }
        }
    }
    transaction.pragma_update(None, "user_version", database.latest_version())?;
    transaction.commit()?;
    Ok(())
}

/// Drops every table, with its indices and triggers.
fn drop_tables(conn: &Connection) -> Result<(), ReadError> {
    for table in quoted_tables(conn)? {
        conn.execute_batch(&format!("DROP TABLE {table}"))?;
    }
    Ok(())
}

/// Deletes every row, in one transaction. The three tables that have their rows from the beginning have them as then, and the index
/// another uuid; ids of wordings are never given twice.
pub(crate) fn empty_tables(conn: &Connection, database: Database) -> Result<(), ReadError> {
    let mut sql = "BEGIN IMMEDIATE;".to_owned();
    for table in quoted_tables(conn)? {
        match (database, table.as_str()) {
            (Database::Index, "\"state\"") => sql.push_str(
                "UPDATE state SET uuid = lower(hex(randomblob(16))), sequence = 0, pruned = 0, rules = NULL;",
            ),
            (Database::Index, "\"counts\"") => sql.push_str("UPDATE counts SET notes = 0, sources = 0, claims = 0;"),
            (Database::Index, "\"totals\"") => {
                sql.push_str("UPDATE totals SET captured = 0, statements = 0, claims = 0, problems = 0;");
            }
            _ => sql.push_str(&format!("DELETE FROM {table};")),
        }
    }
    sql.push_str("COMMIT;");
    Ok(conn.execute_batch(&sql)?)
}

fn quoted_tables(conn: &Connection) -> Result<Vec<String>, ReadError> {
    let mut query = conn.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")?;
    let quoted = |name: String| format!("\"{}\"", name.replace('"', "\"\""));
    Ok(query.query_map([], |row| row.get(0).map(quoted))?.collect::<Result<_, _>>()?)
}

/// Returns the tables and indices of both databases, freshly created, as SQL for a reader.
///
/// # Panics
/// If a schema of this crate fails on an empty database.
#[must_use]
pub fn schema_sql() -> String {
    let dump = |database: Database| -> Result<String, ReadError> {
        let mut conn = Connection::open_in_memory()?;
        upgrade(&mut conn, database)?;
        let mut dump = format!("-- {}, format {}\n", database.file_name(), database.latest_version());
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
        .map(|database| dump(database).expect("the schemas run on an empty database"))
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_database_has_no_row_but_those_of_a_new_one() {
        let rows = |conn: &Connection| -> Vec<(String, i64)> {
            let tables = quoted_tables(conn).expect("tables").into_iter();
            let count = |table: &str| conn.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0));
            tables.map(|table| (table.clone(), count(&table).expect("a count"))).collect()
        };
        let index = "INSERT INTO meta VALUES ('a', 'b'); INSERT INTO skipped VALUES ('a.md', 'empty'); INSERT INTO changes VALUES (1, 1, 0);
                     INSERT INTO passages VALUES ('a.md', x'00'); INSERT INTO facts VALUES ('t', 1, 1); INSERT INTO names VALUES (1, 0, 1);
                     INSERT INTO token_vectors VALUES (1, 0, x'00', x'00'); INSERT INTO vectors_due VALUES (1, 1);
                     INSERT INTO vector_codes VALUES (1, 1, 1, x'00'); INSERT INTO wordings VALUES (1, 1, 1, 0, 'w', NULL);
                     UPDATE totals SET claims = 7;";
        let journal = "INSERT INTO renames VALUES ('a.md', 'b.md', 7); INSERT INTO first_seen VALUES (1, 7);
                       INSERT INTO recalls VALUES ('a', 0, 's', 'd'); INSERT INTO edits VALUES (1, 2, 'a.md', 0, 7, NULL);";
        for (database, sql) in [(Database::Index, index), (Database::Journal, journal)] {
            let mut conn = Connection::open_in_memory().expect("a database in memory");
            upgrade(&mut conn, database).expect("tables");
            let new = rows(&conn);
            conn.execute_batch(sql).expect("rows");
            assert_ne!(rows(&conn), new);
            empty_tables(&conn, database).expect("emptied");
            assert_eq!(rows(&conn), new);
        }
    }

    #[test]
    fn an_index_of_an_older_format_begins_anew() {
        let mut conn = Connection::open_in_memory().expect("a database in memory");
        conn.execute_batch(
            "CREATE TABLE state (uuid TEXT); CREATE TABLE \"a \"\"table\"\" of old\" (id INTEGER PRIMARY KEY);
             CREATE TABLE notes (id INTEGER PRIMARY KEY REFERENCES \"a \"\"table\"\" of old\" (id));
             INSERT INTO \"a \"\"table\"\" of old\" VALUES (1); INSERT INTO notes VALUES (1); PRAGMA user_version = 3;",
        )
        .expect("an older format");
        upgrade(&mut conn, Database::Index).expect("the upgrade");
        assert_eq!(read_version(&conn), Ok(INDEX_FORMAT));
        let rest = "SELECT (SELECT count(*) FROM notes) + sequence + (SELECT count(*) FROM sqlite_schema WHERE name LIKE '%old')
                    FROM state";
        assert_eq!(conn.query_row(rest, [], |row| row.get::<_, i64>(0)), Ok(0));
        assert_eq!(conn.query_row("PRAGMA foreign_keys", [], |row| row.get::<_, i64>(0)), Ok(1));
    }

    #[test]
    fn a_journal_of_each_older_format_keeps_its_rows() {
        for done in 1..JOURNAL_UPGRADES.len() {
            let mut conn = Connection::open_in_memory().expect("a database in memory");
            for sql in JOURNAL_UPGRADES.iter().take(done) {
                conn.execute_batch(sql).expect("an older format");
            }
            conn.execute_batch("INSERT INTO renames VALUES ('a.md', 'b.md', 7)").expect("a row");
            conn.pragma_update(None, "user_version", i64::try_from(done).expect("a small number")).expect("a version");
            upgrade(&mut conn, Database::Journal).expect("the upgrade");
            assert_eq!(read_version(&conn), Ok(Database::Journal.latest_version()));
            let to = conn.query_row("SELECT to_path FROM renames", [], |row| row.get::<_, String>(0));
            assert_eq!(to.as_deref(), Ok("b.md"));
        }
    }

    #[test]
    fn upgrading_twice_changes_nothing() {
        let mut conn = Connection::open_in_memory().expect("a database in memory");
        let uuid = |conn: &Connection| conn.query_row("SELECT uuid FROM state", [], |row| row.get::<_, String>(0));
        upgrade(&mut conn, Database::Index).expect("first");
        let before = uuid(&conn);
        upgrade(&mut conn, Database::Index).expect("second");
        assert_eq!(uuid(&conn), before);
    }
}
