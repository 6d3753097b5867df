//! Keeps the index in step with the vault: changed notes are re-read, deleted ones withdrawn, renamed ones recognised.

mod apply;
mod plan;
mod reading;

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use apply::SyncWork;
use memora_claim::{NoteContent, detect_renames};
use memora_store::{ReadError, Snapshot, WriteError};
use memora_vault::{DirtySet, Hint, NotePath};
use plan::{SyncPlan, plan_sync};
use rayon::prelude::*;

use crate::index::claim_changes::ClaimChanges;
use crate::index::indexer::Indexer;
use crate::index::outcome::SyncOutcome;
use crate::index::prepare::{self, READER_VERSION};
use crate::index::progress::SyncProgress;
use crate::index::vectorize::VectorBudget;
use crate::state::lexical_indexes::DeriveError;
use crate::state::open::Memora;

/// How much a sync may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncBound {
    /// All that is due.
    All,
    /// A limit in notes and in time, for a waiting reader. A new index is always built completely.
    Reader {
        /// Notes read again at most.
        notes: usize,
        /// Time spent reading notes at most.
        time: Duration,
    },
    /// All notes that are due, and vectors for a limited time: a slow embedder must not keep the next change
    /// waiting. For processes that sync again and again.
    Round {
        /// Whether to begin vectors anew for an embedder that was just chosen, to rewrite files that hold deleted words, and,
        /// with a walk, to settle what models proposed.
        thorough: bool,
    },
}

/// How long vectors are made in a [`SyncBound::Round`].
const ROUND_TIME: Duration = Duration::from_secs(1);

impl SyncBound {
    /// What a question waits for: 64 notes or 200 milliseconds.
    pub const READER: Self = Self::Reader { notes: 64, time: Duration::from_millis(200) };

    fn is_thorough(self) -> bool {
        matches!(self, Self::All | Self::Round { thorough: true })
    }
}

/// Why the index could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum SyncError {
    /// The store could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The store could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The derived indexes could not be made.
    #[error(transparent)]
    Derive(#[from] DeriveError),
}

impl Hint for SyncError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Read(error) => error.hint(),
            Self::Write(error) => error.hint(),
            Self::Derive(error) => error.hint(),
        }
    }
}

/// A damaged database.
#[derive(Clone, Copy)]
enum Damaged {
    Index,
    Journal,
}

impl SyncError {
    /// The database that is damaged, so that making it anew may help.
    fn damaged(&self) -> Option<Damaged> {
        match self {
            Self::Read(ReadError::Damaged)
            | Self::Write(WriteError::Index(ReadError::Damaged))
            | Self::Derive(DeriveError::Store(ReadError::Damaged)) => Some(Damaged::Index),
            Self::Write(WriteError::Journal(ReadError::Damaged)) => Some(Damaged::Journal),
            _ => None,
        }
    }
}

