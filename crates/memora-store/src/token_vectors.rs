//! A cache of token vectors from the transformer: filled by `ask`, and ahead of it while idle.
//!
//! Invariant: **a key identifies their input**, the text and the network; every reader compares it, so that an outdated
//! entry is never used. Entries of changed or deleted statements are removed in the same commit.

use memora_claim::StatementId;
use memora_vault::Band;
use rusqlite::{OptionalExtension, params};

use crate::vectors::{VectorWriter, Vectors};
use crate::{ReadError, WriteError, codec};

/// A hash of the text and the network that vectors were computed from.
pub type TokenKey = [u8; 16];

/// Vectors of a statement as seen in a band.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenVectors {
    /// The statement.
    pub statement: StatementId,
    /// The band in which it is seen.
    pub band: Band,
    /// The key of their input.
    pub key: TokenKey,
    /// One token after the other, one byte a value.
    pub codes: Vec<u8>,
}

impl Vectors<'_> {
    /// Returns the stored vectors of a statement in a band, if the key matches.
    pub fn tokens(&self, statement: StatementId, band: Band, key: TokenKey) -> Result<Option<Vec<u8>>, ReadError> {
        let conn = self.0.conn()?;
        let mut query =
            conn.prepare_cached("SELECT codes FROM token_vectors WHERE statement = ?1 AND band = ?2 AND key = ?3")?;
        let number = codec::encode_statement(statement);
        Ok(query.query_row(params![number, codec::encode_band(band), key], |row| row.get(0)).optional()?)
    }

    /// Counts the statements of a band without vectors.
    pub fn count_statements_without_tokens(&self, band: Band) -> Result<usize, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT COUNT(DISTINCT statement) FROM sources AS s WHERE band = ?1
             AND NOT EXISTS (SELECT 1 FROM token_vectors AS p WHERE p.statement = s.statement AND p.band = ?1)",
        )?;
        let count: i64 = query.query_row(params![codec::encode_band(band)], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or_default())
    }

    /// Returns statements of a band without vectors, by id, after `behind`.
    pub fn statements_without_tokens(
        &self,
        band: Band,
        behind: Option<StatementId>,
        limit: usize,
    ) -> Result<Vec<StatementId>, ReadError> {
        let behind = behind.map_or(i64::MIN, codec::encode_statement);
        self.0.read_statement_ids(
            "SELECT DISTINCT statement FROM sources AS s WHERE band = ?1 AND statement > ?2
             AND NOT EXISTS (SELECT 1 FROM token_vectors AS p WHERE p.statement = s.statement AND p.band = ?1)
             ORDER BY statement LIMIT ?3",
            [codec::encode_band(band), behind, codec::encode_usize(limit)],
        )
    }
}

impl VectorWriter {
    /// Stores vectors, replacing others of the same statement and band. The caller must leave out statements that are
    /// gone or read otherwise by now, as a snapshot shows that is taken while this batch exists.
    pub fn put_token_vectors(&mut self, kept: &TokenVectors) -> Result<(), WriteError> {
        let TokenVectors { statement, band, key, codes } = kept;
        self.conn()?
            .prepare_cached("INSERT OR REPLACE INTO token_vectors VALUES (?1, ?2, ?3, ?4)")?
            .execute(params![codec::encode_statement(*statement), codec::encode_band(*band), key, codes])?;
        Ok(())
    }
}
