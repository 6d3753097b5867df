//! The positions of the parts of a proposal in the quoted words.
//!
//! It is not enough that every word occurs: "Anna likes rye and Ben likes beer" has all words of "Anna likes beer".
//! They must be in order, without parts of another clause between. Invariant: **in doubt, a proposal does not match.**

use std::ops::Range;

use super::clause_check::check_one_clause;
use super::compared_words::{ComparedWord, find_occurrences, without_article};
use super::proposal::Ungrounded;
use super::quoted_statement::{
    PlacedParts, QuotedStatement, is_determiner, is_modal_opener, is_pronoun, is_skippable_adverb,
};
use crate::lists::VERB_CONJUNCTIONS;
use memora_nlp::language_detection::is_english;

/// The maximum number of words between two words of a predicate: "switched *its serialization* from".
const GAP_MAX: usize = 6;

/// The maximum number of words between a subject and its verb.
const REACH_MAX: usize = 24;

impl QuotedStatement<'_> {
    /// Finds the parts of a proposal, in order: subject, predicate, object. `subject` may be outside the statement if
    /// this begins with a dependent word.
    pub(super) fn locate_parts(
        &self,
        subject: &[ComparedWord],
        predicate: &[ComparedWord],
        object: &[ComparedWord],
    ) -> Result<PlacedParts, Ungrounded> {
        let subjects: Vec<Range<usize>> = find_occurrences(without_article(subject), self.words).collect();
        let mut why = Ungrounded::Predicate;
        for verb in self.find_predicates(predicate) {
            let first = verb.first().copied().unwrap_or_default();
            let own = subjects.iter().rev().find(|s| s.end <= first && self.may_govern(s.end, first));
            if own.is_none() && (!subjects.is_empty() || !self.has_open_subject(first)) {
                why = Ungrounded::Subject;
                continue;
            }
            match self.find_object(object, &verb) {
                Some(object) => {
                    let placed = PlacedParts { subject: own.cloned(), predicate: verb, object };
                    let one = if is_english(self.text) { check_one_clause(self, &placed) } else { Ok(()) };
                    match one {
                        Ok(()) => return Ok(placed),
                        Err(of_another) => why = of_another,
                    }
                }
                None => why = Ungrounded::Object,
            }
        }
        Err(why)
    }

    /// Returns all matches of a predicate in the quote.
    fn find_predicates(&self, wanted: &[ComparedWord]) -> Vec<Vec<usize>> {
        let Some((head, rest)) = wanted.split_first() else { return Vec::new() };
        let starts = self.quote.clone().filter(|i| self.words.get(*i).is_some_and(|word| word.folded == head.folded));
        let whole = starts.filter_map(|start| {
            let mut found = vec![start];
            for word in rest {
                let from = found.last()? + 1;
                let near = from..(from + GAP_MAX + 1).min(self.quote.end);
                found.push(near.into_iter().find(|i| self.words.get(*i).is_some_and(|w| w.folded == word.folded))?);
            }
            Some(found)
        });
        whole.collect()
    }

    /// Whether the verb at `verb` may belong to a subject that ends at `subject`.
    fn may_govern(&self, subject: usize, verb: usize) -> bool {
        let between = self.words.get(subject..verb).unwrap_or_default();
        // A modal or planning word before the verb is a reason of its own, see `modality`.
        let passed = |word: &str| {
            is_skippable_adverb(word) || is_modal_opener(word) || matches!(word, "do" | "does" | "did" | "to")
        };
        let kept = between.iter().rposition(|word| !passed(&word.folded)).map_or(0, |last| last + 1);
        let Some(last) = between.get(..kept).and_then(<[ComparedWord]>::last) else { return true };
        let joins = VERB_CONJUNCTIONS.contains(last.folded.as_str());
        let relative = kept == 1 && matches!(last.folded.as_str(), "who" | "which" | "that");
        let pronoun = is_pronoun(&last.folded) && !between.iter().any(|word| word.large);
        between.len() <= REACH_MAX && (joins || relative || pronoun || self.has_separator_between(last.at.end, verb))
    }

    /// Whether a statement with its verb at `verb` takes its subject from the context: it has none, or a
    /// pronoun.
    fn has_open_subject(&self, verb: usize) -> bool {
        let before = self.words.get(..verb).unwrap_or_default();
        let kept = before.iter().rposition(|word| !is_skippable_adverb(&word.folded)).map_or(0, |last| last + 1);
        let before = before.get(..kept).unwrap_or_default();
        match before {
            [] => true,
            [.., last] if is_pronoun(&last.folded) => {
                before.iter().skip(1).all(|word| !word.large || is_time_word(word))
            }
            // "My brother" is a subject of its own, not a reference to the note's.
            _ => false,
        }
    }

    /// Returns the object behind its predicate: directly, or as one of several conjuncts.
    fn find_object(&self, wanted: &[ComparedWord], verb: &[usize]) -> Option<Range<usize>> {
        let behind = verb.last().copied().unwrap_or_default() + 1;
        if wanted.is_empty() {
            return Some(behind..behind);
        }
        find_occurrences(without_article(wanted), self.words).find(|object| {
            object.start >= behind && object.end <= self.quote.end && self.may_follow_predicate(behind, object.start)
        })
    }

    fn may_follow_predicate(&self, behind: usize, object: usize) -> bool {
        let between = self.words.get(behind..object).unwrap_or_default();
        let kept = between.iter().rposition(|word| !is_determiner(&word.folded)).map_or(0, |last| last + 1);
        let Some(last) = between.get(..kept).and_then(<[ComparedWord]>::last) else { return true };
        let joins = matches!(last.folded.as_str(), "and" | "or" | "&");
        between.len() <= REACH_MAX && (joins || self.has_separator_between(last.at.end, object))
    }
}

fn is_time_word(word: &ComparedWord) -> bool {
    !memora_claim::time::find_times(&word.folded).is_empty()
}
