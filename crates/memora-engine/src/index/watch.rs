//! Keeps up with a vault for as long as a process lives.
//!
//! [`Memora::watch`] returns a [`VaultWatch`], which collects changes; [`Memora::catch_up`] applies them. A
//! process that answers questions catches up before each, with [`SyncBound::READER`]; one that only keeps the index fresh
//! waits ([`VaultWatch::wait`]) and catches up with [`VaultWatch::next_round`]. Invariant: **no change that was seen
//! is lost.** Work that could not be done, because another process was writing or kept deleted words from being wiped,
//! the bound was reached or it failed, is dirty again.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime};

use memora_vault::{DirtySet, OpenVaultError, Waker, WatchLimitation, Watcher};

use crate::index::indexer::Indexer;
use crate::index::outcome::SyncOutcome;
use crate::index::progress::SyncProgress;
use crate::index::sync::{SyncBound, SyncError};
use crate::state::config::ConfigError;
use crate::state::open::{EngineOpenError, Memora};

/// The delay before unfinished work is tried again.
const RETRY: Duration = Duration::from_secs(2);

/// The first delay while another process is writing; it doubles each time, up to the other one.
const RETRY_LOCKED: Duration = Duration::from_millis(100);

/// A watched vault: the changes in it that are not indexed yet.
pub struct VaultWatch {
    watcher: Watcher,
    /// Statements that had no vector after the last round; nothing when that were no fewer than before it.
    vectors_due: Option<usize>,
    /// Whether the next round is to be thorough.
    thorough: bool,
    /// How often in a row another process was writing.
    locked: u32,
}

/// Why changes could not be indexed. Nothing is lost: they are tried again with the next [`Memora::catch_up`].
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
    /// What may have changed and is not indexed yet. Everything, before the first [`Memora::catch_up`].
    #[must_use]
    pub fn dirty(&self) -> DirtySet {
        self.watcher.dirty()
    }

    /// Why changes may be missed, if so: then a reader walks the vault each time, and [`VaultWatch::wait`] ends every few
    /// seconds.
    #[must_use]
    pub fn limitation(&self) -> Option<&WatchLimitation> {
        self.watcher.limitation()
    }

    /// Something that ends a [wait](VaultWatch::wait) from another thread.
    #[must_use]
    pub fn waker(&self) -> Waker {
        self.watcher.waker()
    }

    /// Waits until there are changes, `stop` is raised and the waker is used, or a time has come. See
    /// [`memora_vault::Watcher::wait_until_settled`].
    pub fn wait(&mut self, stop: &AtomicBool, at_last: Option<SystemTime>) {
        if self.vectors_due.is_none_or(|due| due == 0) {
            self.watcher.wait_until_settled(stop, at_last);
        }
    }

    /// Records the outcome of a round; `None` for a failed one.
    fn record_outcome(&mut self, began: Instant, dirty: DirtySet, bound: SyncBound, synced: Option<&SyncOutcome>) {
        match synced {
            Some(synced) if synced.partial => {}
            // A failed walk is not tried again at once either.
            _ => self.watcher.record_walk(began, synced.map_or_else(|| began.elapsed(), |synced| synced.walked)),
        }
        let vectors_before = self.vectors_due.take();
        let Some(synced) = synced else { return self.watcher.put_back(dirty, RETRY) };
        if synced.is_blocked() || synced.vectors_behind {
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
        // Vectors that cannot be made now would be tried for ever.
        let fewer = vectors_before.is_none_or(|before| synced.vectors_due < before);
        self.vectors_due = fewer.then_some(synced.vectors_due);
        self.thorough = match bound {
            SyncBound::All | SyncBound::Round { thorough: true } => fewer && synced.vectors_due > 0,
            SyncBound::Reader { .. } | SyncBound::Round { thorough: false } => self.thorough,
        };
    }

    /// The bound of the next round, for a process that syncs again and again: see [`SyncBound::Round`].
    #[must_use]
    pub fn next_round(&self) -> SyncBound {
        SyncBound::Round { thorough: self.thorough || self.watcher.dirty().is_everything() }
    }
}

impl Memora {
    /// Begins to watch the vault and the user's `config.toml`. With `poll` it is walked every few seconds instead.
    ///
    /// Never fails: where the system cannot watch it, it is walked too, and [`VaultWatch::limitation`] says why.
    #[must_use]
    pub fn watch(&self, poll: bool) -> VaultWatch {
        let config = self.config.config_dir.join("config.toml");
        let watcher = Watcher::start(&self.vault, Some(&config), poll);
        VaultWatch { watcher, vectors_due: None, thorough: true, locked: 0 }
    }

    /// Indexes the collected changes, within a bound; a reader walks the vault when it was not walked for a minute.
    ///
    /// Changed settings apply from here on, the user's own too: the vault is opened anew under them, and until they
    /// can be read the index stays as it is.
    pub fn catch_up(
        &mut self,
        watching: &mut VaultWatch,
        bound: SyncBound,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, CatchUpError> {
        let began = Instant::now();
        let dirty = watching.watcher.take_dirty(matches!(bound, SyncBound::Reader { .. }));
        let result = Indexer::new(self).apply_dirty(&dirty, bound, stop, progress);
        watching.record_outcome(began, dirty, bound, result.as_ref().ok());
        result
    }

    /// Ensures that the current rules and the current day apply from here on, whether or not a change was noticed. For
    /// a process that answers many questions.
    ///
    /// # Errors
    /// [`CatchUpError`]; then nothing may be shown.
    pub fn ensure_current_rules(&mut self, today: jiff::civil::Date) -> Result<(), CatchUpError> {
        self.config.today = today;
        if self.has_current_rules() { Ok(()) } else { Indexer::new(self).reopen() }
    }
}

impl Indexer<'_> {
    fn apply_dirty(
        &mut self,
        dirty: &DirtySet,
        bound: SyncBound,
        stop: &AtomicBool,
        progress: &mut dyn FnMut(SyncProgress),
    ) -> Result<SyncOutcome, CatchUpError> {
        if dirty.is_everything() {
            if !self.memora.config.is_as_read() {
                self.reopen()?;
            } else {
                self.memora.vault = self.memora.vault.reopen()?;
            }
        }
        Ok(self.sync_places(Some(dirty), bound, stop, progress)?)
    }

    /// Opens the same vault under the user's configuration as it is now.
    fn reopen(&mut self) -> Result<(), CatchUpError> {
        *self.memora = Memora::open(Some(self.memora.vault.root()), self.memora.config.reload()?)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
