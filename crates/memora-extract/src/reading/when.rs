//! When a reading holds: by the times among its own words.

use std::collections::HashSet;

use memora_claim::time::{TimeRole, TimeMention, TimeExpr, find_clause_validity};
use memora_claim::{ValidityExpr, Phase};
use memora_nlp::{Label, Upos};

use super::words::ParsedSentence;
use crate::base::base_form;
use crate::clause::VerbClause;

impl ParsedSentence<'_> {
    /// When a clause holds: by the times among its own words, or before the verb that it is coordinated to.
    pub(super) fn clause_validity(self, clause: &VerbClause, phase: Phase) -> ValidityExpr {
        let grammar = self.grammar();
        let tree = self.tree;
        let of_others = |k: usize| {
            matches!(tree.label(k), Label::Conj | Label::Parataxis | Label::Ccomp)
                && (tree.upos(k) == Upos::Verb || grammar.has_subject(k))
        };
        let mut own = grammar.subtree_without(clause.verb, of_others);
        own.extend(clause.subject.map(|s| grammar.subtree(s)).unwrap_or_default());
        own.extend(clause.objects.iter().flatten());
        own.extend(grammar.find_shared_opening(clause.verb));
        let (from, until) = self.token_validity(&own);
        let verb = base_form(self.tree.lower(clause.verb));
        let runs_out = verb == "run" && self.tree.lower(clause.verb + 1) == "out";
        // "expires 31 Dec 2025": an end, and no beginning.
        if until.is_none() && (runs_out || ENDS.contains(&verb.as_str())) && !clause.objects.is_empty() {
            return ValidityExpr { from: None, until: from };
        }
        if phase == Phase::Ended { ValidityExpr { from: None, until: until.or(from) } } else { ValidityExpr { from, until } }
    }

    /// When a line without a verb holds: by the times in it.
    pub(super) fn phrase_validity(self, words: &[usize]) -> ValidityExpr {
        let (from, until) = self.token_validity(words);
        ValidityExpr { from, until }
    }

    /// When these words say that it holds. A time elsewhere in the sentence is not theirs, but may be: then nothing is
    /// known, and the day of the note is not it either.
    fn token_validity(self, words: &[usize]) -> (Option<TimeExpr>, Option<TimeExpr>) {
        let own = self.times_at(words.iter().copied());
        if own.is_empty() && !self.times_at(0..self.tree.len()).is_empty() {
            return (Some(TimeExpr::UNKNOWN), None);
        }
        find_clause_validity(&own, 0..usize::MAX)
    }

    /// The times that begin with one of these words.
    fn times_at(self, words: impl Iterator<Item = usize>) -> Vec<TimeMention> {
        let starts: HashSet<usize> =
            words.map(|i| self.range(i)).filter(|at| !at.is_empty()).map(|at| at.start).collect();
        let times = self.times.iter().filter(|time| starts.contains(&time.words.start) && !self.is_negated_time(time));
        times.cloned().collect()
    }

    /// "not since 2019 but since 2020": the first is no time of it.
    fn is_negated_time(self, time: &TimeMention) -> bool {
        let before = self.text.get(..time.phrase.start).unwrap_or_default();
        time.role != TimeRole::Until
            && before.split_whitespace().next_back().is_some_and(|word| word.eq_ignore_ascii_case("not"))
    }
}

/// Verbs of an end, in base forms: what they have beside them is when something ends.
const ENDS: &[&str] = &["expir", "end", "laps"];
