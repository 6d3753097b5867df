//! Writes the journal: the history of a batch, and its redaction.
//!
//! The rule: **nothing that reveals guarded text.** A guarded place leaves only its statement's id, its band and a
//! time. If a note or a statement becomes guarded, its public history is reduced to that as well.

use std::collections::{BTreeMap, BTreeSet};

use memora_claim::Source;
use memora_vault::{Band, NotePath};
use rusqlite::{Connection, params};

use crate::ReadError;
use crate::journal::FORMER_MAX;
use crate::record::{NoteRecord, StatementRecord};
use crate::write_note::PriorState;
use crate::{codec, number_changes};

/// Updates of the journal collected during a batch.
#[derive(Default)]
pub(crate) struct JournalUpdate {
    /// Removed places, and whether their note's outline may be kept.
    gone: Vec<(Source, bool)>,
    /// Statements that are new in a note.
    stands: BTreeSet<(i64, NotePath)>,
    /// Statements that are guarded somewhere, with the strictest band seen.
    guarded: BTreeMap<i64, Band>,
    /// Notes that are guarded as a whole.
    guarded_notes: BTreeMap<NotePath, Band>,
    /// Notes with guarded parts: their outline may contain a guarded heading.
    mixed_notes: BTreeSet<NotePath>,
    renames: Vec<(NotePath, NotePath)>,
    /// Numbers that were edited in place.
    edits: Vec<number_changes::ObservedNumberChange>,
    forget_before: Option<i64>,
}

impl JournalUpdate {
    /// Records that a note was replaced or removed; `now` are the statements left, `guarded` if it has guarded text.
    pub(crate) fn record_removed(&mut self, before: PriorState, now: &BTreeSet<i64>, guarded: bool) {
        let note_band = before.record.band;
        if note_band != Band::Public {
            self.mark_note_guarded(&before.record.path, note_band);
        }
        let was_guarded = note_band != Band::Public || before.sources.iter().any(|s| s.row.band != Band::Public);
        let keep_outline = !guarded && !was_guarded;
        for source in before.sources {
            let mut row = source.row;
            if !now.contains(&codec::encode_statement(row.statement)) {
                row.band = row.band.join(note_band);
                self.gone.push((row, keep_outline));
            }
        }
    }

    /// Records that a note was written; `then` are the statements that were in it before.
    pub(crate) fn record_present(&mut self, note: &NoteRecord, statements: &[StatementRecord], then: &BTreeSet<i64>) {
        if note.band != Band::Public {
            self.mark_note_guarded(&note.path, note.band);
        }
        for statement in statements {
            let number = codec::encode_statement(statement.source.statement);
            let band = statement.source.band.join(note.band);
            if !then.contains(&number) {
                self.stands.insert((number, note.path.clone()));
            }
            if band != Band::Public {
                let strictest = self.guarded.entry(number).or_default();
                *strictest = strictest.join(band);
                self.mixed_notes.insert(note.path.clone());
            }
        }
    }

    pub(crate) fn record_number_changes(&mut self, seen: Vec<number_changes::ObservedNumberChange>) {
        self.edits.extend(seen);
    }

    pub(crate) fn record_rename(&mut self, from: &NotePath, to: &NotePath) {
        self.renames.push((from.clone(), to.clone()));
    }

    pub(crate) fn forget_before(&mut self, time: i64) {
        self.forget_before = Some(self.forget_before.map_or(time, |t| t.max(time)));
    }

    fn mark_note_guarded(&mut self, path: &NotePath, band: Band) {
        let strictest = self.guarded_notes.entry(path.clone()).or_default();
        *strictest = strictest.join(band);
    }
}

/// Writes and commits an update, given the index as the batch leaves it. `new` are the statements that are new in the
/// index. Returns whether anything was deleted from the journal.
pub(crate) fn write_update(
    index: &Connection,
    journal: &Connection,
    journal_update: &JournalUpdate,
    new: &[i64],
    now: i64,
) -> Result<bool, ReadError> {
    journal.execute_batch("BEGIN IMMEDIATE")?;
    let mut forgotten = 0;
    if let Some(time) = journal_update.forget_before {
        forgotten += journal.execute("DELETE FROM former WHERE removed_at < ?1", [time])?;
        forgotten += journal.execute("DELETE FROM renames WHERE at < ?1", [time])?;
        forgotten += number_changes::delete_before(journal, time)?;
    }
    write_first_seen(journal, new, now)?;
    // A first index has no history to revoke, and checking each statement would be slow.
    if journal.prepare_cached("SELECT 1 FROM former LIMIT 1")?.exists([])? {
        forgotten += revoke_former_sources(journal, journal_update)?;
    }
    for (row, keep_outline) in &journal_update.gone {
        write_former_source(index, journal, row, *keep_outline, now)?;
    }
    for (path, band) in &journal_update.guarded_notes {
        forgotten += redact_note(journal, path, *band)?;
    }
    for (from, to) in &journal_update.renames {
        write_rename(index, journal, journal_update, from, to, now)?;
    }
    forgotten += write_number_changes(index, journal, journal_update, now)?;
    journal.execute_batch("COMMIT")?;
    Ok(forgotten > 0)
}

