//! Loads statements with their sources, notes and claims, in a constant number of queries.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use memora_claim::{ClaimId, Source, StatementId};
use memora_vault::{Band, FileStat, Fingerprint, NotePath, Zone};
use rusqlite::{Connection, Row};

use crate::bytes::{unpack_pairs, unpack_texts};
use crate::claim_codec::unpack_claims;
use crate::context::{NoteTexts, unpack_headings};
use crate::record::{Extraction, NoteRecord, StoredSource, StoredStatement};
use crate::{ReadError, codec};

/// The columns that [`read_note`] reads, from `notes AS n`.
pub(crate) const NOTE_COLUMNS: &str = "n.id, n.path, n.size, n.mtime_ns, n.ctime_ns, n.inode, n.hash, n.title, \
     n.subject, n.date, n.band, n.captured, n.aliases, n.tags, n.properties, n.outline, n.texts";

/// Reads a row of [`NOTE_COLUMNS`].
pub(crate) fn read_note(row: &Row<'_>) -> Result<(i64, NoteRecord), ReadError> {
    let packed = |column| read_packed(row, column);
    let path = codec::decode_path(row.get(1)?)?;
    let title = read_title(row.get(7)?, &path);
    let note = NoteRecord {
        stat: FileStat {
            size: row.get::<_, i64>(2)?.cast_unsigned(),
            mtime_ns: row.get(3)?,
            ctime_ns: row.get(4)?,
            inode: row.get::<_, i64>(5)?.cast_unsigned(),
        },
        hash: codec::decode_fingerprint(row.get_ref(6)?.as_blob().map_err(|_| ReadError::Damaged)?)?,
        subject: row.get::<_, Option<String>>(8)?.unwrap_or_else(|| title.clone()),
        title,
        date: codec::decode_date(row.get::<_, Option<String>>(9)?.as_deref())?,
        band: codec::decode_band(row.get(10)?)?,
        captured: row.get(11)?,
        aliases: unpack_texts(packed(12)?)?,
        tags: unpack_texts(packed(13)?)?,
        properties: unpack_pairs(packed(14)?)?,
        outline: unpack_texts(packed(15)?)?.into(),
        path,
    };
    Ok((row.get(0)?, note))
}

/// Reads a column of packed values; NULL where there are none.
pub(crate) fn read_packed<'r>(row: &'r Row<'_>, column: usize) -> Result<Option<&'r [u8]>, ReadError> {
    row.get_ref(column)?.as_blob_or_null().map_err(|_| ReadError::Damaged)
}

/// Returns the title of a note: the stored one, or else the name of its file.
pub(crate) fn read_title(stored: Option<String>, path: &NotePath) -> String {
    stored.unwrap_or_else(|| path.stem().to_owned())
}

/// The sources to load.
pub(crate) enum SourceSelector<'a> {
    /// All sources of these statements.
    Statements(&'a [StatementId]),
    /// All sources in the note with this row id.
    Note(i64),
}

/// A row of `sources`, not yet joined with its note and wording.
struct UnjoinedSource {
    note: i64,
    wording: i64,
    statement: StatementId,
    ordinal: u32,
    line: u32,
    start: usize,
    length: usize,
    fingerprint: Fingerprint,
    band: Band,
    zone: Zone,
    headings: Option<Vec<u8>>,
    parent: Option<usize>,
    speaker: Option<usize>,
    block_id: Option<String>,
    before: Option<u32>,
    cites: Vec<ClaimId>,
}

/// A note, and the texts that its sources refer to.
struct LoadedNote {
    record: Arc<NoteRecord>,
    texts: NoteTexts,
}

impl UnjoinedSource {
    fn join(self, note: &LoadedNote, wording: &Arc<Extraction>) -> Result<StoredSource, ReadError> {
        let LoadedNote { record, texts } = note;
        let text = |number: Option<usize>| number.map(|number| texts.get(number)).transpose();
        Ok(StoredSource {
            row: Source {
                statement: self.statement,
                note: record.path.clone(),
                start: self.start,
                end: self.start.saturating_add(self.length),
                fingerprint: self.fingerprint,
                band: self.band,
                zone: self.zone,
                headings: unpack_headings(self.headings.as_deref(), &record.outline)?,
                parent: text(self.parent)?,
                outline: Arc::clone(&record.outline),
            },
            note: Arc::clone(record),
            wording: Arc::clone(wording),
            ordinal: self.ordinal,
            line: self.line,
            block_id: self.block_id,
            before: self.before,
            speaker: text(self.speaker)?,
            cites: self.cites,
        })
    }
}

