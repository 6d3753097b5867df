//! Vectors: derived from statements, stored beside them, one set for each band and embedder.
//!
//! Invariant: **they follow the commits of the index and make none.** A set records the commit it has followed,
//! its embedder, and the statements that are still due. Changed or deleted statements leave every set as soon as the
//! set follows, with or without its embedder. So vectors can be late, or discarded, and nothing else notices.

use memora_claim::StatementId;
use memora_vault::Band;
use rusqlite::{Connection, OptionalExtension, Row, params};
use std::sync::atomic::Ordering;

use crate::batch::Batch;
use crate::connection::truncate_wal;
use crate::{ReadError, Snapshot, Store, WriteError, codec, setup};

/// Vectors of one band by one embedder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VectorSet {
    /// The band of its statements.
    pub band: Band,
    /// The embedder.
    pub embedder: String,
    /// The commit that it has followed.
    pub sequence: u64,
    /// A new random number after every batch.
    pub revision: i64,
    /// Whether every statement of the band has had its vector at some time.
    pub made: bool,
    number: i64,
}

/// Counts of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorCounts {
    /// Statements that have a vector.
    pub made: usize,
    /// Statements whose vectors are still to be made.
    pub due: usize,
}

/// The codes of a set, concatenated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorCodes {
    /// Their statements, in the order in which their codes were made.
    pub statements: Vec<StatementId>,
    /// One byte for each dimension.
    pub bytes: Vec<i8>,
}

/// The vectors of a snapshot: of statements, passages and tokens.
pub struct Vectors<'s>(pub(crate) &'s Snapshot);

impl Snapshot {
    /// Returns the vectors that are kept.
    #[must_use]
    pub fn vectors(&self) -> Vectors<'_> {
        Vectors(self)
    }
}

impl Vectors<'_> {
    /// Returns all sets, by band and embedder.
    pub fn sets(&self) -> Result<Vec<VectorSet>, ReadError> {
        read_sets(self.0.conn()?)
    }

    /// Returns the statements whose vectors are due, by id.
    pub fn due(&self, set: &VectorSet) -> Result<Vec<StatementId>, ReadError> {
        let sql = "SELECT statement FROM vectors_due WHERE vector_set = ?1 ORDER BY statement";
        self.0.read_statement_ids(sql, [set.number])
    }

    /// Returns the number of vectors that a set has, and of those due.
    pub fn counts(&self, set: &VectorSet) -> Result<VectorCounts, ReadError> {
        let conn = self.0.conn()?;
        let count = |sql| -> Result<usize, ReadError> {
            codec::decode_usize(conn.prepare_cached(sql)?.query_row([set.number], |row| row.get(0))?)
        };
        Ok(VectorCounts {
            made: count("SELECT count(*) FROM vector_codes WHERE vector_set = ?1")?,
            due: count("SELECT count(*) FROM vectors_due WHERE vector_set = ?1")?,
        })
    }

    /// Returns all codes of a set with this many dimensions.
    ///
    /// # Errors
    /// [`ReadError`]; [`ReadError::Damaged`] if one has another length.
    pub fn codes(&self, set: &VectorSet, dimensions: usize) -> Result<VectorCodes, ReadError> {
        let mut query = self.0.conn()?.prepare_cached(
            "SELECT statement, code FROM vector_codes WHERE id BETWEEN ?1 << 40 AND (?1 + 1 << 40) - 1 ORDER BY id",
        )?;
        let mut rows = query.query([set.number])?;
        let mut codes = VectorCodes::default();
        // Reserved in advance, so that a million codes are not in memory twice during reading.
        let count = self.count(set)?;
        codes.statements.reserve_exact(count);
        codes.bytes.reserve_exact(count.saturating_mul(dimensions));
        while let Some(row) = rows.next()? {
            let bytes = row.get_ref(1)?.as_blob().map_err(|_| ReadError::Damaged)?;
            if bytes.len() != dimensions {
                return Err(ReadError::Damaged);
            }
            codes.statements.push(codec::decode_statement(row.get(0)?)?);
            codes.bytes.extend(bytes.iter().map(|byte| byte.cast_signed()));
        }
        Ok(codes)
    }

    fn count(&self, set: &VectorSet) -> Result<usize, ReadError> {
        let mut query = self.0.conn()?.prepare_cached("SELECT count(*) FROM vector_codes WHERE vector_set = ?1")?;
        codec::decode_usize(query.query_row([set.number], |row| row.get(0))?)
    }

    /// Returns the codes of statements in a set, in the requested order; `None` for one without a code of this length.
    pub fn codes_of(
        &self,
        set: &VectorSet,
        ids: &[StatementId],
        dimensions: usize,
    ) -> Result<Vec<Option<Vec<i8>>>, ReadError> {
        let mut query =
            self.0.conn()?.prepare_cached("SELECT code FROM vector_codes WHERE vector_set = ?1 AND statement = ?2")?;
        let mut found = Vec::with_capacity(ids.len());
        for id in ids {
            let bytes: Option<Vec<u8>> =
                query.query_row(params![set.number, codec::encode_statement(*id)], |row| row.get(0)).optional()?;
            let bytes = bytes.filter(|bytes| bytes.len() == dimensions);
            found.push(bytes.map(|bytes| bytes.into_iter().map(u8::cast_signed).collect()));
        }
        Ok(found)
    }
}

