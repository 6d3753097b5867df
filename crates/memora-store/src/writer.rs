//! Writes to the store: one batch, one transaction, one process at a time.

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::Ordering;

use memora_claim::StatementId;
use memora_vault::{Band, FileStat, Fingerprint, NotePath, NoteProblem};
use rusqlite::{Connection, OptionalExtension, params};

use crate::batch::Batch;
use crate::connection::truncate_wal;
use crate::context::TextNumbers;
use crate::counts::{self, ClaimChange, ClaimReaders, CountChanges, ListedClaims};
use crate::journal_write::{self, JournalUpdate};
use crate::record::{NoteChange, NoteRecord, StatementRecord};
use crate::wordings::{self, WordingIds};
use crate::write_note::{self, PriorState};
use crate::{PassageKey, ReadError, WriteError, codec, number_changes, proposals};

/// A summary of a committed batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommitSummary {
    /// The store's new sequence number.
    pub sequence: u64,
    /// Number of claims that are new in the index.
    pub claims_added: usize,
    /// Number of claims that are no longer in the index.
    pub claims_removed: usize,
    /// The claims that are new, gone, or seen by other readers than before.
    pub claims: Vec<ClaimChange>,
    /// Passages that were removed from a note; another note may still have them.
    pub passages_gone: BTreeSet<PassageKey>,
}

/// A batch of changes. Nothing of it is visible before [`Writer::commit`]; dropping it rolls back.
///
/// While it exists it holds the write lock of the store, which the system releases if the process dies. Keep batches
/// short enough for others to get their turn.
///
/// The journal is written automatically along with the index: if a statement is removed from a note, its former place
/// is recorded; if a statement is new, the time is. So it cannot be forgotten, and the redaction of guarded text is
/// implemented in one place (`journal_write.rs`).
pub struct Writer {
    batch: Batch,
    now: i64,
    sequence: u64,
    /// The claims of every statement involved, as of the start of the batch; `None` for a new statement.
    claims_before: HashMap<i64, Option<ListedClaims>>,
    counted: CountChanges,
    /// Statements to be logged as changed.
    touched: BTreeSet<i64>,
    /// Wordings that a source no longer uses.
    left: BTreeSet<i64>,
    /// Whether previously stored words may have been deleted from the index.
    words_gone: bool,
    wordings: WordingIds,
    /// Whether derived indexes may follow this batch by the log of changes.
    logged: bool,
    /// Passages that some note no longer has.
    passages_gone: BTreeSet<PassageKey>,
    journal_update: JournalUpdate,
}

impl Writer {
    pub(crate) fn begin(batch: Batch, now: i64) -> Result<Self, WriteError> {
        let sequence = batch.sequence()?;
        let wordings = WordingIds::read(batch.index()?)?;
        Ok(Self {
            batch,
            now,
            sequence,
            claims_before: HashMap::new(),
            counted: CountChanges::default(),
            touched: BTreeSet::new(),
            left: BTreeSet::new(),
            words_gone: false,
            wordings,
            logged: true,
            passages_gone: BTreeSet::new(),
            journal_update: JournalUpdate::default(),
        })
    }

    fn conn(&self) -> Result<&Connection, ReadError> {
        self.batch.index()
    }

