//! A vault with its state: the user's settings, the store and the indexes derived from it, and the notes as they are read again.
//!
//! Nothing here knows how a question is answered or a note is read into claims. [`open::Memora`] is what is open, [`session::Session`] one
//! reading of it for the view of a door.

pub(crate) mod bridges;
pub(crate) mod caches;
pub(crate) mod commit_cache;
pub(crate) mod config;
pub(crate) mod decisions_file;
pub(crate) mod egress;
pub(crate) mod embedder;
pub(crate) mod error_chain;
pub(crate) mod lexical_indexes;
pub(crate) mod memory_replies;
pub(crate) mod note_cache;
pub(crate) mod note_kind;
pub(crate) mod open;
pub(crate) mod passage_index;
pub(crate) mod semantic_index;
pub(crate) mod session;
pub(crate) mod sources;
pub(crate) mod vector_cache;
