//! Schema migrations of the two databases: numbered SQL files, tracked by `PRAGMA user_version`.
//!
//! A released file is never edited; a schema change is a new file at the end of the list.

use rusqlite::{Connection, TransactionBehavior};

use crate::ReadError;

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

    fn migrations(self) -> &'static [&'static str] {
        match self {
            Self::Index => &[
                include_str!("../migrations/index/0001_claims.sql"),
                include_str!("../migrations/index/0002_names.sql"),
                include_str!("../migrations/index/0003_readings.sql"),
                include_str!("../migrations/index/0004_vectors.sql"),
                include_str!("../migrations/index/0005_vector_sets.sql"),
                include_str!("../migrations/index/0006_speakers.sql"),
                include_str!("../migrations/index/0007_passages.sql"),
                include_str!("../migrations/index/0008_facts.sql"),
                include_str!("../migrations/index/0009_cites.sql"),
                include_str!("../migrations/index/0010_token_vectors.sql"),
                include_str!("../migrations/index/0011_listed.sql"),
                include_str!("../migrations/index/0012_counts.sql"),
                include_str!("../migrations/index/0013_codes_alone.sql"),
                include_str!("../migrations/index/0014_compact.sql"),
                include_str!("../migrations/index/0015_captured.sql"),
                include_str!("../migrations/index/0016_wordings_of_a_statement.sql"),
                include_str!("../migrations/index/0017_former_ids.sql"),
                include_str!("../migrations/index/0018_passage_vectors.sql"),
            ],
            Self::Journal => &[
                include_str!("../migrations/journal/0001_journal.sql"),
                include_str!("../migrations/journal/0002_proposals.sql"),
                include_str!("../migrations/journal/0003_stamps.sql"),
                include_str!("../migrations/journal/0004_edits.sql"),
                include_str!("../migrations/journal/0005_recalls.sql"),
            ],
        }
    }

    /// Returns the latest known schema version.
    pub(crate) fn latest_version(self) -> i64 {
        crate::codec::encode_usize(self.migrations().len())
    }
}

/// Reads the schema version of a database; 0 if it is new.
pub(crate) fn read_version(conn: &Connection) -> Result<i64, ReadError> {
    Ok(conn.query_row("PRAGMA user_version", [], |row| row.get(0))?)
}

/// Migrates a database to the latest version, in one transaction. A later version is left alone.
pub(crate) fn migrate(conn: &mut Connection, database: Database) -> Result<(), ReadError> {
    let transaction = conn.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Read inside the transaction: another process may have been first.
    let done = usize::try_from(read_version(&transaction)?).map_err(|_| ReadError::Damaged)?;
    for sql in database.migrations().iter().skip(done) {
        transaction.execute_batch(sql)?;
    }
    if done < database.migrations().len() {
        transaction.pragma_update(None, "user_version", database.latest_version())?;
    }
    transaction.commit()?;
    Ok(())
}

/// Returns the tables and indices of both databases, freshly created, as SQL for a reader.
///
/// # Panics
/// If a migration of this crate fails on an empty database.
#[must_use]
pub fn schema_sql() -> String {
    let dump = |database: Database| -> Result<String, ReadError> {
        let mut conn = Connection::open_in_memory()?;
        migrate(&mut conn, database)?;
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
        .map(|database| dump(database).expect("the migrations run on an empty database"))
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_schema_names_every_table_once() {
        let sql = schema_sql();
        for table in [
            "state",
            "notes",
            "wordings",
            "sources",
            "former_ids",
            "names",
            "links",
            "changes",
            "vector_sets",
            "vectors_due",
            "vector_codes",
            "former",
            "renames",
            "first_seen",
            "proposals",
            "passages",
            "passage_vectors",
            "counts",
            "totals",
            "edits",
        ] {
            assert_eq!(sql.matches(&format!("CREATE TABLE {table} (")).count(), 1, "{table}");
        }
    }

    #[test]
    fn an_index_of_the_first_format_begins_anew() {
        let mut conn = Connection::open_in_memory().expect("a database in memory");
        conn.execute_batch(Database::Index.migrations()[0]).expect("the first format");
        conn.execute_batch(
            "PRAGMA foreign_keys = ON; PRAGMA user_version = 1;
             UPDATE state SET sequence = 7, rules = 'r';
             INSERT INTO wordings VALUES (1, 1, x'00', 'item', 'w');
             INSERT INTO claims VALUES (1, 0, 'xx', NULL, 'p', 'o', 'asserted', 1.0, 'label', NULL, NULL);
             INSERT INTO notes VALUES (1, 'a.md', 1, 1, 1, 1, x'00', 'a', 'a', NULL, NULL, NULL, 0, 0, '[]', '[]', '[]', '[]');
             INSERT INTO sources VALUES (1, 0, 1, 1, 0, 1, 1, x'00', 0, 'body', '[]', NULL, NULL, NULL);",
        )
        .expect("a note");
        let uuid = |conn: &Connection| conn.query_row("SELECT uuid FROM state", [], |row| row.get::<_, String>(0));
        let before = uuid(&conn).expect("a name");
        migrate(&mut conn, Database::Index).expect("the migration");
        let rest =
            "SELECT (SELECT count(*) FROM notes) + (SELECT count(*) FROM wordings) + (SELECT count(*) FROM sources)
                           + sequence + (rules IS NOT NULL) FROM state";
        assert_eq!(conn.query_row(rest, [], |row| row.get::<_, i64>(0)), Ok(0));
        assert_ne!(uuid(&conn).expect("a name"), before, "derived indexes must notice");
    }

    #[test]
    fn migrating_twice_changes_nothing() {
        let mut conn = Connection::open_in_memory().expect("a database in memory");
        migrate(&mut conn, Database::Index).expect("first");
        migrate(&mut conn, Database::Index).expect("second");
        assert_eq!(read_version(&conn), Ok(Database::Index.latest_version()));
    }
}
