//! Memories that say otherwise than a newer one, where nothing says which of them holds: both stand, the newer first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::time::SystemTime;

use jiff::civil::DateTime;
use memora_memory::MemoryId;

use crate::read::lifecycle::succession::{SaidText, compare_in_order, thing_of};
use crate::remember::error::MemoryError;
use crate::remember::items::FoundItem;
use crate::remember::owners::MemoryFinder;

/// The most memories about one thing that are compared, the newest.
const COMPARED_MAX: usize = 20;

/// The newer memory that says otherwise, by the id of the older.
pub(super) type Newer = HashMap<MemoryId, MemoryId>;

impl MemoryFinder<'_> {
    /// When an item was saved; of one second, when its file was written.
    fn age_key(&self, found: &FoundItem) -> (DateTime, Option<SystemTime>) {
        let file = self.session.memora.vault.root().join(found.path.as_str());
        (found.item.created, fs::metadata(file).and_then(|file| file.modified()).ok())
    }

    /// Finds which of some memories say otherwise than a newer one of them.
    pub(crate) fn find_newer<'f>(&self, items: impl Iterator<Item = &'f FoundItem>) -> Result<Newer, MemoryError> {
        let mut by_thing: BTreeMap<String, Vec<&FoundItem>> = BTreeMap::new();
        for found in items {
            if let Some(thing) = thing_of(&found.item.text) {
                by_thing.entry(thing).or_default().push(found);
            }
        }
        let relations = self.session.memora.config.extractor().relations();
        let mut newer = Newer::new();
        for mut about in by_thing.into_values().filter(|about| about.len() > 1) {
            about.sort_by_cached_key(|found| (Reverse(self.age_key(found)), &found.path));
            about.truncate(COMPARED_MAX);
            let claims = about.iter().map(|found| self.claims().item_claims(found)).collect::<Result<Vec<_>, _>>()?;
            let said = |at: usize| Some(SaidText { text: &about.get(at)?.item.text, claims: claims.get(at)? });
            for (older, found) in about.iter().enumerate() {
                let differs = |at: &usize| Some(compare_in_order(said(*at)?, said(older)?, relations).is_some());
                if let Some(other) = (0..older).find(|at| differs(at) == Some(true)).and_then(|at| about.get(at)) {
                    newer.insert(found.item.id.clone(), other.item.id.clone());
                }
            }
        }
        Ok(newer)
    }
}

/// Puts what says otherwise than a newer one behind that, and leaves the order else.
pub(super) fn put_behind_newer<T>(items: Vec<T>, newer: &Newer, id_of: impl Fn(&T) -> Option<MemoryId>) -> Vec<T> {
    let mut ordered: Vec<T> = Vec::with_capacity(items.len());
    let mut waiting: Vec<(MemoryId, T)> = Vec::new();
    let is_there = |ordered: &[T], id: &MemoryId| ordered.iter().any(|item| id_of(item).as_ref() == Some(id));
    for item in items {
        let id = id_of(&item);
        match id.as_ref().and_then(|id| newer.get(id)) {
            Some(other) if !is_there(&ordered, other) => waiting.push((other.clone(), item)),
            _ => {
                ordered.push(item);
                // What waited for this one, and for that in turn.
                while let Some(at) = waiting.iter().position(|(other, _)| is_there(&ordered, other)) {
                    ordered.push(waiting.remove(at).1);
                }
            }
        }
    }
    ordered.extend(waiting.into_iter().map(|(_, item)| item));
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_one_comes_behind_the_newer() {
        let id = |number: u64| MemoryId::from_random(number);
        let newer: Newer = [(id(1), id(3)), (id(2), id(1)), (id(5), id(9))].into();
        let ordered = put_behind_newer(vec![1, 2, 4, 3, 5], &newer, |number| Some(id(*number)));
        assert_eq!(ordered, [4, 3, 1, 2, 5]);
    }
}
