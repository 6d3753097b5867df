//! The validity of a reading, by the times among its own words.

use std::collections::HashSet;

use memora_claim::time::{TimeExpr, TimeMention, TimeRole, find_clause_validity};
use memora_claim::{Phase, ValidityExpr};
use memora_nlp::{Label, Upos};

use super::parsed_sentence::ParsedSentence;
use crate::clause::VerbClause;
use crate::clause::complement::find_shared_opening;
use crate::lemma::base_form;
use crate::lists::EXPIRY_VERBS;

/// Returns the validity of a clause: by the times among its own words, or before the verb it is coordinated to.
pub(super) fn clause_validity(sentence: ParsedSentence<'_>, clause: &VerbClause, phase: Phase) -> ValidityExpr {
    let grammar = sentence.grammar();
    let tree = sentence.tree;
    let of_others = |k: usize| {
        matches!(tree.label(k), Label::Conj | Label::Parataxis | Label::Ccomp)
            && (tree.upos(k) == Upos::Verb || grammar.has_subject(k))
    };
    let mut own = grammar.subtree_without(clause.verb, of_others);
    own.extend(clause.subject.map(|s| grammar.subtree(s)).unwrap_or_default());
    own.extend(clause.objects.iter().flatten());
    own.extend(find_shared_opening(grammar, clause.verb));
    let (from, until) = token_validity(sentence, &own);
    let verb = base_form(sentence.tree.lower(clause.verb));
    let runs_out = verb == "run" && sentence.tree.lower(clause.verb + 1) == "out";
    // "expires 31 Dec 2025": an end, not a beginning.
    if until.is_none() && (runs_out || EXPIRY_VERBS.contains(verb.as_str())) && !clause.objects.is_empty() {
        return ValidityExpr { from: None, until: from };
    }
    if phase == Phase::Ended {
        ValidityExpr { from: None, until: until.or(from) }
    } else {
        ValidityExpr { from, until }
    }
}

/// Returns the validity of a verbless line, by the times in it.
pub(super) fn phrase_validity(sentence: ParsedSentence<'_>, words: &[usize]) -> ValidityExpr {
    let (from, until) = token_validity(sentence, words);
    ValidityExpr { from, until }
}

/// Returns the validity that these words state. A time elsewhere in the sentence may also apply, so the validity is
/// then unknown, and the date of the note is not used either.
fn token_validity(sentence: ParsedSentence<'_>, words: &[usize]) -> (Option<TimeExpr>, Option<TimeExpr>) {
    let own = times_at(sentence, words.iter().copied());
    if own.is_empty() && !times_at(sentence, 0..sentence.tree.len()).is_empty() {
        return (Some(TimeExpr::UNKNOWN), None);
    }
    find_clause_validity(&own, 0..usize::MAX)
}

/// Returns the times that begin with one of these words.
fn times_at(sentence: ParsedSentence<'_>, words: impl Iterator<Item = usize>) -> Vec<TimeMention> {
    let starts: HashSet<usize> =
        words.map(|i| sentence.range(i)).filter(|at| !at.is_empty()).map(|at| at.start).collect();
    let times =
        sentence.times.iter().filter(|time| starts.contains(&time.words.start) && !is_negated_time(sentence, time));
    times.cloned().collect()
}

/// Whether a time is negated: the first in "not since 2019 but since 2020".
fn is_negated_time(sentence: ParsedSentence<'_>, time: &TimeMention) -> bool {
    let before = sentence.text.get(..time.phrase.start).unwrap_or_default();
    time.role != TimeRole::Until
        && before.split_whitespace().next_back().is_some_and(|word| word.eq_ignore_ascii_case("not"))
}
