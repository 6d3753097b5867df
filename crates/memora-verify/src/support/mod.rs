#![allow(missing_docs)]
mod lexicon;
mod stem;
mod tokens;
pub(crate) fn mentions(_text: &str, _name: &str) -> bool { false }
