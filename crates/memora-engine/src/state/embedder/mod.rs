//! Which embedder makes vectors, and how a larger one is installed.

pub(crate) mod choice;
pub(crate) mod setup;
