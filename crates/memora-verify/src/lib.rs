//! Verify.
mod citation;
mod draft;
mod evidence;
mod flow;
mod fold;
mod support;
pub use citation::{Group, Item, Marker, citations};
pub use evidence::*;
pub use draft::{BlockKind, Citation, Sentence, sentences};
