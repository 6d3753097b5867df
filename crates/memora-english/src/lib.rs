//! Reads English: cuts a sentence into tokens, tags them, and finds what hangs on what.
//!
//! [`tokens()`] cuts, [`Reader::read`] gives a [`Tree`]. The model is part of the program and was trained beforehand; see
//! `assets/README.md`. The one rule to know: **whatever is given is read, and quickly**. Any words have a tree, in time
//! linear in their number, and beyond [`TOKENS_MAX`] they are not read.
//!
//! ```
//! use memora_english::{Label, Reader, Upos, tokens};
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

#[cfg(test)]
mod damage_tests;
mod features;
mod guide;
mod hash;
mod lexicon;
mod model;
mod names;
mod parser;
mod phrases;
mod reader;
mod senses;
mod spelling;
mod state;
mod tagger;
mod templates;
mod tokens;
mod tree;
mod weights;
mod word;

pub use model::LoadError;
pub use names::{Label, Upos, Xpos};
pub use phrases::{FoundPhrase, Paraphrase, Phrasebook};
pub use reader::{Reader, TOKENS_MAX};
pub use senses::{Kinship, Meaning};
pub use spelling::spelled;
pub use tokens::tokens;
pub use tree::Tree;
