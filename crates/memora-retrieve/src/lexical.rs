//! The interface between the engine and a lexical index of any kind.

use std::collections::HashSet;
use std::sync::Arc;

use memora_claim::StatementId;
use memora_claim::time::Period;
use memora_vault::{Hint, PartialDate};
use tantivy::directory::error::{OpenDirectoryError, OpenReadError};

use crate::dates::DateRange;
use crate::query::Query;

/// How far an index has followed the store: the store's id, and the last of its changes that was applied.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexPosition {
    /// The store's uuid. If it differs from the store's own, the index must be cleared and rebuilt.
    pub store: u128,
    /// The number of the last change applied. Higher than the store's own: rebuild; lower: replay from there.
    pub sequence: u64,
}

/// A statement with all its searchable text.
#[derive(Clone, Debug)]
pub struct StatementDoc {
    /// The statement's id. A second `Put` of the same id replaces the first.
    pub statement: StatementId,
    /// Its own words.
    pub words: String,
    /// The subjects of its claims, given by the words or the context.
    pub subject: String,
    /// The objects of its claims.
    pub object: String,
    /// The title of its note.
    pub title: String,
    /// The headings above it.
    pub headings: Vec<String>,
    /// The aliases of its note.
    pub aliases: Vec<String>,
    /// The tags of its note and its own.
    pub tags: Vec<String>,
    /// The neighbouring sentences.
    pub around: String,
    /// The date it was written on or holds at, if known; `yesterday` in its words is relative to it.
    pub date: Option<PartialDate>,
    /// The first and last day that each of its places is dated to: by a heading, the name of a note, a property.
    pub periods: Vec<Period>,
    /// The notes that contain it, for [`SearchFilter::notes`].
    pub notes: Vec<u64>,
}

/// One change of the store.
#[derive(Clone, Debug)]
pub enum IndexChange {
    /// The statement was removed.
    Delete(StatementId),
    /// The statement is new, or its searchable text changed.
    Put(Box<StatementDoc>),
}

/// Conditions on a hit besides the query.
#[derive(Clone, Debug, Default)]
pub struct SearchFilter {
    /// The question's dates: more than half of the dates of one of a hit's places must be in one of these ranges, or a
    /// date that its words name must be in it as a whole.
    pub dates: Option<Vec<DateRange>>,
    /// A second date condition, independent of the question: since when, and until when.
    pub within: Option<Period>,
    /// Whether dates that the words name are ignored.
    pub placed: bool,
    /// The hit must be in one of these notes.
    pub notes: Option<Arc<HashSet<u64>>>,
}

impl SearchFilter {
    /// Whether every hit passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dates.is_none() && self.within.is_none() && self.notes.is_none()
    }
}

/// The field of a document in which a term of the question was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocField {
    /// The statement's own words.
    Words,
    /// The subjects of its claims.
    Subject,
    /// The objects of its claims.
    Object,
    /// Title, headings, aliases or tags.
    Context,
    /// The neighbouring sentences.
    Neighbours,
}

/// A term of the question that a hit contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermMatch {
    /// The folded term of the question.
    pub term: String,
    /// The fields that contain it.
    pub parts: Vec<DocField>,
    /// Whether only a similar spelling was found.
    pub fuzzy: bool,
}

/// A term of the question, and how far a hit covers it.
#[derive(Clone, Debug, PartialEq)]
pub struct TermCoverage {
    /// The folded term of the question.
    pub term: String,
    /// Its weight, by rarity.
    pub weight: f32,
    /// The credit, 0 to 1; half if only the neighbouring sentences contain the term.
    pub credit: f32,
    /// Whether its spelling marks it as a name: capitals, a number, a compound.
    pub names: bool,
}

/// A statement that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalHit {
    /// The statement's id.
    pub statement: StatementId,
    /// BM25 over all fields; comparable within one search only.
    pub score: f32,
    /// The question's terms, in order.
    pub terms: Vec<TermCoverage>,
    /// The terms that it contains.
    pub matched: Vec<TermMatch>,
    /// The share of the question's content that it covers, each term weighted by rarity; 0 to 1.
    pub coverage: f32,
    /// The share of the question's names, numbers and rare words that it covers; 1 if the question has none.
    pub distinctive: f32,
    /// Those of them that it lacks.
    pub missed: Vec<String>,
    /// Whether one of those is a name by its spelling: capitals, a number, a compound.
    pub lacks_name: bool,
}

