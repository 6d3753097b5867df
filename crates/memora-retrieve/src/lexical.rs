//! The seam: what the engine asks of a lexical index, whichever engine stands behind it.

use std::collections::HashSet;

use memora_claim::StatementId;
use memora_claim::time::Period;
use memora_vault::PartialDate;

use crate::dates::DateRange;
use crate::query::Query;

/// How far an index has followed the store: which store, and the last of its changes that is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IndexPosition {
    /// The store's uuid. Another one than the store's own: clear the index and fill it again.
    pub store: u128,
    /// The number of the last change applied. Higher than the store's own: the same; lower: replay from there.
    pub sequence: u64,
}

/// A statement with all that it can be found by.
#[derive(Clone, Debug)]
pub struct StatementDoc {
    /// Its name. A second `Put` of the same replaces the first.
    pub statement: StatementId,
    /// Its own words.
    pub words: String,
    /// The subjects of its claims, where the words or the surroundings give them.
    pub subject: String,
    /// The objects of its claims.
    pub object: String,
    /// The title of its note.
    pub title: String,
    /// The headings above it.
    pub headings: Vec<String>,
    /// Other names of its note.
    pub aliases: Vec<String>,
    /// Tags of its note and its own.
    pub tags: Vec<String>,
    /// The sentences around it.
    pub around: String,
    /// When it was written or holds, as far as known; `yesterday` in its words is read against it.
    pub date: Option<PartialDate>,
    /// First and last day of what each of its places is of: by a heading, a note's name, a property.
    pub periods: Vec<Period>,
    /// The notes it stands in, for [`Filter::notes`].
    pub notes: Vec<u64>,
}

/// One step of the store's history.
#[derive(Clone, Debug)]
pub enum IndexChange {
    /// The statement is gone.
    Delete(StatementId),
    /// The statement is new, or is to be found by other words.
    Put(Box<StatementDoc>),
}

/// What a hit must fulfil besides the question.
#[derive(Clone, Debug, Default)]
pub struct SearchFilter {
    /// The question's dates: what one of a hit's places is of must lie in one of these ranges by more than half, or a date
    /// that its words name must lie there as a whole.
    pub dates: Option<Vec<DateRange>>,
    /// The same once more, whatever the question names: since when, and until when.
    pub within: Option<Period>,
    /// Whether what its words name does not count.
    pub placed: bool,
    /// It must stand in one of these notes.
    pub notes: Option<HashSet<u64>>,
}

impl SearchFilter {
    /// Whether everything passes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.dates.is_none() && self.within.is_none() && self.notes.is_none()
    }
}

/// Where in a document a term of the question was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocField {
    /// The statement's own words.
    Words,
    /// Its subject.
    Subject,
    /// Its object.
    Object,
    /// Title, headings, aliases or tags.
    Context,
    /// The sentences around it.
    Neighbours,
}

/// A term of the question that a hit holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermMatch {
    /// The term as the question has it, folded.
    pub term: String,
    /// Where it stands.
    pub parts: Vec<DocField>,
    /// Whether only a word spelled nearly alike was found.
    pub fuzzy: bool,
}

/// A term of the question, and how far a hit holds it.
#[derive(Clone, Debug, PartialEq)]
pub struct TermCoverage {
    /// The term as the question has it, folded.
    pub term: String,
    /// How rare it is.
    pub weight: f32,
    /// 0 to 1; half, where only the sentences around have it.
    pub credit: f32,
    /// Whether it is a name by its spelling: capitals, a number, several words in one.
    pub names: bool,
}

/// A statement found.
#[derive(Clone, Debug, PartialEq)]
pub struct LexicalHit {
    /// Its name.
    pub statement: StatementId,
    /// BM25 over all fields; comparable within one search only.
    pub score: f32,
    /// The question's terms, in its order.
    pub terms: Vec<TermCoverage>,
    /// Those that it holds.
    pub matched: Vec<TermMatch>,
    /// The share of the question's content that it holds, each term weighing as much as it is rare; 0 to 1.
    pub coverage: f32,
    /// The share of the question's names, numbers and rare words that it holds; 1 where the question has none.
    pub distinctive: f32,
    /// Those of them that it does not hold.
    pub missed: Vec<String>,
    /// Whether one of those is a name by its spelling: capitals, a number, several words in one.
    pub lacks_name: bool,
}

impl LexicalHit {
    /// The parts of the statement that hold a term of the question; none if it does not hold it.
    #[must_use]
    pub fn matched_fields(&self, term: &str) -> &[DocField] {
        let found = self.matched.iter().find(|found| found.term == term);
        found.map_or(&[], |found| &found.parts)
    }
}

/// A lexical index of statements.
pub trait LexicalIndex {
    /// How far it has followed the store.
    fn position(&self) -> IndexPosition;

    /// Applies changes in order and moves to `position`, all or nothing.
    ///
    /// # Errors
    /// [`LexicalError`]; nothing was applied then.
    fn apply_changes(&mut self, position: IndexPosition, changes: impl Iterator<Item = IndexChange>) -> Result<(), LexicalError>;

    /// The best `limit` statements, best first; equal scores in the order of their ids.
    ///
    /// # Errors
    /// [`LexicalError`], when the index can't be read.
    fn search(&self, query: &Query, filter: &SearchFilter, limit: usize) -> Result<Vec<LexicalHit>, LexicalError>;

    /// Empties it, back to the default position.
    ///
    /// # Errors
    /// [`LexicalError`]; it is as it was then.
    fn clear(&mut self) -> Result<(), LexicalError>;
}

/// Why a lexical index could not be opened, changed or read.
#[derive(Debug, thiserror::Error)]
pub enum LexicalError {
    /// Another process is changing it; reading goes on.
    #[error("another process is writing the lexical index")]
    LockBusy,
    /// Its folder can't be made, renamed or removed.
    #[error("the folder of the lexical index can't be used")]
    Folder(#[source] std::io::Error),
    /// What is on disk is no index; opening it again rebuilds it empty.
    #[error("the lexical index is damaged")]
    Damaged,
    /// Anything else from the engine below. Its message may name files, never words of the vault.
    #[error("the lexical index failed")]
    Engine(#[source] tantivy::TantivyError),
}

impl From<tantivy::TantivyError> for LexicalError {
    fn from(error: tantivy::TantivyError) -> Self {
        use tantivy::TantivyError as E;
        match error {
            E::LockFailure(tantivy::directory::error::LockError::LockBusy, _) => Self::LockBusy,
            E::DataCorruption(_) | E::SchemaError(_) | E::IncompatibleIndex(_) | E::OpenReadError(_) => Self::Damaged,
            error => Self::Engine(error),
        }
    }
}

impl From<std::io::Error> for LexicalError {
    fn from(error: std::io::Error) -> Self {
        Self::Folder(error)
    }
}
