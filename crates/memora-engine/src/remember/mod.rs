//! Agents' memory: markdown in one folder of the vault, saved through gates, searched with everything else.
//!
//! Invariants: **a memory is at least as guarded as anything its writer could have been shown; what the writer is told about
//! other memories is what its door shows; nothing that a person wrote or edited is written to** (`folder.rs`). Reading
//! writes nothing into the vault: use is recorded in the journal.

mod audit;
mod bridge;
mod change;
mod consolidate;
mod context;
mod differing;
mod digests;
mod duplicates;
mod export;
mod folder;
mod forget;
mod gaps;
mod held;
mod import;
mod keep;
mod list;
mod naming;
mod objections;
mod passage;
mod project;
pub(crate) mod questions;
mod read;
mod save;
mod search;
mod session_facts;
mod session_note;
mod turns;
mod unindexed;
mod worded_merges;
mod write;

use std::collections::HashMap;
use std::io::{self, ErrorKind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use elsa::FrozenMap;
use jiff::civil::DateTime;
use memora_memory::{Document, Item, MemoryId, SAVES_MAX, Scope, slug_agent};
use memora_redact::{Viewer, authorize_page};
use memora_store::{NoteFilter, ReadError};
use memora_vault::{Band, Hint, NotePath, SkipReason};

use crate::read::lifecycle::DecideError;
use crate::read::search::SearchError;
use crate::remember::folder::MemoryFolder;
use crate::remember::unindexed::UnindexedItems;
use crate::state::config::ConfigError;
use crate::state::open::Memora;
use crate::state::session::Session;

pub use change::ItemChange;
pub use consolidate::ConsolidationPlan;
pub use context::ContextRequest;
pub use forget::{NamedForget, NamedForgetStatus};
pub use import::{ImportError, ImportRequest, ImportSource};
pub(crate) use objections::{MemoryDoubt, MemoryQuestion};
pub use passage::MemoryName;
pub use project::find_project;
pub use read::{MEMORY_NAMES_MAX, MemorySource};
pub use save::SaveRequest;
pub use search::MemoryQuery;
pub use turns::{SessionTurns, open_transcript};
pub use write::{MemoryTarget, TaskOperation, WriteRequest};

/// What one connection, or one command, did with memory so far.
#[derive(Debug)]
pub struct MemorySession {
    id: String,
    saves: AtomicUsize,
    /// What was written and may not be indexed yet.
    written: Mutex<HashMap<NotePath, WrittenFile>>,
}

/// What is known of a file that was written.
#[derive(Clone, Debug)]
enum WrittenFile {
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

/// Why memory could not be written or read. A refusal is no error: see the reports.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// A path leads out of the folder, or through a link.
    #[error("the memory folder, or a part of it, is a link or leads out of the vault")]
    Outside,
    /// A name that file systems do not take, or that is not legible.
    #[error("the name of a memory's file is too long, or has control characters")]
    Name,
    /// Files there would not be read.
    #[error("a memory there would not be read: it {0}")]
    Excluded(SkipReason),
    /// Another process writes.
    #[error("another process is writing memories")]
    Busy,
    /// No random numbers.
    #[error("the system gives no random numbers")]
    Random,
    /// The configuration folder.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file.
    #[error("cannot write or read a memory")]
    Io(#[from] io::Error),
    /// The index.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The file of decisions.
    #[error(transparent)]
    Decide(#[from] DecideError),
}

impl MemoryError {
    /// Why one record of an import cannot be written where the next one may be; `None` for what ends it.
    fn refusal_of_record(&self) -> Option<&'static str> {
        match self {
            Self::Outside => Some("outside"),
            Self::Excluded(_) => Some("excluded"),
            _ => self.is_about_name().then_some("unusable_name"),
        }
    }

    /// Whether a file cannot have its name: also where a file stands in place of its folder, or the whole path is too long.
    fn is_about_name(&self) -> bool {
        let kinds = [ErrorKind::NotADirectory, ErrorKind::IsADirectory, ErrorKind::InvalidFilename];
        match self {
            Self::Name => true,
            Self::Io(error) => kinds.contains(&error.kind()),
            _ => false,
        }
    }
}

impl From<ReadError> for MemoryError {
    fn from(error: ReadError) -> Self {
        Self::Search(error.into())
    }
}

impl Hint for MemoryError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Outside => {
                "make the memory folder a folder of its own, or name another one: memory.folder in config.toml"
            }
            Self::Name => "give it a shorter name of letters, digits and spaces",
            Self::Excluded(_) => "name a folder that is read: memory.folder in config.toml",
            Self::Busy => "try again in a moment",
            Self::Random => "try again",
            Self::Config(error) => error.hint(),
            Self::Io(_) => "check that the vault's folder can be written, and that there is room",
            Self::Search(_) => "memora doctor says what is wrong with the index",
            Self::Decide(error) => error.hint(),
        }
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

    fn saves_left(&self) -> usize {
        SAVES_MAX.saturating_sub(self.saves.load(Ordering::Relaxed))
    }

    fn count_save(&self) {
        self.saves.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes that a file may not be indexed yet.
    fn note_written(&self, path: &NotePath) {
        self.lock_written().insert(path.clone(), WrittenFile::Other);
    }

    /// The same of a new item.
    fn note_item_written(&self, path: &NotePath, item: &Item) {
        self.lock_written().insert(path.clone(), WrittenFile::Item(item.supersedes.clone()));
    }

    fn written(&self) -> Vec<NotePath> {
        let mut paths: Vec<NotePath> = self.lock_written().keys().cloned().collect();
        paths.sort();
        paths
    }

    /// The files that were written, but for those that are known not to supersede the item of a name.
    fn written_superseding(&self, stem: &str) -> Vec<NotePath> {
        let may = |file: &WrittenFile| match file {
            WrittenFile::Item(supersedes) => supersedes.iter().any(|old| old == stem),
            WrittenFile::Other => true,
        };
        let mut paths: Vec<NotePath> =
            self.lock_written().iter().filter(|(_, file)| may(file)).map(|(path, _)| path.clone()).collect();
        paths.sort();
        paths
    }

    fn lock_written(&self) -> MutexGuard<'_, HashMap<NotePath, WrittenFile>> {
        self.written.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn random_id() -> Result<MemoryId, MemoryError> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).map_err(|_| MemoryError::Random)?;
    Ok(MemoryId::from_random(u64::from_le_bytes(bytes)))
}

