//! Reads the index in one transaction, unaffected by writes.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use memora_claim::StatementId;
use memora_vault::{Band, FileStat, Fingerprint, NotePath, NoteProblem, ProblemKind};
use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::load::{self, NOTE_COLUMNS, SourceSelector};
use crate::pool::{ConnectionPool, PooledConnection};
use crate::proposals::{PassageKey, decode_passages};
use crate::record::{NoteRecord, StatementChanges, StatementPlace, StoredSource, StoredStatement};
use crate::{NoteFilter, ReadError, codec, filter};

/// Number of statements loaded at a time when all are requested.
const CHUNK_LEN: usize = 512;

/// The index as of one commit. All reads through it are consistent, despite concurrent writes.
pub struct Snapshot {
    /// Present until it is returned to the pool.
    kept: Option<PooledConnection>,
    shared: Arc<ConnectionPool>,
    state: IndexState,
}

struct IndexState {
    uuid: String,
    sequence: u64,
    pruned: u64,
    rules: Option<String>,
}

impl Snapshot {
    pub(crate) fn begin(kept: PooledConnection, shared: Arc<ConnectionPool>) -> Result<Self, ReadError> {
        kept.conn.execute_batch("BEGIN")?;
        // The first read fixes the state that the transaction sees.
        let state = read_state(&kept.conn)?;
        Ok(Self { kept: Some(kept), shared, state })
    }

    pub(crate) fn conn(&self) -> Result<&Connection, ReadError> {
        // Only `drop` takes it out.
        self.kept.as_ref().map(|kept| &kept.conn).ok_or(ReadError::Damaged)
    }

    /// Returns the UUID of this index; a rebuild or reset changes it. 32 hex digits, random.
    #[must_use]
    pub fn uuid(&self) -> &str {
        &self.state.uuid
    }

