//! Items as a door may see them.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use memora_claim::Claim;
use memora_memory::Item;
use memora_vault::{Band, NotePath};

/// An item as this door may see it.
#[derive(Clone)]
pub(crate) struct FoundItem {
    pub(super) path: NotePath,
    pub(super) item: Item,
    pub(super) band: Band,
    /// Whether its seal holds.
    pub(super) sealed: bool,
}

/// An item that is not indexed, with what is compared of it again and again.
pub(crate) struct UnindexedItem {
    pub(super) found: FoundItem,
    pub(super) words: Vec<String>,
    pub(super) claims: OnceCell<Vec<Claim>>,
}

/// The files that were found not to be indexed: a session reads each file once, and its snapshot of the index stays as it is.
#[derive(Default)]
pub(super) struct UnindexedItems(pub(super) RefCell<HashMap<NotePath, Unindexed>>);

/// An item, or `None` for a file of something else, or one that is indexed.
#[derive(Clone)]
pub(super) enum Unindexed {
    Item(Rc<UnindexedItem>),
    Other,
    Indexed,
}

impl UnindexedItem {
    /// The share of a query's words that it has, as words or as their beginnings.
    pub(super) fn share_of(&self, query: &[String]) -> f64 {
        let found = query.iter().filter(|word| self.words.iter().any(|has| has.starts_with(word.as_str()))).count();
        #[expect(clippy::cast_precision_loss, reason = "a query has few words")]
        let share = found as f64 / query.len().max(1) as f64;
        share
    }
}