/// Deletes obsolete number changes, redacts those that are guarded now, and stores the new ones.
fn write_number_changes(
    index: &Connection,
    journal: &Connection,
    journal_update: &JournalUpdate,
    now: i64,
) -> Result<usize, ReadError> {
    let mut count = 0;
    let mut begun = Vec::new();
    // A first index has nothing to delete.
    if number_changes::has_entries(journal)? {
        for (from, to) in &journal_update.renames {
            number_changes::rename_note(journal, from, to)?;
        }
        for seen in &journal_update.edits {
            begun.push(number_changes::find_typing_start(journal, seen, now)?);
        }
        for (statement, note) in &journal_update.stands {
            count += number_changes::delete_restored(journal, *statement, note)?;
        }
        for (row, _) in &journal_update.gone {
            count += number_changes::delete_orphaned(index, journal, codec::encode_statement(row.statement))?;
        }
        for (statement, band) in &journal_update.guarded {
            count += number_changes::redact_statement(journal, *statement, *band)?;
        }
        for (note, band) in &journal_update.guarded_notes {
            count += number_changes::redact_note(journal, note, *band)?;
        }
    }
    for (at, seen) in journal_update.edits.iter().enumerate() {
        number_changes::write_number_change(index, journal, seen, begun.get(at).and_then(Option::as_ref), now)?;
    }
    if !journal_update.edits.is_empty() {
        count += number_changes::enforce_limit(journal)?;
    }
    Ok(count)
}

fn write_first_seen(journal: &Connection, new: &[i64], now: i64) -> Result<(), ReadError> {
    let mut insert = journal.prepare_cached("INSERT OR IGNORE INTO first_seen (statement, at) VALUES (?1, ?2)")?;
    for statement in new {
        insert.execute(params![statement, now])?;
    }
    Ok(())
}

/// Deletes former places that contain the statement again, and redacts those that are guarded now.
fn revoke_former_sources(journal: &Connection, journal_update: &JournalUpdate) -> Result<usize, ReadError> {
    let mut count = 0;
    let mut delete = journal.prepare_cached("DELETE FROM former WHERE statement = ?1 AND note IN (?2, '')")?;
    for (statement, note) in &journal_update.stands {
        count += delete.execute(params![statement, note.as_str()])?;
    }
    for (statement, band) in &journal_update.guarded {
        count += redact_statement(journal, *statement, *band)?;
    }
    let mut clear = journal.prepare_cached("UPDATE former SET outline = '[]' WHERE note = ?1 AND outline <> '[]'")?;
    for note in &journal_update.mixed_notes {
        count += clear.execute([note.as_str()])?;
    }
    Ok(count)
}

fn write_former_source(
    index: &Connection,
    journal: &Connection,
    row: &Source,
    keep_outline: bool,
    now: i64,
) -> Result<(), ReadError> {
    let number = codec::encode_statement(row.statement);
    // A later step of the same batch may have restored it.
    let stands = index
        .prepare_cached(
            "SELECT 1 FROM sources AS s JOIN notes AS n ON n.id = s.note WHERE s.statement = ?1 AND n.path = ?2",
        )?
        .exists(params![number, row.note.as_str()])?;
    if stands {
        return Ok(());
    }
    // Guarded here, guarded elsewhere now, or guarded earlier.
    let guarded_elsewhere =
        index.prepare_cached("SELECT 1 FROM sources WHERE statement = ?1 AND band > 0")?.exists([number])?
            || journal.prepare_cached("SELECT 1 FROM former WHERE statement = ?1 AND note = ''")?.exists([number])?;
    if row.band != Band::Public || guarded_elsewhere {
        redact_statement(journal, number, row.band)?;
        // If it was guarded elsewhere, the redacted row says that it was guarded, not where.
        let band = if row.band == Band::Public { Band::Private } else { row.band };
        return write_guarded_source(journal, number, band, now);
    }
    let outline = if keep_outline { codec::encode_list(&row.outline) } else { "[]".to_owned() };
    journal
        .prepare_cached(
            "INSERT OR REPLACE INTO former (statement, note, start_byte, band, removed_at, end_byte, fingerprint, zone,
                                            headings, parent, outline)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?
        .execute(params![
            number,
            row.note.as_str(),
            codec::encode_usize(row.start),
            codec::encode_band(row.band),
            now,
            codec::encode_usize(row.end),
            row.fingerprint.as_bytes(),
            row.zone.as_str(),
            codec::encode_list(&row.headings),
            row.parent,
            outline,
        ])?;
    journal
        .prepare_cached(
            "DELETE FROM former WHERE statement = ?1 AND (note, start_byte) NOT IN
                 (SELECT note, start_byte FROM former WHERE statement = ?1
                  ORDER BY removed_at DESC, note, start_byte LIMIT ?2)",
        )?
        .execute(params![number, codec::encode_usize(FORMER_MAX)])?;
    Ok(())
}