    /// Replaces everything stored about a note.
    ///
    /// The statements are ordered by their ordinals. A statement may occur in the note several times.
    ///
    /// # Errors
    /// [`WriteError`]; if it is about the records, nothing was written and the batch can continue.
    pub fn put_note(
        &mut self,
        note: &NoteRecord,
        statements: &[StatementRecord],
        problems: &[NoteProblem],
    ) -> Result<NoteChange, WriteError> {
        write_note::validate_records(note, statements)?;
        let before = write_note::read_prior_state(self.conn()?, &note.path)?;
        let then: BTreeSet<i64> = before.iter().flat_map(PriorState::statement_numbers).collect();
        let now: BTreeSet<i64> = statements.iter().map(|s| codec::encode_statement(s.source.statement)).collect();
        self.record_prior_claims(then.union(&now).copied().collect())?;

        let conn = self.batch.index()?;
        let texts = TextNumbers::of_statements(statements);
        // Before the note's sources go, by which its wordings are found.
        self.wordings.look_up(conn, now.iter().copied())?;
        let id = write_note::write_note_row(conn, note, &texts, before.as_ref().map(|b| b.note))?;
        write_note::write_problems(conn, id, problems)?;
        let keys = write_note::write_statements(conn, (id, note), statements, &texts, &mut self.wordings)?;
        self.touched.extend(write_note::find_changed_statements(before.as_ref(), note, &keys));
        self.left.extend(before.iter().flat_map(PriorState::wording_ids));

        self.counted.add_note(note, statements.iter().map(|s| s.source.band), problems.len());
        let guarded = note.band != Band::Public || statements.iter().any(|s| s.source.band != Band::Public);
        if let Some(before) = before {
            self.counted.remove_note(&before.record, before.bands(), before.problems);
            self.journal_update.record_number_changes(number_changes::detect_number_changes(&before, note, statements));
            self.words_gone |= before.record.hash != note.hash;
            self.journal_update.record_removed(before, &now, guarded);
        }
        self.journal_update.record_present(note, statements, &then);
        Ok(NoteChange { added: decode_ids(now.difference(&then))?, removed: decode_ids(then.difference(&now))? })
    }

    /// Updates the metadata of a file whose content is unchanged. Returns whether the index has the note with this
    /// content: another process may have written in the meantime.
    pub fn update_file_stat(&mut self, path: &NotePath, hash: Fingerprint, stat: FileStat) -> Result<bool, WriteError> {
        let changed = self
            .conn()?
            .prepare_cached(
                "UPDATE notes SET size = ?3, mtime_ns = ?4, ctime_ns = ?5, inode = ?6 WHERE path = ?1 AND hash = ?2",
            )?
            .execute(params![
                path.as_str(),
                hash.as_bytes(),
                stat.size.cast_signed(),
                stat.mtime_ns,
                stat.ctime_ns,
                stat.inode.cast_signed(),
            ])?;
        Ok(changed > 0)
    }

    /// Replaces the passages of a note.
    pub fn set_passages(&mut self, path: &NotePath, passages: &[PassageKey]) -> Result<(), WriteError> {
        let gone = self.read_passages(path)?.into_iter().filter(|key| !passages.contains(key));
        self.passages_gone.extend(gone);
        self.conn()?
            .prepare_cached("INSERT OR REPLACE INTO passages (note, passages) VALUES (?1, ?2)")?
            .execute(params![path.as_str(), passages.concat()])?;
        Ok(())
    }

    /// Removes a note with everything that occurs only in it. A missing note is not an error.
    pub fn remove_note(&mut self, path: &NotePath) -> Result<NoteChange, WriteError> {
        let gone = self.read_passages(path)?;
        self.passages_gone.extend(gone);
        self.conn()?.prepare_cached("DELETE FROM passages WHERE note = ?1")?.execute([path.as_str()])?;
        self.withdraw_note(path)
    }

    fn read_passages(&self, path: &NotePath) -> Result<Vec<PassageKey>, ReadError> {
        let mut query = self.conn()?.prepare_cached("SELECT passages FROM passages WHERE note = ?1")?;
        let blob = query.query_row([path.as_str()], |row| row.get::<_, Vec<u8>>(0)).optional()?;
        proposals::decode_passages(&blob.unwrap_or_default())
    }