/// Loads sources; those of a note in note order, others unordered.
pub(crate) fn select_sources(conn: &Connection, wanted: &SourceSelector<'_>) -> Result<Vec<StoredSource>, ReadError> {
    let places = select_places(conn, wanted)?;
    let notes = select_notes(conn, places.iter().map(|place| place.note).collect())?;
    let wordings = select_extractions(conn, places.iter().map(|place| place.wording).collect())?;
    let join = |place: UnjoinedSource| {
        let note = notes.get(&place.note).ok_or(ReadError::Damaged)?;
        let wording = wordings.get(&place.wording).ok_or(ReadError::Damaged)?;
        place.join(note, wording)
    };
    places.into_iter().map(join).collect()
}

/// Loads statements in the requested order, without duplicates; unknown ids are skipped.
pub(crate) fn select_statements(conn: &Connection, ids: &[StatementId]) -> Result<Vec<StoredStatement>, ReadError> {
    let mut found: HashMap<StatementId, Vec<StoredSource>> = HashMap::with_capacity(ids.len());
    for source in select_sources(conn, &SourceSelector::Statements(ids))? {
        found.entry(source.row.statement).or_default().push(source);
    }
    Ok(ids.iter().filter_map(|id| StoredStatement::from_sources(*id, found.remove(id)?)).collect())
}

fn select_places(conn: &Connection, wanted: &SourceSelector<'_>) -> Result<Vec<UnjoinedSource>, ReadError> {
    // CROSS JOIN keeps SQLite from reordering the join.
    const FROM_STATEMENTS: &str = "json_each(?1) AS asked CROSS JOIN sources AS s ON s.statement = asked.value";
    let (from, filter, key) = match wanted {
        SourceSelector::Statements(ids) => {
            let distinct: BTreeSet<i64> = ids.iter().map(|id| codec::encode_statement(*id)).collect();
            (FROM_STATEMENTS, "", codec::encode_ids(distinct))
        }
        SourceSelector::Note(id) => {
            ("sources AS s", "WHERE s.note = CAST(?1 AS INTEGER) ORDER BY s.ordinal", id.to_string())
        }
    };
    let mut query = conn.prepare_cached(&format!(
        "SELECT s.note, s.ordinal, s.statement, s.wording, s.start_byte, s.length, s.line, s.fingerprint, s.band,
                s.zone, s.headings, s.parent, s.speaker, s.block_id, s.ordinal - s.before, s.cites
         FROM {from}
         {filter}"
    ))?;
    query.query_and_then([key], read_source)?.collect()
}

fn read_source(row: &Row<'_>) -> Result<UnjoinedSource, ReadError> {
    let number = |column| row.get::<_, Option<i64>>(column)?.map(codec::decode_usize).transpose();
    Ok(UnjoinedSource {
        note: row.get(0)?,
        ordinal: row.get(1)?,
        statement: codec::decode_statement(row.get(2)?)?,
        wording: row.get(3)?,
        start: codec::decode_usize(row.get(4)?)?,
        length: codec::decode_usize(row.get(5)?)?,
        line: row.get(6)?,
        fingerprint: codec::decode_fingerprint(row.get_ref(7)?.as_blob().map_err(|_| ReadError::Damaged)?)?,
        band: codec::decode_band(row.get(8)?)?,
        zone: codec::decode_zone(row.get(9)?)?,
        headings: row.get(10)?,
        parent: number(11)?,
        speaker: number(12)?,
        block_id: row.get(13)?,
        before: row.get(14)?,
        cites: codec::decode_claims(read_packed(row, 15)?)?,
    })
}

fn select_notes(conn: &Connection, ids: BTreeSet<i64>) -> Result<HashMap<i64, LoadedNote>, ReadError> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT {NOTE_COLUMNS} FROM json_each(?1) AS asked CROSS JOIN notes AS n ON n.id = asked.value"
    ))?;
    let read = |row: &Row<'_>| {
        let (id, note) = read_note(row)?;
        Ok((id, LoadedNote { record: Arc::new(note), texts: NoteTexts::new(row.get(16)?) }))
    };
    query.query_and_then([codec::encode_ids(ids)], read)?.collect()
}

fn select_extractions(conn: &Connection, ids: BTreeSet<i64>) -> Result<HashMap<i64, Arc<Extraction>>, ReadError> {
    let mut query = conn.prepare_cached(
        "SELECT w.id, w.statement, w.kind, w.words, w.claims
         FROM json_each(?1) AS asked CROSS JOIN wordings AS w ON w.id = asked.value",
    )?;
    let read = |row: &Row<'_>| {
        let words: String = row.get(3)?;
        let claims = unpack_claims(read_packed(row, 4)?, codec::decode_statement(row.get(1)?)?, &words)?;
        let wording = Extraction { kind: codec::decode_kind(row.get(2)?)?, words, claims };
        Ok((row.get(0)?, Arc::new(wording)))
    };
    query.query_and_then([codec::encode_ids(ids)], read)?.collect()
}