    /// Returns the number of the last commit; each commit increments it.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.state.sequence
    }

    /// Returns the rules (configuration, ignore rules, extractor) that the index was built with, as last stored.
    #[must_use]
    pub fn rules(&self) -> Option<&str> {
        self.state.rules.as_deref()
    }

    /// Returns the value stored under `key` with [`crate::Writer::set_meta`].
    pub fn meta(&self, key: &str) -> Result<Option<String>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
        Ok(query.query_row([key], |row| row.get(0)).optional()?)
    }

    /// Returns the file metadata and the hash of every note when it was read.
    pub fn note_stats(&self) -> Result<HashMap<NotePath, (FileStat, Fingerprint)>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT path, size, mtime_ns, ctime_ns, inode, hash FROM notes")?;
        let read = |row: &Row<'_>| {
            let stat = FileStat {
                size: row.get::<_, i64>(1)?.cast_unsigned(),
                mtime_ns: row.get(2)?,
                ctime_ns: row.get(3)?,
                inode: row.get::<_, i64>(4)?.cast_unsigned(),
            };
            let hash = codec::decode_fingerprint(row.get_ref(5)?.as_blob().map_err(|_| ReadError::Damaged)?)?;
            Ok((codec::decode_path(row.get(0)?)?, (stat, hash)))
        };
        query.query_and_then([], read)?.collect()
    }

    /// Returns the passages of every note, including those that can no longer be read.
    pub fn passages(&self) -> Result<HashMap<NotePath, Vec<PassageKey>>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT note, passages FROM passages")?;
        let read = |row: &Row<'_>| {
            let keys = decode_passages(row.get_ref(1)?.as_blob().map_err(|_| ReadError::Damaged)?)?;
            Ok((codec::decode_path(row.get(0)?)?, keys))
        };
        query.query_and_then([], read)?.collect()
    }

    /// Returns the notes that are not in the index although their passages are: those that could no longer be read.
    pub fn withdrawn_notes(&self) -> Result<Vec<NotePath>, ReadError> {
        let sql =
            "SELECT note FROM passages WHERE NOT EXISTS (SELECT 1 FROM notes AS n WHERE n.path = note) ORDER BY note";
        let mut query = self.conn()?.prepare_cached(sql)?;
        query.query_and_then([], |row| codec::decode_path(row.get(0)?))?.collect()
    }

    /// Returns a note.
    pub fn note(&self, path: &NotePath) -> Result<Option<NoteRecord>, ReadError> {
        let sql = format!("SELECT {NOTE_COLUMNS} FROM notes AS n WHERE n.path = ?1");
        let mut query = self.conn()?.prepare_cached(&sql)?;
        let mut rows = query.query([path.as_str()])?;
        rows.next()?.map(|row| load::read_note(row).map(|(_, note)| note)).transpose()
    }

    /// Calls `each` for every note, by path.
    ///
    /// # Errors
    /// [`ReadError`], and any error of `each`.
    pub fn for_each_note<E: From<ReadError>>(
        &self,
        mut each: impl FnMut(NoteRecord) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT {NOTE_COLUMNS} FROM notes AS n ORDER BY n.path");
        let mut query = self.conn()?.prepare_cached(&sql).map_err(ReadError::from)?;
        let mut rows = query.query([]).map_err(ReadError::from)?;
        while let Some(row) = rows.next().map_err(ReadError::from)? {
            each(load::read_note(row)?.1)?;
        }
        Ok(())
    }

    /// Returns every note, by path.
    pub fn notes(&self) -> Result<Vec<NoteRecord>, ReadError> {
        let mut notes = Vec::new();
        self.for_each_note(|note| {
            notes.push(note);
            Ok::<_, ReadError>(())
        })?;
        Ok(notes)
    }

    /// Returns the notes that match a filter.
    pub fn notes_matching(&self, filter: &NoteFilter) -> Result<BTreeSet<NotePath>, ReadError> {
        filter::select_notes(self.conn()?, filter)
    }

    /// Returns the statements with a source of at most this band in a note that matches a filter.
    pub fn statements_matching(&self, filter: &NoteFilter, at_most: Band) -> Result<HashSet<StatementId>, ReadError> {
        filter::select_statements(self.conn()?, filter, at_most)
    }

    /// Returns a statement with all its sources.
    pub fn statement(&self, id: StatementId) -> Result<Option<StoredStatement>, ReadError> {
        Ok(self.statements(&[id])?.pop())
    }

    /// Returns statements with all their sources, in the requested order, without duplicates; unknown ids are
    /// skipped. The number of queries is constant.
    pub fn statements(&self, ids: &[StatementId]) -> Result<Vec<StoredStatement>, ReadError> {
        load::select_statements(self.conn()?, ids)
    }

    /// Returns the statements that were once cut into pieces of which one had this id, in a place up to a band; by id.
    pub fn statements_formerly(&self, id: StatementId, at_most: Band) -> Result<Vec<StoredStatement>, ReadError> {
        let mut ids = self.read_statement_ids(
            "SELECT s.statement FROM former_ids AS f CROSS JOIN sources AS s ON s.note = f.note AND s.ordinal = f.ordinal
             WHERE f.former = ?1 AND s.band <= ?2",
            [codec::encode_statement(id), codec::encode_band(at_most)],
        )?;
        ids.sort();
        ids.dedup();
        self.statements(&ids)
    }

    /// Returns the sources of a note, in note order; empty if there is no such note.
    pub fn sources_of_note(&self, path: &NotePath) -> Result<Vec<StoredSource>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT id FROM notes WHERE path = ?1")?;
        match query.query_row([path.as_str()], |row| row.get(0)).optional()? {
            Some(note) => load::select_sources(self.conn()?, &SourceSelector::Note(note)),
            None => Ok(Vec::new()),
        }
    }

    /// Calls `each` for every statement with all its sources, in an order that follows from the vault alone: by the
    /// path of its first source's note, that source's start, the id.
    ///
    /// Loads a bounded number at a time, and keeps eight bytes for each statement visited.
    ///
    /// # Errors
    /// [`ReadError`], and any error of `each`.
    pub fn for_each_statement<E: From<ReadError>>(
        &self,
        mut each: impl FnMut(StoredStatement) -> Result<(), E>,
    ) -> Result<(), E> {
        let conn = self.conn()?;
        let mut query = conn
            .prepare_cached(
                "SELECT s.statement FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id
                 ORDER BY n.path, s.start_byte, s.statement",
            )
            .map_err(ReadError::from)?;
        let mut rows = query.query([]).map_err(ReadError::from)?;
        let mut passed = HashSet::new();
        let mut chunk = Vec::with_capacity(CHUNK_LEN);
        loop {
            let number = rows.next().and_then(|row| row.map(|row| row.get(0)).transpose()).map_err(ReadError::from)?;
            if let Some(number) = number
                && passed.insert(number)
            {
                chunk.push(codec::decode_statement(number)?);
            }
            if chunk.len() == CHUNK_LEN || number.is_none() {
                for statement in load::select_statements(conn, &chunk)? {
                    each(statement)?;
                }
                chunk.clear();
            }
            if number.is_none() {
                return Ok(());
            }
        }
    }

    /// Returns the statements with a source in a band, in the order in which their notes were written.
    pub fn statement_ids_in_band(&self, band: Band) -> Result<Vec<StatementId>, ReadError> {
        self.read_statement_ids(
            "SELECT statement FROM sources WHERE band = ?1 GROUP BY statement ORDER BY min(note), min(ordinal), statement",
            [codec::encode_band(band)],
        )
    }

    /// Returns the ids of the statements that stand in text of a band that machines wrote, in the order of the notes.
    pub fn captured_statement_ids(&self, band: Band) -> Result<Vec<StatementId>, ReadError> {
        self.read_statement_ids(
            "SELECT s.statement FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id
             WHERE n.captured = 1 AND s.band = ?1
             GROUP BY s.statement ORDER BY min(s.note), min(s.ordinal), s.statement",
            [codec::encode_band(band)],
        )
    }

    /// Returns the ids of the statements that, in a band, stand in text that machines wrote and in no other.
    pub fn captured_only_statement_ids(&self, band: Band) -> Result<Vec<StatementId>, ReadError> {
        self.read_statement_ids(
            "SELECT DISTINCT s.statement FROM notes AS n CROSS JOIN sources AS s ON s.note = n.id
             WHERE n.captured = 1 AND s.band = ?1 AND NOT EXISTS (
                 SELECT 1 FROM sources AS o CROSS JOIN notes AS m ON m.id = o.note
                 WHERE o.statement = s.statement AND o.band = ?1 AND m.captured = 0)",
            [codec::encode_band(band)],
        )
    }

    /// Returns those of some statements that, in a band, stand in the user's own text.
    pub fn own_statement_ids(&self, statements: &[StatementId], band: Band) -> Result<Vec<StatementId>, ReadError> {
        let wanted = codec::encode_ids(statements.iter().map(|id| codec::encode_statement(*id)));
        self.read_statement_ids(
            "SELECT DISTINCT s.statement
             FROM json_each(?1) AS wanted CROSS JOIN sources AS s ON s.statement = wanted.value
             JOIN notes AS n ON n.id = s.note WHERE s.band = ?2 AND n.captured = 0",
            rusqlite::params![wanted, codec::encode_band(band)],
        )
    }

    /// Returns where some statements stand: in which bands, and whether in text that machines wrote.
    pub fn statement_places(&self, statements: &[StatementId]) -> Result<HashSet<StatementPlace>, ReadError> {
        let wanted = codec::encode_ids(statements.iter().map(|id| codec::encode_statement(*id)));
        let mut query = self.conn()?.prepare_cached(
            "SELECT DISTINCT s.statement, s.band, n.captured
             FROM json_each(?1) AS wanted CROSS JOIN sources AS s ON s.statement = wanted.value
             JOIN notes AS n ON n.id = s.note",
        )?;
        let read = |row: &Row<'_>| {
            let (statement, band) = (codec::decode_statement(row.get(0)?)?, codec::decode_band(row.get(1)?)?);
            Ok(StatementPlace { statement, band, captured: row.get(2)? })
        };
        query.query_and_then([wanted], read)?.collect()
    }

    /// Returns the ids of all statements, in order.
    pub fn all_statement_ids(&self) -> Result<Vec<StatementId>, ReadError> {
        self.read_statement_ids("SELECT DISTINCT statement FROM sources ORDER BY statement", [])
    }

    /// Reads a query whose only column is a statement's id.
    pub(crate) fn read_statement_ids(&self, sql: &str, params: impl Params) -> Result<Vec<StatementId>, ReadError> {
        let mut query = self.conn()?.prepare_cached(sql)?;
        query.query_and_then(params, |row| codec::decode_statement(row.get(0)?))?.collect()
    }

    /// Returns the changes of statements in the commits after `sequence`. `None` if the log has been pruned, or never
    /// reached that number: then every derived index has to be rebuilt.
    ///
    /// A statement that only moved within its note is unchanged: derive nothing from offsets, lines or block ids.
    pub fn changes_since(&self, sequence: u64) -> Result<Option<StatementChanges>, ReadError> {
        if sequence < self.state.pruned || sequence > self.state.sequence {
            return Ok(None);
        }
        if sequence == self.state.sequence {
            return Ok(Some(StatementChanges::default()));
        }
        let mut query = self
            .conn()?
            .prepare_cached("SELECT statement, deleted FROM changes WHERE sequence > ?1 ORDER BY statement")?;
        let mut rows = query.query([sequence.cast_signed()])?;
        let mut changes = StatementChanges::default();
        while let Some(row) = rows.next()? {
            let id = codec::decode_statement(row.get(0)?)?;
            let list = if row.get(1)? { &mut changes.deleted } else { &mut changes.changed };
            list.push(id);
        }
        Ok(Some(changes))
    }

    /// Returns the problems in notes, by path and line.
    pub fn problems(&self) -> Result<Vec<(NotePath, NoteProblem)>, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT n.path, p.line, p.kind FROM notes AS n CROSS JOIN problems AS p ON p.note = n.id
             ORDER BY n.path, p.line, p.ordinal",
        )?;
        let read = |row: &Row<'_>| {
            let kind: String = row.get(2)?;
            let kind = ProblemKind::from_code(&kind).ok_or(ReadError::Damaged)?;
            Ok((codec::decode_path(row.get(0)?)?, NoteProblem { line: codec::decode_usize(row.get(1)?)?, kind }))
        };
        query.query_and_then([], read)?.collect()
    }

    /// Returns the files that were not read, with the code of the reason, by path.
    pub fn skipped_files(&self) -> Result<Vec<(String, String)>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT path, reason FROM skipped ORDER BY path")?;
        let pairs = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(pairs.collect::<Result<_, _>>()?)
    }
}

fn read_state(conn: &Connection) -> Result<IndexState, ReadError> {
    let mut query = conn.prepare_cached("SELECT uuid, sequence, pruned, rules FROM state WHERE only_row = 1")?;
    let mut rows = query.query([])?;
    let row = rows.next()?.ok_or(ReadError::Damaged)?;
    let number = |column| -> Result<u64, ReadError> {
        u64::try_from(row.get::<_, i64>(column)?).map_err(|_| ReadError::Damaged)
    };
    Ok(IndexState { uuid: row.get(0)?, sequence: number(1)?, pruned: number(2)?, rules: row.get(3)? })
}

impl Drop for Snapshot {
    fn drop(&mut self) {
        if let Some(kept) = self.kept.take() {
            // A connection whose transaction cannot be ended is closed, which ends it.
            drop(kept.conn.execute_batch("ROLLBACK"));
            self.shared.return_reader(kept);
        }
    }
}
