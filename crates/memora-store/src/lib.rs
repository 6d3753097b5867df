//! What Memora keeps between two runs: two SQLite files in a folder of the caller's choice, outside the vault.
//!
//! - `index.db` follows from the vault alone and may be deleted at any time. Notes, statements, their places and their
//!   claims, and a table of changes from which derived indexes (lexical, vector) catch up.
//! - `journal.db` is what only watching can know: where statements stood before, renames, first-seen times; and what
//!   language models proposed for passages, which only asking them again could. It is kept when the index is rebuilt, nothing
//!   in the index needs it, and it may only propose.
//! - `write.lock` is held by the one process that writes, a batch at a time; the system releases it with the process.
//!
//! The one rule to know: **what is read comes from a [`Snapshot`], what is written goes through a [`Writer`].** A
//! snapshot is one read transaction and never waits. A writer is one batch: [`Writer::commit`] makes all of it visible at
//! once, and dropping it undoes all of it. A kill at any instant leaves the last commit.
//!
//! A *wording* is how a statement was read at a place: its words, its form, its claims. Nearly every statement has one.
//! Where the place has a say in the reading (a daily note's date, a captured note), several are kept, each as long as a
//! source needs it, so that an index grown step by step equals one built at once.
//!
//! Vectors of statements lie in the index too, apart for each band; they follow its commits and make none, see
//! [`VectorWriter`].
//!
//! No SQL stands outside this crate. Deliberately not here: reading notes, deciding what may be shown ([`Wording`] and
//! [`NoteRecord`] carry words of the vault, so their `Debug` gives lengths only), and the clock: times are handed in.

mod around;
mod batch;
mod code;
mod edits;
mod error;
mod facts;
mod filter;
mod journal;
mod load;
mod migrate;
mod names;
mod open;
mod proposals;
mod put;
mod record;
mod related;
mod remember;
mod setup;
mod snapshot;
mod token_vectors;
mod vectors;
mod writer;

pub use around::Neighbours;
pub use edits::{NUMBER_CHANGES_MAX, StoredNumberChange};
pub use error::{OpenError, ReadError, SqliteError, WriteError};
pub use facts::{PLAN_TOPIC, CHANGE_TOPIC};
pub use filter::NoteFilter;
pub use journal::{FORMER_MAX, FormerSource, Journal};
pub use migrate::schema_sql;
pub use names::{LinkUse, NamedPlace, ClaimNames, NoteNames, NameRole};
pub use open::{StoreHealth, Store};
pub use proposals::{KeptProposals, PassageKey, Proposals, ProposedBy};
pub use record::{
    StatementChanges, CommitSummary, LinkRecord, Neighbour, NoteChange, NoteRecord, StatementRecord, StoredSource, StoredStatement,
    IndexTotals, Extraction,
};
pub use related::{AdjacentStatement, Adjacency};
pub use setup::{OpenedDatabase, OpenReport, SetAsideReason};
pub use snapshot::Snapshot;
pub use token_vectors::{TokenKey, TokenVectors};
pub use vectors::{VectorCodes, VectorCounts, VectorSet, VectorWriter};
pub use writer::Writer;
