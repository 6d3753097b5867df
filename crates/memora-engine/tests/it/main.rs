//! The tests of the crate as seen from outside, one binary.
//!
//! - [`counts`]: what `index` reports as added and removed, at each door.
//! - [`entities`]: edges between entities, as retrieval may follow them: typed, bounded, by door.
//! - [`lexical`]: the lexical indexes: an edit touches those that it concerns, and what became guarded leaves.
//! - [`number_edits`]: numbers that were edited in place: who is told of them, and that nothing else hangs on them.
//! - [`reading_ahead`]: what the transformer reads ahead of questions, while others index.
//! - [`watching`]: a process that lives long: what it heard of is taken in when it reads, and nothing that it heard is lost.

mod counts;
mod entities;
mod lexical;
mod number_edits;
mod reading_ahead;
mod watching;