    /// Removes a note that cannot be read at the moment: its passages are kept.
    pub fn withdraw_note(&mut self, path: &NotePath) -> Result<NoteChange, WriteError> {
        let Some(before) = write_note::read_prior_state(self.conn()?, path)? else { return Ok(NoteChange::default()) };
        let then: BTreeSet<i64> = before.statement_numbers().collect();
        self.record_prior_claims(then.clone())?;
        self.conn()?.prepare_cached("DELETE FROM notes WHERE id = ?1")?.execute([before.note])?;
        self.counted.remove_note(&before.record, before.bands(), before.problems);
        self.touched.extend(&then);
        self.left.extend(before.wording_ids());
        self.words_gone = true;
        self.journal_update.record_removed(before, &BTreeSet::new(), false);
        Ok(NoteChange { added: Vec::new(), removed: decode_ids(then.iter())? })
    }

    /// Records in the journal that a note was renamed or moved. The index follows from [`Writer::remove_note`] and
    /// [`Writer::put_note`]; nothing is recorded if the note is guarded under either path.
    pub fn record_rename(&mut self, from: &NotePath, to: &NotePath) {
        self.journal_update.record_rename(from, to);
    }

    /// Deletes former places and renames that the journal recorded before `time` (seconds since 1970). First-seen times
    /// are kept.
    pub fn forget_before(&mut self, time: i64) {
        self.journal_update.forget_before(time);
    }

    /// Replaces the list of files that were not read: path and code of the reason. The last pair with a path wins.
    pub fn set_skipped(&mut self, skipped: &[(String, String)]) -> Result<(), WriteError> {
        let conn = self.conn()?;
        conn.execute("DELETE FROM skipped", [])?;
        let mut insert = conn.prepare_cached("INSERT OR REPLACE INTO skipped (path, reason) VALUES (?1, ?2)")?;
        for (path, reason) in skipped {
            insert.execute([path, reason])?;
        }
        Ok(())
    }

    /// Stores the rules that the index is built with from now on; see [`crate::Snapshot::rules`].
    pub fn set_rules(&mut self, rules: &str) -> Result<(), WriteError> {
        let conn = self.conn()?;
        let others =
            conn.prepare_cached("SELECT 1 FROM state WHERE rules IS NOT NULL AND rules <> ?1")?.exists([rules])?;
        if others {
            wordings::delete_orphans(conn)?;
        }
        conn.execute("UPDATE state SET rules = ?1", [rules])?;
        Ok(())
    }

    /// Leaves this batch out of the log of changes, so that derived indexes that have followed the index are rebuilt: for
    /// the first batches of an index, which none has followed, where the log would name every statement.
    pub fn restart_change_log(&mut self) {
        self.logged = false;
    }

    /// Stores a value under a key, until the index is rebuilt or reset.
    pub fn set_meta(&mut self, key: &str, value: &str) -> Result<(), WriteError> {
        self.conn()?.execute("INSERT OR REPLACE INTO meta (key, value) VALUES (?1, ?2)", [key, value])?;
        Ok(())
    }

    /// Prunes the change log up to and including the commit `through`, which every derived index must have processed.
    pub fn prune_changes(&mut self, through: u64) -> Result<(), WriteError> {
        let through = through.min(self.sequence).cast_signed();
        let conn = self.conn()?;
        conn.execute("DELETE FROM changes WHERE sequence <= ?1", [through])?;
        conn.execute("UPDATE state SET pruned = max(pruned, ?1)", [through])?;
        Ok(())
    }

