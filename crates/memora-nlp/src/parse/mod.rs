//! The tagger and the dependency parser of English: treebank tokens, tags, heads and labels.
//!
//! [`tokens()`] cuts a sentence, [`Reader::read`] gives its [`Tree`].

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

pub use model::LoadError;
pub use names::{Label, Upos, Xpos};
pub use reader::{Reader, TOKENS_MAX};
pub use tree::Tree;
pub use treebank::tokens;
