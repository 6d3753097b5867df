//! The notes as they are on disk, each read once in a session.

use std::collections::BTreeSet;
use std::thread;

use elsa::FrozenMap;
use memora_claim::ParsedNote;
use memora_vault::{Note, NotePath, ReadNoteError, Vault};

/// The notes that a session has read.
pub(crate) struct NoteCache<'m> {
    vault: &'m Vault,
    notes: FrozenMap<NotePath, Box<Result<ParsedNote, ReadNoteError>>>,
}

/// Maximum number of threads that read notes: more wait for the disk and for each other.
const READERS_MAX: usize = 8;

impl<'m> NoteCache<'m> {
    pub(crate) fn new(vault: &'m Vault) -> Self {
        Self { vault, notes: FrozenMap::new() }
    }

    /// The note as it is on disk, read once in this session; `None` when it can't be read.
    pub(crate) fn read_note(&self, path: &NotePath) -> Option<&ParsedNote> {
        let read = match self.notes.get(path) {
            Some(read) => read,
            None => self.notes.insert(path.clone(), Box::new(read_fresh_note(self.vault, path))),
        };
        read.as_ref().ok()
    }

    /// Reads notes that will be needed, several at a time.
    pub(crate) fn prefetch_notes<'p>(&self, paths: impl Iterator<Item = &'p NotePath>) {
        let due: BTreeSet<&NotePath> = paths.filter(|path| self.notes.get(path).is_none()).collect();
        let due: Vec<&NotePath> = due.into_iter().collect();
        let threads = thread::available_parallelism().map_or(1, usize::from).min(READERS_MAX);
        let vault = self.vault;
        let read = |path: &&NotePath| {
            let read = read_fresh_note(vault, path);
            // Split into statements here as well, in parallel.
            if let Ok(fresh) = &read {
                let _: &[_] = fresh.statements();
            }
            ((*path).clone(), read)
        };
        let read: Vec<_> = thread::scope(|scope| {
            let parts = due.chunks(due.len().div_ceil(threads).max(1));
            let parts: Vec<_> =
                parts.map(|part| scope.spawn(move || part.iter().map(read).collect::<Vec<_>>())).collect();
            // A note whose thread panics is read again when it is needed.
            parts.into_iter().filter_map(|part| part.join().ok()).flatten().collect()
        });
        for (path, read) in read {
            self.notes.insert(path, Box::new(read));
        }
    }
}

/// Reads and parses a note as it is on disk.
pub(crate) fn read_fresh_note(vault: &Vault, path: &NotePath) -> Result<ParsedNote, ReadNoteError> {
    vault.read_note(path).map(|text| ParsedNote::new(Note::parse(path.clone(), text, vault.path_context(path)).0))
}
