//! The notes as they are on disk, each read once in a session.
//!
//! Invariant: **a session reads each note from disk**. Only the work of parsing is shared between sessions, for a note whose
//! bytes are still those that were parsed.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use elsa::FrozenMap;
use lru::LruCache;
use memora_claim::ParsedNote;
use memora_vault::{Note, NotePath, ReadNoteError, Vault};

/// The notes that a session has read.
pub(crate) struct NoteCache<'m> {
    vault: &'m Vault,
    parsed: &'m ParsedNotes,
    notes: FrozenMap<NotePath, Box<Result<Arc<ParsedNote>, ReadNoteError>>>,
}

/// The notes that were parsed last, for the sessions of a process that answers many questions.
pub(crate) struct ParsedNotes {
    recent: Mutex<RecentNotes>,
}

struct RecentNotes {
    by_path: LruCache<NotePath, Arc<ParsedNote>>,
    /// The bytes of their texts.
    bytes: usize,
}

/// Maximum of bytes of the notes that are kept parsed. What is made of a note takes several times its bytes.
const PARSED_BYTES_MAX: usize = 4 << 20;

/// Maximum number of threads that read notes: more wait for the disk and for each other.
const READERS_MAX: usize = 8;

impl<'m> NoteCache<'m> {
    pub(crate) fn new(vault: &'m Vault, parsed: &'m ParsedNotes) -> Self {
        Self { vault, parsed, notes: FrozenMap::new() }
    }

    /// The note as it is on disk, read once in this session; `None` when it can't be read.
    pub(crate) fn read_note(&self, path: &NotePath) -> Option<&ParsedNote> {
        let read = match self.notes.get(path) {
            Some(read) => read,
            None => self.notes.insert(path.clone(), Box::new(self.parsed.read_note(self.vault, path))),
        };
        read.as_ref().ok().map(Arc::as_ref)
    }

    /// Reads notes that will be needed, several at a time.
    pub(crate) fn prefetch_notes<'p>(&self, paths: impl Iterator<Item = &'p NotePath>) {
        let due: BTreeSet<&NotePath> = paths.filter(|path| self.notes.get(path).is_none()).collect();
        let due: Vec<&NotePath> = due.into_iter().collect();
        let (vault, parsed) = (self.vault, self.parsed);
        let read = read_several(&due, |path| {
            let read = parsed.read_note(vault, path);
            // Split into statements here as well, in parallel.
            if let Ok(fresh) = &read {
                let _: &[_] = fresh.statements();
            }
            ((*path).clone(), read)
        });
        for (path, read) in read {
            self.notes.insert(path, Box::new(read));
        }
    }
}

impl ParsedNotes {
    pub(crate) fn new() -> Self {
        Self { recent: Mutex::new(RecentNotes { by_path: LruCache::unbounded(), bytes: 0 }) }
    }

    /// Reads a note as it is on disk, and parses it unless these are the bytes, and the rules, that it was last parsed with.
    fn read_note(&self, vault: &Vault, path: &NotePath) -> Result<Arc<ParsedNote>, ReadNoteError> {
        let (text, context) = vault.read_note_in_place(path)?;
        let known = self.lock_recent().by_path.get(path).map(Arc::clone);
        if let Some(known) = known
            && known.note().path_context() == context
            && known.note().text() == text
        {
            known.renew_search_budget();
            return Ok(known);
        }
        let parsed = Arc::new(ParsedNote::new(Note::parse(path.clone(), text, context).0));
        self.lock_recent().insert(path.clone(), Arc::clone(&parsed));
        Ok(parsed)
    }

    fn lock_recent(&self) -> std::sync::MutexGuard<'_, RecentNotes> {
        self.recent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RecentNotes {
    fn insert(&mut self, path: NotePath, note: Arc<ParsedNote>) {
        let bytes = |note: &ParsedNote| note.note().text().len();
        self.bytes += bytes(&note);
        let replaced = self.by_path.put(path, note);
        self.bytes -= replaced.as_deref().map_or(0, bytes);
        while self.bytes > PARSED_BYTES_MAX
            && let Some((_, oldest)) = self.by_path.pop_lru()
        {
            self.bytes -= bytes(&oldest);
        }
    }
}

/// Reads something for each of some places, on several threads; what a thread panics at is left out, to be read again when it is
/// needed.
pub(crate) fn read_several<P: Sync, R: Send>(places: &[P], read: impl Fn(&P) -> R + Sync) -> Vec<R> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(READERS_MAX);
    let read = &read;
    thread::scope(|scope| {
        let parts = places.chunks(places.len().div_ceil(threads).max(1));
        let parts: Vec<_> = parts.map(|part| scope.spawn(move || part.iter().map(read).collect::<Vec<_>>())).collect();
        parts.into_iter().filter_map(|part| part.join().ok()).flatten().collect()
    })
}

/// Reads and parses a note as it is on disk.
pub(crate) fn read_fresh_note(vault: &Vault, path: &NotePath) -> Result<ParsedNote, ReadNoteError> {
    let (text, context) = vault.read_note_in_place(path)?;
    Ok(ParsedNote::new(Note::parse(path.clone(), text, context).0))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use memora_vault::PlaceRules;

    use super::*;

    fn read(parsed: &ParsedNotes, root: &Path, name: &str) -> Arc<ParsedNote> {
        let vault = Vault::open(root, &PlaceRules::default()).expect("a vault");
        parsed.read_note(&vault, &NotePath::new(name).expect("a path")).expect("a note")
    }

    #[test]
    fn a_note_is_parsed_again_when_a_byte_of_it_or_its_rules_changed() {
        let dir = tempfile::tempdir().expect("a folder");
        let write = |text: &str| fs::write(dir.path().join("a.md"), text).expect("a note");
        let parsed = ParsedNotes::new();
        write("Anna keeps bees.");
        let first = read(&parsed, dir.path(), "a.md");
        assert!(Arc::ptr_eq(&first, &read(&parsed, dir.path(), "a.md")));

        write("Anna keeps beds.");
        let second = read(&parsed, dir.path(), "a.md");
        assert_eq!((second.note().text(), second.statements().len()), ("Anna keeps beds.", 1));

        fs::create_dir_all(dir.path().join(".memora")).expect("a folder");
        fs::write(dir.path().join(".memora/config.toml"), "[[privacy.rules]]\nglob = \"**\"\nband = \"secret\"\n")
            .expect("a rule");
        let third = read(&parsed, dir.path(), "a.md");
        assert_eq!(third.note().band(), memora_vault::Band::Secret);
    }

    #[test]
    fn the_notes_that_were_not_read_for_longest_make_room() {
        let dir = tempfile::tempdir().expect("a folder");
        let parsed = ParsedNotes::new();
        let names: Vec<String> = (0..4).map(|number| format!("{number}.md")).collect();
        for name in &names {
            fs::write(dir.path().join(name), "word ".repeat(PARSED_BYTES_MAX / 15)).expect("a note");
        }
        let first = read(&parsed, dir.path(), "0.md");
        read(&parsed, dir.path(), "1.md");
        read(&parsed, dir.path(), "0.md");
        names.iter().skip(2).for_each(|name| drop(read(&parsed, dir.path(), name)));
        assert!(parsed.lock_recent().bytes <= PARSED_BYTES_MAX);
        let kept = |name: &str| parsed.lock_recent().by_path.peek(&NotePath::new(name).expect("a path")).is_some();
        assert_eq!([kept("0.md"), kept("1.md"), kept("3.md")], [true, false, true]);
        drop(first);
    }
}
