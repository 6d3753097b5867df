//! Numbers that were edited in place: seen while a note is put, kept in the journal, and no more than a proposal.
//!
//! The rule is that of [`remember`](crate::remember): **nothing telling of guarded text.** The words of a former statement are
//! kept only while all of it is and was public.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::edit::{pair_number_changes, find_number_change};
use memora_claim::{StatementId, StatementKind};
use memora_vault::{Band, NotePath};
use rusqlite::{Connection, params};

use crate::journal::Journal;
use crate::put::PriorState;
use crate::record::{NoteRecord, StatementRecord, StoredSource};
use crate::{ReadError, code};

/// How many edits are kept; the latest ones.
pub const NUMBER_CHANGES_MAX: usize = 4096;

/// What is saved again within so many seconds is one edit: some editors save while somebody types.
const TYPING_SECONDS: i64 = 600;

/// A number that was edited in place.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredNumberChange {
    /// The statement that went.
    pub former: StatementId,
    /// The statement that came in its place.
    pub now: StatementId,
    /// The note; `None` of a guarded one.
    pub note: Option<NotePath>,
    /// When it was seen, in seconds since 1970.
    pub at: i64,
    /// What the former statement said; `None` unless all of it is and was public.
    pub former_words: Option<String>,
    /// The strictest band that either was seen in.
    pub band: Band,
}

impl std::fmt::Debug for StoredNumberChange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Edit({} to {}, {}, at {})", self.former, self.now, self.band, self.at)
    }
}

/// An edit as a batch saw it.
pub(crate) struct ObservedNumberChange {
    former: i64,
    now: i64,
    note: NotePath,
    band: Band,
    /// What either said.
    words: [String; 2],
}

/// The edits of numbers that putting a note makes.
///
/// What a machine wrote down is nobody's change of mind.
pub(crate) fn detect_number_changes(before: &PriorState, note: &NoteRecord, statements: &[StatementRecord]) -> Vec<ObservedNumberChange> {
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
                former: code::encode_statement(source.row.statement),
                now: code::encode_statement(statement.source.statement),
                note: note.path.clone(),
                band: bands.into_iter().fold(Band::Public, Band::join),
                words: [old[old_at].to_owned(), new[new_at].to_owned()],
            });
        }
    }
    found
}

/// Statements are compared with those of the same kind, below the same heading and item.
fn place_key<'a>(
    kind: StatementKind,
    headings: &'a [String],
    parent: Option<&'a str>,
) -> (&'static str, &'a [String], Option<&'a str>) {
    (kind.as_str(), headings, parent)
}

/// Whether anything is kept at all.
pub(crate) fn has_entries(journal: &Connection) -> Result<bool, ReadError> {
    Ok(journal.prepare_cached("SELECT 1 FROM edits LIMIT 1")?.exists([])?)
}

/// A statement stands in a note: that it went from there is not so any more.
pub(crate) fn delete_restored(journal: &Connection, statement: i64, note: &NotePath) -> Result<usize, ReadError> {
    let mut delete = journal.prepare_cached("DELETE FROM edits WHERE former = ?1 AND note IN (?2, '')")?;
    Ok(delete.execute(params![statement, note.as_str()])?)
}

/// A statement went from a note: where it stands nowhere any more, nothing became it.
pub(crate) fn delete_orphaned(index: &Connection, journal: &Connection, statement: i64) -> Result<usize, ReadError> {
    if is_present_in(index, statement, None)? {
        return Ok(0);
    }
    Ok(journal.prepare_cached("DELETE FROM edits WHERE now = ?1")?.execute([statement])?)
}

/// A statement is guarded somewhere: the words of what became it, or of what it became, go.
pub(crate) fn redact_statement(journal: &Connection, statement: i64, band: Band) -> Result<usize, ReadError> {
    redact_where(journal, "former = ?1 OR now = ?1", &statement, band)
}

/// A note is guarded as a whole.
pub(crate) fn redact_note(journal: &Connection, note: &NotePath, band: Band) -> Result<usize, ReadError> {
    redact_where(journal, "note = ?1", &note.as_str(), band)
}

fn redact_where(journal: &Connection, which: &str, value: &dyn rusqlite::ToSql, band: Band) -> Result<usize, ReadError> {
    let band = code::encode_band(band.join(Band::Private));
    let sql = format!(
        "INSERT INTO edits (former, now, note, band, at) SELECT former, now, '', ?2, at FROM edits
                       WHERE ({which}) AND note <> ''
                       ON CONFLICT DO UPDATE SET band = max(band, excluded.band)"
    );
    journal.prepare_cached(&sql)?.execute(params![value, band])?;
    let sql = format!("DELETE FROM edits WHERE ({which}) AND note <> ''");
    Ok(journal.prepare_cached(&sql)?.execute(params![value])?)
}

