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
    /// What was written and may not be indexed yet.
    pub(super) written: Mutex<HashMap<NotePath, WrittenFile>>,
}

/// What is known of a file that was written.
#[derive(Clone, Debug)]
pub(super) enum WrittenFile {
    /// An item, and the names of those that it supersedes.
    Item(Vec<String>),
    /// Nothing: it has to be read.
    Other,
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
        self.lock_written().insert(path.clone(), WrittenFile::Other);
    }

    /// The same of a new item.
    pub(super) fn note_item_written(&self, path: &NotePath, item: &Item) {
        self.lock_written().insert(path.clone(), WrittenFile::Item(item.supersedes.clone()));
    }

    pub(super) fn written(&self) -> Vec<NotePath> {
        let mut paths: Vec<NotePath> = self.lock_written().keys().cloned().collect();
        paths.sort();
        paths
    }

    /// The files that were written, but for those that are known not to supersede the item of a name.
    pub(super) fn written_superseding(&self, stem: &str) -> Vec<NotePath> {
        let may = |file: &WrittenFile| match file {
            WrittenFile::Item(supersedes) => supersedes.iter().any(|old| old == stem),
            WrittenFile::Other => true,
        };
        let mut paths: Vec<NotePath> =
            self.lock_written().iter().filter(|(_, file)| may(file)).map(|(path, _)| path.clone()).collect();
        paths.sort();
        paths
    }

    pub(super) fn lock_written(&self) -> MutexGuard<'_, HashMap<NotePath, WrittenFile>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub(super) fn random_id() -> Result<MemoryId, MemoryError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| MemoryError::Random)?;
    Ok(MemoryId::from_random(u64::from_le_bytes(bytes)))
}
