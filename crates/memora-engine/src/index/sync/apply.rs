//! Applies a plan: notes are read and written batch by batch, the next one read while one is written.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use memora_store::{CommitSummary, PassageKey, WriteError, Writer};
use memora_vault::{FoundNote, NotePath, ReadNoteError};

use crate::index::indexer::Indexer;
use crate::index::outcome::SyncOutcome;
use crate::index::progress::{SyncProgress, SyncStage};
use crate::index::sync::plan::SyncPlan;
use crate::index::sync::reading::{ContentChange, NoteReader, NoteReading};
use crate::index::sync::{SyncBound, SyncError};

/// Notes written in one batch. Between batches other processes may write, and Ctrl-C is checked.
const BATCH: usize = 256;

/// What a sync has to do, and how far it may go.
pub(super) struct SyncWork<'a> {
    pub(super) plan: SyncPlan,
    pub(super) started: Instant,
    pub(super) bound: SyncBound,
    pub(super) stop: &'a AtomicBool,
}

impl SyncWork<'_> {
    /// Whether a waiting reader has waited for enough notes, or for long enough.
    fn is_spent(&self, done: usize) -> bool {
        match self.bound {
            SyncBound::Reader { notes, time } if !self.plan.fresh_index && done > 0 => {
                done >= notes || self.started.elapsed() >= time
            }
            _ => false,
        }
    }

    fn batch_size(&self) -> usize {
        match self.bound {
            SyncBound::Reader { notes, .. } if !self.plan.fresh_index => notes.min(BATCH),
            _ => BATCH,
        }
    }

    /// Whether the next batch is read while one is written: not for a waiting reader, who may want no next.
    fn reads_ahead(&self) -> bool {
        self.plan.fresh_index || !matches!(self.bound, SyncBound::Reader { .. })
    }
}

/// The notes that are due, in batches.
struct DueNotes {
    notes: Vec<FoundNote>,
    /// How many of them were notes last time, or are new.
    likely: usize,
    batch: usize,
}

impl DueNotes {
    /// What a note was renamed to comes first, in one batch: the journal notes its former places with the note it became.
    /// Files that were no notes last time come last, and with the last of the others, however many they are: they are read
    /// each time, and must not keep a reader waiting for them.
    fn new(
        mut notes: Vec<FoundNote>,
        renames: &[(NotePath, NotePath)],
        old_skipped: &[(String, String)],
        size: usize,
    ) -> Self {
        let targets: HashSet<&NotePath> = renames.iter().map(|(_, to)| to).collect();
        let blank: HashSet<&str> = old_skipped.iter().map(|(path, _)| path.as_str()).collect();
        notes.sort_by_key(|found| (!targets.contains(&found.path), blank.contains(found.path.as_str())));
        let likely = notes.iter().filter(|found| !blank.contains(found.path.as_str())).count();
        Self { notes, likely, batch: size.max(targets.len()) }
    }

    fn len(&self) -> usize {
        self.notes.len()
    }

    fn batch_from(&self, start: usize) -> &[FoundNote] {
        let end = match start + self.batch {
            end if end < self.likely => end,
            _ => self.len(),
        };
        self.notes.get(start..end).unwrap_or_default()
    }
}

impl Indexer<'_> {
    /// Does what a plan says, as far as the bound goes. Returns the passages that left the index.
    pub(super) fn apply_plan(
        &mut self,
        mut work: SyncWork<'_>,
        old_skipped: &[(String, String)],
        synced: &mut SyncOutcome,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<HashSet<PassageKey>, SyncError> {
        let renames = self.find_renames(&work.plan)?;
        let due = DueNotes::new(std::mem::take(&mut work.plan.read), &renames, old_skipped, work.batch_size());
        let total = due.len();
        let mut skipped = std::mem::take(&mut work.plan.skipped);
        // Proposals are only opened where notes are due.
        let proposals = if total > 0 { Some(self.memora.store.proposals()?) } else { None };
        let (vault, config) = (&self.memora.vault, &self.memora.config);
        let mut reader = NoteReader { vault, config, known: &work.plan.known, proposals };
        let mut lost = HashSet::new();
        let (mut done, mut is_first, mut ahead) = (0, true, None);
        while is_first || done < total {
            if work.stop.load(Ordering::Relaxed) {
                synced.stopped = true;
                break;
            }
            if work.is_spent(done) {
                break;
            }
            let batch = due.batch_from(done);
            let read = match ahead.take() {
                Some(read) => read,
                None => reader.read_notes(batch)?,
            };
            tracing::trace!(notes = batch.len(), at_ms = work.started.elapsed().as_millis(), "read");
            if is_first && batch.len() == total && changes_nothing(&work.plan, &skipped, &read, old_skipped) {
                return Ok(lost);
            }
            let Some(mut writer) = self.memora.store.try_writer(jiff::Timestamp::now().as_second())? else {
                synced.locked = true;
                break;
            };
            let next = done + batch.len();
            let following = due.batch_from(next);
            let committed = thread::scope(|scope| {
                let reading =
                    (work.reads_ahead() && !following.is_empty()).then(|| scope.spawn(|| reader.read_notes(following)));
                if is_first {
                    write_departures(&mut writer, &work.plan, &renames, synced)?;
                }
                for (found, content) in read {
                    write_note(&mut writer, found, content, &mut skipped, synced)?;
                }
                let committed = commit_batch(writer, &work.plan, (next == total).then_some(&mut skipped))?;
                ahead = match reading.map(thread::ScopedJoinHandle::join) {
                    Some(Ok(read)) => Some(read?),
                    Some(Err(panic)) => std::panic::resume_unwind(panic),
                    None => None,
                };
                Ok::<_, SyncError>(committed)
            })?;
            tracing::trace!(at_ms = work.started.elapsed().as_millis(), "committed");
            synced.claims_added += committed.claims_added;
            synced.claims_removed += committed.claims_removed;
            synced.claims.extend(&committed.claims);
            lost.extend(committed.passages_gone);
            (done, is_first) = (next, false);
            progress(SyncProgress { stage: SyncStage::Notes, done, total });
        }
        synced.pending += total - done;
        Ok(lost)
    }
}

