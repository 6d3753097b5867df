//! How far an index has followed the store: to its last commit, and from there as far as no change concerns it.

use tantivy::Index;

use crate::lexical::{IndexPosition, LexicalError};

/// Must be incremented with every change of the schema or of the tokenizer's output.
pub(super) const FORMAT_VERSION: u32 = 4;

/// The positions of an open index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FollowedPosition {
    /// That of the last commit.
    pub(super) written: IndexPosition,
    /// The one that it would have if all changes up to it were applied: none of those behind the commit concerns it.
    pub(super) followed: IndexPosition,
    /// The number of those changes.
    pub(super) skipped: usize,
}

impl FollowedPosition {
    pub(super) fn get(self) -> IndexPosition {
        self.followed
    }

    /// Takes the position of the last commit as it was read. What was followed from there still holds.
    pub(super) fn update(&mut self, written: IndexPosition) {
        if self.written != written {
            *self = Self { written, followed: written, skipped: 0 };
        }
    }
}

/// Reads the position of the last commit; returns `None` if it has another format or label.
pub(super) fn read_position(index: &Index, label: &str) -> Result<Option<IndexPosition>, LexicalError> {
    let Some(payload) = index.load_metas()?.payload else { return Ok(None) };
    let mut parts = payload.split(' ');
    let format = parts.next().and_then(|part| part.parse::<u32>().ok());
    let store = parts.next().and_then(|part| u128::from_str_radix(part, 16).ok());
    let sequence = parts.next().and_then(|part| part.parse().ok());
    let is_own = parts.next() == Some(label);
    match (format, store, sequence) {
        (Some(FORMAT_VERSION), Some(store), Some(sequence)) if is_own => Ok(Some(IndexPosition { store, sequence })),
        _ => Ok(None),
    }
}
