//! Loads statements with their sources, notes and claims, in a constant number of queries.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use memora_claim::{Claim, ClaimId, Extractor, Modality, Phase, Source, StatementId, ValidityExpr};
use memora_vault::{FileStat, Zone};
use rusqlite::{Connection, Row};

use crate::record::{Extraction, NoteRecord, StoredSource, StoredStatement};
use crate::{ReadError, codec};

/// The columns that [`read_note`] reads, from `notes AS n`.
pub(crate) const NOTE_COLUMNS: &str = "n.id, n.path, n.size, n.mtime_ns, n.ctime_ns, n.inode, n.hash, n.title, \
     n.subject, n.date, n.band, n.captured, n.aliases, n.tags, n.properties, n.outline";

/// Reads a row of [`NOTE_COLUMNS`].
pub(crate) fn read_note(row: &Row<'_>) -> Result<(i64, NoteRecord), ReadError> {
    let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?));
    let outline: Vec<String> = codec::decode_json(text(15)?)?;
    let note = NoteRecord {
        path: codec::decode_path(row.get(1)?)?,
        stat: FileStat {
            size: row.get::<_, i64>(2)?.cast_unsigned(),
            mtime_ns: row.get(3)?,
            ctime_ns: row.get(4)?,
            inode: row.get::<_, i64>(5)?.cast_unsigned(),
        },
        hash: codec::decode_fingerprint(row.get_ref(6)?.as_blob().map_err(|_| ReadError::Damaged)?)?,
        title: row.get(7)?,
        subject: row.get(8)?,
        date: codec::decode_date(row.get::<_, Option<String>>(9)?.as_deref())?,
        band: codec::decode_band(row.get(10)?)?,
        captured: row.get(11)?,
        aliases: codec::decode_json(text(12)?)?,
        tags: codec::decode_json(text(13)?)?,
        properties: codec::decode_json(text(14)?)?,
        outline: outline.into(),
    };
    Ok((row.get(0)?, note))
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
    source: SourceColumns,
}

/// The columns of a [`StoredSource`] in its own row.
struct SourceColumns {
    statement: StatementId,
    ordinal: u32,
    line: u32,
    start: usize,
    end: usize,
    fingerprint: memora_vault::Fingerprint,
    band: memora_vault::Band,
    zone: Zone,
    headings: Vec<String>,
    parent: Option<String>,
    block_id: Option<String>,
    before: Option<u32>,
    speaker: Option<String>,
    cites: Vec<ClaimId>,
}

/// Loads sources; those of a note in note order, others unordered.
pub(crate) fn select_sources(conn: &Connection, wanted: &SourceSelector<'_>) -> Result<Vec<StoredSource>, ReadError> {
    let places = select_places(conn, wanted)?;
    let notes = select_notes(conn, places.iter().map(|p| p.note).collect())?;
    let wordings = select_extractions(conn, places.iter().map(|p| p.wording).collect())?;
    places
        .into_iter()
        .map(|UnjoinedSource { note, wording, source }| {
            let note = notes.get(&note).ok_or(ReadError::Damaged)?;
            let wording = wordings.get(&wording).ok_or(ReadError::Damaged)?;
            Ok(StoredSource {
                row: Source {
                    statement: source.statement,
                    note: note.path.clone(),
                    start: source.start,
                    end: source.end,
                    fingerprint: source.fingerprint,
                    band: source.band,
                    zone: source.zone,
                    headings: source.headings,
                    parent: source.parent,
                    outline: Arc::clone(&note.outline),
                },
                note: Arc::clone(note),
                wording: Arc::clone(wording),
                ordinal: source.ordinal,
                line: source.line,
                block_id: source.block_id,
                before: source.before,
                speaker: source.speaker,
                cites: source.cites,
            })
        })
        .collect()
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
        "SELECT s.note, s.ordinal, s.statement, s.wording, s.start_byte, s.end_byte, s.line, s.fingerprint, s.band,
                s.zone, s.headings, s.parent, s.block_id, s.before, s.speaker, s.cites
         FROM {from}
         {filter}"
    ))?;
    let mut rows = query.query([key])?;
    let mut places = Vec::new();
    while let Some(row) = rows.next()? {
        places.push(read_source(row)?);
    }
    Ok(places)
}

