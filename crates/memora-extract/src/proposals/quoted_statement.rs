//! A statement with the quoted words of it, and the places of a proposal's parts in them.

use std::ops::Range;

use super::compared_words::ComparedWord;
use crate::lists::{NON_FACT_VERBS, NOUN_DETERMINERS, OTHER_SUBJECTS, SKIPPABLE_ADVERBS};

/// The parts of a proposal, as indices of the statement's words.
pub(super) struct PlacedParts {
    /// `None` if it is outside the statement.
    pub(super) subject: Option<Range<usize>>,
    pub(super) predicate: Vec<usize>,
    /// Empty if there is no object.
    pub(super) object: Range<usize>,
}

impl PlacedParts {
    /// Returns the index behind its last word.
    pub(super) fn end(&self) -> usize {
        self.predicate.last().map_or(0, |last| last + 1).max(self.object.end)
    }

    pub(super) fn covers(&self, word: usize) -> bool {
        self.predicate.contains(&word)
            || self.object.contains(&word)
            || self.subject.as_ref().is_some_and(|s| s.contains(&word))
    }
}

/// A statement's words, and the quoted range of them.
pub(super) struct QuotedStatement<'w> {
    pub(super) text: &'w str,
    pub(super) words: &'w [ComparedWord],
    pub(super) quote: Range<usize>,
}

impl QuotedStatement<'_> {
    /// Whether an object is one of several conjuncts, and not the first.
    pub(super) fn is_later_conjunct(&self, placed: &PlacedParts) -> bool {
        let behind = placed.predicate.last().map_or(0, |last| last + 1);
        let between = self.words.get(behind..placed.object.start).unwrap_or_default();
        between.iter().any(|word| !is_determiner(&word.folded))
    }

    /// Whether there is more than adverbs and a pronoun between a subject and a verb, which may then have another.
    pub(super) fn has_intervening_words(&self, subject: usize, placed: &PlacedParts) -> bool {
        let verb = placed.predicate.first().copied().unwrap_or_default();
        let between = self.words.get(subject..verb).unwrap_or_default();
        let own = |word: &ComparedWord| is_skippable_adverb(&word.folded) || is_modal_opener(&word.folded);
        between.iter().any(|word| !own(word)) && !between.iter().any(|word| is_pronoun(&word.folded))
    }

    /// Whether a comma or similar sign is between a byte and a word.
    pub(super) fn has_separator_between(&self, from: usize, word: usize) -> bool {
        let to = self.words.get(word).map_or(self.text.len(), |word| word.at.start);
        self.text.get(from..to).unwrap_or_default().contains([',', ';', ':', '(', ')', '–', '—', '|'])
    }
}

pub(super) fn is_skippable_adverb(word: &str) -> bool {
    // Negations are checked elsewhere, and must not hide the words before them.
    word.len() > 4 && word.ends_with("ly") || SKIPPABLE_ADVERBS.contains(word)
}

pub(super) fn is_pronoun(word: &str) -> bool {
    OTHER_SUBJECTS.contains(word)
}

pub(super) fn is_determiner(word: &str) -> bool {
    NOUN_DETERMINERS.contains(word)
}

/// Whether a word before a verb makes it less than a fact.
pub(super) fn is_modal_opener(word: &str) -> bool {
    NON_FACT_VERBS.contains(word)
}