/// The memories of a vault, for one writer at one door.
pub struct Memories<'s> {
    session: &'s Session<'s>,
    of: &'s MemorySession,
    writer: &'s MemoryWriter,
    folder: MemoryFolder<'s>,
    /// The items of files that were looked at, as far as this door may see them.
    items: FrozenMap<NotePath, Box<Option<FoundItem>>>,
    unindexed: UnindexedItems,
}

/// An item as this door may see it.
#[derive(Clone)]
struct FoundItem {
    path: NotePath,
    item: Item,
    band: Band,
    /// Whether its seal holds.
    sealed: bool,
}

impl<'s> Memories<'s> {
    pub(crate) fn new(
        session: &'s Session<'s>,
        of: &'s MemorySession,
        writer: &'s MemoryWriter,
    ) -> Result<Self, MemoryError> {
        Ok(Self {
            session,
            of,
            writer,
            folder: MemoryFolder::open(session.memora)?,
            items: FrozenMap::new(),
            unindexed: UnindexedItems::default(),
        })
    }

    /// The writer's name in files: the agent's slug, or `user`.
    fn by(&self) -> String {
        self.writer.agent.as_deref().map_or_else(|| "user".to_owned(), slug_agent)
    }

    /// The band that everything by this writer has at least. An agent may have been shown anything that its door shows; the
    /// user knows what they type.
    fn writer_band(&self) -> Band {
        if self.writer.agent.is_some() { self.session.door.strictest_band() } else { Band::Public }
    }

    /// The scope of the project, or the shared one without a project.
    fn project_scope(&self) -> Scope {
        self.writer.project.clone().map_or(Scope::Shared, Scope::Project)
    }

    /// The scopes that concern this writer.
    fn own_scopes(&self) -> Vec<Scope> {
        let agent = self.writer.agent.as_deref().map(|agent| Scope::Agent(slug_agent(agent)));
        let project = self.writer.project.clone().map(Scope::Project);
        [Some(Scope::Shared), agent, project].into_iter().flatten().collect()
    }

    fn scope_folders(&self, scopes: &[Scope]) -> Vec<String> {
        scopes.iter().map(|scope| format!("{}/{}", self.folder.name(), scope.folder())).collect()
    }

    /// A machine's file, as far as this door may see it: its text there, its band, whether its seal holds.
    fn read_document(&self, path: &NotePath) -> Option<(Document, Band, bool)> {
        let fresh = self.session.notes.read_note(path)?;
        let page = authorize_page(fresh, &self.session.door)?;
        // A part that this door may not see hides the whole: half an item would say something else.
        let document = Document::parse(page.text()).filter(|_| page.is_whole())?;
        document.memora()?;
        Some((document, fresh.note().band(), self.folder.key().is_sealed(fresh.note().text())))
    }

