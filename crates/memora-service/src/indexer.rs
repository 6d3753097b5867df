//! Background indexing, so that each request waits for only a bounded part of it.
//!
//! A service starts indexing after a grace period for a protocol's handshake, or at the first request. A reader wakes it if
//! more is due than a question may wait for. Several services on one vault take turns: one that finds the index locked
//! waits, and then has little left to do.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memora_engine::report::Freshness;
use memora_engine::{FoundVault, Memora, SyncBound, SyncProgress, SyncStage};
use tokio::sync::watch;

/// The delay between attempts while another process is writing.
const RETRY_DELAY: Duration = Duration::from_millis(200);

/// The longest delay between attempts.
const RETRY_DELAY_MAX: Duration = Duration::from_secs(5);

/// The time that requests wait while another process writes nothing but the words of statements that are stored.
const WORDS_TIMEOUT: Duration = Duration::from_secs(10);

/// The grace period for a protocol's handshake, before indexing starts beside it.
const HANDSHAKE_GRACE: Duration = Duration::from_millis(500);

/// How far a round of indexing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexProgress {
    /// The number of notes indexed in this round.
    pub done: usize,
    /// The number of notes that this round has to index.
    pub total: usize,
}

/// The indexer's state, shared with the threads that wait for it.
#[derive(Debug, Default)]
pub(crate) struct BackgroundIndexer {
    state: Mutex<IndexerState>,
    changed: Condvar,
    /// The progress, for those that subscribed to it.
    progress: watch::Sender<IndexProgress>,
    stop: AtomicBool,
    /// The requests that are being answered.
    answering: AtomicUsize,
}

/// A request that is being answered, until it is dropped.
pub(crate) struct AnsweringGuard<'i>(&'i BackgroundIndexer);

impl Drop for AnsweringGuard<'_> {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::Relaxed);
        // A thread that holds the lock has checked the count, or will.
        drop(self.0.lock_state());
        self.0.changed.notify_all();
    }
}

#[derive(Clone, Copy, Debug)]
struct IndexerState {
    /// No request has arrived yet.
    held: bool,
    /// Indexing is due.
    due: bool,
    /// Notes are being indexed.
    busy: bool,
    /// The first round is over.
    begun: bool,
    progress: IndexProgress,
}

impl Default for IndexerState {
    fn default() -> Self {
        Self { held: true, due: true, busy: true, begun: false, progress: IndexProgress::default() }
    }
}

impl BackgroundIndexer {
    /// Runs a round whenever one is due, until stopped; each round reads the current rules.
    pub(crate) fn run(&self, vault: &FoundVault) {
        while self.wait_until_due() {
            let round = || vault.open().map(|mut memora| self.run_round(&mut memora));
            match catch_unwind(AssertUnwindSafe(round)) {
                Ok(Ok(())) => {}
                // The next request meets the same error and reports it.
                Ok(Err(_)) => tracing::error!("the vault could not be opened to be indexed"),
                // What is not indexed yet is due again when a reader asks for it.
                Err(_) => tracing::error!("a round of indexing panicked"),
            }
            self.mark_readable();
        }
    }

    /// Releases the waiting readers: the notes are indexed as far as this round goes.
    fn mark_readable(&self) {
        let mut state = self.lock_state();
        (state.busy, state.begun) = (false, true);
        drop(state);
        self.changed.notify_all();
    }

    /// Requests another round, for more work than a question waits for.
    pub(crate) fn request_round(&self) {
        self.lock_state().due = true;
        self.changed.notify_all();
    }

    /// Announces that a request is being answered: what only improves later answers waits until it is.
    pub(crate) fn begin_answering(&self) -> AnsweringGuard<'_> {
        self.answering.fetch_add(1, Ordering::Relaxed);
        AnsweringGuard(self)
    }

    /// Waits until no request is being answered; returns whether another round is due meanwhile.
    fn wait_for_quiet(&self) -> bool {
        let busy = |state: &mut IndexerState| {
            !state.due && self.answering.load(Ordering::Relaxed) > 0 && !self.stop.load(Ordering::Relaxed)
        };
        let waited = self.changed.wait_while(self.lock_state(), busy);
        waited.unwrap_or_else(PoisonError::into_inner).due
    }

    /// Stops the indexer between two batches of notes.
    pub(crate) fn request_stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // A thread that holds the lock has checked the flag, or will.
        drop(self.lock_state());
        self.changed.notify_all();
    }

    /// Waits until the first round is over, at most for `patience`.
    pub(crate) fn wait_for_first_round(&self, patience: Duration, stop: &AtomicBool) {
        let began = Instant::now();
        let mut state = self.lock_state();
        if state.held {
            state.held = false;
            self.changed.notify_all();
        }
        while !state.begun && !stop.load(Ordering::Relaxed) && began.elapsed() < patience {
            let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
    }

    /// Returns the progress while notes are being indexed; readers then need not catch up themselves.
    pub(crate) fn freshness(&self) -> Option<Freshness> {
        let state = *self.lock_state();
        state
            .busy
            .then(|| Freshness { fresh: false, pending: state.progress.total.saturating_sub(state.progress.done) })
    }

    /// Subscribes to progress, from now on.
    pub(crate) fn subscribe_progress(&self) -> watch::Receiver<IndexProgress> {
        self.progress.subscribe()
    }

    fn lock_state(&self) -> MutexGuard<'_, IndexerState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a round is due; returns false when the indexer is to stop.
    fn wait_until_due(&self) -> bool {
        let began = Instant::now();
        let mut state = self.lock_state();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            let grace = HANDSHAKE_GRACE.saturating_sub(began.elapsed());
            if state.held && !grace.is_zero() {
                let waited = self.changed.wait_timeout(state, grace);
                state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
                continue;
            }
            if state.due {
                state.held = false;
                *state = IndexerState { due: false, busy: true, progress: IndexProgress::default(), ..*state };
                return true;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Indexes everything that is due.
    fn run_round(&self, memora: &mut Memora) {
        let mut report = |progress: SyncProgress| match progress.stage {
            SyncStage::Notes => {
                let progress = IndexProgress { done: progress.done, total: progress.total };
                self.lock_state().progress = progress;
                self.progress.send_replace(progress);
                self.changed.notify_all();
            }
            // The remaining vectors only improve ranking.
            SyncStage::Vectors => self.mark_readable(),
        };
        let (began, mut delay) = (Instant::now(), RETRY_DELAY);
        while !self.stop.load(Ordering::Relaxed) {
            match memora.sync(SyncBound::All, &self.stop, &mut report) {
                Ok(synced) if synced.is_blocked() => {
                    // The statements are there; a process that holds the words for long must not hold up every request.
                    if !synced.locked && began.elapsed() > WORDS_TIMEOUT {
                        self.mark_readable();
                        delay = (delay * 2).min(RETRY_DELAY_MAX);
                    }
                    let state = self.lock_state();
                    drop(self.changed.wait_timeout(state, delay));
                }
                Ok(_) => {
                    // Nothing else is due, so passages are read ahead of questions. Single statements are not: no client's question compares
                    // more of them than it can wait for.
                    self.mark_readable();
                    if let Err(error) = memora.precompute_passages(&self.stop, &mut |_, _| !self.wait_for_quiet()) {
                        tracing::debug!(%error, "passages were not read ahead");
                    }
                    return;
                }
                Err(_) => {
                    tracing::error!("the index could not be brought up to date");
                    return;
                }
            }
        }
    }
}