impl Store {
    /// Begins a batch of vector changes; `None` if another process is writing.
    pub fn try_vector_writer(&self) -> Result<Option<VectorWriter>, WriteError> {
        let Some(lock) = setup::try_write_lock(self.dir()).map_err(WriteError::Lock)? else { return Ok(None) };
        Ok(Some(VectorWriter { batch: Batch::begin(self.shared(), lock)?, gone: false }))
    }
}

/// A batch of changes to vectors, of any set. Dropping it rolls back.
pub struct VectorWriter {
    batch: Batch,
    /// Whether a vector was deleted, whose content must not remain in the log.
    gone: bool,
}

impl VectorWriter {
    pub(crate) fn conn(&self) -> Result<&Connection, ReadError> {
        self.batch.index()
    }

    /// Returns the number of the last commit of the index. No other is made while this batch exists.
    pub fn sequence(&self) -> Result<u64, WriteError> {
        Ok(self.batch.sequence()?)
    }

    /// Returns a set as it is now; `None` if it does not exist.
    pub fn find_set(&self, band: Band, embedder: &str) -> Result<Option<VectorSet>, WriteError> {
        Ok(read_sets(self.conn()?)?.into_iter().find(|set| set.band == band && set.embedder == embedder))
    }

    /// Creates a set, or recreates it: empty, at a commit, with these statements due.
    pub fn begin_set(
        &mut self,
        band: Band,
        embedder: &str,
        sequence: u64,
        due: &[StatementId],
    ) -> Result<VectorSet, WriteError> {
        if let Some(old) = self.find_set(band, embedder)? {
            self.drop_set(&old)?;
        }
        self.conn()?.execute(
            "INSERT INTO vector_sets (band, embedder, sequence, revision, made) VALUES (?1, ?2, ?3, random(), 0)",
            params![codec::encode_band(band), embedder, sequence.cast_signed()],
        )?;
        let set = self.find_set(band, embedder)?.ok_or(ReadError::Damaged)?;
        due.iter().try_for_each(|id| self.mark_due(&set, *id))?;
        Ok(set)
    }

    /// Advances a set to a later commit: vectors of deleted and changed statements go, and changed ones become due.
    pub fn advance_set(
        &mut self,
        set: &VectorSet,
        sequence: u64,
        deleted: &[StatementId],
        changed: &[StatementId],
    ) -> Result<(), WriteError> {
        for id in deleted.iter().chain(changed) {
            self.remove_vector(set, *id)?;
        }
        changed.iter().try_for_each(|id| self.mark_due(set, *id))?;
        self.conn()?.execute(
            "UPDATE vector_sets SET sequence = ?2, revision = random() WHERE id = ?1",
            params![set.number, sequence.cast_signed()],
        )?;
        Ok(())
    }

