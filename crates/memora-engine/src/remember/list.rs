//! Listing and counting memories, and the files that a person may have made.

use std::collections::{BTreeMap, BTreeSet};
use std::marker::PhantomData;

use memora_memory::{HeldFor, Kind};
use memora_vault::NotePath;

use super::objections::citing_files;
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryReader;
use crate::report::{MemoryCount, MemoryList, MemoryStats, MemoryStatus, StaleMemory};

impl MemoryReader<'_> {
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
        Ok(MemoryList { items, more, held, door: PhantomData })
    }

    /// How many of the items wait for the user.
    pub(crate) fn count_held<'f>(&self, mut items: impl Iterator<Item = &'f FoundItem>) -> Result<usize, MemoryError> {
        items.try_fold(0, |count, found| {
            // Few are held, and most need not be looked at further.
            let is_held = found.item.held.is_some() && self.status_of(found)? == MemoryStatus::Held;
            Ok(count + usize::from(is_held))
        })
    }

    /// The items of the writer's scopes that say that they are held, as far as this door may see them.
    pub(crate) fn find_held(&self) -> Result<Vec<FoundItem>, MemoryError> {
        let folders = self.scope_folders(&self.own_scopes());
        let mut paths: BTreeSet<NotePath> = self.of.written().into_iter().collect();
        for reason in [HeldFor::Instruction, HeldFor::Conflict] {
            paths.extend(self.files_with("held", reason.as_str())?);
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

    /// Lists items that rest on claims which no longer hold, newest first, up to `limit`; whether there are more.
    pub(crate) fn list_stale(&self, limit: usize) -> Result<(Vec<StaleMemory>, bool), MemoryError> {
        let mut paths = citing_files(self.session)?;
        paths.extend(self.of.written());
        let mut stale = Vec::new();
        for found in paths.iter().filter_map(|path| self.read_item(path)) {
            if self.status_of(&found)? == MemoryStatus::Stale {
                stale.push(found);
            }
        }
        stale.sort_by(|one, other| (other.item.created, &one.path).cmp(&(one.item.created, &other.path)));
        let more = stale.len() > limit;
        stale.truncate(limit);
        let listed = stale.into_iter().map(|found| {
            let because = self.claims().report_broken(&self.claims().objections(&found)?)?;
            Ok(StaleMemory { memory: self.report_item(found)?, because })
        });
        Ok((listed.collect::<Result<_, MemoryError>>()?, more))
    }
}
