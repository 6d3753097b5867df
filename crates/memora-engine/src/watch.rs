//! Keeping up with a vault for as long as a process lives.
//!
//! [`Memora::watch`] gives a [`Watching`], which hears of changes; [`Memora::catch_up`] takes in what it has heard. A
//! process that answers questions catches up before each, with [`Bound::READER`]; one that only keeps the index fresh
//! waits ([`Watching::wait`]) and catches up with [`Watching::next_round`]. The one rule to know: **nothing that was heard
//! is lost.** What could not be done, because another process was writing or kept deleted words from being wiped, the bound
//! was reached or it failed, is dirty again.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use memora_vault::{WatchLimitation, DirtySet, OpenVaultError, Waker, Watcher};

use crate::config::ConfigError;
use crate::sync::{SyncBound, SyncProgress, SyncError, SyncOutcome};
use crate::{EngineOpenError, Memora};

/// How long what could not be done waits before it is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// And at first, when another process is writing; each time twice as long, up to the other.
const RETRY_LOCKED: Duration = Duration::from_millis(100);

/// A vault that is watched: what changed in it and was not taken in yet.
pub struct VaultWatch {
    watcher: Watcher,
    /// Statements that had no vector after the last round; nothing when that were no fewer than before it.
    vectors_due: Option<usize>,
    /// Everything is to be gone through thoroughly in the next round.
    thorough: bool,
    /// How often in a row another process was writing.
    locked: u32,
}

/// Why what changed could not be taken in. Nothing is lost: it is tried again with the next [`Memora::catch_up`].
#[derive(Debug, thiserror::Error)]
pub enum CatchUpError {
    /// The user's configuration changed and cannot be read; the index stays as it is.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The vault's folder is not there or cannot be listed.
    #[error(transparent)]
    Vault(#[from] OpenVaultError),
    /// It could not be opened again under the changed configuration.
    #[error(transparent)]
    Open(#[from] EngineOpenError),
    /// The index.
    #[error(transparent)]
    Sync(#[from] SyncError),
}

impl VaultWatch {
    /// What may have changed and was not taken in yet. Everything, before the first [`Memora::catch_up`].
    #[must_use]
    pub fn dirty(&self) -> DirtySet {
        self.watcher.dirty()
    }

    /// Why changes may go unheard, if so: then a reader walks the vault each time, and [`Watching::wait`] ends every few
    /// seconds.
    #[must_use]
    pub fn limitation(&self) -> Option<&WatchLimitation> {
        self.watcher.limitation()
    }

    /// Something that ends a [wait](Watching::wait) from another thread.
    #[must_use]
    pub fn waker(&self) -> Waker {
        self.watcher.waker()
    }

    /// Waits until there is something to take in, `stop` is raised and somebody wakes it, or a time has come. See
    /// [`Watcher::wait`].
    pub fn wait(&mut self, stop: &AtomicBool, at_last: Option<SystemTime>) {
        if self.vectors_due.is_none_or(|due| due == 0) {
            self.watcher.wait_until_settled(stop, at_last);
        }
    }

    /// Notes what became of what was taken; nothing: it failed.
    fn record_outcome(&mut self, began: Instant, dirty: DirtySet, bound: SyncBound, synced: Option<&SyncOutcome>) {
        match synced {
            Some(synced) if synced.partial => {}
            // A walk that came to nothing is not tried again at once either.
            _ => self.watcher.record_walk(began, synced.map_or_else(|| began.elapsed(), |synced| synced.walked)),
        }
        let vectors_before = self.vectors_due.take();
        let Some(synced) = synced else { return self.watcher.put_back(dirty, RETRY) };
        if synced.locked || synced.behind {
            self.watcher.put_back(dirty, RETRY.min(RETRY_LOCKED.saturating_mul(2_u32.saturating_pow(self.locked))));
            self.locked = self.locked.saturating_add(1);
            return;
        }
        self.locked = 0;
        if synced.pending > 0 || synced.stopped {
            return self.watcher.put_back(dirty, Duration::ZERO);
        }
        if synced.unwiped {
            self.watcher.put_back(dirty, RETRY);
        }
        // What nobody can make now would be tried for ever.
        let fewer = vectors_before.is_none_or(|before| synced.vectors_due < before);
        self.vectors_due = fewer.then_some(synced.vectors_due);
        self.thorough = match bound {
            SyncBound::None | SyncBound::Round { thorough: true } => fewer && synced.vectors_due > 0,
            SyncBound::Reader { .. } | SyncBound::Round { thorough: false } => self.thorough,
        };
    }

    /// How much to do now, for whoever does all there is and comes again: see [`Bound::Round`].
    #[must_use]
    pub fn next_round(&self) -> SyncBound {
        SyncBound::Round { thorough: self.thorough || self.watcher.dirty().is_everything() }
    }
}

impl Memora {
    /// Begins to watch the vault and the user's `config.toml`. With `poll` it is walked every few seconds instead.
    ///
    /// Never fails: where the system cannot watch it, it is walked too, and [`Watching::blind`] says why.
    #[must_use]
    pub fn watch(&self, poll: bool) -> VaultWatch {
        let config = self.config.config_dir.join("config.toml");
        let watcher = Watcher::start(&self.vault, Some(&config), poll);
        VaultWatch { watcher, vectors_due: None, thorough: true, locked: 0 }
    }

    /// Takes in what was heard, within a bound; a reader walks the vault when it was not walked for a minute.
    ///
    /// Settings that changed hold from here on, the user's own too: the vault is opened anew under them, and until they
    /// can be read the index stays as it is.
    ///
    /// # Errors
    /// [`CatchUpError`].
    pub fn catch_up(
        &mut self,
        watching: &mut VaultWatch,
        bound: SyncBound,
        stop: &AtomicBool,
        talk: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, CatchUpError> {
        let began = Instant::now();
        let dirty = watching.watcher.take_dirty(matches!(bound, SyncBound::Reader { .. }));
        let result = self.apply_dirty(&dirty, bound, stop, talk);
        watching.record_outcome(began, dirty, bound, result.as_ref().ok());
        result
    }

    /// Sees to it that what follows goes by the rules and the day that hold now, whether or not a change of them was heard. For
    /// a process that answers many.
    ///
    /// # Errors
    /// [`CatchUpError`]; then nothing may be shown.
    pub fn ensure_current_rules(&mut self, today: jiff::civil::Date) -> Result<(), CatchUpError> {
        self.config.today = today;
        if self.has_current_rules() { Ok(()) } else { self.reopen() }
    }

    fn apply_dirty(
        &mut self,
        dirty: &DirtySet,
        bound: SyncBound,
        stop: &AtomicBool,
        talk: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, CatchUpError> {
        if dirty.is_everything() {
            if !self.config.is_as_read() {
                self.reopen()?;
            } else {
                self.vault = self.vault.reopen()?;
            }
        }
        Ok(self.sync_places(Some(dirty), bound, stop, talk)?)
    }

    /// Opens the same vault under the user's configuration as it is now.
    fn reopen(&mut self) -> Result<(), CatchUpError> {
        *self = Self::open(Some(self.vault.root()), self.config.reload()?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
