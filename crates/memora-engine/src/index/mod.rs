//! Brings the index up to date: walks, reads changed notes, writes the store, and derives the lexical and vector indexes.

pub(crate) mod claim_changes;
pub(crate) mod lexical_sync;
pub(crate) mod note_kind;
pub(crate) mod prepare;
pub(crate) mod progress;
#[cfg(test)]
#[path = "../../build/reader_version.rs"]
mod reader_version;
#[cfg(test)]
mod reader_version_tests;
pub(crate) mod semantic;
pub(crate) mod sync;
pub(crate) mod vector_cache;
pub(crate) mod vectorize;
#[cfg(test)]
mod vectorize_tests;
pub(crate) mod watch;
