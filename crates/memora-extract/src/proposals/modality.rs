//! The modality of a proposal's words in context: denied, planned, conditional, reported.
//!
//! The rules' own reading of the same clause takes precedence, if there is one. Word lists find what a reading may have
//! missed: a word that denies or plans a verb and was omitted from the proposal is a reason to reject it.

use memora_claim::Modality;
use memora_nlp::word_lists::WordSet;

use super::proposal::Ungrounded;
use super::quoted_statement::{PlacedParts, QuotedStatement, is_modal_opener};
use crate::lemma::base_form;
use crate::lists::{
    CONDITION_WORDS, DENIALS, HEARSAY_WORDS, HEDGES, NON_ASSERTING_WORDS, PLAN_WORDS, SCOPE_CONJUNCTIONS,
    UNCOMPARED_WORDS,
};
use crate::readings::is_speech_verb;

/// Whether a word is a negation: "no lift", "nothing".
fn is_denial(word: &str) -> bool {
    DENIALS.contains(word) || word.ends_with("n't")
}

/// Whether a word denies the verb that it stands at, and so can be no part of a subject.
pub(super) fn denies_verb(word: &str) -> bool {
    word == "not" || word.ends_with("n't")
}

/// The modality of some words, by word lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordingModality {
    pub(super) negated: bool,
    /// `None` if no word says otherwise than that it is so.
    pub(super) modality: Option<Modality>,
}

impl WordingModality {
    /// Examines the words around the parts of a proposal.
    pub(super) fn detect(quoted: &QuotedStatement<'_>, placed: &PlacedParts) -> Result<Self, Ungrounded> {
        let around = OmittedWords { quoted, placed };
        if around.any_omitted(|i| around.is_in_scope(i) && is_denial(around.word(i))) {
            return Err(Ungrounded::LostNegation);
        }
        if around.any_omitted(|i| around.is_in_scope(i) && NON_ASSERTING_WORDS.contains(around.word(i)))
            || around.is_conditional()
        {
            return Err(Ungrounded::NotAsserted);
        }
        let opens = |i: usize| {
            let word = around.word(i);
            around.is_before_verb_end(i) && (is_modal_opener(word) || word.ends_with("'ll") || word.ends_with("'d"))
        };
        if around.any_omitted(|i| opens(i) || around.is_in_scope(i) && HEDGES.contains(around.word(i))) {
            return Err(Ungrounded::LostModality);
        }
        let first = placed.object.clone().take(1);
        let negated = placed.predicate.iter().copied().chain(first).any(|i| is_denial(around.word(i)));
        Ok(Self { negated, modality: around.modality() })
    }
}

struct OmittedWords<'q, 'w> {
    quoted: &'q QuotedStatement<'w>,
    placed: &'q PlacedParts,
}

impl OmittedWords<'_, '_> {
    fn word(&self, i: usize) -> &str {
        self.quoted.words.get(i).map_or("", |word| word.folded.as_str())
    }

    /// Whether `of` is true for any word that the proposal omits.
    fn any_omitted(&self, of: impl Fn(usize) -> bool) -> bool {
        (0..self.quoted.words.len()).any(|i| !self.placed.covers(i) && of(i))
    }

    fn subject_span(&self) -> (usize, usize) {
        self.placed.subject.as_ref().map_or((0, 0), |subject| (subject.start, subject.end))
    }

    fn verb_end(&self) -> usize {
        self.placed.predicate.last().map_or(0, |last| last + 1)
    }

    fn is_before_verb_end(&self, i: usize) -> bool {
        self.subject_span().1 <= i && i < self.verb_end()
    }

    /// Whether a word affects the proposal: it is before its end, or behind it without a separator in between.
    fn is_in_scope(&self, i: usize) -> bool {
        let end = self.placed.end();
        let behind = || {
            let from = end.checked_sub(1).and_then(|last| self.quoted.words.get(last)).map_or(0, |word| word.at.end);
            let joined = (end..i).any(|i| SCOPE_CONJUNCTIONS.contains(self.word(i)));
            !joined && !self.quoted.has_separator_between(from, i)
        };
        i < end || behind()
    }

    /// Whether it is a condition or an indirect question: "if Anna comes, …", "whether Anna comes".
    fn is_conditional(&self) -> bool {
        let start = self.placed.subject.as_ref().map(|subject| subject.start);
        let start = start.or(self.placed.predicate.first().copied()).unwrap_or_default();
        self.any_omitted(|i| {
            let from = self.quoted.words.get(i).map_or(0, |word| word.at.end);
            i < start && CONDITION_WORDS.contains(self.word(i)) && !self.quoted.has_separator_between(from, start)
        })
    }

    fn modality(&self) -> Option<Modality> {
        let verb = |list: &WordSet<'_>| self.placed.predicate.iter().any(|i| list.contains(self.word(*i)));
        let would = self.placed.predicate.iter().any(|i| self.word(*i) == "would");
        let reported = self.any_omitted(|i| {
            let outside = i < self.subject_span().0 || i >= self.placed.end();
            HEARSAY_WORDS.contains(self.word(i)) || outside && is_speech_verb(self.word(i))
        });
        if self.any_omitted(|i| CONDITION_WORDS.contains(self.word(i))) || would {
            Some(Modality::Conditional)
        } else if reported {
            Some(Modality::Reported)
        } else if verb(&PLAN_WORDS) || self.placed.predicate.iter().any(|i| self.word(*i).ends_with("'ll")) {
            Some(Modality::Planned)
        } else {
            None
        }
    }
}

/// Returns the base form of a content word: no auxiliaries, articles and prepositions.
pub(super) fn content_key(word: &str) -> Option<String> {
    (!UNCOMPARED_WORDS.contains(word)).then(|| base_form(word))
}
