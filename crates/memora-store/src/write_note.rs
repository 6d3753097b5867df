//! Writes one note within a batch: rows deleted, rows inserted, and the statements affected.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use memora_claim::StatementId;
use memora_vault::{Band, NotePath, NoteProblem};
use rusqlite::{Connection, params};

use crate::bytes::pack_texts;
use crate::context::{TextNumbers, number_headings, pack_headings};
use crate::load::{self, NOTE_COLUMNS, SourceSelector};
use crate::neighbours::{self, PrecedingLink};
use crate::record::{NoteRecord, StatementRecord, StoredSource};
use crate::wordings::WordingIds;
use crate::{ReadError, WriteError, codec, filter, names};

/// The state of a note before it was written or removed.
pub(crate) struct PriorState {
    pub(crate) note: i64,
    pub(crate) record: NoteRecord,
    pub(crate) sources: Vec<StoredSource>,
    /// The number of problems in it.
    pub(crate) problems: usize,
    /// The wording id at each ordinal.
    wordings: BTreeMap<u32, i64>,
}

impl PriorState {
    pub(crate) fn statement_numbers(&self) -> impl Iterator<Item = i64> + '_ {
        self.sources.iter().map(|source| codec::encode_statement(source.row.statement))
    }

    pub(crate) fn bands(&self) -> impl Iterator<Item = Band> + '_ {
        self.sources.iter().map(|source| source.row.band)
    }

    pub(crate) fn wording_ids(&self) -> impl Iterator<Item = i64> + '_ {
        self.wordings.values().copied()
    }

    fn index_keys(&self) -> IndexKeys {
        let place = |source: &StoredSource| {
            let link = PrecedingLink { before: source.before, open: true };
            (source.ordinal, (link, source.row.statement, source.row.band))
        };
        let mut around = neighbours::collect_keys(&self.sources.iter().map(place).collect());
        let mut keys = IndexKeys::new();
        for source in &self.sources {
            let key = IndexKey {
                wording: self.wordings.get(&source.ordinal).copied().unwrap_or_default(),
                around: around.remove(&source.ordinal).unwrap_or_default(),
                speaker: source.speaker.clone(),
                band: source.row.band,
                zone: source.row.zone.as_str(),
                headings: source.row.headings.clone(),
                parent: source.row.parent.clone(),
            };
            keys.entry(codec::encode_statement(source.row.statement)).or_default().push(key);
        }
        keys
    }
}

/// The properties of a statement's place that a derived index may depend on: everything but its exact position.
#[derive(PartialEq)]
pub(crate) struct IndexKey {
    wording: i64,
    around: Vec<(StatementId, Band)>,
    speaker: Option<String>,
    band: Band,
    zone: &'static str,
    headings: Vec<String>,
    parent: Option<String>,
}

/// The statements of a note, each with its places in order.
pub(crate) type IndexKeys = BTreeMap<i64, Vec<IndexKey>>;

/// Reads the indexed state of a note.
pub(crate) fn read_prior_state(conn: &Connection, path: &NotePath) -> Result<Option<PriorState>, ReadError> {
    let sql = format!("SELECT {NOTE_COLUMNS} FROM notes AS n WHERE n.path = ?1");
    let mut query = conn.prepare_cached(&sql)?;
    let mut rows = query.query([path.as_str()])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    let (note, record) = load::read_note(row)?;
    let sources = load::select_sources(conn, &SourceSelector::Note(note))?;
    let mut query = conn.prepare_cached("SELECT ordinal, wording FROM sources WHERE note = ?1")?;
    let wordings = query.query_map([note], |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?;
    let mut query = conn.prepare_cached("SELECT count(*) FROM problems WHERE note = ?1")?;
    let problems = codec::decode_usize(query.query_row([note], |row| row.get(0))?)?;
    Ok(Some(PriorState { note, record, sources, problems, wordings }))
}

/// Rejects inconsistent records, before anything is written.
pub(crate) fn validate_records(note: &NoteRecord, statements: &[StatementRecord]) -> Result<(), WriteError> {
    let mut ordinals = BTreeSet::new();
    for statement in statements {
        let ordinal = statement.ordinal;
        if statement.source.note != note.path {
            return Err(WriteError::ForeignSource { ordinal });
        }
        if statement.claims.iter().any(|claim| claim.id.statement() != statement.source.statement) {
            return Err(WriteError::ForeignClaim { ordinal });
        }
        if !ordinals.insert(ordinal) {
            return Err(WriteError::DuplicateOrdinal { ordinal });
        }
    }
    Ok(())
}

/// Writes the note's own row and its filter rows; returns its row id. `known` is its existing row, if any.
pub(crate) fn write_note_row(
    conn: &Connection,
    note: &NoteRecord,
    texts: &TextNumbers<'_>,
    known: Option<i64>,
) -> Result<i64, ReadError> {
    let days = note.date.map(codec::day_bounds);
    let pack = |texts: &[String]| pack_texts(texts.iter().map(String::as_str));
    let properties = note.properties.iter().flat_map(|(key, value)| [key.as_str(), value]);
    let id = conn
        .prepare_cached(
            "INSERT INTO notes (id, path, size, mtime_ns, ctime_ns, inode, hash, title, subject, date, first_day,
                                last_day, band, captured, aliases, tags, properties, outline, texts)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)
             ON CONFLICT (id) DO UPDATE SET
                 size = excluded.size, mtime_ns = excluded.mtime_ns, ctime_ns = excluded.ctime_ns,
                 inode = excluded.inode, hash = excluded.hash, title = excluded.title, subject = excluded.subject,
                 date = excluded.date, first_day = excluded.first_day, last_day = excluded.last_day,
                 band = excluded.band, captured = excluded.captured, aliases = excluded.aliases,
                 tags = excluded.tags, properties = excluded.properties, outline = excluded.outline,
                 texts = excluded.texts
             RETURNING id",
        )?
        .query_row(
            params![
                known,
                note.path.as_str(),
                note.stat.size.cast_signed(),
                note.stat.mtime_ns,
                note.stat.ctime_ns,
                note.stat.inode.cast_signed(),
                note.hash.as_bytes(),
                Some(&note.title).filter(|title| *title != note.path.stem()),
                Some(&note.subject).filter(|subject| **subject != note.title),
                note.date.map(|date| date.to_string()),
                days.map(|(first, _)| first),
                days.map(|(_, last)| last),
                codec::encode_band(note.band),
                note.captured,
                pack(&note.aliases),
                pack(&note.tags),
                pack_texts(properties),
                pack(&note.outline),
                texts.pack(),
            ],
            |row| row.get(0),
        )?;
    if known.is_some() {
        for table in ["note_terms", "problems", "sources", "passage_vectors"] {
            conn.prepare_cached(&format!("DELETE FROM {table} WHERE note = ?1"))?.execute([id])?;
        }
    }
    let mut insert = conn.prepare_cached("INSERT INTO note_terms (term, note) VALUES (?1, ?2)")?;
    for term in filter::collect_terms(note) {
        insert.execute([term, id])?;
    }
    Ok(id)
}

