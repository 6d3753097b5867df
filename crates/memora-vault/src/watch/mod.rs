//! When a vault changes: what the system says of it, gathered until it has been quiet for a moment.
//!
//! A [`Watcher`] hears of changes and keeps the places that may be others now ([`Dirty`]); [`Vault::look`] finds out what
//! is there. Nobody believes an event further than that: an editor that saves by renaming, a checkout, a synchronisation
//! all end as places to look at, and what a note says is told by its bytes. The one rule to know: **what may have been
//! missed makes everything dirty**, and so does whatever decides which notes there are.
//!
//! An idle watcher does nothing: it sleeps until the system wakes it, and looks at the clock once a minute. See
//! `docs/decisions/0014-watching.md`. Deliberately not here: reading and indexing, which are up to whoever takes what is
//! dirty.

mod blind;
mod dirty;
mod folders;
mod heard;
mod pace;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use notify::{Event, RecommendedWatcher, Watcher as _};

use crate::Vault;
use folders::WatchedFolders;
use heard::{ChangeScope, classify_event};
use pace::Debounce;

pub use blind::WatchLimitation;
pub use dirty::DirtySet;

/// How long a vault is trusted to be as it was heard to be: then a reader walks it, and whoever took in changes does.
const MINUTE: Duration = Duration::from_secs(60);

/// How often a vault is walked at most that cannot be watched.
const POLL_MIN: Duration = Duration::from_secs(2);

/// And how much longer than the walk itself the pause between two is, at least.
const POLL_SHARE: u32 = 50;

/// How much more time has to have passed than was slept here for the machine to have been asleep.
const SLEEP_TOLERANCE: Duration = Duration::from_secs(5);

/// Hears of changes to one vault, and keeps what is dirty until somebody takes it.
///
/// Begins with everything dirty. Stops when it is dropped.
pub struct Watcher {
    root: PathBuf,
    shared: Arc<WatchShared>,
    folders: WatchedFolders,
    native: Option<RecommendedWatcher>,
    /// Why changes may go unheard, for good.
    blind: Option<WatchLimitation>,
    /// Why some folders could not be watched when that was last tried.
    unwatched: Option<WatchLimitation>,
    /// When the last walk of the whole vault began, and how long it took.
    walked: Option<(Instant, Duration)>,
    /// Something was taken since then that was not everything.
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

    /// Makes something dirty, now.
    fn mark_dirty(&self, touch: impl FnOnce(&mut DirtySet)) {
        let mut state = self.lock();
        touch(&mut state.dirty);
        // Whoever waits knows of an earlier one, and looks again when that is due.
        if state.pace.record_event(Instant::now()) {
            self.changed.notify_all();
        }
    }
}

/// Ends a [`Watcher::wait`] from another thread.
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
    /// Begins to watch a vault, and the user's own settings file where one is named.
    ///
    /// Never fails: what cannot be watched is walked every few seconds instead, and [`Watcher::blind`] says why. With
    /// `poll` nothing is watched to begin with.
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

    /// Why changes may go unheard, if so: then the vault is walked every few seconds.
    #[must_use]
    pub fn limitation(&self) -> Option<&WatchLimitation> {
        self.blind.as_ref().or(self.unwatched.as_ref())
    }

    /// What may have changed and was not taken yet.
    #[must_use]
    pub fn dirty(&self) -> DirtySet {
        self.shared.lock().dirty.clone()
    }

    /// Takes what is dirty, settled or not. New folders are watched first, so that nothing falls between.
    ///
    /// For a `reader`, who wants to know how things are now, everything is dirty after a minute without a walk, and always
    /// where changes may go unheard.
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

    /// Gives back what was taken and could not be dealt with; it is due again after a pause.
    pub fn put_back(&self, dirty: DirtySet, pause: Duration) {
        let mut state = self.shared.lock();
        state.dirty.join(dirty);
        state.pace.postpone(Instant::now() + pause);
    }

    /// Notes that the whole vault was walked, or that this was tried, beginning at `at`, and that it took so long.
    pub fn record_walk(&mut self, at: Instant, took: Duration) {
        self.walked = Some((at, took));
        self.looked = false;
    }

    /// Something that ends a wait.
    #[must_use]
    pub fn waker(&self) -> Waker {
        Waker(Arc::clone(&self.shared))
    }

    /// Waits until what is dirty has settled, or `stop` is raised and somebody [wakes](Watcher::waker) it.
    ///
    /// 1. Changes have settled after a quarter of a second without another, or three fifths after the first.
    /// 2. Everything is dirty when the machine was asleep, every few seconds where changes may go unheard, and a minute
    ///    after a walk if something was taken since.
    /// 3. With `at_last`, it waits no longer than to that time, by the wall's clock.
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

    /// When the vault has to be walked though nothing was heard.
    fn walk_due(&self, now: Instant) -> Option<Instant> {
        let Some((at, took)) = self.walked else { return self.limitation().is_some().then_some(now) };
        if self.limitation().is_some() {
            return Some(at + took + POLL_MIN.max(took * POLL_SHARE));
        }
        self.looked.then_some(at + MINUTE)
    }
}

/// Whether more time has passed by the clock on the wall than while this process ran: some systems stop the other clock
/// when the machine sleeps, some only come back late.
fn was_asleep(asked: Duration, ran: Duration, wall: Duration) -> bool {
    wall > asked.min(ran) + SLEEP_TOLERANCE
}

/// Takes in what the system says, in the system's own thread: quickly, and without looking at any file.
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
