//! Open information extraction over one sentence, as it is measured: tuples of words with a confidence.
//!
//! What the product claims is chosen and shaped in `reading`; this is the raw yield of the clause rules, including faint
//! relations that nobody would want as claims.

use memora_nlp::{Reader, tokens};

use crate::clause::Word;
use crate::clause::tuple::tuples;

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
pub fn of_tokens(words: &[&str]) -> Vec<OpenTuple> {
    let tree = Reader::embedded().read(words);
    let word = |i: usize| words.get(i).copied().unwrap_or_default();
    tuples(&tree)
        .into_iter()
        .map(|tuple| OpenTuple {
            confidence: tuple.confidence,
            predicate: joined(tuple.predicate.iter().map(|part| match part {
                Word::Token(i) => word(*i),
                Word::Inserted(word) => word,
            })),
            arguments: tuple.arguments.iter().map(|words| joined(words.iter().map(|i| word(*i)))).collect(),
        })
        .collect()
}

/// The tuples of a sentence.
#[must_use]
pub fn of_text(text: &str) -> Vec<OpenTuple> {
    let words: Vec<&str> = tokens(text, &[]).into_iter().filter_map(|range| text.get(range)).collect();
    of_tokens(&words)
}

fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
