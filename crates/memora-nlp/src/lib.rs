//! Reads English: cuts a sentence into tokens, tags them, and finds what hangs on what.
//!
//! [`tokens()`] cuts, [`Reader::read`] gives a [`Tree`]. The model is part of the program and was trained beforehand; see
//! `assets/README.md`. The one rule to know: **whatever is given is read, and quickly**. Any words have a tree, in time
//! linear in their number, and beyond [`TOKENS_MAX`] they are not read.
//!
//! ```
//! use memora_nlp::{Label, Reader, Upos, tokens};
//!
//! let text = "Anna moved the cache to Redis.";
//! let words: Vec<&str> = tokens(text, &[]).into_iter().filter_map(|token| text.get(token)).collect();
//! let tree = Reader::embedded().read(&words);
//! assert_eq!((tree.upos(1), tree.head(1)), (Upos::Verb, None));
//! assert_eq!((tree.label(0), tree.head(0)), (Label::Nsubj, Some(1)));
//! ```
//!
//! [`Meaning`] says what two words may mean to one another, [`Phrasebook`] what may be said with others, [`spelled`] which
//! spelling is whose.
//!
//! Deliberately not here: sentences, markup, claims, other languages.

pub mod language;
pub mod lexicon;
pub mod lists;
pub mod number;
mod parse;
mod phrases;
mod senses;
mod spelling;
pub mod stem;
pub mod time;
pub mod token;
pub mod unit;

pub use parse::{Label, LoadError, Reader, TOKENS_MAX, Tree, Upos, Xpos, tokens};
pub use phrases::{FoundPhrase, Paraphrase, Phrasebook};
pub use senses::{Kinship, Meaning};
pub use spelling::spelled;
