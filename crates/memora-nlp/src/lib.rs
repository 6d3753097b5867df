//! What is known of language: words, numbers, units, dates and sentences, of English and partly of German, and a parser of
//! English.
//!
//! [`token`] cuts a text into tokens with their bytes, [`number`] and [`time`] read numbers, dates and times of day in
//! them; [`lexicon`] and [`mod@unit`] have the words of `data/`. The one rule to know: **a word is listed once**, and claims,
//! questions and verdicts all know it from there. [`sentence`] and [`subject`] decide ids and are frozen.
//!
//! [`tokens()`] cuts a sentence as the parser knows it, [`Reader::read`] gives its [`Tree`]. The model is part of the
//! program and was trained beforehand; see `assets/README.md`. Whatever is given is read, and quickly: any words have a
//! tree, in time linear in their number, and beyond [`TOKENS_MAX`] they are not read.
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
//! Deliberately not here: markup, claims, and what a time means on the day of a note.

pub mod language;
pub mod lexicon;
pub mod lists;
pub mod number;
mod parse;
mod phrases;
mod senses;
pub mod sentence;
mod spelling;
pub mod stem;
pub mod subject;
pub mod time;
pub mod token;
pub mod unit;

pub use parse::{Label, ParserLoadError, DependencyParser, TOKENS_MAX, DependencyTree, Upos, Xpos, tokenize_treebank};
pub use phrases::{PhraseMatch, PhraseRelation, ParaphraseTable};
pub use senses::{LexicalRelation, WordSenses};
pub use spelling::normalize_spelling;