fn read_source(row: &Row<'_>) -> Result<UnjoinedSource, ReadError> {
    let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?));
    let source = SourceColumns {
        statement: codec::decode_statement(row.get(2)?)?,
        ordinal: row.get(1)?,
        line: row.get(6)?,
        start: codec::decode_usize(row.get(4)?)?,
        end: codec::decode_usize(row.get(5)?)?,
        fingerprint: codec::decode_fingerprint(row.get_ref(7)?.as_blob().map_err(|_| ReadError::Damaged)?)?,
        band: codec::decode_band(row.get(8)?)?,
        zone: Zone::parse(text(9)?).ok_or(ReadError::Damaged)?,
        headings: codec::decode_json(text(10)?)?,
        parent: row.get(11)?,
        block_id: row.get(12)?,
        before: row.get(13)?,
        speaker: row.get(14)?,
        cites: codec::decode_claims(text(15)?)?,
    };
    Ok(UnjoinedSource { note: row.get(0)?, wording: row.get(3)?, source })
}

fn select_notes(conn: &Connection, ids: BTreeSet<i64>) -> Result<HashMap<i64, Arc<NoteRecord>>, ReadError> {
    let mut query = conn.prepare_cached(&format!(
        "SELECT {NOTE_COLUMNS} FROM json_each(?1) AS asked CROSS JOIN notes AS n ON n.id = asked.value"
    ))?;
    let mut rows = query.query([codec::encode_ids(ids)])?;
    let mut notes = HashMap::new();
    while let Some(row) = rows.next()? {
        let (id, note) = read_note(row)?;
        notes.insert(id, Arc::new(note));
    }
    Ok(notes)
}

fn select_extractions(conn: &Connection, ids: BTreeSet<i64>) -> Result<HashMap<i64, Arc<Extraction>>, ReadError> {
    let ids = codec::encode_ids(ids);
    let mut found: BTreeMap<i64, (StatementId, Extraction)> = BTreeMap::new();
    let mut query = conn.prepare_cached(
        "SELECT w.id, w.statement, w.kind, w.words
         FROM json_each(?1) AS asked CROSS JOIN wordings AS w ON w.id = asked.value",
    )?;
    let mut rows = query.query([&ids])?;
    while let Some(row) = rows.next()? {
        let kind = codec::decode_kind(row.get_ref(2)?.as_str().map_err(|_| ReadError::Damaged)?)?;
        let wording = Extraction { kind, words: row.get(3)?, claims: Vec::new() };
        found.insert(row.get(0)?, (codec::decode_statement(row.get(1)?)?, wording));
    }
    let mut query = conn.prepare_cached(
        "SELECT c.wording, c.reading, c.subject, c.predicate, c.object, c.modality, c.confidence, c.extractor,
                c.valid_from, c.valid_until, c.qualifiers, c.relation, c.negated, c.attribution, c.phase, c.listed
         FROM json_each(?1) AS asked CROSS JOIN claims AS c ON c.wording = asked.value
         ORDER BY c.wording, c.ordinal",
    )?;
    let mut rows = query.query([&ids])?;
    while let Some(row) = rows.next()? {
        let (statement, wording) = found.get_mut(&row.get(0)?).ok_or(ReadError::Damaged)?;
        wording.claims.push(read_claim(row, *statement)?);
    }
    Ok(found.into_iter().map(|(id, (_, wording))| (id, Arc::new(wording))).collect())
}

fn read_claim(row: &Row<'_>, statement: StatementId) -> Result<Claim, ReadError> {
    let text = |column| row.get_ref(column).and_then(|value| Ok(value.as_str()?));
    Ok(Claim {
        id: codec::decode_claim(statement, text(1)?)?,
        subject: row.get(2)?,
        predicate: row.get(3)?,
        object: row.get(4)?,
        modality: Modality::parse(text(5)?).ok_or(ReadError::Damaged)?,
        confidence: row.get(6)?,
        extractor: Extractor::parse(text(7)?).ok_or(ReadError::Damaged)?,
        holds: ValidityExpr {
            from: codec::decode_time_expr(row.get::<_, Option<String>>(8)?.as_deref())?,
            until: codec::decode_time_expr(row.get::<_, Option<String>>(9)?.as_deref())?,
        },
        qualifiers: codec::decode_json(text(10)?)?,
        relation: row.get(11)?,
        negated: row.get(12)?,
        attribution: row.get(13)?,
        phase: Phase::parse(text(14)?).ok_or(ReadError::Damaged)?,
        listed: row.get(15)?,
    })
}