    /// Commits the batch, durable and visible at once.
    ///
    /// The journal is committed first: a kill in between leaves it with a former place of a statement that still
    /// exists, which is harmless and recorded again when the batch is repeated. Otherwise a former place would be lost.
    ///
    /// # Errors
    /// [`WriteError`]; then the index is unchanged.
    pub fn commit(mut self) -> Result<CommitSummary, WriteError> {
        let left = std::mem::take(&mut self.left);
        let journal_update = std::mem::take(&mut self.journal_update);
        let claims_before = std::mem::take(&mut self.claims_before);
        let mut counted = self.counted;
        let conn = self.conn()?;

        let dropped = wordings::delete_unused(conn, left)?;

        let sequence = self.sequence + 1;
        if !self.logged {
            conn.execute("DELETE FROM changes", [])?;
            conn.execute("UPDATE state SET pruned = ?1", [sequence.cast_signed()])?;
        }
        let logged = self.touched.iter().copied().filter(|_| self.logged);
        conn.prepare_cached(
            "INSERT INTO changes (statement, sequence, deleted)
             SELECT value, ?2, NOT EXISTS (SELECT 1 FROM sources AS s WHERE s.statement = value)
             FROM json_each(?1) WHERE true
             ON CONFLICT (statement) DO UPDATE SET sequence = excluded.sequence, deleted = excluded.deleted",
        )?
        .execute(params![codec::encode_ids(logged), sequence.cast_signed()])?;
        conn.execute(
            "UPDATE state SET sequence = ?1, next_wording = ?2",
            [sequence.cast_signed(), self.wordings.next()],
        )?;

        let claims_now = counts::select_listed_claims(conn, claims_before.keys().copied())?;
        let none = ListedClaims::new();
        let (mut claims, mut new) = (Vec::new(), Vec::new());
        for (statement, then) in &claims_before {
            let now = claims_now.get(statement);
            counted.change_statement(then.is_some(), now.is_some());
            if then.is_none() && now.is_some() {
                new.push(*statement);
            }
            let (then, now) = (then.as_ref().unwrap_or(&none), now.unwrap_or(&none));
            let gone = then.keys().filter(|reading| !now.contains_key(*reading));
            for reading in now.keys().chain(gone) {
                let readers = |claims: &ListedClaims| claims.get(reading).copied().unwrap_or_default();
                let (before, now) = (readers(then), readers(now));
                if before != now {
                    let claim = codec::decode_claim(codec::decode_statement(*statement)?, reading)?;
                    claims.push(ClaimChange { claim, before, now });
                    counted.change_claim(before, now);
                }
            }
        }
        counted.write(conn)?;
        let count = |was: fn(ClaimReaders, ClaimReaders) -> bool| {
            claims.iter().filter(|change| was(change.before, change.now)).count()
        };
        let claims_added = count(|before, now| now.exist() && !before.exist());
        let claims_removed = count(|before, now| before.exist() && !now.exist());
        new.sort_unstable();

        let (conn, journal) = (self.batch.index()?, self.batch.journal()?);
        let forgotten =
            journal_write::write_update(conn, journal, &journal_update, &new, self.now).map_err(WriteError::Journal)?;
        conn.execute_batch("COMMIT")?;
        if self.words_gone || dropped > 0 || forgotten {
            self.batch.shared.unwiped.store(true, Ordering::Relaxed);
        }
        if self.batch.shared.unwiped.load(Ordering::Relaxed) && truncate_wal(conn) && truncate_wal(journal) {
            self.batch.shared.unwiped.store(false, Ordering::Relaxed);
        }
        let passages_gone = std::mem::take(&mut self.passages_gone);
        Ok(CommitSummary { sequence, claims_added, claims_removed, claims, passages_gone })
    }

    /// Records the claims that statements had when the batch began, before they are changed.
    fn record_prior_claims(&mut self, statements: BTreeSet<i64>) -> Result<(), ReadError> {
        let unmet: Vec<i64> = statements.into_iter().filter(|id| !self.claims_before.contains_key(id)).collect();
        let mut claims = counts::select_listed_claims(self.conn()?, unmet.iter().copied())?;
        self.claims_before.extend(unmet.into_iter().map(|id| (id, claims.remove(&id))));
        Ok(())
    }
}

fn decode_ids<'a>(numbers: impl Iterator<Item = &'a i64>) -> Result<Vec<StatementId>, ReadError> {
    numbers.map(|number| codec::decode_statement(*number)).collect()
}
