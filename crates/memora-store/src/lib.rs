//! Persistent state: two SQLite files in a folder of the caller's choice, outside the vault.
//!
//! - `index.db` is derived from the vault alone and may be deleted at any time. Notes, statements, their sources and
//!   claims, and a change log from which derived indexes (lexical, vector) catch up.
//! - `journal.db` is history that only watching can record: former places of statements, renames, first-seen times, edited
//!   numbers, recalls of memories; and proposals of language models, which would have to be requested again. It survives a rebuild of the index, nothing
//!   in the index needs it, and it may only suggest.
//! - `write.lock` is held by the one writing process, for a batch at a time; the system releases it with the process.
//!
//! Invariant: **reads go through a [`Snapshot`], writes through a [`Writer`].** A
//! snapshot is one read transaction and never waits. A writer is one batch: [`Writer::commit`] makes all of it visible at
//! once, and dropping it undoes all of it. A kill at any instant leaves the last commit.
//!
//! A *wording* is the extraction of a statement at a place: words, form and claims. Nearly every statement has one.
//! If the place influences the reading (a daily note's date, a captured note), several are kept, each as long as a
//! source needs it, so that an index grown step by step equals one built at once.
//!
//! Vectors of statements are in the index too, separate for each band; they follow its commits and make none, see
//! [`VectorWriter`].
//!
//! All SQL is in this crate. Out of scope: reading notes, access control ([`Extraction`] and
//! [`NoteRecord`] carry vault text, so their `Debug` prints lengths only), and the clock: times are passed in.

// The helpers of the tests in `tests` serve those in here too.
#[cfg(test)]
extern crate self as memora_store;

mod adjacent;
mod authors;
mod batch;
mod bytes;
mod claim_codec;
mod codec;
mod connection;
mod context;
mod counts;
mod error;
mod facts;
mod filter;
mod journal;
mod journal_write;
mod load;
mod names;
mod neighbours;
mod number_changes;
mod open;
mod passage_vectors;
mod pool;
mod proposals;
#[cfg(test)]
mod query_tests;
mod recalls;
mod record;
mod schema;
mod setup;
mod snapshot;
mod token_vectors;
mod vectors;
mod wordings;
mod write_note;
mod writer;

pub use adjacent::{Adjacency, AdjacentStatement, StatementNote};
pub use authors::Authors;
pub use counts::{ClaimChange, ClaimReaders, Counts};
pub use error::{OpenError, ReadError, SqliteError, WriteError};
pub use facts::{CHANGE_TOPIC, DUE_TOPIC, Facts, PLAN_TOPIC};
pub use filter::NoteFilter;
pub use journal::{FORMER_MAX, FormerSource, Journal};
pub use names::{ClaimNames, LinkUse, NameRole, NamedPlace, Names, NoteNames};
pub use neighbours::Neighbours;
pub use number_changes::{NUMBER_CHANGES_MAX, StoredNumberChange};
pub use open::{Store, StoreHealth};
pub use passage_vectors::{NotePassages, PassageVectors, UnreadNote};
pub use proposals::{KeptProposals, PassageKey, Proposals, ProposedBy};
pub use recalls::Recalls;
pub use record::{
    Extraction, IndexTotals, LinkRecord, Neighbour, NoteChange, NoteRecord, StatementChanges, StatementPlace,
    StatementRecord, StoredSource, StoredStatement,
};
pub use schema::schema_sql;
pub use setup::{OpenReport, OpenedDatabase, SetAsideReason};
pub use snapshot::Snapshot;
pub use token_vectors::{TokenKey, TokenVectors};
pub use vectors::{VectorCodes, VectorCounts, VectorSet, VectorWriter, Vectors};
pub use writer::{CommitSummary, Writer};
