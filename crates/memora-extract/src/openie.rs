//! Open information extraction over one sentence, for evaluation: tuples of words with a confidence.
//!
//! The `readings` module selects and shapes the claims of the product; this is the raw yield of the clause rules, with
//! weak relations that are not worth a claim.

use memora_nlp::DependencyParser;

use crate::clause::ClauseWord;
use crate::clause::tuple::extract_tuples;

/// A predicate with its arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenTuple {
    /// Higher is surer.
    pub confidence: f32,
    /// Words of the sentence, and "is", "was", "has" if inserted by a rule.
    pub predicate: String,
    /// The subject first.
    pub arguments: Vec<String>,
}

/// Returns the tuples of a tokenized sentence.
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

fn join_words<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.collect::<Vec<_>>().join(" ")
}
