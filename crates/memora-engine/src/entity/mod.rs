//! Entities: what several names in a vault are one of.
//!
//! An entity is a note, with its title, its aliases and the words that links to it show, or a bare name that has no note
//! of its own. The one rule to know: **nothing is guessed.** A name that two notes claim is [`Meant::Several`]; words of
//! links that lead to different notes are no name; a claim whose subject is such a name belongs to neither. Words of
//! links find what they lead to, but name it in claims of other notes only when they tell enough. And **a name that stands in
//! the notes is never said to be unknown**: where no claim is about it, the statements that say it are listed.
//!
//! Who is meant depends on the whole vault, so it is worked out when it is read, from names and links as they are
//! written, over the notes that the door may see and no others: at a cloud door guarded notes do not exist.

mod claims;
mod listed;
mod near;
mod neighbours;
mod resolve;
mod spelled;
mod table;

use memora_claim::NameKey;
use memora_vault::NotePath;

pub(crate) use claims::{EntityNames, is_owner_speaking};
pub use neighbours::{EntityEdge, EntityEdgeKind};
pub(crate) use table::{NameTableCache, NameTable};

/// What a name is a name of.
///
/// Carries words of the vault, so its `Debug` gives no name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Entity {
    /// A note.
    Note(NotePath),
    /// Something that is named and has no note.
    Name(NameKey),
}

/// Whom a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EntityResolution {
    /// This one.
    One(Entity),
    /// One of these notes, equally well; in order of path.
    Ambiguous(Vec<NotePath>),
    /// Nobody, as far as this door may know.
    Unknown,
}

impl std::fmt::Debug for Entity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Note(path) => write!(f, "Note({path:?})"),
            Self::Name(key) => write!(f, "Name({key:?})"),
        }
    }
}
