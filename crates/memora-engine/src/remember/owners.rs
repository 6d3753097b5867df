//! Who does what with memories. Each of these is the [`Memories`] of one writer at one door, with more that can be done with them, and
//! knows those before it, never those behind it; its methods are in the files that its comment names. [`Memories`] itself is in
//! `memories.rs`, `trust.rs` and `audit.rs`.

use std::ops::Deref;

use crate::remember::memories::Memories;

/// Defines types over [`Memories`], and the methods of those that lead to them.
macro_rules! owners {
    ($($(#[$doc:meta])+ $vis:vis $name:ident by $way:ident)+) => {
        $(
            $(#[$doc])+
            $vis struct $name<'m>(&'m Memories<'m>);

            impl<'m> Deref for $name<'m> {
                type Target = Memories<'m>;

                fn deref(&self) -> &Self::Target {
                    self.0
                }
            }
        )+

        impl Memories<'_> {
            $(
                pub(crate) fn $way(&self) -> $name<'_> {
                    $name(self)
                }
            )+
        }
    };
}

owners! {
    /// What items claim, and whether they still hold: `objections.rs`, `unindexed.rs`.
    pub(crate) ItemClaims by claims
    /// Reads items, logs and pages as they stand, and how often they were recalled: `read.rs`, `list.rs`, `passage.rs`, `recalls.rs`.
    pub MemoryReader by reader
    /// The notes of sessions, and their digests: `sessions.rs`.
    pub(crate) SessionNotes by sessions
    /// What other programs' memory servers are told and asked: `bridge/`.
    pub MemoryBridges by bridges
    /// Searches: `search.rs`, `differing.rs`, `gaps.rs`.
    pub MemoryFinder by finder
    /// Lays out what a session begins with: `context.rs`.
    pub ContextBuilder by context
    /// Writes, through the gates: `save.rs`, `held.rs`, `change.rs`, `write.rs`, `tasks.rs`, `session_note.rs`, `naming.rs`, `keep.rs`, `init.rs`.
    pub MemoryGate by gate
    /// What a language model lists of sessions and merges, checked: `session_facts.rs`, `worded_merges.rs`.
    pub(crate) SessionFacts by facts
    /// Forgets, digests and consolidates, and undoes it: `forget.rs`, `digests.rs`, `consolidate.rs`.
    pub MemoryUpkeep by upkeep
    /// Imports and exports, also from and to other programs: `import.rs`, `export.rs`, `bridge/pull.rs`.
    pub MemoryTransfer by transfer
}
