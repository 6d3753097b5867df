//! Entity resolution: which note or name the several names in a vault refer to.
//!
//! An entity is a note, with its title, its aliases and the texts of links to it, or a bare name without a note of its
//! own. Invariant: **nothing is guessed.** A name that two notes share is [`Meant::Several`]; link texts that lead to
//! different notes are not names; a claim whose subject is such a name belongs to neither. Other link texts resolve to
//! their target, but name it in claims of other notes only if they are specific enough. And **a name that occurs in the
//! notes is never reported as unknown**: if no claim is about it, the statements that mention it are listed.
//!
//! Resolution depends on the whole vault, so it is computed at read time, from names and links as they are written,
//! over the notes that the door may see and no others: at a cloud door guarded notes do not exist.

mod claim_listing;
mod claims;
mod co_occurrence;
mod entity_names;
mod name_pattern;
mod name_suggestions;
mod name_table;
mod resolve;

use std::cell::OnceCell;
use std::sync::Arc;

use elsa::FrozenMap;
use memora_claim::NameKey;
use memora_redact::Door;
use memora_vault::NotePath;

use crate::session::Session;

pub use co_occurrence::{EntityEdge, EntityEdgeKind};
pub(crate) use entity_names::{EntityNames, is_owner_speaking};
pub(crate) use name_table::{NameTable, NameTableCache};

/// The referent of a name.
///
/// Carries words of the vault, so its `Debug` gives no name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// A note.
    Note(NotePath),
    /// A named thing without a note.
    Name(NameKey),
}

/// The result of resolving a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityResolution {
    /// Exactly one entity.
    One(Entity),
    /// Several notes that match equally well, in order of path.
    Ambiguous(Vec<NotePath>),
    /// No entity that this door may know.
    Unknown,
}

/// The names that a session has resolved.
#[derive(Default)]
pub(crate) struct EntityCache {
    /// Names of the notes that this door may see; read when first needed.
    names: OnceCell<Arc<NameTable>>,
    /// Names of entities.
    entity_names: FrozenMap<Entity, Box<EntityNames>>,
    /// The entities that names refer to in notes.
    resolved_keys: FrozenMap<(NameKey, NotePath), Box<EntityResolution>>,
}

/// The resolution of names, for one session.
pub struct EntityResolver<'s, D: Door> {
    session: &'s Session<'s, D>,
}

impl<'s, D: Door> EntityResolver<'s, D> {
    pub(crate) fn new(session: &'s Session<'s, D>) -> Self {
        Self { session }
    }
}

/// The reports about entities, for one session.
pub struct EntityReports<'s, D: Door> {
    session: &'s Session<'s, D>,
}

impl<'s, D: Door> EntityReports<'s, D> {
    pub(crate) fn new(session: &'s Session<'s, D>) -> Self {
        Self { session }
    }
}

impl std::fmt::Debug for Entity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Note(path) => write!(f, "Note({path:?})"),
            Self::Name(key) => write!(f, "Name({key:?})"),
        }
    }
}
