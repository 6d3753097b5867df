//! What a session wrote and the index does not have as it is now: found by words alone, until it is indexed.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use memora_claim::Claim;
use memora_nlp::lexicon::{FUNCTION, GERMAN_FUNCTION};
use memora_vault::{Fingerprint, NotePath};

use crate::read::search::lowercase_words;
use crate::remember::error::MemoryError;
use crate::remember::items::{FoundItem, Unindexed, UnindexedItem};
use crate::remember::owners::ItemClaims;

impl ItemClaims<'_> {
    /// What this session wrote within folders and the index does not have as it is now: items, and `None` for other files.
    pub(crate) fn find_unindexed(
        &self,
        folders: &[String],
    ) -> Result<BTreeMap<NotePath, Option<Rc<UnindexedItem>>>, MemoryError> {
        let mut found = BTreeMap::new();
        for path in self.of.written() {
            if !folders.iter().any(|folder| path.as_str().starts_with(&format!("{folder}/"))) {
                continue;
            }
            match self.look_up_unindexed(&path)? {
                Unindexed::Item(item) => found.insert(path, Some(item)),
                Unindexed::Other => found.insert(path, None),
                Unindexed::Indexed => None,
            };
        }
        Ok(found)
    }

    fn look_up_unindexed(&self, path: &NotePath) -> Result<Unindexed, MemoryError> {
        if let Some(known) = self.unindexed.0.borrow().get(path) {
            return Ok(known.clone());
        }
        let Some(fresh) = self.session.notes.read_note(path) else { return Ok(Unindexed::Indexed) };
        let indexed: Option<Fingerprint> = self.session.snapshot.note(path)?.map(|note| note.hash);
        let found = if indexed == Some(fresh.note().file_fingerprint()) {
            Unindexed::Indexed
        } else if let Some(found) = self.read_item(path) {
            let words = lowercase_words(&found.item.text);
            Unindexed::Item(Rc::new(UnindexedItem { found, words, claims: OnceCell::new() }))
        } else {
            Unindexed::Other
        };
        self.unindexed.0.borrow_mut().insert(path.clone(), found.clone());
        Ok(found)
    }

    /// The claims of an item, read from its words: once, of one that this session wrote.
    pub(crate) fn read_claims_of(&self, found: &FoundItem) -> Vec<Claim> {
        let known = match self.unindexed.0.borrow().get(&found.path) {
            Some(Unindexed::Item(item)) if item.found.item == found.item => Rc::clone(item),
            _ => return self.read_item_claims(found),
        };
        known.claims.get_or_init(|| self.read_item_claims(found)).clone()
    }
}

/// The words of a query that say something.
pub(super) fn words_of_query(query: &str) -> Vec<String> {
    let mut words = lowercase_words(query);
    words.retain(|word| {
        word.chars().count() > 2 && !FUNCTION.contains(word.as_str()) && !GERMAN_FUNCTION.contains(word.as_str())
    });
    words
}
