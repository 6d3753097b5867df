//! A sentence with its tokens and its tree, and the text of its phrases.

use std::ops::Range;

use memora_claim::time::TimeMention;
use memora_nlp::DependencyTree;

use crate::clause::ClauseWord;
use crate::clause::tree_query::TreeQuery;

/// A parsed sentence.
#[derive(Clone, Copy)]
pub(crate) struct ParsedSentence<'a> {
    /// The text of the statement.
    pub(crate) text: &'a str,
    /// The byte ranges of its tokens, as many as the tree has.
    pub(crate) tokens: &'a [Range<usize>],
    /// Its tree.
    pub(crate) tree: &'a DependencyTree<'a>,
    /// The times in the text.
    pub(crate) times: &'a [TimeMention],
}

impl<'a> ParsedSentence<'a> {
    pub(crate) fn grammar(self) -> TreeQuery<'a> {
        TreeQuery::new(self.tree)
    }

    /// Returns the byte range of a token in the text.
    pub(crate) fn range(self, i: usize) -> Range<usize> {
        self.tokens.get(i).cloned().unwrap_or_default()
    }

    /// Whether a token is part of a date.
    pub(crate) fn is_time(self, i: usize) -> bool {
        let range = self.range(i);
        self.times
            .iter()
            .any(|time| time.words.start <= range.start && range.end <= time.words.end && !range.is_empty())
    }

    /// Returns tokens as text: spaced as in the original, and with one space where words are omitted.
    pub(crate) fn phrase(self, words: &[usize]) -> String {
        let parts: Vec<ClauseWord> = words.iter().copied().map(ClauseWord::Token).collect();
        self.phrase_with_inserted(&parts)
    }

    /// Returns the same, with words inserted by a rule.
    pub(crate) fn phrase_with_inserted(self, words: &[ClauseWord]) -> String {
        let mut out = String::new();
        let mut end = None;
        for word in words {
            let (part, start) = match word {
                ClauseWord::Token(i) => {
                    let range = self.range(*i);
                    let start = Some(range.start);
                    let part = self.text.get(range.clone()).unwrap_or_default();
                    let glued = end.is_some() && end == start;
                    end = Some(range.end);
                    (part, glued)
                }
                ClauseWord::Inserted(word) => {
                    end = None;
                    (*word, false)
                }
            };
            if !start && !out.is_empty() && !part.is_empty() {
                out.push(' ');
            }
            out.push_str(part);
        }
        collapse_whitespace(&out)
    }
}

/// Expands the contractions of a predicate: "isn't" becomes "is not".
pub(super) fn expand_contractions(predicate: &str) -> String {
    let mut out = predicate.replace('’', "'");
    if !out.contains('\'') {
        return predicate.to_owned();
    }
    for (short, long) in [
        ("can't", "can not"),
        ("Can't", "Can not"),
        ("Won't", "Will not"),
        ("Shan't", "Shall not"),
        ("won't", "will not"),
        ("shan't", "shall not"),
        ("n't", " not"),
        ("'re", " are"),
        ("'ve", " have"),
        ("'ll", " will"),
        ("'m", " am"),
        ("'d", " would"),
        ("'s", " is"),
    ] {
        out = out.split(' ').map(|word| expand_contraction(word, short, long)).collect::<Vec<_>>().join(" ");
    }
    collapse_whitespace(&out)
}

/// Expands a contraction at the end of a word.
fn expand_contraction(word: &str, short: &str, long: &str) -> String {
    match word.strip_suffix(short) {
        Some(stem) if !stem.contains('\'') => format!("{stem}{long}"),
        _ => word.to_owned(),
    }
}

/// Collapses runs of white space.
pub(crate) fn collapse_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
