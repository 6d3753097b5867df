//! Watches a vault: collects change events until they have settled.
//!
//! A [`Watcher`] receives events and keeps the places that may have changed ([`DirtySet`]); `Vault::scan_places` finds out what
//! is there. An event is trusted no further: saving by rename, a checkout, a synchronisation all end as places to scan,
//! and notes are compared by their bytes. Invariant: **a possibly missed event makes everything dirty**, and so does a
//! change of settings or ignore files.
//!
//! An idle watcher does nothing: it sleeps until the system wakes it, and checks the time once a minute. See
//! `docs/decisions/0014-watching.md`. Out of scope: reading and indexing, which are up to the caller that takes the
//! dirty places.

mod debounce;
mod dirty;
mod events;
mod fallback;
mod folders;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use notify::{Event, RecommendedWatcher, Watcher as _};

use crate::Vault;
use debounce::Debounce;
use events::{ChangeScope, classify_event};
use folders::WatchedFolders;

pub use dirty::DirtySet;
pub use fallback::WatchLimitation;

/// How long events alone are trusted: then a reader walks the vault, and so does a watcher that has indexed changes.
const MINUTE: Duration = Duration::from_secs(60);

/// The minimum time between two walks of a vault that cannot be watched.
const POLL_MIN: Duration = Duration::from_secs(2);

/// The minimum pause between two walks, as a multiple of a walk's duration.
const POLL_SHARE: u32 = 50;

/// Extra wall-clock time, beyond the time slept here, from which the machine counts as having been asleep.
const SLEEP_TOLERANCE: Duration = Duration::from_secs(5);

/// Receives changes to one vault, and keeps dirty places until they are taken.
///
/// Begins with everything dirty. Stops when it is dropped.
pub struct Watcher {
    root: PathBuf,
    shared: Arc<WatchShared>,
    folders: WatchedFolders,
    native: Option<RecommendedWatcher>,
    /// Why changes may be missed, permanently.
    blind: Option<WatchLimitation>,
    /// Why some folders could not be watched when that was last tried.
    unwatched: Option<WatchLimitation>,
    /// When the last walk of the whole vault began, and how long it took.
    walked: Option<(Instant, Duration)>,
    /// Whether a partial set of changes was taken since then.
    looked: bool,
}

#[derive(Default)]
struct WatchShared {
    state: Mutex<WatchState>,
    changed: Condvar,
}

#[derive(Default)]
struct WatchState {
    dirty: DirtySet,
    pace: Debounce,
}

impl WatchShared {
    fn lock(&self) -> MutexGuard<'_, WatchState> {
        // What panicked while it was held was no change of ours.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Marks something dirty as of now.
    fn mark_dirty(&self, touch: impl FnOnce(&mut DirtySet)) {
        let mut state = self.lock();
        touch(&mut state.dirty);
        // A waiting thread knows of an earlier event, and checks again when that is due.
        if state.pace.record_event(Instant::now()) {
            self.changed.notify_all();
        }
    }
}

/// Ends a [`Watcher::wait_until_settled`] from another thread.
#[derive(Clone)]
pub struct Waker(Arc<WatchShared>);

impl Waker {
    /// Has the wait look at its flag now.
    pub fn wake(&self) {
        // Under the lock, so that it falls into no gap between looking at the flag and going to sleep.
        let _state = self.0.lock();
        self.0.changed.notify_all();
    }
}

impl Watcher {
    /// Starts watching a vault, and the user's own settings file if one is given.
    ///
    /// Never fails: a vault that cannot be watched is walked every few seconds instead, and [`Watcher::limitation`] says
    /// why. With `poll`, nothing is watched at all.
    #[must_use]
    pub fn start(vault: &Vault, config: Option<&Path>, poll: bool) -> Self {
        let shared = Arc::new(WatchShared::default());
        shared.mark_dirty(DirtySet::mark_everything);
        let mut watcher = Self {
            root: vault.root().to_owned(),
            shared,
            folders: WatchedFolders::default(),
            native: None,
            blind: poll.then_some(WatchLimitation::PollRequested),
            unwatched: None,
            walked: None,
            looked: false,
        };
        if !poll {
            watcher.start_native_watch(config);
        }
        watcher
    }

    fn start_native_watch(&mut self, config: Option<&Path>) {
        let (shared, root) = (Arc::clone(&self.shared), self.root.clone());
        // Events have absolute paths.
        let settings = config.and_then(|path| std::path::absolute(path).ok());
        let settings_folder = settings.as_deref().and_then(Path::parent).map(Path::to_owned);
        let hear = move |event: notify::Result<Event>| handle_event(&shared, &root, settings.as_deref(), event);
        // Followed links could lead out of the vault, and round in circles.
        match RecommendedWatcher::new(hear, notify::Config::default().with_follow_symlinks(false)) {
            Ok(native) => self.native = Some(native),
            Err(error) => return self.blind = Some(WatchLimitation::from_error(&error)),
        }
        if let (Some(native), Some(folder)) = (&mut self.native, settings_folder) {
            // Where it is not there yet, there is nothing to hear; a walk looks at the file itself.
            drop(native.watch(&folder, notify::RecursiveMode::NonRecursive));
        }
        self.blind = WatchLimitation::detect_remote(&self.root);
    }

