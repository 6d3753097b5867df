//! A sentence whose times are parsed, and whether it is about the past or the future, by the verb nearest to a time.

use std::cell::OnceCell;

use super::forms::DateForms;
use super::mention::TimeRole;
use super::preposition::TimePreposition;
use super::time_expr::OccurrenceChoice;
use crate::lists::{FUTURE_WORDS, HAVE_TOKENS, PARTICIPLES, PAST_WORDS, PERFECT_ADVERBS, PRESENT_BE_TOKENS};

/// A parser of the times in one text.
pub(super) struct TimeParser<'t> {
    pub(super) tokens: DateForms<'t>,
    /// Tense of each token; computed on first use.
    pub(super) verbs: OnceCell<Vec<Option<TenseBias>>>,
}

/// The side of the note's date on which an ambiguous time lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TenseBias {
    Past,
    Future,
    Neutral,
}

impl TenseBias {
    /// For a weekday or weekend: never the note's own day, unless nothing is known.
    pub(super) fn choice_for_days(self) -> OccurrenceChoice {
        match self {
            Self::Past => OccurrenceChoice::Before(1),
            Self::Future => OccurrenceChoice::After(1),
            Self::Neutral => OccurrenceChoice::Near,
        }
    }

    /// For months and dates of a year: the current one counts.
    pub(super) fn choice_for_months(self) -> OccurrenceChoice {
        match self {
            Self::Past => OccurrenceChoice::AtMost,
            Self::Future => OccurrenceChoice::AtLeast,
            Self::Neutral => OccurrenceChoice::Near,
        }
    }
}

/// Maximum distance of the verb, in words on either side.
const VERB_SEARCH_WORDS: usize = 30;

impl TimeParser<'_> {
    /// Returns the bias of a time at token `at`: `since` prefers the past; otherwise the nearest verb before it in its
    /// sentence decides, then the first one after it; otherwise a deadline or an end prefers the future.
    pub(super) fn find_tense_bias(&self, at: usize, lead: &TimePreposition) -> TenseBias {
        if lead.word == "since" {
            return TenseBias::Past;
        }
        let open = match lead.role {
            TimeRole::Due | TimeRole::Until => TenseBias::Future,
            _ => TenseBias::Neutral,
        };
        self.find_tense(at).unwrap_or(open)
    }

    pub(super) fn find_tense(&self, at: usize) -> Option<TenseBias> {
        let mut back = at;
        while back > 0 && at - back < VERB_SEARCH_WORDS && !self.tokens.is_sentence_start(back) {
            back -= 1;
            if let Some(lean) = self.token_tense(back) {
                return Some(lean);
            }
        }
        let end = self.tokens.len().min(at.saturating_add(VERB_SEARCH_WORDS));
        (at + 1..end).take_while(|next| !self.tokens.is_sentence_start(*next)).find_map(|next| self.token_tense(next))
    }

    /// Returns the tense of token `at`, if it is a verb that shows one.
    pub(super) fn token_tense(&self, at: usize) -> Option<TenseBias> {
        let verbs = self.verbs.get_or_init(|| (0..self.tokens.len()).map(|at| self.classify_verb(at)).collect());
        verbs.get(at).copied().flatten()
    }

    fn classify_verb(&self, at: usize) -> Option<TenseBias> {
        let word = self.tokens.word(at);
        if FUTURE_WORDS.contains(word) {
            return Some(TenseBias::Future);
        }
        let being = PRESENT_BE_TOKENS.contains(word);
        let next = self.tokens.word(at + 1);
        if being && next.len() > 4 && next.ends_with("ing") {
            return Some(TenseBias::Future);
        }
        let regular = word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed");
        (regular || PAST_WORDS.contains(word)).then_some(TenseBias::Past)
    }

    /// Whether a `have` with its participle precedes token `at` in its sentence: a present perfect.
    pub(super) fn has_present_perfect(&self, at: usize) -> bool {
        (1..=10).map_while(|by| at.checked_sub(by).filter(|before| !self.tokens.is_sentence_start(before + 1))).any(
            |before| {
                let adverb = |at: &usize| PERFECT_ADVERBS.contains(self.tokens.word(*at));
                let skipped = (before + 1..at).take_while(adverb).count();
                let follows = self.tokens.word(before + 1 + skipped);
                match self.tokens.word(before) {
                    // `have lived`, but not `have a room`.
                    word if HAVE_TOKENS.contains(word) => {
                        PARTICIPLES.contains(follows) || self.token_tense(before + 1 + skipped) == Some(TenseBias::Past)
                    }
                    // `it's been`, but not `it's done`.
                    "s" => follows == "been",
                    _ => false,
                }
            },
        )
    }
}
