//! Entity resolution: which note or name the several names in a vault refer to.
//!
//! An entity is a note, with its title, its aliases and the texts of links to it, or a bare name without a note of its
//! own. Invariant: **nothing is guessed.** A name that two notes share is [`EntityResolution::Ambiguous`]; link texts that lead to
//! different notes are not names; a claim whose subject is such a name belongs to neither. Other link texts resolve to
//! their target, but name it in claims of other notes only if they are specific enough. And **a name that occurs in the
//! notes is never reported as unknown**: if no claim is about it, the statements that mention it are listed.
//!
//! Resolution depends on the whole vault, so it is computed at read time, from names and links as they are written,
//! over the notes that the door may see and no others: at a cloud door guarded notes do not exist. Nor do notes that
//! machines wrote, for what stands in the user's, unless they are asked for: a title or an alias of theirs must not make
//! one thing of two of the user's. What stands in their own notes may mean them.

pub(crate) mod cache;
mod claim_listing;
mod claims;
mod co_occurrence;
mod collect_names;
mod entity_names;
pub(crate) mod identity;
mod name_pattern;
pub(crate) mod name_suggestions;
mod name_table;
mod resolve;

use memora_store::Authors;

use crate::read::entity::cache::EntityCache;
use crate::state::session::Session;

pub use claims::EntityQuery;
pub use co_occurrence::{EntityEdge, EntityEdgeKind};
pub(crate) use entity_names::{EntityNames, is_owner_speaking};
pub use identity::{Entity, EntityResolution};
pub(crate) use name_table::NameTable;

/// The resolution of names, for one session.
pub struct EntityResolver<'s> {
    session: &'s Session<'s>,
    cache: &'s EntityCache,
    /// Whose notes give names, and are looked through.
    authors: Authors,
}

impl<'s> EntityResolver<'s> {
    pub(crate) fn new(session: &'s Session<'s>, authors: Authors) -> Self {
        Self { session, cache: session.caches.of(), authors }
    }
}

/// The reports about entities, for one session, from the notes of some authors.
pub struct EntityReports<'s> {
    session: &'s Session<'s>,
    authors: Authors,
}

impl<'s> EntityReports<'s> {
    pub(crate) fn new(session: &'s Session<'s>, authors: Authors) -> Self {
        Self { session, authors }
    }

    fn entities(&self) -> EntityResolver<'s> {
        EntityResolver::new(self.session, self.authors)
    }
}