/// The note lies elsewhere now.
pub(crate) fn rename_note(journal: &Connection, from: &NotePath, to: &NotePath) -> Result<(), ReadError> {
    journal
        .prepare_cached("UPDATE OR REPLACE edits SET note = ?2 WHERE note = ?1")?
        .execute(params![from.as_str(), to.as_str()])?;
    Ok(())
}

/// Forgets what was seen before a time.
pub(crate) fn delete_before(journal: &Connection, time: i64) -> Result<usize, ReadError> {
    Ok(journal.execute("DELETE FROM edits WHERE at < ?1", [time])?)
}

/// What somebody typed on: the edit that led to a statement a moment ago in the same note, if its former words are kept.
pub(crate) fn find_typing_start(journal: &Connection, seen: &ObservedNumberChange, now: i64) -> Result<Option<(i64, String)>, ReadError> {
    let mut query = journal.prepare_cached(
        "SELECT former, words FROM edits WHERE now = ?1 AND note = ?2 AND at >= ?3 AND words IS NOT NULL
         ORDER BY at DESC, former LIMIT 1",
    )?;
    let mut rows = query.query(params![seen.former, seen.note.as_str(), now - TYPING_SECONDS])?;
    Ok(rows.next()?.map(|row| Ok::<_, rusqlite::Error>((row.get(0)?, row.get(1)?))).transpose()?)
}

/// Notes an edit, if it is one still at the end of the batch. `begun` is what somebody typed on.
pub(crate) fn write_number_change(
    index: &Connection,
    journal: &Connection,
    seen: &ObservedNumberChange,
    begun: Option<&(i64, String)>,
    now: i64,
) -> Result<(), ReadError> {
    let [_, words_now] = &seen.words;
    // Typed away and back again.
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
            code::encode_band(band),
            now,
            (!guarded).then_some(words),
        ])?;
    Ok(())
}

/// Keeps the latest.
pub(crate) fn enforce_limit(journal: &Connection) -> Result<usize, ReadError> {
    Ok(journal
        .prepare_cached(
            "DELETE FROM edits WHERE (former, now, note) IN
                 (SELECT former, now, note FROM edits ORDER BY at DESC, former, now, note LIMIT -1 OFFSET ?1)",
        )?
        .execute([code::encode_usize(NUMBER_CHANGES_MAX)])?)
}

/// Whether a statement stands in a note, or anywhere.
fn is_present_in(index: &Connection, statement: i64, note: Option<&NotePath>) -> Result<bool, ReadError> {
    let mut query = index.prepare_cached(
        "SELECT 1 FROM sources AS s JOIN notes AS n ON n.id = s.note
         WHERE s.statement = ?1 AND (?2 IS NULL OR n.path = ?2)",
    )?;
    Ok(query.exists(params![statement, note.map(NotePath::as_str)])?)
}

/// Whether a statement stands guarded somewhere, or did once.
fn is_guarded(index: &Connection, journal: &Connection, statement: i64) -> Result<bool, ReadError> {
    Ok(index.prepare_cached("SELECT 1 FROM sources WHERE statement = ?1 AND band > 0")?.exists([statement])?
        || journal.prepare_cached("SELECT 1 FROM former WHERE statement = ?1 AND note = ''")?.exists([statement])?)
}

impl Journal {
    /// Numbers that were edited in place, the latest first. What a statement was edited from and what it stands for now may
    /// have changed since: look whether [`Edit::now`] stands.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn number_changes(&self, limit: usize) -> Result<Vec<StoredNumberChange>, ReadError> {
        let mut query = self.conn().prepare_cached(
            "SELECT former, now, note, band, at, words FROM edits ORDER BY at DESC, former, now, note LIMIT ?1",
        )?;
        let mut rows = query.query([code::encode_usize(limit)])?;
        let mut edits = Vec::new();
        while let Some(row) = rows.next()? {
            let note: String = row.get(2)?;
            edits.push(StoredNumberChange {
                former: code::decode_statement(row.get(0)?)?,
                now: code::decode_statement(row.get(1)?)?,
                note: if note.is_empty() { None } else { Some(code::decode_path(note)?) },
                band: code::decode_band(row.get(3)?)?,
                at: row.get(4)?,
                former_words: row.get(5)?,
            });
        }
        Ok(edits)
    }
}
