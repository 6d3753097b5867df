//! Who writes and reads memory, and what one connection did with it so far.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::civil::DateTime;
use memora_memory::{Item, MemoryId, SAVES_MAX};
use memora_vault::NotePath;

use crate::remember::error::MemoryError;
use crate::state::open::Memora;

/// What one connection, or one command, did with memory so far.
#[derive(Debug)]
pub struct MemorySession {
    pub(super) id: String,
    pub(super) saves: AtomicUsize,
    /// What was written and may not be indexed yet: of an item the names of those that it supersedes; `None` for what has to be read.
    written: Mutex<HashMap<NotePath, Option<Vec<String>>>>,
}

/// The agent that a command acts as which is read through a pipe, and names none.
pub const SHELL_AGENT: &str = "shell";

/// Who writes and reads memory.
#[derive(Clone, Debug)]
pub struct MemoryWriter {
    /// The agent's name; `None` for the user at a terminal.
    pub agent: Option<String>,
    /// The slug of the project, if there is one.
    pub project: Option<String>,
    /// The local time.
    pub at: DateTime,
}

impl MemoryWriter {
    /// The user, in no project, today.
    #[must_use]
    pub fn user(memora: &Memora) -> Self {
        Self { agent: None, project: None, at: memora.config.today.to_datetime(jiff::Zoned::now().time()) }
    }
}

impl Default for MemorySession {
    fn default() -> Self {
        let id = random_id().map_or_else(|_| "session".to_owned(), |id| id.to_string());
        Self { id, saves: AtomicUsize::new(0), written: Mutex::default() }
    }
}

impl MemorySession {
    /// A session of this name: what is recalled in it twice counts once.
    #[must_use]
    pub fn named(id: &str) -> Self {
        Self { id: id.to_owned(), ..Self::default() }
    }

    pub(super) fn saves_left(&self) -> usize {
        SAVES_MAX.saturating_sub(self.saves.load(Ordering::Relaxed))
    }

    pub(super) fn count_save(&self) {
        self.saves.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a file may not be indexed yet.
    pub(super) fn note_written(&self, path: &NotePath) {
        self.lock_written().insert(path.clone(), None);
    }

    /// The same of a new item.
    pub(super) fn note_item_written(&self, path: &NotePath, item: &Item) {
        self.lock_written().insert(path.clone(), Some(item.supersedes.clone()));
    }

    pub(super) fn written(&self) -> Vec<NotePath> {
        self.written_where(|_| true)
    }

    /// The files that were written, but for those that are known not to supersede the item of a name.
    pub(super) fn written_superseding(&self, stem: &str) -> Vec<NotePath> {
        self.written_where(|supersedes| supersedes.is_none_or(|old| old.iter().any(|old| old == stem)))
    }

    fn written_where(&self, is_wanted: impl Fn(Option<&Vec<String>>) -> bool) -> Vec<NotePath> {
        let written = self.lock_written();
        let wanted = written.iter().filter(|(_, supersedes)| is_wanted(supersedes.as_ref()));
        let mut paths: Vec<NotePath> = wanted.map(|(path, _)| path.clone()).collect();
        paths.sort();
        paths
    }

    fn lock_written(&self) -> MutexGuard<'_, HashMap<NotePath, Option<Vec<String>>>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn random_id() -> Result<MemoryId, MemoryError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| MemoryError::Random)?;
    Ok(MemoryId::from_random(u64::from_le_bytes(bytes)))
}
