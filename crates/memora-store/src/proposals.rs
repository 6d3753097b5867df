//! What language models proposed for passages: kept in the journal, since it cannot be made again but by asking them.
//!
//! The one rule to know: **it has words of the vault, guarded ones too, and they go with their passage.** Whoever knows all
//! passages of the vault calls [`Proposals::keep_only`].
//!
//! Deliberately not here: what a proposal says. It is a text, to be read and judged anew each time.

use std::collections::HashSet;

use rusqlite::{Connection, OptionalExtension, params};

use crate::ReadError;
use crate::open::wipe_log;

/// A hash of exactly what was sent of a passage.
pub type PassageKey = [u8; 32];

/// Who proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedBy {
    /// The provider of the model.
    pub provider: String,
    /// The model.
    pub model: String,
    /// A hash of what it was told to do.
    pub version: String,
}

/// The proposals of one vault, open for reading and writing. Each call is a transaction of its own; several processes may
/// make them.
pub struct Proposals {
    conn: Connection,
}

impl Proposals {
    pub(crate) fn new(conn: Connection) -> Self {
        Self { conn }
    }

    /// Whether there are none at all.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn is_empty(&self) -> Result<bool, ReadError> {
        Ok(!self.conn.prepare_cached("SELECT 1 FROM proposals LIMIT 1")?.exists([])?)
    }

    /// What was proposed for a passage, by whomever, in the order of their names.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn of(&self, passage: &PassageKey) -> Result<Vec<String>, ReadError> {
        let mut query =
            self.conn.prepare_cached("SELECT proposals FROM proposals WHERE passage = ?1 ORDER BY provider, model")?;
        let rows = query.query_map([passage.as_slice()], |row| row.get(0))?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// What one of them proposed for a passage, having been told the same.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn by(&self, passage: &PassageKey, by: &ProposedBy) -> Result<Option<String>, ReadError> {
        let mut query = self.conn.prepare_cached(
            "SELECT proposals FROM proposals WHERE passage = ?1 AND provider = ?2 AND model = ?3 AND version = ?4",
        )?;
        let row = query.query_row(params![passage.as_slice(), by.provider, by.model, by.version], |row| row.get(0));
        Ok(row.optional()?)
    }

    /// Keeps what was proposed, in place of what the same one proposed when told something else.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn keep(&self, passage: &PassageKey, by: &ProposedBy, proposals: &str) -> Result<(), ReadError> {
        self.conn
            .prepare_cached(
                "INSERT OR REPLACE INTO proposals (passage, provider, model, version, proposals) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?
            .execute(params![passage.as_slice(), by.provider, by.model, by.version, proposals])?;
        Ok(())
    }

    /// The passages for which something was kept that the index has not taken in.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn not_taken(&self) -> Result<HashSet<PassageKey>, ReadError> {
        let mut query = self.conn.prepare_cached("SELECT DISTINCT passage FROM proposals WHERE taken = 0")?;
        let mut rows = query.query([])?;
        let mut found = HashSet::new();
        while let Some(row) = rows.next()? {
            found.insert(key(row.get_ref(0)?.as_blob().map_err(|_| ReadError::Damaged)?)?);
        }
        Ok(found)
    }

    /// Notes that the index has taken in what was kept for these passages.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn take(&self, passages: &HashSet<PassageKey>) -> Result<(), ReadError> {
        let transaction = self.conn.unchecked_transaction()?;
        {
            let mut update =
                transaction.prepare_cached("UPDATE proposals SET taken = 1 WHERE passage = ?1 AND taken = 0")?;
            for passage in passages {
                update.execute([passage.as_slice()])?;
            }
        }
        Ok(transaction.commit()?)
    }

    /// Forgets what was kept for any other passage than these: all that the vault has. Returns for how many.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn keep_only(&self, passages: &HashSet<PassageKey>) -> Result<usize, ReadError> {
        let mut gone = HashSet::new();
        {
            let mut query = self.conn.prepare("SELECT DISTINCT passage FROM proposals")?;
            let mut rows = query.query([])?;
            while let Some(row) = rows.next()? {
                let blob = row.get_ref(0)?.as_blob().map_err(|_| ReadError::Damaged)?;
                if key(blob).map_or(true, |key| !passages.contains(&key)) {
                    gone.insert(blob.to_vec());
                }
            }
        }
        if gone.is_empty() {
            return Ok(0);
        }
        let transaction = self.conn.unchecked_transaction()?;
        for passage in &gone {
            transaction.prepare_cached("DELETE FROM proposals WHERE passage = ?1")?.execute([passage])?;
        }
        transaction.commit()?;
        wipe_log(&self.conn);
        Ok(gone.len())
    }
}

fn key(blob: &[u8]) -> Result<PassageKey, ReadError> {
    PassageKey::try_from(blob).map_err(|_| ReadError::Damaged)
}
