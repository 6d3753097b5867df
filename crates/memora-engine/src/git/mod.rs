//! By when the words of a note stood in it, as the git repository says that a vault lies in.
//!
//! Objects are read as files, by a library. Invariant: **whoever made the vault runs nothing**: no program is started, and neither
//! settings, hooks nor attributes of the repository are read. What takes too long, is too large or cannot be read says nothing.

mod history;
mod repository;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use memora_vault::{NotePath, Vault};

use history::Version;
use repository::Repository;

/// How long the history is walked, and how long versions of notes are read after that.
const WALK_MAX: Duration = Duration::from_millis(1500);
const READING_MAX: Duration = Duration::from_millis(1500);

/// How many bytes of former versions are kept.
const TEXT_BYTES_MAX: usize = 32 << 20;

/// The committed versions of some notes.
pub(crate) struct GitTimes<'v> {
    vault: &'v Vault,
    repository: Repository,
    /// By the note, the newest first; none is empty.
    versions: HashMap<NotePath, Vec<Version>>,
    /// Of each note the texts read so far, in that order.
    texts: RefCell<HashMap<NotePath, Vec<String>>>,
    kept: Cell<usize>,
    spent: Cell<Duration>,
}

impl<'v> GitTimes<'v> {
    /// Reads the history of some notes; `None` where the vault lies in no repository that can be read.
    pub(crate) fn read(vault: &'v Vault, notes: &BTreeSet<NotePath>) -> Option<Self> {
        let repository = Repository::open(vault.root()).filter(|_| !notes.is_empty())?;
        let versions = history::versions_of(&repository, notes, Instant::now() + WALK_MAX);
        let (texts, kept, spent) = (RefCell::default(), Cell::default(), Cell::default());
        Some(Self { vault, repository, versions, texts, kept, spent })
    }

    /// When a note that is as it was committed was committed, in nanoseconds since 1970, if that is before a time.
    pub(crate) fn note_changed_before(&self, path: &NotePath, time: i64) -> Option<i64> {
        let newest = self.versions.get(path)?.first().filter(|newest| newest.at < time)?;
        self.within_time(|| {
            let text = self.vault.read_note(path).ok()?;
            repository::is_blob(&newest.blob, text.as_bytes()).then_some(newest.at)
        })
    }

    /// By when these words stood in a note, without a break until its last commit.
    pub(crate) fn stood_by(&self, path: &NotePath, words: &str) -> Option<i64> {
        let mut since = None;
        for (at, version) in self.versions.get(path)?.iter().enumerate() {
            if self.within_time(|| self.has_words(path, at, words)) != Some(true) {
                break;
            }
            since = Some(version.at);
        }
        since
    }

    /// Whether a version of a note has these words.
    fn has_words(&self, path: &NotePath, at: usize, words: &str) -> Option<bool> {
        let mut texts = self.texts.borrow_mut();
        let read = texts.entry(path.clone()).or_default();
        if read.len() == at {
            let blob = self.versions.get(path)?.get(at)?.blob;
            let text =
                self.repository.read_blob(&blob).filter(|text| self.kept.get() + text.len() <= TEXT_BYTES_MAX)?;
            self.kept.set(self.kept.get() + text.len());
            read.push(text);
        }
        Some(read.get(at)?.contains(words))
    }

    /// Reads, unless as long as is allowed was read already.
    fn within_time<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        if self.spent.get() > READING_MAX {
            return None;
        }
        let begun = Instant::now();
        let found = read();
        self.spent.set(self.spent.get() + begun.elapsed());
        found
    }
}
