//! Who does what with memories. Each of these borrows the [`Memories`] of one writer at one door, and knows those before it, never those
//! behind it; its methods are in the files that its comment names. [`Memories`] itself is in `memories.rs`, `trust.rs` and `audit.rs`.

use crate::remember::memories::Memories;

/// Defines types over [`Memories`].
macro_rules! owners {
    ($($(#[$doc:meta])+ $vis:vis $name:ident)+) => {
        $(
            $(#[$doc])+
            $vis struct $name<'m> {
                pub(super) memories: &'m Memories<'m>,
            }

            impl<'m> $name<'m> {
                pub(crate) fn new(memories: &'m Memories<'m>) -> Self {
                    Self { memories }
                }
            }
        )+
    };
}

owners! {
    /// What items claim, and whether they still hold: `objections.rs`, `unindexed.rs`.
    pub(crate) ItemClaims
    /// Reads items, logs and pages as they stand, and how often they were recalled: `read.rs`, `list.rs`, `passage.rs`, `recalls.rs`.
    pub MemoryReader
    /// The notes of sessions, and their digests: `sessions.rs`.
    pub(crate) SessionNotes
    /// What other programs' memory servers are told and asked: `bridge/`.
    pub MemoryBridges
    /// Searches: `search.rs`, `differing.rs`, `gaps.rs`.
    pub MemoryFinder
    /// Lays out what a session begins with: `context.rs`.
    pub ContextBuilder
    /// Writes, through the gates: `save.rs`, `held.rs`, `change.rs`, `write.rs`, `session_note.rs`, `naming.rs`, `keep.rs`, `init.rs`.
    pub MemoryGate
    /// What a language model lists of sessions and merges, checked: `session_facts.rs`, `worded_merges.rs`.
    pub(crate) SessionFacts
    /// Forgets, digests and consolidates, and undoes it: `forget.rs`, `digests.rs`, `consolidate.rs`.
    pub MemoryUpkeep
    /// Imports and exports, also from and to other programs: `import.rs`, `export.rs`, `bridge/pull.rs`.
    pub MemoryTransfer
}
