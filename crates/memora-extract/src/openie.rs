//! Open information extraction over one sentence, as it is measured: tuples of words with a confidence.
//!
//! What the product claims is chosen and shaped in `reading`; this is the raw yield of the clause rules, including faint
//! relations that nobody would want as claims.

use memora_nlp::{DependencyParser, tokenize_treebank};

use crate::clause::ClauseWord;
use crate::clause::tuple::extract_tuples;

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenTuple {
    /// Higher is surer.
    pub confidence: f32,
    /// Words of the sentence, and "is", "was", "has" where a rule puts them in.
    pub predicate: String,
    /// The subject first.
    pub arguments: Vec<String>,
}

/// The tuples of a sentence that is already cut into tokens.
#[must_use]
pub fn extract_from_tokens(words: &[&str]) -> Vec<OpenTuple> {
    let tree = DependencyParser::embedded().parse(words);
    let word = |i: usize| words.get(i).copied().unwrap_or_default();
    extract_tuples(&tree)
        .into_iter()
        .map(|tuple| OpenTuple {
            confidence: tuple.confidence,
            predicate: join_words(tuple.predicate.iter().map(|part| match part {
                ClauseWord::Token(i) => word(*i),
                ClauseWord::Inserted(word) => word,
            })),
            arguments: tuple.arguments.iter().map(|words| join_words(words.iter().map(|i| word(*i)))).collect(),
        })
        .collect()
}

/// The tuples of a sentence.
#[must_use]
pub fn extract_from_text(text: &str) -> Vec<OpenTuple> {
    let words: Vec<&str> = tokenize_treebank(text, &[]).into_iter().filter_map(|range| text.get(range)).collect();
    extract_from_tokens(&words)
}

fn join_words<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
