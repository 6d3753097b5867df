//! Entities: what a name refers to.

use memora_claim::NameKey;
use memora_vault::NotePath;

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

impl std::fmt::Debug for Entity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Note(path) => write!(f, "Note({path:?})"),
            Self::Name(key) => write!(f, "Name({key:?})"),
        }
    }
}