/// Whether nothing left, and the only notes that were read are those that could not be read last time either.
fn changes_nothing(
    plan: &SyncPlan,
    skipped: &[(String, String)],
    read: &[NoteReading<'_>],
    old_skipped: &[(String, String)],
) -> bool {
    if plan.fresh_index || !plan.gone.is_empty() || !plan.given_up.is_empty() {
        return false;
    }
    let mut skipped = skipped.to_vec();
    for (found, result) in read {
        match result.as_ref().map_err(ReadNoteError::skip_reason) {
            Err(Some(reason)) if !plan.known.contains_key(&found.path) => {
                skipped.push((found.path.as_str().to_owned(), reason.code().to_owned()));
            }
            _ => return false,
        }
    }
    skipped.sort();
    skipped == old_skipped
}

/// Writes what was renamed and what left.
fn write_departures(
    writer: &mut Writer,
    plan: &SyncPlan,
    renames: &[(NotePath, NotePath)],
    synced: &mut SyncOutcome,
) -> Result<(), WriteError> {
    for (from, to) in renames {
        writer.record_rename(from, to);
    }
    synced.renamed += renames.len();
    for path in &plan.gone {
        if plan.unreadable.contains(path) {
            writer.withdraw_note(path)?;
        } else {
            writer.remove_note(path)?;
        }
    }
    synced.removed += plan.gone.len();
    for path in &plan.given_up {
        writer.remove_note(path)?;
    }
    Ok(())
}

/// Commits a batch; the last one, with the files that were not read.
fn commit_batch(
    mut writer: Writer,
    plan: &SyncPlan,
    skipped_of_all: Option<&mut Vec<(String, String)>>,
) -> Result<CommitSummary, WriteError> {
    let is_last = skipped_of_all.is_some();
    if let Some(skipped) = skipped_of_all {
        skipped.sort();
        writer.set_skipped(skipped)?;
    }
    // The rules are those that every note of the index was read under. In a new index that is so from the first batch on, so
    // that after a kill the notes that are there need not be read again.
    if is_last || plan.fresh_index {
        writer.set_rules(&plan.rules)?;
    }
    if plan.fresh_index {
        writer.restart_change_log();
    }
    writer.commit()
}

/// Writes one note, or says why it is not read.
fn write_note(
    writer: &mut Writer,
    found: &FoundNote,
    content: Result<ContentChange, ReadNoteError>,
    skipped: &mut Vec<(String, String)>,
    synced: &mut SyncOutcome,
) -> Result<(), WriteError> {
    match content {
        Ok(ContentChange::Unchanged(hash)) => {
            // Where another process has written it meanwhile, it is looked at again.
            synced.pending += usize::from(!writer.update_file_stat(&found.path, hash, found.stat)?);
        }
        Ok(ContentChange::Changed(prepared)) => {
            writer.put_note(&prepared.record, &prepared.statements, &prepared.problems)?;
            writer.set_passages(&found.path, &prepared.passages)?;
            synced.changed += 1;
        }
        Err(error) => {
            if let Some(reason) = error.skip_reason() {
                skipped.push((found.path.as_str().to_owned(), reason.code().to_owned()));
            }
            let unreadable = matches!(error, ReadNoteError::Unreadable(_));
            let gone = if unreadable { writer.withdraw_note(&found.path)? } else { writer.remove_note(&found.path)? };
            synced.removed += usize::from(!gone.removed.is_empty());
        }
    }
    Ok(())
}