impl Memora {
    /// Brings the index up to date with the vault, within a bound.
    ///
    /// Work is committed batch by batch: whenever it stops, by `stop`, by an error or by a kill, what was committed
    /// stays and the rest is due next time.
    ///
    /// An index or a journal that turns out to be damaged is set aside and made anew, once.
    pub fn sync(
        &mut self,
        bound: SyncBound,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, SyncError> {
        Indexer::new(self).sync_places(None, bound, stop, progress)
    }
}

impl Indexer<'_> {
    /// Brings the index up to date where only some places may have changed; walks the vault where reading those is not enough.
    pub(crate) fn sync_places(
        &mut self,
        places: Option<&DirtySet>,
        bound: SyncBound,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, SyncError> {
        let result = self.sync_once(places, bound, stop, progress);
        let Err(error) = result else { return result };
        match error.damaged() {
            Some(Damaged::Index) => self.memora.rebuild_index().map_err(|_| error)?,
            Some(Damaged::Journal) => self.memora.rebuild_journal().map_err(|_| error)?,
            None => return Err(error),
        }
        self.sync_once(None, bound, stop, progress)
    }

    fn sync_once(
        &mut self,
        places: Option<&DirtySet>,
        bound: SyncBound,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, SyncError> {
        let started = Instant::now();
        let rules = self.reading_rules();
        let before = self.memora.store.snapshot()?;
        // Under changed rules every note is due.
        let places = places.filter(|dirty| !dirty.is_everything() && before.rules() == Some(rules.as_str()));
        let look = places.and_then(|dirty| self.memora.vault.scan_places(dirty.places()));
        // Only a walk knows the passages of all notes. Proposals stored for passages that came after it are not part of
        // this sync, so the survey is before it.
        let survey = if look.is_none() && bound.is_thorough() { Some(self.survey_proposals(&before)?) } else { None };
        let (walk, snapshot) = match look {
            Some(look) => (look, before),
            None => {
                // Not held during the walk: text that other processes delete meanwhile could not be wiped.
                drop(before);
                let walk = self.memora.vault.walk();
                self.memora.ignore_problems.clone_from(&walk.problems);
                (walk, self.memora.store.snapshot()?)
            }
        };
        let walked = started.elapsed();
        let mut synced =
            SyncOutcome { unread: walk.unread, partial: walk.is_partial(), walked, ..SyncOutcome::default() };
        let old_skipped = snapshot.skipped_files()?;
        let plan = plan_sync(self.memora, &snapshot, walk, rules, &old_skipped, bound.is_thorough())?;
        synced.seen = plan.seen;
        if plan.fresh_index {
            synced.claims = ClaimChanges::of_new_index();
        }
        let work = SyncWork { plan, started, bound, stop };
        drop(snapshot);
        let lost = self.apply_plan(work, &old_skipped, &mut synced, progress)?;
        // A note that is still due may contain a passage that seems lost.
        if !synced.stopped && !synced.locked && synced.pending == 0 {
            match &survey {
                Some(survey) => self.settle_proposals(survey, &lost, synced.seen)?,
                None => self.forget_lost_proposals(&lost, synced.seen)?,
            }
        }
        let stored = started.elapsed();
        let snapshot = self.memora.store.snapshot()?;
        // Each has a snapshot of its own: a connection serves one thread.
        let of_words = self.memora.store.snapshot()?;
        let (indexes, semantic, store) = (&mut self.memora.indexes, &self.memora.semantic, &self.memora.store);
        let has_words = AtomicBool::new(false);
        // Told only once words are found: from then on the index can answer.
        let mut report_vectors = |made: SyncProgress| {
            if has_words.load(Ordering::Acquire) {
                progress(made);
            }
        };
        let (words, vectors) = thread::scope(|scope| {
            let told = &has_words;
            let words = scope.spawn(move || {
                let caught_up = indexes.catch_up(&of_words, bound.is_thorough());
                told.store(matches!(caught_up, Ok(true)), Ordering::Release);
                caught_up
            });
            let left = match bound {
                SyncBound::Reader { time, .. } => Some(time.saturating_sub(started.elapsed())),
                SyncBound::Round { .. } => Some(ROUND_TIME),
                SyncBound::All => None,
            };
            let budget = VectorBudget { left, thorough: bound.is_thorough(), stop };
            let vectors = semantic.catch_up(store, &snapshot, &budget, &mut report_vectors);
            let words = words.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Ok::<_, SyncError>((words?, vectors?))
        })?;
        synced.vectors_due = vectors.due;
        synced.stopped |= vectors.stopped;
        (synced.words_behind, synced.vectors_behind) = (!words, !vectors.followed);
        if words && vectors.followed && synced.pending == 0 {
            self.prune_changes(&snapshot)?;
        }
        drop(snapshot);
        synced.unwiped = !self.memora.store.wipe_deleted_words()?;
        synced.took = started.elapsed();
        tracing::debug!(
            seen = synced.seen,
            changed = synced.changed,
            removed = synced.removed,
            walked_ms = walked.as_millis(),
            stored_ms = stored.as_millis(),
            took_ms = synced.took.as_millis(),
            "synced"
        );
        Ok(synced)
    }

    /// A key of everything that decides how notes are read: when it changes, all are read again.
    fn reading_rules(&self) -> String {
        let relations = self.memora.config.extractor().relations().fingerprint();
        format!("{READER_VERSION}:{}:{relations:x}", self.memora.vault.rules_fingerprint().to_hex())
    }

    /// Which of the gone notes became which of the new ones.
    fn find_renames(&self, plan: &SyncPlan) -> Result<Vec<(NotePath, NotePath)>, SyncError> {
        if plan.gone.is_empty() || plan.read.is_empty() {
            return Ok(Vec::new());
        }
        let snapshot = self.memora.store.snapshot()?;
        let known = snapshot.note_stats()?;
        let mut vanished = Vec::new();
        for path in &plan.gone {
            let Some((_, hash)) = known.get(path) else { continue };
            let sources = snapshot.sources_of_note(path)?;
            let words = sources.iter().map(|source| source.wording.words.as_str());
            vanished.push(NoteContent::from_words(path, *hash, words));
        }
        let new = plan.read.par_iter().filter(|found| !known.contains_key(&found.path));
        let mut appeared: Vec<NoteContent> = new
            .filter_map(|found| {
                Some(prepare::note_contents(&prepare::read_found_note(&self.memora.vault, found).ok()?.0))
            })
            .collect();
        appeared.sort_by(|a, b| a.path().cmp(b.path()));
        let mut found = detect_renames(&vanished, &appeared);
        // The journal follows one path to one other: of a note that was split, to the part that got the most.
        found.dedup_by(|a, b| a.0 == b.0);
        Ok(found)
    }

    /// Forgets the log of changes that every derived index has taken in, on disk.
    fn prune_changes(&self, snapshot: &Snapshot) -> Result<(), SyncError> {
        const LONG: u64 = 64;
        let through = snapshot.sequence().min(self.memora.indexes.written_sequence(snapshot));
        // Every commit raises the sequence, this one too, so it is done rarely.
        if snapshot.sequence() % LONG == LONG - 1
            && let Some(mut writer) = self.memora.store.try_writer(jiff::Timestamp::now().as_second())?
        {
            writer.prune_changes(through)?;
            writer.commit()?;
        }
        Ok(())
    }
}
