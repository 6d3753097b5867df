//! Reads the journal: history that only watching could record. It may suggest, and proves nothing.

use std::sync::Arc;

use memora_claim::{Source, StatementId};
use memora_vault::{Band, NotePath, Zone};
use rusqlite::{Connection, OptionalExtension, Row};

use crate::pool::{ConnectionPool, PooledConnection};
use crate::{ReadError, codec};

/// Maximum number of former places kept for each statement; the latest ones.
pub const FORMER_MAX: usize = 8;

/// Renames are stored flat, so one step is enough, unless the file is damaged.
const RENAME_STEPS_MAX: usize = 8;

/// The journal, open for reading. Each query sees the last commit.
pub struct Journal {
    /// Present until it is returned to the pool.
    kept: Option<PooledConnection>,
    shared: Arc<ConnectionPool>,
}

/// A former place of a statement.
#[derive(Clone, PartialEq, Eq)]
pub struct FormerSource {
    /// The statement.
    pub statement: StatementId,
    /// The band of the place.
    pub band: Band,
    /// When it was found missing, in seconds since 1970.
    pub removed_at: i64,
    /// The place as last anchored; `None` for a guarded one, of which nothing revealing is kept. The outline is empty
    /// if anything in the note was guarded.
    pub place: Option<Source>,
}

impl std::fmt::Debug for FormerSource {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "FormerSource({}, {}, gone at {})", self.statement, self.band, self.removed_at)
    }
}

impl Journal {
    pub(crate) fn new(kept: PooledConnection, shared: Arc<ConnectionPool>) -> Self {
        Self { kept: Some(kept), shared }
    }

    pub(crate) fn conn(&self) -> Result<&Connection, ReadError> {
        // Only `drop` takes it out.
        self.kept.as_ref().map(|kept| &kept.conn).ok_or(ReadError::Damaged)
    }

    /// Returns the former places of a statement, latest first; at most [`FORMER_MAX`]. Places that contain it again are
    /// excluded.
    pub fn former_sources(&self, statement: StatementId) -> Result<Vec<FormerSource>, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT note, start_byte, band, removed_at, end_byte, fingerprint, zone, headings, parent, outline
             FROM former WHERE statement = ?1 ORDER BY removed_at DESC, note, start_byte",
        )?;
        let read = |row: &Row<'_>| {
            let band = codec::decode_band(row.get(2)?)?;
            let place = if band == Band::Public { Some(read_former_source(row, statement, band)?) } else { None };
            Ok(FormerSource { statement, band, removed_at: row.get(3)?, place })
        };
        query.query_and_then([codec::encode_statement(statement)], read)?.collect()
    }

    /// Returns the current path of a note that was at this path, as far as observed; `None` if no move was observed.
    ///
    /// Another note may be at the old path by now: check there first.
    pub fn renamed_to(&self, path: &NotePath) -> Result<Option<NotePath>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT to_path FROM renames WHERE from_path = ?1")?;
        let mut at = path.as_str().to_owned();
        for _ in 0..RENAME_STEPS_MAX {
            match query.query_row([&at], |row| row.get(0)).optional()? {
                Some(next) => at = next,
                None => break,
            }
        }
        if at == path.as_str() { Ok(None) } else { codec::decode_path(at).map(Some) }
    }

    /// Returns the time at which a statement was first indexed, in seconds since 1970.
    pub fn first_seen(&self, statement: StatementId) -> Result<Option<i64>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT at FROM first_seen WHERE statement = ?1")?;
        Ok(query.query_row([codec::encode_statement(statement)], |row| row.get(0)).optional()?)
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take() {
            self.shared.return_journal(kept);
        }
    }
}

fn read_former_source(row: &Row<'_>, statement: StatementId, band: Band) -> Result<Source, ReadError> {
    let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?));
    let outline: Vec<String> = codec::decode_json(text(9)?)?;
    Ok(Source {
        statement,
        note: codec::decode_path(row.get(0)?)?,
        start: codec::decode_usize(row.get(1)?)?,
        end: codec::decode_usize(row.get(4)?)?,
        fingerprint: codec::decode_fingerprint(row.get_ref(5)?.as_blob().map_err(|_| ReadError::Damaged)?)?,
        band,
        zone: Zone::parse(text(6)?).ok_or(ReadError::Damaged)?,
        headings: codec::decode_json(text(7)?)?,
        parent: row.get(8)?,
        outline: Arc::from(outline),
    })
}