/// Replaces all former places of a statement, if any, with one redacted row.
fn redact_statement(journal: &Connection, statement: i64, band: Band) -> Result<usize, ReadError> {
    let latest: Option<i64> = journal
        .prepare_cached("SELECT max(removed_at) FROM former WHERE statement = ?1 AND note <> ''")?
        .query_row([statement], |row| row.get(0))?;
    let Some(latest) = latest else { return Ok(0) };
    let count =
        journal.prepare_cached("DELETE FROM former WHERE statement = ?1 AND note <> ''")?.execute([statement])?;
    write_guarded_source(journal, statement, band.join(Band::Private), latest)?;
    Ok(count)
}

fn write_guarded_source(journal: &Connection, statement: i64, band: Band, at: i64) -> Result<(), ReadError> {
    journal
        .prepare_cached(
            "INSERT INTO former (statement, note, start_byte, band, removed_at) VALUES (?1, '', 0, ?2, ?3)
             ON CONFLICT DO UPDATE SET band = max(band, excluded.band), removed_at = max(removed_at, excluded.removed_at)",
        )?
        .execute(params![statement, codec::encode_band(band), at])?;
    Ok(())
}

/// Redacts the history of a note that is guarded now, including its name.
fn redact_note(journal: &Connection, path: &NotePath, band: Band) -> Result<usize, ReadError> {
    let mut query = journal.prepare_cached("SELECT DISTINCT statement FROM former WHERE note = ?1")?;
    let statements: Vec<i64> = query.query_map([path.as_str()], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut count = 0;
    for statement in statements {
        count += redact_statement(journal, statement, band)?;
    }
    count +=
        journal.prepare_cached("DELETE FROM renames WHERE from_path = ?1 OR to_path = ?1")?.execute([path.as_str()])?;
    Ok(count)
}

/// Keeps renames flat: entries that pointed to the old name point to the new one, and no entry starts at a name in use.
fn write_rename(
    index: &Connection,
    journal: &Connection,
    journal_update: &JournalUpdate,
    from: &NotePath,
    to: &NotePath,
    now: i64,
) -> Result<(), ReadError> {
    let guarded = index
        .prepare_cached("SELECT 1 FROM notes WHERE path IN (?1, ?2) AND band > 0")?
        .exists([from.as_str(), to.as_str()])?;
    let was_guarded = [from, to].iter().any(|path| journal_update.guarded_notes.contains_key(*path));
    if from == to || guarded || was_guarded {
        return Ok(());
    }
    let run = |sql: &str| journal.prepare_cached(sql)?.execute([to.as_str()]);
    // A note that was at the new name earlier and moved on: entries that point to it now point to its new path.
    run("UPDATE renames SET to_path = (SELECT r.to_path FROM renames AS r WHERE r.from_path = ?1)
         WHERE to_path = ?1 AND EXISTS (SELECT 1 FROM renames AS r WHERE r.from_path = ?1)")?;
    run("DELETE FROM renames WHERE from_path = ?1")?;
    journal
        .prepare_cached("UPDATE renames SET to_path = ?2 WHERE to_path = ?1")?
        .execute([from.as_str(), to.as_str()])?;
    journal
        .prepare_cached("INSERT OR REPLACE INTO renames (from_path, to_path, at) VALUES (?1, ?2, ?3)")?
        .execute(params![from.as_str(), to.as_str(), now])?;
    Ok(())
}
