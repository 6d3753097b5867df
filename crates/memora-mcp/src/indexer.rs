//! Making the index in the background, so that nobody waits for more than a bounded part of it.
//!
//! A server begins with it when its client had a moment to hear of the tools, or asks for something. It is woken whenever a
//! reader found more due than a question may wait for. Several servers on one vault take turns: who finds another writing
//! waits, and then finds little to do.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use memora_engine::report::Freshness;
use memora_engine::{FoundVault, Memora, SyncBound, SyncProgress, SyncStage};
use tokio::sync::watch;

/// How long the indexer waits before it tries again, while another process is writing.
const RETRY: Duration = Duration::from_millis(200);

/// How long a client may take over the handshake and the list of tools before notes are read beside it.
const GRACE: Duration = Duration::from_millis(500);

/// What the indexer is at, for those who wait for it.
#[derive(Debug, Default)]
pub(crate) struct Indexing {
    state: Mutex<State>,
    changed: Condvar,
    /// Notes done and in all, for clients that want to hear it.
    told: watch::Sender<(usize, usize)>,
    stop: AtomicBool,
}

#[derive(Clone, Copy, Debug)]
struct State {
    /// Nobody has asked for anything yet.
    held: bool,
    /// There is something to do.
    due: bool,
    /// Notes are being read.
    busy: bool,
    /// The first round is over.
    begun: bool,
    done: usize,
    total: usize,
}

impl Default for State {
    fn default() -> Self {
        Self { held: true, due: true, busy: true, begun: false, done: 0, total: 0 }
    }
}

impl Indexing {
    /// Indexes whenever that is due, until it is told to end; each time under the rules that hold then.
    pub(crate) fn run(&self, vault: &FoundVault) {
        while self.wait_until_due() {
            match vault.open() {
                Ok(mut memora) => self.round(&mut memora),
                // Whoever asks next meets the same, and is told.
                Err(_) => tracing::error!("the vault could not be opened to be indexed"),
            }
            self.can_be_asked();
        }
    }

    /// Whoever waits may ask: the notes are read, as far as they will be in this round.
    fn can_be_asked(&self) {
        let mut state = self.state();
        (state.busy, state.begun) = (false, true);
        drop(state);
        self.changed.notify_all();
    }

    /// Has more done than a question waits for.
    pub(crate) fn wake(&self) {
        self.state().due = true;
        self.changed.notify_all();
    }

    /// Ends it, between two batches of notes.
    pub(crate) fn end(&self) {
        self.stop.store(true, Ordering::Relaxed);
        // Whoever holds the lock has looked at the flag, or will.
        drop(self.state());
        self.changed.notify_all();
    }

    /// Waits for the first round, but no longer than that.
    pub(crate) fn wait_for_first(&self, patience: Duration, stop: &AtomicBool) {
        let began = Instant::now();
        let mut state = self.state();
        if state.held {
            state.held = false;
            self.changed.notify_all();
        }
        while !state.begun && !stop.load(Ordering::Relaxed) && began.elapsed() < patience {
            let waited = self.changed.wait_timeout(state, Duration::from_millis(50));
            state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
        }
    }

    /// How far it is, while notes are being read; then nobody else need try.
    pub(crate) fn freshness(&self) -> Option<Freshness> {
        let state = *self.state();
        state.busy.then(|| Freshness { fresh: false, pending: state.total.saturating_sub(state.done) })
    }

    /// Hears how many notes are done and in all, from now on.
    pub(crate) fn listen(&self) -> watch::Receiver<(usize, usize)> {
        self.told.subscribe()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there is something to do; not when it is to end.
    fn wait_until_due(&self) -> bool {
        let began = Instant::now();
        let mut state = self.state();
        loop {
            if self.stop.load(Ordering::Relaxed) {
                return false;
            }
            let grace = GRACE.saturating_sub(began.elapsed());
            if state.held && !grace.is_zero() {
                let waited = self.changed.wait_timeout(state, grace);
                state = waited.map_or_else(|poisoned| poisoned.into_inner().0, |(state, _)| state);
                continue;
            }
            if state.due {
                state.held = false;
                *state = State { due: false, busy: true, done: 0, total: 0, ..*state };
                return true;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Takes in all there is.
    fn round(&self, memora: &mut Memora) {
        let mut talk = |progress: SyncProgress| match progress.stage {
            SyncStage::Notes => {
                let mut state = self.state();
                (state.done, state.total) = (progress.done, progress.total);
                self.told.send_replace((progress.done, progress.total));
                drop(state);
                self.changed.notify_all();
            }
            // What is left makes ranks better.
            SyncStage::Vectors => self.can_be_asked(),
        };
        while !self.stop.load(Ordering::Relaxed) {
            match memora.sync(SyncBound::None, &self.stop, &mut talk) {
                Ok(synced) if synced.locked => {
                    let state = self.state();
                    drop(self.changed.wait_timeout(state, RETRY));
                }
                Ok(_) => {
                    // Nothing else is to do, and nobody waits: what may be asked about is read ahead.
                    self.can_be_asked();
                    if let Err(error) = memora.precompute_token_vectors(&self.stop, &mut |_, _| !self.state().due) {
                        tracing::debug!(%error, "what may be asked about was not read ahead");
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
