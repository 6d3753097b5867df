//! The tests of the crate as seen from outside, one binary.
//!
//! - [`code`]: code as statements: what is cut, what says what it does, what it does not change.
//! - [`exam`]: the exam for reading and re-reading: notes with what a careful user would expect of them, and edits that keep the
//! - [`reading`]: what holds for any note at all: made-up markdown, half of it broken, read and re-read.
//! - [`whole_sentences`]: what is never cut, and the ids of what once was.

mod code;
mod exam;
mod reading;
mod whole_sentences;
