//! Numbers that were edited in place: detected while a note is written, stored in the journal, and only ever proposals.
//!
//! The rule is that of the journal: **nothing that reveals guarded text.** The words of a former
//! statement are kept only if all of it is and was public.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::number_change::{find_number_change, pair_number_changes};
use memora_claim::{StatementId, StatementKind};
use memora_vault::{Band, NotePath};
use rusqlite::{Connection, Row, params};

use crate::journal::Journal;
use crate::record::{NoteRecord, StatementRecord, StoredSource};
use crate::write_note::PriorState;
use crate::{ReadError, codec};

/// Maximum number of changes kept; the latest ones.
pub const NUMBER_CHANGES_MAX: usize = 4096;

/// Saves within this many seconds count as one change: some editors save during typing.
const TYPING_SECONDS: i64 = 600;

/// A number that was edited in place.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredNumberChange {
    /// The removed statement.
    pub former: StatementId,
    /// The statement that replaced it.
    pub now: StatementId,
    /// The note; `None` for a guarded one.
    pub note: Option<NotePath>,
    /// The time of detection, in seconds since 1970.
    pub at: i64,
    /// The words of the former statement; `None` unless all of it is and was public.
    pub former_words: Option<String>,
    /// The strictest band of either.
    pub band: Band,
}

impl std::fmt::Debug for StoredNumberChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Edit({} to {}, {}, at {})", self.former, self.now, self.band, self.at)
    }
}

/// A change as detected in a batch.
pub(crate) struct ObservedNumberChange {
    former: i64,
    now: i64,
    note: NotePath,
    band: Band,
    /// The words of both.
    words: [String; 2],
}

/// Detects the number changes between the stored and the new state of a note.
///
/// Edits in captured notes are ignored: the user did not make them.
pub(crate) fn detect_number_changes(
    before: &PriorState,
    note: &NoteRecord,
    statements: &[StatementRecord],
) -> Vec<ObservedNumberChange> {
    if note.captured || before.record.captured {
        return Vec::new();
    }
    let then: BTreeSet<StatementId> = before.sources.iter().map(|source| source.row.statement).collect();
    let now: BTreeSet<StatementId> = statements.iter().map(|statement| statement.source.statement).collect();
    type PlaceKey<'a> = (&'static str, &'a [String], Option<&'a str>);
    let mut parts: BTreeMap<PlaceKey<'_>, (Vec<&StoredSource>, Vec<&StatementRecord>)> = BTreeMap::new();
    for source in before.sources.iter().filter(|source| !now.contains(&source.row.statement)) {
        let place = place_key(source.wording.kind, &source.row.headings, source.row.parent.as_deref());
        parts.entry(place).or_default().0.push(source);
    }
    for statement in statements.iter().filter(|statement| !then.contains(&statement.source.statement)) {
        let place = place_key(statement.kind, &statement.source.headings, statement.source.parent.as_deref());
        parts.entry(place).or_default().1.push(statement);
    }
    let mut found = Vec::new();
    for (gone, come) in parts.into_values() {
        let old: Vec<&str> = gone.iter().map(|source| source.wording.words.as_str()).collect();
        let new: Vec<&str> = come.iter().map(|statement| statement.words.as_str()).collect();
        for (old_at, new_at) in pair_number_changes(&old, &new) {
            let (source, statement) = (gone[old_at], come[new_at]);
            let bands = [before.record.band, source.row.band, note.band, statement.source.band];
            found.push(ObservedNumberChange {
                former: codec::encode_statement(source.row.statement),
                now: codec::encode_statement(statement.source.statement),
                note: note.path.clone(),
                band: bands.into_iter().fold(Band::Public, Band::join),
                words: [old[old_at].to_owned(), new[new_at].to_owned()],
            });
        }
    }
    found
}

/// Returns the place key: statements are compared within the same kind, heading and parent item.
fn place_key<'a>(
    kind: StatementKind,
    headings: &'a [String],
    parent: Option<&'a str>,
) -> (&'static str, &'a [String], Option<&'a str>) {
    (kind.as_str(), headings, parent)
}

/// Whether any change is stored.
pub(crate) fn has_entries(journal: &Connection) -> Result<bool, ReadError> {
    Ok(journal.prepare_cached("SELECT 1 FROM edits LIMIT 1")?.exists([])?)
}

/// Deletes changes from a statement that is in the note again.
pub(crate) fn delete_restored(journal: &Connection, statement: i64, note: &NotePath) -> Result<usize, ReadError> {
    let mut delete = journal.prepare_cached("DELETE FROM edits WHERE former = ?1 AND note IN (?2, '')")?;
    Ok(delete.execute(params![statement, note.as_str()])?)
}

/// Deletes changes to a statement that no longer exists anywhere.
pub(crate) fn delete_orphaned(index: &Connection, journal: &Connection, statement: i64) -> Result<usize, ReadError> {
    if is_present_in(index, statement, None)? {
        return Ok(0);
    }
    Ok(journal.prepare_cached("DELETE FROM edits WHERE now = ?1")?.execute([statement])?)
}

/// Redacts changes from or to a statement that is guarded somewhere: their words are deleted.
pub(crate) fn redact_statement(journal: &Connection, statement: i64, band: Band) -> Result<usize, ReadError> {
    redact_where(journal, "former = ?1 OR now = ?1", &statement, band)
}

/// Redacts all changes of a note that is guarded as a whole.
pub(crate) fn redact_note(journal: &Connection, note: &NotePath, band: Band) -> Result<usize, ReadError> {
    redact_where(journal, "note = ?1", &note.as_str(), band)
}

