//! How far an index has followed the store: to its last commit, and from there as far as no change concerns it.

use memora_claim::StatementId;
use tantivy::Index;

use super::{FORMAT_VERSION, TantivyIndex, encode_statement_id};
use crate::collection_stats::find_live_doc;
use crate::lexical::{IndexPosition, LexicalError};

/// The positions of an open index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FollowedPosition {
    /// That of the last commit.
    written: IndexPosition,
    /// The one that it would have if all changes up to it were applied: none of those behind the commit concerns it.
    followed: IndexPosition,
    /// The number of those changes.
    skipped: usize,
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

impl TantivyIndex {
    /// Moves to a later position: none of so many changes since the current one concerns this index. Nothing is written: another
    /// process, and the next one, find the index at the position of its last commit.
    pub fn skip_to(&mut self, position: IndexPosition, changes: usize) {
        self.position.followed = position;
        self.position.skipped += changes;
    }

    /// Returns how many changes were skipped since the last commit.
    #[must_use]
    pub fn skipped_changes(&self) -> usize {
        self.position.skipped
    }

    /// Returns the position of the last commit.
    #[must_use]
    pub fn written_position(&self) -> IndexPosition {
        self.position.written
    }

    /// Returns those of some statements that the index has.
    ///
    /// # Errors
    /// [`LexicalError`] if the index can't be read.
    pub fn find_known(&self, statements: &[StatementId]) -> Result<Vec<StatementId>, LexicalError> {
        let searcher = self.reader.searcher();
        let find = || -> Result<Vec<StatementId>, LexicalError> {
            let mut known = Vec::new();
            for statement in statements {
                let id = encode_statement_id(*statement);
                for segment in searcher.segment_readers() {
                    if find_live_doc(segment, self.fields.id, id)?.is_some() {
                        known.push(*statement);
                        break;
                    }
                }
            }
            Ok(known)
        };
        // Reading a damaged file may end in a panic within the library.
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(find)).unwrap_or(Err(LexicalError::Damaged))
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
