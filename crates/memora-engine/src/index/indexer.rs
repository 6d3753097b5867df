//! Who brings the index of a vault up to date.

use crate::state::open::Memora;

/// Brings the index up to date: `sync.rs` with its folder, `watch.rs` for places that changed, `proposals.rs` for what models read.
pub(crate) struct Indexer<'m> {
    pub(super) memora: &'m mut Memora,
}

impl<'m> Indexer<'m> {
    pub(super) fn new(memora: &'m mut Memora) -> Self {
        Self { memora }
    }
}
