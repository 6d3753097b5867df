//! How Memora behaves, told through the real binary.
//!
//! - [`known_mistakes`]: what an earlier program and similar tools got wrong, and what Memora does
//! - [`outdated`]: what holds now, what held then, and what the user decides
//! - [`capture`]: what a text must hold to become a note, how it gets there, and what it never counts for
//! - [`citations_after_edits`]: a note is edited after it was cited
//! - [`entities`]: several names of one thing, and names that stay open
//! - [`privacy`]: why what is guarded, what a model may see, what left
//! - [`right_values`]: what was said wrongly once, each with the value that is right
//! - [`rebuild`]: the index is disposable, whatever happens to it
//! - [`search`]: what is found for a question, and when it held
//! - [`claims_list`]: what is listed as a claim, and what is not
//! - [`time_questions`]: what was at a time
//! - [`open_in_editor`]: the first place, in an editor
//! - [`exam`]: questions and sentences written before the code, with the figures reached
//! - [`unicode`]: bytes, columns and words of a note with every Unicode horror

mod capture;
mod citations_after_edits;
mod claims_list;
mod entities;
mod exam;
mod known_mistakes;
#[cfg(unix)]
mod open_in_editor;
mod outdated;
mod privacy;
mod rebuild;
mod review;
mod right_values;
mod search;
mod support;
mod time_questions;
mod unicode;
