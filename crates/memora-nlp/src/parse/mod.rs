//! The part-of-speech tagger and dependency parser for English: treebank tokens, tags, heads and labels.
//!
//! [`tokens()`] tokenizes a sentence, [`Reader::read`] returns its [`Tree`].

#[cfg(test)]
mod damage_tests;
mod features;
mod guide;
mod hash;
mod lexicon;
mod model;
mod names;
mod parser;
mod reader;
mod state;
mod tagger;
mod templates;
mod tree;
mod treebank;
mod weights;
mod word;

pub use model::ParserLoadError;
pub use names::{Label, Upos, Xpos};
pub use reader::{DependencyParser, TOKENS_MAX};
pub use tree::DependencyTree;
pub use treebank::tokenize_treebank;
