//! The part-of-speech tagger and dependency parser for English: treebank tokens, tags, heads and labels.
//!
//! `tokenize_treebank` tokenizes a sentence, `DependencyParser::parse` returns its `DependencyTree`.

#[cfg(test)]
mod damage_tests;
mod dependency_parser;
mod feature_templates;
mod features;
mod guide;
mod hash;
mod model;
mod parser_lexicon;
mod recent_parses;
mod state;
mod tagger;
mod tagset;
mod transition_parser;
mod tree;
mod treebank_tokenizer;
mod weights;
mod word_features;

pub use dependency_parser::{DependencyParser, TOKENS_MAX};
pub use model::ParserLoadError;
pub use tagset::{Label, Upos, Xpos};
pub use tree::DependencyTree;
pub use treebank_tokenizer::tokenize_treebank;
