//! Listing and counting memories, and the files that a person may have made.

use std::collections::{BTreeMap, BTreeSet};

use memora_memory::{HeldFor, Kind};
use memora_store::NoteFilter;
use memora_vault::NotePath;

use super::folder::FolderLock;
use super::{FoundItem, Memories, MemoryError};
use crate::report::{MemoryCount, MemoryList, MemoryStats, MemoryStatus};

/// What `MEMORY.md` says at first. It is the user's from then on.
pub(super) const MEMORY_MD: &str =
    "# Memory\n\nWhat every assistant should know about you and your work. Only you write here.\n";

/// A table of all items.
const MEMORY_BASE: &str = "filters:\n  and:\n    - memora == \"memory\"\nviews:\n  - type: table\n    name: Memories\n    order:\n      - file.name\n      - kind\n      - origin\n      - by\n      - created\n      - tags\n";

impl Memories<'_> {
    /// Lists items of the writer's scopes, or of all, newest first.
    pub(crate) fn list(
        &self,
        kind: Option<Kind>,
        all: bool,
        archived: bool,
        limit: usize,
    ) -> Result<MemoryList, MemoryError> {
        let folders = self.scope_folders(&self.own_scopes());
        let mut found = Vec::new();
        for path in self.folder.list("") {
            let within = all || folders.iter().any(|folder| path.as_str().starts_with(&format!("{folder}/")));
            let wanted = if archived { self.is_archived(&path) } else { within && !self.is_archived(&path) };
            if wanted {
                found.extend(self.read_item(&path).filter(|found| kind.is_none_or(|kind| found.item.kind == kind)));
            }
        }
        found.sort_by(|one, other| (other.item.created, &one.path).cmp(&(one.item.created, &other.path)));
        let held = if archived { 0 } else { self.count_held(found.iter())? };
        let more = found.len().saturating_sub(limit);
        found.truncate(limit);
        let items = found.into_iter().map(|found| self.report_item(found)).collect::<Result<_, _>>()?;
        Ok(MemoryList { items, more, held })
    }

    /// How many of the items wait for the user.
    pub(super) fn count_held<'f>(&self, mut items: impl Iterator<Item = &'f FoundItem>) -> Result<usize, MemoryError> {
        items.try_fold(0, |count, found| {
            // Few are held, and most need not be looked at further.
            let is_held = found.item.held.is_some() && self.status_of(found)? == MemoryStatus::Held;
            Ok(count + usize::from(is_held))
        })
    }

    /// The items of the writer's scopes that say that they are held, as far as this door may see them.
    pub(super) fn find_held(&self) -> Result<Vec<FoundItem>, MemoryError> {
        let folders = self.scope_folders(&self.own_scopes());
        let mut paths: BTreeSet<NotePath> = self.of.written().into_iter().collect();
        for reason in [HeldFor::Instruction, HeldFor::Conflict] {
            let filter = NoteFilter {
                properties: vec![("held".to_owned(), reason.as_str().to_owned())],
                folders: folders.clone(),
                ..NoteFilter::default()
            };
            paths.extend(self.session.snapshot.notes_matching(&filter)?);
        }
        let within = |path: &&NotePath| folders.iter().any(|folder| path.as_str().starts_with(&format!("{folder}/")));
        Ok(paths.iter().filter(within).filter_map(|path| self.read_item(path)).collect())
    }

    /// Counts the items that this door may see.
    pub fn stats(&self) -> Result<MemoryStats, MemoryError> {
        let all = self.list(None, true, false, usize::MAX)?;
        let archived = self.list(None, true, true, usize::MAX)?.items.len();
        let count = |word: &dyn Fn(&crate::report::MemoryItem) -> &'static str| {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for item in &all.items {
                *counts.entry(word(item)).or_default() += 1;
            }
            counts.into_iter().map(|(name, count)| MemoryCount { name: name.to_owned(), count }).collect()
        };
        Ok(MemoryStats {
            folder: self.folder.name().to_owned(),
            items: all.items.len(),
            by_kind: count(&|item| item.kind.as_str()),
            by_origin: count(&|item| item.origin.as_str()),
            by_status: count(&|item| item.status.as_str()),
            not_owned: all.items.iter().filter(|item| !item.owned).count(),
            held: all.items.iter().filter(|item| item.status == MemoryStatus::Held).count(),
            archived,
        })
    }

    /// Makes `MEMORY.md` and `Memory.base`, where they are missing. Returns the paths made.
    pub fn init_folder(&self) -> Result<Vec<String>, MemoryError> {
        let lock = self.folder.lock()?;
        let mut made = Vec::new();
        let path = self.folder.note_path("MEMORY")?;
        if self.folder.create(&path, MEMORY_MD, &lock)? {
            made.push(path.as_str().to_owned());
        }
        made.extend(self.make_base(&lock)?);
        Ok(made)
    }

    fn make_base(&self, _lock: &FolderLock) -> Result<Option<String>, MemoryError> {
        let name = format!("{}/Memory.base", self.folder.name());
        let path = self.session.memora.vault.root().join(&name);
        match std::fs::File::create_new(path) {
            Ok(mut file) => {
                std::io::Write::write_all(&mut file, MEMORY_BASE.as_bytes())?;
                file.sync_all()?;
                Ok(Some(name))
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
