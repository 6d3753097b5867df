//! How Memora behaves, told through the real binary.
//!
//! - [`others`]: what an earlier program and similar tools got wrong, and what Memora does
//! - [`aging`]: what holds now, what held then, and what the user decides
//! - [`capturing`]: what a text must hold to become a note, how it gets there, and what it never counts for
//! - [`anchoring`]: a note is edited after it was cited
//! - [`entities`]: several names of one thing, and names that stay open
//! - [`privacy`]: why what is guarded, what a model may see, what left
//! - [`rightly_said`]: what was said wrongly once, each with the value that is right
//! - [`rebuild`]: the index is disposable, whatever happens to it
//! - [`finding`]: what is found for a question, and when it held
//! - [`listing`]: what is listed as a claim, and what is not
//! - [`of_time`]: what was at a time
//! - [`opening`]: the first place, in an editor
//! - [`exam`]: questions and sentences written before the code, with the figures reached
//! - [`unicode`]: bytes, columns and words of a note with every Unicode horror

mod aging;
mod anchoring;
mod capturing;
mod entities;
mod exam;
mod finding;
mod listing;
mod of_time;
#[cfg(unix)]
mod opening;
mod others;
mod privacy;
mod rebuild;
mod reviewing;
mod rightly_said;
mod support;
mod unicode;