pub(crate) fn write_problems(conn: &Connection, note: i64, problems: &[NoteProblem]) -> Result<(), ReadError> {
    let mut insert = conn.prepare_cached("INSERT INTO problems (note, ordinal, line, kind) VALUES (?1, ?2, ?3, ?4)")?;
    for (ordinal, problem) in problems.iter().enumerate() {
        insert.execute(params![
            note,
            codec::encode_usize(ordinal),
            codec::encode_usize(problem.line),
            problem.kind.code()
        ])?;
    }
    Ok(())
}

/// Writes the statements of a note whose row is written and has none; returns their index keys.
pub(crate) fn write_statements(
    conn: &Connection,
    (note, record): (i64, &NoteRecord),
    statements: &[StatementRecord],
    texts: &TextNumbers<'_>,
    wordings: &mut WordingIds,
) -> Result<IndexKeys, ReadError> {
    let mut in_order: Vec<&StatementRecord> = statements.iter().collect();
    in_order.sort_by_key(|statement| statement.ordinal);
    let outline = number_headings(&record.outline);
    // The last ordinal of each statement.
    let mut last_place: HashMap<StatementId, u32> = HashMap::new();
    let mut places = BTreeMap::new();
    let mut at_ordinal: Vec<(u32, i64, IndexKey)> = Vec::with_capacity(in_order.len());
    let mut insert = conn.prepare_cached(
        "INSERT INTO sources (note, ordinal, statement, wording, start_byte, length, line, fingerprint, band, zone,
                              headings, parent, block_id, before, block, within, speaker, cites)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)",
    )?;
    let mut insert_former =
        conn.prepare_cached("INSERT OR IGNORE INTO former_ids (former, note, ordinal) VALUES (?1, ?2, ?3)")?;
    for statement in in_order {
        let source = &statement.source;
        let number = codec::encode_statement(source.statement);
        let wording = wordings.find_or_write(conn, number, statement)?;
        let before = statement.before.and_then(|id| last_place.get(&id).copied());
        insert.execute(params![
            note,
            statement.ordinal,
            number,
            wording,
            codec::encode_usize(source.start),
            codec::encode_usize(source.end.saturating_sub(source.start)),
            statement.line,
            source.fingerprint.as_bytes(),
            codec::encode_band(source.band),
            codec::encode_zone(source.zone),
            pack_headings(&source.headings, &outline),
            texts.find(source.parent.as_deref()).map(codec::encode_usize),
            statement.block_id,
            before.map(|before| statement.ordinal - before),
            statement.block,
            statement.within,
            texts.find(statement.speaker.as_deref()).map(codec::encode_usize),
            codec::encode_claims(&statement.cites),
        ])?;
        names::write_links(conn, note, statement)?;
        for former in &statement.former {
            insert_former.execute(params![codec::encode_statement(*former), note, statement.ordinal])?;
        }
        last_place.insert(source.statement, statement.ordinal);
        places.insert(statement.ordinal, (PrecedingLink { before, open: true }, source.statement, source.band));
        let key = IndexKey {
            wording,
            around: Vec::new(),
            speaker: statement.speaker.clone(),
            band: source.band,
            zone: source.zone.as_str(),
            headings: source.headings.clone(),
            parent: source.parent.clone(),
        };
        at_ordinal.push((statement.ordinal, number, key));
    }
    let mut around = neighbours::collect_keys(&places);
    let mut keys = IndexKeys::new();
    for (ordinal, number, mut key) in at_ordinal {
        key.around = around.remove(&ordinal).unwrap_or_default();
        keys.entry(number).or_default().push(key);
    }
    Ok(keys)
}

/// Returns the statements of the note whose index keys changed, including removed and new ones.
pub(crate) fn find_changed_statements(
    before: Option<&PriorState>,
    note: &NoteRecord,
    now: &IndexKeys,
) -> BTreeSet<i64> {
    let Some(before) = before else { return now.keys().copied().collect() };
    let same_head = note_index_key(&before.record) == note_index_key(note);
    let then = before.index_keys();
    then.keys().chain(now.keys()).filter(|id| !same_head || then.get(id) != now.get(id)).copied().collect()
}

/// Returns the note properties that its statements may be found by.
fn note_index_key(note: &NoteRecord) -> impl PartialEq + '_ {
    let names = (&note.title, &note.subject, &note.aliases);
    (names, note.date, note.band, note.captured, &note.tags, &note.properties)
}