    /// The item of a file, read as the session read the file: once.
    fn read_item(&self, path: &NotePath) -> Option<FoundItem> {
        if let Some(known) = self.items.get(path) {
            return known.clone();
        }
        let read = || {
            let (document, band, sealed) = self.read_document(path)?;
            Some(FoundItem { path: path.clone(), item: Item::from_document(&document)?, band, sealed })
        };
        self.items.insert(path.clone(), Box::new(read())).clone()
    }

    /// A file as it stands: what a door is shown has no citations in it.
    fn document_with_citations(&self, path: &NotePath) -> Option<Document> {
        Document::parse(self.session.notes.read_note(path)?.note().text())
    }

    /// The words of an item as they stand in its file.
    fn words_with_citations(&self, found: &FoundItem) -> String {
        let document = self.document_with_citations(&found.path);
        document.map_or_else(|| found.item.text.clone(), |document| document.body.trim().to_owned())
    }

    /// The item of an id, if this door may see it. One in the archive beside a live one is what a killed move left there.
    fn find_item(&self, id: &MemoryId) -> Result<Option<FoundItem>, MemoryError> {
        let live = self.find_item_where(id, |path| !self.is_archived(path))?;
        if live.is_some() { Ok(live) } else { self.find_item_where(id, |path| self.is_archived(path)) }
    }

    /// The item of an id at a place that is wanted.
    fn find_item_where(
        &self,
        id: &MemoryId,
        is_wanted: impl Fn(&NotePath) -> bool,
    ) -> Result<Option<FoundItem>, MemoryError> {
        self.find_by_id(id, |path| self.read_item(path).filter(|found| found.item.id == *id && is_wanted(path)))
    }

    /// What is read of the file with an id, which `read` has to compare: by the index, or else by the names of files.
    fn find_by_id<T>(&self, id: &MemoryId, read: impl Fn(&NotePath) -> Option<T>) -> Result<Option<T>, MemoryError> {
        let filter = NoteFilter {
            properties: vec![("id".to_owned(), id.to_string())],
            folders: vec![self.folder.name().to_owned()],
            ..NoteFilter::default()
        };
        if let Some(found) = self.session.snapshot.notes_matching(&filter)?.iter().find_map(&read) {
            return Ok(Some(found));
        }
        let named = format!(" {}", id.short());
        let may_be = |path: &&NotePath| path.stem().contains(&named) || path.stem().starts_with(id.as_str());
        Ok(self.folder.list("").iter().filter(may_be).find_map(read))
    }

    /// The newer item that this door may see and that supersedes this one: an agent's word never ends the user's.
    fn find_successor(&self, old: &FoundItem) -> Result<Option<FoundItem>, MemoryError> {
        let path = &old.path;
        let filter = NoteFilter {
            properties: vec![("supersedes".to_owned(), format!("[[{}]]", path.stem()))],
            folders: vec![self.folder.name().to_owned()],
            ..NoteFilter::default()
        };
        let mut newer: Vec<NotePath> = self.session.snapshot.notes_matching(&filter)?.into_iter().collect();
        newer.extend(self.of.written_superseding(path.stem()));
        let ends = |newer: &FoundItem| {
            newer.item.archived.is_none()
                && !self.is_held(&newer.item)
                && newer.item.supersedes.iter().any(|stem| stem == path.stem())
                && self.origin_of(newer) >= self.protected_origin(old)
        };
        Ok(newer.iter().filter_map(|path| self.read_item(path)).find(ends))
    }

    /// The path of a file in the memory folder.
    fn inside<'p>(&self, path: &'p NotePath) -> Option<&'p str> {
        path.as_str().strip_prefix(self.folder.name()).map(|inside| inside.trim_start_matches('/'))
    }

    /// A file as it stands, whatever the door: for what is kept apart by it, and never shown.
    fn read_whole(&self, path: &NotePath) -> Option<Document> {
        self.folder.read(path).ok().flatten().and_then(|text| Document::parse(&text))
    }

    /// The path of an item's file in the archive, or back.
    fn archive_path(&self, path: &NotePath) -> Result<NotePath, MemoryError> {
        let inside = self.inside(path).and_then(|inside| inside.strip_suffix(".md")).ok_or(MemoryError::Outside)?;
        match inside.strip_prefix("archive/") {
            Some(before) => self.folder.note_path(before),
            None => self.folder.note_path(&format!("archive/{inside}")),
        }
    }

    /// Where the item of a file belongs; `None` for a file elsewhere.
    fn scope_of_path(&self, path: &NotePath) -> Option<Scope> {
        self.inside(path).and_then(Scope::of_file)
    }

    fn is_archived(&self, path: &NotePath) -> bool {
        path.as_str().starts_with(&format!("{}/archive/", self.folder.name()))
    }
}
