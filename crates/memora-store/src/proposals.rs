//! Proposals of language models for passages: kept in the journal, since recreating them would mean asking again.
//!
//! Invariant: **they contain vault text, even guarded text, and are deleted with their passage.** A caller that knows
//! which passages are gone calls [`Proposals::forget`], and [`Store::wipe_deleted_words`](crate::Store::wipe_deleted_words) after it.
//!
//! Out of scope: the content of a proposal. It is text, to be parsed and judged anew each time.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use rusqlite::{Connection, OptionalExtension, Row, params};

use crate::ReadError;
use crate::pool::ConnectionPool;

/// A hash of the exact text of a passage that was sent.
pub type PassageKey = [u8; 32];

/// Decodes concatenated passage keys.
pub(crate) fn decode_passages(blob: &[u8]) -> Result<Vec<PassageKey>, ReadError> {
    let (keys, rest) = blob.as_chunks();
    if rest.is_empty() { Ok(keys.to_vec()) } else { Err(ReadError::Damaged) }
}

/// The origin of a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedBy {
    /// The provider of the model.
    pub provider: String,
    /// The model.
    pub model: String,
    /// A hash of the model's instructions.
    pub version: String,
}

/// A handle to the stored proposals of a passage at one time; it does not match later replacements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeptProposals {
    /// The passage.
    pub passage: PassageKey,
    /// Whether they are in the index.
    pub taken: bool,
    stamp: i64,
}

/// The proposals of one vault, open for reading and writing. Each call is a transaction of its own; several processes
/// may call concurrently.
pub struct Proposals {
    conn: Connection,
    shared: Arc<ConnectionPool>,
}

impl Proposals {
    pub(crate) fn new(conn: Connection, shared: Arc<ConnectionPool>) -> Self {
        Self { conn, shared }
    }

    /// Whether there are none at all.
    pub fn is_empty(&self) -> Result<bool, ReadError> {
        Ok(!self.conn.prepare_cached("SELECT 1 FROM proposals LIMIT 1")?.exists([])?)
    }

    /// Returns the proposals for a passage, with their origins, by provider and model.
    pub fn for_passage(&self, passage: &PassageKey) -> Result<Vec<(ProposedBy, String)>, ReadError> {
        let mut query = self.conn.prepare_cached(
            "SELECT provider, model, version, proposals FROM proposals WHERE passage = ?1 ORDER BY provider, model",
        )?;
        let rows = query.query_map([passage.as_slice()], |row| {
            Ok((ProposedBy { provider: row.get(0)?, model: row.get(1)?, version: row.get(2)? }, row.get(3)?))
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns the proposals of one origin for a passage.
    pub fn find_proposal(&self, passage: &PassageKey, by: &ProposedBy) -> Result<Option<String>, ReadError> {
        let mut query = self.conn.prepare_cached(
            "SELECT proposals FROM proposals WHERE passage = ?1 AND provider = ?2 AND model = ?3 AND version = ?4",
        )?;
        let row = query.query_row(params![passage.as_slice(), by.provider, by.model, by.version], |row| row.get(0));
        Ok(row.optional()?)
    }

    /// Stores proposals, replacing those of the same model under other instructions.
    pub fn save(&self, passage: &PassageKey, by: &ProposedBy, proposals: &str) -> Result<(), ReadError> {
        self.conn
            .prepare_cached(
                "INSERT OR REPLACE INTO proposals (passage, provider, model, version, proposals, stamp)
                 VALUES (?1, ?2, ?3, ?4, ?5, random())",
            )?
            .execute(params![passage.as_slice(), by.provider, by.model, by.version, proposals])?;
        Ok(())
    }

    /// Returns everything that is stored now.
    pub fn list_all(&self) -> Result<Vec<KeptProposals>, ReadError> {
        let mut query = self.conn.prepare_cached("SELECT passage, taken, stamp FROM proposals")?;
        let read = |row: &Row<'_>| {
            let blob = row.get_ref(0)?.as_blob().map_err(|_| ReadError::Damaged)?;
            let passage = PassageKey::try_from(blob).map_err(|_| ReadError::Damaged)?;
            Ok(KeptProposals { passage, taken: row.get(1)?, stamp: row.get(2)? })
        };
        query.query_and_then([], read)?.collect()
    }

    /// Marks these as taken into the index.
    pub fn mark_taken<'k>(&self, kept: impl Iterator<Item = &'k KeptProposals>) -> Result<(), ReadError> {
        self.execute_for_each(kept, "UPDATE proposals SET taken = 1 WHERE passage = ?1 AND stamp = ?2").map(drop)
    }

    /// Deletes these. Returns the number that still existed.
    pub fn forget<'k>(&self, kept: impl Iterator<Item = &'k KeptProposals>) -> Result<usize, ReadError> {
        let gone = self.execute_for_each(kept, "DELETE FROM proposals WHERE passage = ?1 AND stamp = ?2")?;
        if gone > 0 {
            self.shared.unwiped.store(true, Ordering::Relaxed);
        }
        Ok(gone)
    }

    fn execute_for_each<'k>(
        &self,
        kept: impl Iterator<Item = &'k KeptProposals>,
        sql: &str,
    ) -> Result<usize, ReadError> {
        let mut changed = 0;
        let transaction = self.conn.unchecked_transaction()?;
        for row in kept {
            changed += transaction.prepare_cached(sql)?.execute(params![row.passage.as_slice(), row.stamp])?;
        }
        transaction.commit()?;
        Ok(changed)
    }
}
