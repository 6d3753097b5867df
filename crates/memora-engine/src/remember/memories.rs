//! The memories of a vault, for one writer at one door: their files, and their items by id.

use std::collections::BTreeSet;

use elsa::FrozenMap;
use memora_memory::{Document, Item, MemoryId, Scope, slug_agent};
use memora_redact::{Viewer, authorize_page};
use memora_store::NoteFilter;
use memora_vault::{Band, NotePath};

use crate::remember::error::MemoryError;
use crate::remember::folder::MemoryFolder;
use crate::remember::items::{FoundItem, UnindexedItems};
use crate::remember::session::{MemorySession, MemoryWriter};
use crate::state::session::Session;

/// The memories of a vault, for one writer at one door.
pub struct Memories<'s> {
    pub(super) session: &'s Session<'s>,
    pub(super) of: &'s MemorySession,
    pub(super) writer: &'s MemoryWriter,
    pub(super) folder: MemoryFolder<'s>,
    /// The items of files that were looked at, as far as this door may see them.
    pub(super) items: FrozenMap<NotePath, Box<Option<FoundItem>>>,
    pub(super) unindexed: UnindexedItems,
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
    pub(crate) fn by(&self) -> String {
        self.writer.agent.as_deref().map_or_else(|| "user".to_owned(), slug_agent)
    }

    /// The band that everything by this writer has at least. An agent may have been shown anything that its door shows; the
    /// user knows what they type.
    pub(crate) fn writer_band(&self) -> Band {
        if self.writer.agent.is_some() { self.session.door.strictest_band() } else { Band::Public }
    }

    /// The scope of the project, or the shared one without a project.
    pub(crate) fn project_scope(&self) -> Scope {
        Scope::of_project(self.writer.project.as_deref())
    }

    /// The scopes that concern this writer.
    pub(crate) fn own_scopes(&self) -> Vec<Scope> {
        let agent = self.writer.agent.as_deref().map(|agent| Scope::Agent(slug_agent(agent)));
        let project = self.writer.project.clone().map(Scope::Project);
        [Some(Scope::Shared), agent, project].into_iter().flatten().collect()
    }

    pub(crate) fn scope_folders(&self, scopes: &[Scope]) -> Vec<String> {
        scopes.iter().map(|scope| format!("{}/{}", self.folder.name(), scope.folder())).collect()
    }

    /// A machine's file, as far as this door may see it: its text there, its band, whether its seal holds.
    pub(crate) fn read_document(&self, path: &NotePath) -> Option<(Document, Band, bool)> {
        let fresh = self.session.notes.read_note(path)?;
        let page = authorize_page(fresh, &self.session.door)?;
        // A part that this door may not see hides the whole: half an item would say something else.
        let document = Document::parse(page.text()).filter(|_| page.is_whole())?;
        document.memora()?;
        Some((document, fresh.note().band(), self.folder.key().is_sealed(fresh.note().text())))
    }

    /// The item of a file, read as the session read the file: once.
    pub(crate) fn read_item(&self, path: &NotePath) -> Option<FoundItem> {
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
    pub(crate) fn document_with_citations(&self, path: &NotePath) -> Option<Document> {
        Document::parse(self.session.notes.read_note(path)?.note().text())
    }

    /// The words of an item as they stand in its file.
    pub(crate) fn words_with_citations(&self, found: &FoundItem) -> String {
        let document = self.document_with_citations(&found.path);
        document.map_or_else(|| found.item.text.clone(), |document| document.body.trim().to_owned())
    }

    /// The item of an id, if this door may see it. One in the archive beside a live one is what a killed move left there.
    pub(crate) fn find_item(&self, id: &MemoryId) -> Result<Option<FoundItem>, MemoryError> {
        let live = self.find_item_where(id, |path| !self.is_archived(path))?;
        if live.is_some() { Ok(live) } else { self.find_item_where(id, |path| self.is_archived(path)) }
    }

    /// The item of an id at a place that is wanted.
    pub(crate) fn find_item_where(
        &self,
        id: &MemoryId,
        is_wanted: impl Fn(&NotePath) -> bool,
    ) -> Result<Option<FoundItem>, MemoryError> {
        self.find_by_id(id, |path| self.read_item(path).filter(|found| found.item.id == *id && is_wanted(path)))
    }

    /// What is read of the file with an id, which `read` has to compare: by the index, or else by the names of files.
    pub(crate) fn find_by_id<T>(
        &self,
        id: &MemoryId,
        read: impl Fn(&NotePath) -> Option<T>,
    ) -> Result<Option<T>, MemoryError> {
        if let Some(found) = self.files_with("id", id.as_str())?.iter().find_map(&read) {
            return Ok(Some(found));
        }
        let named = format!(" {}", id.short());
        let may_be = |path: &&NotePath| path.stem().contains(&named) || path.stem().starts_with(id.as_str());
        Ok(self.folder.list("").iter().filter(may_be).find_map(read))
    }

    /// The files of memory that have a property, as far as they are indexed.
    pub(crate) fn files_with(&self, property: &str, value: &str) -> Result<BTreeSet<NotePath>, MemoryError> {
        let properties = vec![(property.to_owned(), value.to_owned())];
        let folders = vec![self.folder.name().to_owned()];
        Ok(self.session.snapshot.notes_matching(&NoteFilter { properties, folders, ..NoteFilter::default() })?)
    }

    /// The newer item that this door may see and that supersedes this one: an agent's word never ends the user's.
    pub(crate) fn find_successor(&self, old: &FoundItem) -> Result<Option<FoundItem>, MemoryError> {
        let path = &old.path;
        let indexed = self.files_with("supersedes", &format!("[[{}]]", path.stem()))?;
        let newer = indexed.into_iter().chain(self.of.written_superseding(path.stem()));
        let ends = |newer: &FoundItem| {
            newer.item.archived.is_none()
                && !self.is_held(&newer.item)
                && newer.item.supersedes.iter().any(|stem| stem == path.stem())
                && self.origin_of(newer) >= self.protected_origin(old)
        };
        Ok(newer.filter_map(|path| self.read_item(&path)).find(ends))
    }

    /// The path of a file in the memory folder.
    pub(crate) fn inside<'p>(&self, path: &'p NotePath) -> Option<&'p str> {
        path.as_str().strip_prefix(self.folder.name()).map(|inside| inside.trim_start_matches('/'))
    }

    /// A file as it stands, whatever the door: for what is kept apart by it, and never shown.
    pub(crate) fn read_whole(&self, path: &NotePath) -> Option<Document> {
        self.folder.read(path).ok().flatten().and_then(|text| Document::parse(&text))
    }

    /// The path of an item's file in the archive, or back.
    pub(crate) fn archive_path(&self, path: &NotePath) -> Result<NotePath, MemoryError> {
        let inside = self.inside(path).and_then(|inside| inside.strip_suffix(".md")).ok_or(MemoryError::Outside)?;
        match inside.strip_prefix("archive/") {
            Some(before) => self.folder.note_path(before),
            None => self.folder.note_path(&format!("archive/{inside}")),
        }
    }

    /// Where the item of a file belongs; `None` for a file elsewhere.
    pub(crate) fn scope_of_path(&self, path: &NotePath) -> Option<Scope> {
        self.inside(path).and_then(Scope::of_file)
    }

    pub(crate) fn is_archived(&self, path: &NotePath) -> bool {
        path.as_str().starts_with(&format!("{}/archive/", self.folder.name()))
    }
}
