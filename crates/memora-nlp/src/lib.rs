//! Language data and analysis: words, numbers, units, dates and sentences of English and partly of German, and a
//! dependency parser for English.
//!
//! [`token`] splits a text into tokens with byte ranges, [`number`] and [`time`] find numbers, dates and times of day
//! in it; [`lexicon`] and [`mod@unit`] hold the word lists of `data/`. Invariant: **a word is listed once**, and
//! claims, questions and verdicts all read that list. [`sentence`] and [`subject`] determine ids and are frozen.
//!
//! [`tokenize_treebank()`] tokenizes a sentence, [`DependencyParser::parse`] returns its [`DependencyTree`]. The model is
//! part of the program and trained in advance; see `assets/README.md`. Parsing never fails and takes linear time:
//! any words have a tree, and tokens beyond [`TOKENS_MAX`] are ignored.
//!
//! ```
//! use memora_nlp::{DependencyParser, Label, Upos, tokenize_treebank};
//!
//! let text = "Anna moved the cache to Redis.";
//! let words: Vec<&str> = tokenize_treebank(text, &[]).into_iter().filter_map(|token| text.get(token)).collect();
//! let tree = DependencyParser::embedded().parse(&words);
//! assert_eq!((tree.upos(1), tree.head(1)), (Upos::Verb, None));
//! assert_eq!((tree.label(0), tree.head(0)), (Label::Nsubj, Some(1)));
//! ```
//!
//! [`WordSenses`] relates the senses of two words, [`normalize_spelling`] normalizes British and American spelling.
//!
//! Not here: markup, claims, and the interpretation of a time relative to a note's date.

pub mod language;
pub mod language_detection;
pub mod lexicon;
pub mod number;
mod parse;
mod senses;
pub mod sentence;
mod spelling;
pub mod stem;
pub mod subject;
pub mod time;
pub mod token;
pub mod unit;
pub mod word_lists;

pub use parse::{DependencyParser, DependencyTree, Label, ParserLoadError, TOKENS_MAX, Upos, Xpos, tokenize_treebank};
pub use senses::{LexicalRelation, WordSenses};
pub use spelling::normalize_spelling;
