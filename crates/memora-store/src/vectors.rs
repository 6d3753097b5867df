//! Vectors: derived from statements, kept beside them, one set for each band.
//!
//! The one rule to know: **they follow the commits of the index and make none.** A set says which commit it has followed
//! and what embedder made it; a reader that finds another one takes it for absent. So vectors can be late, or thrown away,
//! and nothing else notices.

use std::fs::File;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use memora_claim::StatementId;
use memora_vault::Band;
use rusqlite::{Connection, OptionalExtension, params};

use crate::open::{Kept, Shared, wipe_log};
use crate::{ReadError, Snapshot, Store, WriteError, code, setup};

/// How far the vectors of a band are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorState {
    /// What made them.
    pub embedder: String,
    /// The commit they have followed.
    pub sequence: u64,
}

/// The codes of a band, one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Codes {
    /// Whose they are, in order of id.
    pub statements: Vec<StatementId>,
    /// As many bytes for each as it has dimensions.
    pub bytes: Vec<i8>,
}

impl Snapshot {
    /// How far the vectors of a band are; `None` when there are none.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn vector_state(&self, band: Band) -> Result<Option<VectorState>, ReadError> {
        state(self.conn()?, band)
    }

    /// All codes of a band that have this many dimensions.
    ///
    /// # Errors
    /// [`ReadError`]; [`ReadError::Damaged`] when one has another length.
    pub fn codes(&self, band: Band, dimensions: usize) -> Result<Codes, ReadError> {
        let mut query = self
            .conn()?
            .prepare_cached("SELECT statement, code FROM vector_codes WHERE band = ?1 ORDER BY statement")?;
        let mut rows = query.query([code::band_number(band)])?;
        let mut codes = Codes::default();
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob().map_err(|_| ReadError::Damaged)?;
            if bytes.len() != dimensions {
                return Err(ReadError::Damaged);
            }
            codes.statements.push(code::statement(row.get(0)?)?);
            codes.bytes.extend(bytes.iter().map(|byte| byte.cast_signed()));
        }
        Ok(codes)
    }

    /// The vectors of statements in a band, in the order asked for; `None` for one that has none.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn vectors(&self, band: Band, ids: &[StatementId]) -> Result<Vec<Option<Vec<f32>>>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT vector FROM vectors WHERE band = ?1 AND statement = ?2")?;
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let bytes: Option<Vec<u8>> =
                query.query_row(params![code::band_number(band), code::number(*id)], |row| row.get(0)).optional()?;
            found.push(bytes.map(|bytes| floats(&bytes)));
        }
        Ok(found)
    }
}

impl Store {
    /// Begins to change the vectors of one band, unless another process is writing: then `None`.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn try_vectors(&self, band: Band) -> Result<Option<VectorWriter>, WriteError> {
        let Some(lock) = setup::try_lock(self.dir()).map_err(WriteError::Lock)? else { return Ok(None) };
        let shared = self.shared();
        let (index, journal) = shared.writer()?;
        index.conn.execute_batch("BEGIN IMMEDIATE")?;
        let kept = Some((index, journal));
        Ok(Some(VectorWriter { kept, shared, band: code::band_number(band), gone: false, _lock: lock }))
    }
}

/// One batch of changes to the vectors of a band. Dropping it undoes all of it.
pub struct VectorWriter {
    /// Index and journal; there until they are given back.
    kept: Option<(Kept, Kept)>,
    shared: Arc<Shared>,
    band: i64,
    /// A vector that was there may be there no longer: what it meant must not linger in the log.
    gone: bool,
    /// Released last.
    _lock: File,
}

impl VectorWriter {
    fn conn(&self) -> Result<&Connection, ReadError> {
        self.kept.as_ref().map(|(index, _)| &index.conn).ok_or(ReadError::Damaged)
    }

    /// Forgets all vectors of the band.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn clear(&mut self) -> Result<(), WriteError> {
        self.gone = true;
        for sql in [
            "DELETE FROM vector_codes WHERE band = ?1",
            "DELETE FROM vectors WHERE band = ?1",
            "DELETE FROM vector_state WHERE band = ?1",
        ] {
            self.conn()?.execute(sql, [self.band])?;
        }
        Ok(())
    }

    /// Keeps a statement's vector and its code.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn put(&mut self, id: StatementId, vector: &[f32], code: &[i8]) -> Result<(), WriteError> {
        self.gone = true;
        let number = code::number(id);
        let conn = self.conn()?;
        let code: Vec<u8> = code.iter().map(|byte| byte.cast_unsigned()).collect();
        conn.prepare_cached("INSERT OR REPLACE INTO vector_codes VALUES (?1, ?2, ?3)")?
            .execute(params![self.band, number, code])?;
        let bytes: Vec<u8> = vector.iter().flat_map(|value| value.to_le_bytes()).collect();
        conn.prepare_cached("INSERT OR REPLACE INTO vectors VALUES (?1, ?2, ?3)")?
            .execute(params![self.band, number, bytes])?;
        Ok(())
    }

    /// Forgets a statement's vector; one without is no error.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn delete(&mut self, id: StatementId) -> Result<(), WriteError> {
        self.gone = true;
        let number = code::number(id);
        let conn = self.conn()?;
        for sql in [
            "DELETE FROM vector_codes WHERE band = ?1 AND statement = ?2",
            "DELETE FROM vectors WHERE band = ?1 AND statement = ?2",
        ] {
            conn.prepare_cached(sql)?.execute(params![self.band, number])?;
        }
        Ok(())
    }

    /// Makes the batch visible, and says how far the band's vectors are now.
    ///
    /// # Errors
    /// [`WriteError`].
    pub fn commit(mut self, state: &VectorState) -> Result<(), WriteError> {
        let conn = self.conn()?;
        conn.execute(
            "INSERT OR REPLACE INTO vector_state VALUES (?1, ?2, ?3)",
            params![self.band, state.embedder, state.sequence.cast_signed()],
        )?;
        conn.execute_batch("COMMIT")?;
        if self.gone && !wipe_log(conn) {
            // A reader is in the way: the next batch does it.
            self.shared.unwiped.store(true, Ordering::Relaxed);
        }
        self.give_back();
        Ok(())
    }

    fn give_back(&mut self) {
        if let Some((index, journal)) = self.kept.take() {
            self.shared.keep_writer(index, journal);
        }
    }
}

impl Drop for VectorWriter {
    fn drop(&mut self) {
        if let Some((index, _)) = &self.kept {
            // A connection whose transaction cannot be ended is closed, which ends it.
            drop(index.conn.execute_batch("ROLLBACK"));
        }
        self.give_back();
    }
}

fn state(conn: &Connection, band: Band) -> Result<Option<VectorState>, ReadError> {
    let mut query = conn.prepare_cached("SELECT embedder, sequence FROM vector_state WHERE band = ?1")?;
    let row = query.query_row([code::band_number(band)], |row| Ok((row.get(0)?, row.get::<_, i64>(1)?))).optional()?;
    row.map(|(embedder, sequence)| {
        Ok(VectorState { embedder, sequence: u64::try_from(sequence).map_err(|_| ReadError::Damaged)? })
    })
    .transpose()
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).filter_map(|four| four.try_into().ok()).map(f32::from_le_bytes).collect()
}