    /// Stores the code of a statement's vector; it is no longer due.
    pub fn put_vector(&mut self, set: &VectorSet, id: StatementId, code: &[i8]) -> Result<(), WriteError> {
        self.remove_vector(set, id)?;
        let (number, conn) = (codec::encode_statement(id), self.conn()?);
        let code: Vec<u8> = code.iter().map(|byte| byte.cast_unsigned()).collect();
        conn.prepare_cached(
            "INSERT INTO vector_codes (id, vector_set, statement, code)
             SELECT coalesce(max(id), ?1 << 40) + 1, ?1, ?2, ?3 FROM vector_codes
             WHERE id BETWEEN ?1 << 40 AND (?1 + 1 << 40) - 1",
        )?
        .execute(params![set.number, number, code])?;
        Ok(())
    }

    /// Removes a statement from a set: its vector, and its due mark.
    pub fn remove_vector(&mut self, set: &VectorSet, id: StatementId) -> Result<(), WriteError> {
        let number = codec::encode_statement(id);
        let conn = self.conn()?;
        let gone = conn
            .prepare_cached("DELETE FROM vector_codes WHERE vector_set = ?1 AND statement = ?2")?
            .execute(params![set.number, number])?;
        conn.prepare_cached("DELETE FROM vectors_due WHERE vector_set = ?1 AND statement = ?2")?
            .execute(params![set.number, number])?;
        self.gone |= gone > 0;
        Ok(())
    }

    /// Deletes a set with all its contents.
    pub fn drop_set(&mut self, set: &VectorSet) -> Result<(), WriteError> {
        self.gone = true;
        for sql in [
            "DELETE FROM vector_codes WHERE vector_set = ?1",
            "DELETE FROM vectors_due WHERE vector_set = ?1",
            "DELETE FROM vector_sets WHERE id = ?1",
        ] {
            self.conn()?.execute(sql, [set.number])?;
        }
        Ok(())
    }

    fn mark_due(&self, set: &VectorSet, id: StatementId) -> Result<(), WriteError> {
        self.conn()?
            .prepare_cached("INSERT OR IGNORE INTO vectors_due VALUES (?1, ?2)")?
            .execute(params![set.number, codec::encode_statement(id)])?;
        Ok(())
    }

    /// Commits the batch. Sets with nothing due are marked as made.
    pub fn commit(self) -> Result<(), WriteError> {
        let conn = self.conn()?;
        conn.execute(
            "UPDATE vector_sets SET made = 1 WHERE made = 0
             AND NOT EXISTS (SELECT 1 FROM vectors_due AS d WHERE d.vector_set = vector_sets.id)",
            [],
        )?;
        conn.execute("UPDATE vector_sets SET revision = random()", [])?;
        conn.execute_batch("COMMIT")?;
        if self.gone && !truncate_wal(conn) {
            // A reader prevents it: the next batch will do it.
            self.batch.shared.unwiped.store(true, Ordering::Relaxed);
        }
        Ok(())
    }
}

fn read_sets(conn: &Connection) -> Result<Vec<VectorSet>, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT id, band, embedder, sequence, revision, made FROM vector_sets ORDER BY band, embedder",
    )?;
    let read = |row: &Row<'_>| {
        Ok(VectorSet {
            number: row.get(0)?,
            band: codec::decode_band(row.get(1)?)?,
            embedder: row.get(2)?,
            sequence: u64::try_from(row.get::<_, i64>(3)?).map_err(|_| ReadError::Damaged)?,
            revision: row.get(4)?,
            made: row.get::<_, i64>(5)? != 0,
        })
    };
    query.query_and_then([], read)?.collect()
}
