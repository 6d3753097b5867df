//! Brings the index up to date: walks, reads changed notes, writes the store, and derives the lexical and vector indexes.

pub(crate) mod claim_changes;
pub(crate) mod indexer;
pub(crate) mod links;
pub(crate) mod outcome;
pub(crate) mod passage_vectors;
pub(crate) mod prepare;
pub(crate) mod progress;
pub(crate) mod proposals;
#[cfg(test)]
#[path = "../../build/reader_version.rs"]
mod reader_version;
#[cfg(test)]
mod reader_version_tests;
pub(crate) mod sync;
pub(crate) mod token_vectors;
pub(crate) mod vectorize;
#[cfg(test)]
mod vectorize_tests;
pub(crate) mod watch;
