//! When a reading holds: by the times among its own words.

use std::collections::HashSet;

use memora_claim::time::{Time, validity_of};
use memora_claim::{Holds, Phase};
use memora_english::{Label, Upos};

use super::words::Words;
use crate::clause::Clause;

impl Words<'_> {
    /// When a clause holds: by the times among its own words, or before the verb that it is coordinated to.
    pub(super) fn holds(self, clause: &Clause) -> Holds {
        let grammar = self.grammar();
        let tree = self.tree;
        let of_others = |k: usize| {
            matches!(tree.label(k), Label::Conj | Label::Parataxis | Label::Ccomp)
                && (tree.upos(k) == Upos::Verb || grammar.has_subject(k))
        };
        let mut own = grammar.below(clause.verb, of_others);
        own.extend(clause.subject.map(|s| grammar.all_below(s)).unwrap_or_default());
        own.extend(clause.objects.iter().flatten());
        own.extend(grammar.shared_opening(clause.verb));
        let starts: HashSet<usize> = own.iter().map(|i| self.range(*i).start).collect();
        let times: Vec<Time> = self.times.iter().filter(|time| starts.contains(&time.words.start)).cloned().collect();
        let (from, until) = validity_of(&times, 0..usize::MAX);
        if self.phase_of(clause) == Phase::Ended {
            Holds { from: None, until: until.or(from) }
        } else {
            Holds { from, until }
        }
    }

    /// When a line without a verb holds: by the times in it.
    pub(super) fn holds_in(self, words: &[usize]) -> Holds {
        let starts: HashSet<usize> = words.iter().map(|i| self.range(*i).start).collect();
        let times: Vec<Time> = self.times.iter().filter(|time| starts.contains(&time.words.start)).cloned().collect();
        let (from, until) = validity_of(&times, 0..usize::MAX);
        Holds { from, until }
    }
}