fn redact_where(
    journal: &Connection,
    which: &str,
    value: &dyn rusqlite::ToSql,
    band: Band,
) -> Result<usize, ReadError> {
    let band = codec::encode_band(band.join(Band::Private));
    let sql = format!(
        "INSERT INTO edits (former, now, note, band, at) SELECT former, now, '', ?2, at FROM edits
                       WHERE ({which}) AND note <> ''
                       ON CONFLICT DO UPDATE SET band = max(band, excluded.band)"
    );
    journal.prepare_cached(&sql)?.execute(params![value, band])?;
    let sql = format!("DELETE FROM edits WHERE ({which}) AND note <> ''");
    Ok(journal.prepare_cached(&sql)?.execute(params![value])?)
}

/// Updates the path of a renamed note.
pub(crate) fn rename_note(journal: &Connection, from: &NotePath, to: &NotePath) -> Result<(), ReadError> {
    journal
        .prepare_cached("UPDATE OR REPLACE edits SET note = ?2 WHERE note = ?1")?
        .execute(params![from.as_str(), to.as_str()])?;
    Ok(())
}

/// Deletes changes detected before a time.
pub(crate) fn delete_before(journal: &Connection, time: i64) -> Result<usize, ReadError> {
    Ok(journal.execute("DELETE FROM edits WHERE at < ?1", [time])?)
}

/// Returns the recent change in the same note that led to this statement during typing, if its former words are kept.
pub(crate) fn find_typing_start(
    journal: &Connection,
    seen: &ObservedNumberChange,
    now: i64,
) -> Result<Option<(i64, String)>, ReadError> {
    let mut query = journal.prepare_cached(
        "SELECT former, words FROM edits WHERE now = ?1 AND note = ?2 AND at >= ?3 AND words IS NOT NULL
         ORDER BY at DESC, former LIMIT 1",
    )?;
    let mut rows = query.query(params![seen.former, seen.note.as_str(), now - TYPING_SECONDS])?;
    Ok(rows.next()?.map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?))).transpose()?)
}

/// Stores a change, if it still applies at the end of the batch. `begun` is the change that typing started from.
pub(crate) fn write_number_change(
    index: &Connection,
    journal: &Connection,
    seen: &ObservedNumberChange,
    begun: Option<&(i64, String)>,
    now: i64,
) -> Result<(), ReadError> {
    let [_, words_now] = &seen.words;
    // Typed and reverted.
    if begun.is_some_and(|(former, _)| *former == seen.now) {
        return Ok(());
    }
    let begun = begun.filter(|(_, words)| find_number_change(words, words_now).is_some());
    let (former, words) = begun.map_or((seen.former, &seen.words[0]), |(former, words)| (*former, words));
    if is_present_in(index, former, Some(&seen.note))? || !is_present_in(index, seen.now, Some(&seen.note))? {
        return Ok(());
    }
    let guarded =
        seen.band != Band::Public || is_guarded(index, journal, former)? || is_guarded(index, journal, seen.now)?;
    let band = if guarded { seen.band.join(Band::Private) } else { Band::Public };
    journal
        .prepare_cached(
            "INSERT OR REPLACE INTO edits (former, now, note, band, at, words) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )?
        .execute(params![
            former,
            seen.now,
            if guarded { "" } else { seen.note.as_str() },
            codec::encode_band(band),
            now,
            (!guarded).then_some(words),
        ])?;
    Ok(())
}

/// Deletes all but the latest changes.
pub(crate) fn enforce_limit(journal: &Connection) -> Result<usize, ReadError> {
    Ok(journal
        .prepare_cached(
            "DELETE FROM edits WHERE (former, now, note) IN
                 (SELECT former, now, note FROM edits ORDER BY at DESC, former, now, note LIMIT -1 OFFSET ?1)",
        )?
        .execute([codec::encode_usize(NUMBER_CHANGES_MAX)])?)
}

/// Whether a statement is in a note, or anywhere.
fn is_present_in(index: &Connection, statement: i64, note: Option<&NotePath>) -> Result<bool, ReadError> {
    let mut query = index.prepare_cached(
        "SELECT 1 FROM sources AS s JOIN notes AS n ON n.id = s.note
         WHERE s.statement = ?1 AND (?2 IS NULL OR n.path = ?2)",
    )?;
    Ok(query.exists(params![statement, note.map(NotePath::as_str)])?)
}

/// Whether a statement is or was guarded anywhere.
fn is_guarded(index: &Connection, journal: &Connection, statement: i64) -> Result<bool, ReadError> {
    Ok(index.prepare_cached("SELECT 1 FROM sources WHERE statement = ?1 AND band > 0")?.exists([statement])?
        || journal.prepare_cached("SELECT 1 FROM former WHERE statement = ?1 AND note = ''")?.exists([statement])?)
}

impl Journal {
    /// Returns numbers that were edited in place, latest first. Both statements may have changed since: check that
    /// [`StoredNumberChange::now`] still exists.
    pub fn number_changes(&self, limit: usize) -> Result<Vec<StoredNumberChange>, ReadError> {
        let mut query = self.conn()?.prepare_cached(
            "SELECT former, now, note, band, at, words FROM edits ORDER BY at DESC, former, now, note LIMIT ?1",
        )?;
        let read = |row: &Row<'_>| {
            let note: String = row.get(2)?;
            Ok(StoredNumberChange {
                former: codec::decode_statement(row.get(0)?)?,
                now: codec::decode_statement(row.get(1)?)?,
                note: if note.is_empty() { None } else { Some(codec::decode_path(note)?) },
                band: codec::decode_band(row.get(3)?)?,
                at: row.get(4)?,
                former_words: row.get(5)?,
            })
        };
        query.query_and_then([codec::encode_usize(limit)], read)?.collect()
    }
}