impl LexicalHit {
    /// Returns the fields of the statement that contain a term of the question; empty if there are none.
    #[must_use]
    pub fn matched_fields(&self, term: &str) -> &[DocField] {
        let found = self.matched.iter().find(|found| found.term == term);
        found.map_or(&[], |found| &found.parts)
    }
}

/// A lexical index of statements.
pub trait LexicalIndex {
    /// Returns how far it has followed the store.
    fn position(&self) -> IndexPosition;

    /// Applies changes in order and moves to `position`, all or nothing.
    ///
    /// # Errors
    /// [`LexicalError`]; nothing was applied then.
    fn apply_changes(
        &mut self,
        position: IndexPosition,
        changes: impl Iterator<Item = IndexChange>,
    ) -> Result<(), LexicalError>;

    /// Returns the best `limit` statements, best first; ties are ordered by id.
    ///
    /// # Errors
    /// [`LexicalError`] if the index can't be read.
    fn search(&self, query: &Query, filter: &SearchFilter, limit: usize) -> Result<Vec<LexicalHit>, LexicalError>;

    /// Empties the index and resets its position.
    ///
    /// # Errors
    /// [`LexicalError`]; the index is unchanged then.
    fn clear(&mut self) -> Result<(), LexicalError>;
}

/// Why a lexical index could not be opened, changed or read.
#[derive(Debug, thiserror::Error)]
pub enum LexicalError {
    /// Another process is writing to it; reading still works.
    #[error("another process is writing the lexical index")]
    LockBusy,
    /// Its directory can't be created, renamed or removed.
    #[error("the folder of the lexical index can't be used")]
    Folder(#[source] std::io::Error),
    /// The files are not a valid index; opening it again rebuilds it empty.
    #[error("the lexical index is damaged")]
    Damaged,
    /// Its writer stopped halfway; nothing was applied.
    #[error("the lexical index could not be written")]
    Stopped,
    /// Any other error of the underlying engine. Its message may name files, never words of the vault.
    #[error("the lexical index failed")]
    Engine(#[source] tantivy::TantivyError),
}

impl Hint for LexicalError {
    fn hint(&self) -> &'static str {
        match self {
            Self::LockBusy => "try again when the other memora process is done",
            Self::Folder(_) | Self::Stopped | Self::Engine(_) => {
                "check that the state folder is there, that it can be written, and that its disk is not full"
            }
            Self::Damaged => "run memora doctor; memora reset makes a new index",
        }
    }
}

impl From<tantivy::TantivyError> for LexicalError {
    fn from(error: tantivy::TantivyError) -> Self {
        use tantivy::TantivyError as E;
        match error {
            E::LockFailure(tantivy::directory::error::LockError::LockBusy, _) => Self::LockBusy,
            // Too many open files, no permission: no reason to make the index anew.
            E::IoError(error) => Self::Folder(copy_error(&error)),
            E::OpenReadError(OpenReadError::IoError { io_error, .. }) if !is_about_content(&io_error) => {
                Self::Folder(copy_error(&io_error))
            }
            E::OpenDirectoryError(OpenDirectoryError::IoError { io_error, .. }) => Self::Folder(copy_error(&io_error)),
            E::DataCorruption(_) | E::SchemaError(_) | E::IncompatibleIndex(_) | E::OpenReadError(_) => Self::Damaged,
            error => Self::Engine(error),
        }
    }
}

/// Whether an error of the file system says that a file is not what it should be.
fn is_about_content(error: &std::io::Error) -> bool {
    use std::io::ErrorKind as K;
    matches!(error.kind(), K::NotFound | K::UnexpectedEof | K::InvalidData | K::InvalidInput | K::IsADirectory)
}

fn copy_error(error: &std::io::Error) -> std::io::Error {
    error.raw_os_error().map_or_else(|| error.kind().into(), std::io::Error::from_raw_os_error)
}

impl From<std::io::Error> for LexicalError {
    fn from(error: std::io::Error) -> Self {
        Self::Folder(error)
    }
}