    /// Returns why changes may be missed, if so: then the vault is walked every few seconds.
    #[must_use]
    pub fn limitation(&self) -> Option<&WatchLimitation> {
        self.blind.as_ref().or(self.unwatched.as_ref())
    }

    /// Returns what may have changed and was not taken yet.
    #[must_use]
    pub fn dirty(&self) -> DirtySet {
        self.shared.lock().dirty.clone()
    }

    /// Takes what is dirty, settled or not. New folders are watched first, so that no change is lost in between.
    ///
    /// For a `reader`, which needs the current state, everything is dirty after a minute without a walk, and always if
    /// changes may be missed.
    pub fn take_dirty(&mut self, reader: bool) -> DirtySet {
        let mut dirty = {
            let mut state = self.shared.lock();
            state.pace = Debounce::default();
            std::mem::take(&mut state.dirty)
        };
        let trusted = self.limitation().is_none() && self.walked.is_some_and(|(at, _)| at.elapsed() < MINUTE);
        if reader && !trusted {
            dirty.mark_everything();
        }
        if let Some(native) = &mut self.native {
            match self.folders.watch_dirty(native, &self.root, &dirty) {
                Ok(()) if dirty.is_everything() => self.unwatched = None,
                Ok(()) => {}
                Err(blind) => self.unwatched = Some(blind),
            }
        }
        self.looked |= !dirty.is_clean();
        dirty
    }

    /// Puts back changes that could not be processed; they are due again after a pause.
    pub fn put_back(&self, dirty: DirtySet, pause: Duration) {
        let mut state = self.shared.lock();
        state.dirty.join(dirty);
        state.pace.postpone(Instant::now() + pause);
    }

    /// Records that a walk of the whole vault, successful or not, began at `at` and took so long.
    pub fn record_walk(&mut self, at: Instant, took: Duration) {
        self.walked = Some((at, took));
        self.looked = false;
    }

    /// Returns a handle that ends a wait.
    #[must_use]
    pub fn waker(&self) -> Waker {
        Waker(Arc::clone(&self.shared))
    }

    /// Waits until changes have settled, or `stop` is set and the thread is [woken](Watcher::waker).
    ///
    /// 1. Changes have settled after 250 ms without another one, or 600 ms after the first.
    /// 2. Everything is dirty when the machine was asleep, every few seconds where changes may go unheard, and a minute
    ///    after a walk if something was taken since.
    /// 3. With `at_last`, it waits until that wall-clock time at most.
    pub fn wait_until_settled(&mut self, stop: &AtomicBool, at_last: Option<SystemTime>) {
        let shared = Arc::clone(&self.shared);
        let mut state = shared.lock();
        while !stop.load(Ordering::Relaxed) {
            let now = Instant::now();
            let walk = self.walk_due(now);
            if walk.is_some_and(|due| due <= now) {
                state.dirty.mark_everything();
                return;
            }
            let due = (!state.dirty.is_clean()).then(|| state.pace.due_at().unwrap_or(now));
            if due.is_some_and(|due| due <= now) {
                return;
            }
            let left = at_last.map(|at| at.duration_since(SystemTime::now()).unwrap_or_default());
            if left.is_some_and(|left| left.is_zero()) {
                return;
            }
            let at_last = left.and_then(|left| now.checked_add(left));
            let until = [walk, due, at_last, Some(now + MINUTE)].into_iter().flatten().min().unwrap_or(now);
            let asked = until.saturating_duration_since(now);
            let wall = SystemTime::now();
            state = shared.changed.wait_timeout(state, asked).unwrap_or_else(PoisonError::into_inner).0;
            if was_asleep(asked, now.elapsed(), wall.elapsed().unwrap_or_default()) {
                tracing::debug!("the machine was asleep");
                state.dirty.mark_everything();
                state.pace.record_event(Instant::now());
            }
        }
    }

    /// When the vault has to be walked even without an event.
    fn walk_due(&self, now: Instant) -> Option<Instant> {
        let Some((at, took)) = self.walked else { return self.limitation().is_some().then_some(now) };
        if self.limitation().is_some() {
            return Some(at + took + POLL_MIN.max(took * POLL_SHARE));
        }
        self.looked.then_some(at + MINUTE)
    }
}

/// Whether more wall-clock time has passed than this process ran: some systems stop the monotonic clock while the
/// machine sleeps, some only wake up late.
fn was_asleep(asked: Duration, ran: Duration, wall: Duration) -> bool {
    wall > asked.min(ran) + SLEEP_TOLERANCE
}

/// Handles an event in the system's own thread: quickly, and without touching any file.
fn handle_event(shared: &WatchShared, root: &Path, config: Option<&Path>, event: notify::Result<Event>) {
    let event = match event {
        Ok(event) => event,
        Err(error) => {
            tracing::debug!(why = WatchLimitation::from_error(&error).code(), "changes may have been missed");
            return shared.mark_dirty(DirtySet::mark_everything);
        }
    };
    if event.need_rescan() {
        return shared.mark_dirty(DirtySet::mark_everything);
    }
    for path in &event.paths {
        match classify_event(root, config, &event.kind, path) {
            ChangeScope::Nothing => {}
            ChangeScope::Everything => shared.mark_dirty(DirtySet::mark_everything),
            ChangeScope::Settings => shared.mark_dirty(DirtySet::mark_settings),
            ChangeScope::Place(place) => shared.mark_dirty(|dirty| dirty.mark_place(place)),
        }
    }
}
