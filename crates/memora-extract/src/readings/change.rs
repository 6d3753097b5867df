//! Verbs of change: "switched serialization from JSON to MessagePack" ends one fact and begins another.

use std::collections::HashSet;
use std::sync::LazyLock;

use memora_claim::{Modality, Phase, ValidityExpr};
use memora_nlp::word_lists::WordSet;
use memora_nlp::{Label, Upos, Xpos};

use super::modality::ClauseModality;
use super::parsed_sentence::ParsedSentence;
use super::reading::{ReadingContext, ReadingTokens, StatementReading};
use crate::clause::tree_query::PhraseExtent;
use crate::clause::{ClauseWord, VerbClause};
use crate::lemma::base_form;
use crate::lists::{
    ENDING_VERBS, FROM_TO_VERBS, HAVE_AUXILIARIES, LEAVING_PREPOSITIONS, REPLACING_VERBS, USED_TO_AUXILIARIES,
};

/// Verbs of a change from one thing to another.
static FROM_TO: LazyLock<VerbSet> = LazyLock::new(|| verb_set(&FROM_TO_VERBS));

/// Verbs of replacement with a preposition: "replaced A with B".
static WITH: LazyLock<VerbSet> = LazyLock::new(|| verb_set(&REPLACING_VERBS));

/// Verbs that end their object.
static ENDING: LazyLock<VerbSet> = LazyLock::new(|| verb_set(&ENDING_VERBS));

impl ParsedSentence<'_> {
    /// Returns the readings of a clause of change; `None` for other clauses.
    pub(super) fn read_change(
        self,
        clause: &VerbClause,
        place: ReadingContext<'_>,
        meant: &ClauseModality,
    ) -> Option<Vec<StatementReading>> {
        let verb = base_form(self.tree.lower(clause.verb));
        if meant.negated || self.has_almost(clause.verb) {
            return None;
        }
        if FROM_TO.contains(&verb) {
            return self.read_from_to(clause, place, meant);
        }
        if WITH.contains(&verb) {
            return self.read_replacement(clause, place, meant);
        }
        None
    }

    /// Reads "moved [the newsletter] from A to B": the object, if there is one, is the topic.
    fn read_from_to(
        self,
        clause: &VerbClause,
        place: ReadingContext<'_>,
        meant: &ClauseModality,
    ) -> Option<Vec<StatementReading>> {
        let from = self.find_oblique(clause, &["from"]).filter(|from| !self.is_time(*from))?;
        let grammar = self.grammar();
        let to = self.find_oblique(clause, &["to", "into", "over"]).or_else(|| {
            // "from cabinet C to the fridge", taken for one place.
            let to = |k: &usize| grammar.preposition(*k).iter().any(|p| self.tree.lower(*p) == "to");
            grammar.children(from).filter(|k| self.tree.label(*k) == Label::Nmod).find(to)
        })?;
        let object = self.grammar().first_child(clause.verb, Label::Obj);
        Some(self.build_exchange(clause, place, meant, object, (from, Some(from)), (to, Some(to))))
    }

    /// Reads "replaced A with B", "swapped A for B".
    fn read_replacement(
        self,
        clause: &VerbClause,
        place: ReadingContext<'_>,
        meant: &ClauseModality,
    ) -> Option<Vec<StatementReading>> {
        let old = self.grammar().first_child(clause.verb, Label::Obj)?;
        let new = self.find_oblique(clause, &["with", "by", "for"]).filter(|new| !self.is_time(*new))?;
        Some(self.build_exchange(clause, place, meant, None, (old, None), (new, Some(new))))
    }

    /// Returns a complement of the verb, or of its object, with one of these prepositions.
    fn find_oblique(self, clause: &VerbClause, prepositions: &[&str]) -> Option<usize> {
        let grammar = self.grammar();
        let object = grammar.first_child(clause.verb, Label::Obj);
        let governors = [Some(clause.verb), object].into_iter().flatten();
        let mut found = governors.flat_map(|g| grammar.children(g)).filter(|k| {
            matches!(self.tree.label(*k), Label::Obl | Label::OblAgent | Label::Nmod)
                && grammar.preposition(*k).iter().any(|p| prepositions.contains(&self.tree.lower(*p)))
        });
        found.next()
    }

    /// Returns the readings of the old value, then of the new one; each comes with the token that has its preposition.
    fn build_exchange(
        self,
        clause: &VerbClause,
        place: ReadingContext<'_>,
        meant: &ClauseModality,
        object: Option<usize>,
        old: (usize, Option<usize>),
        new: (usize, Option<usize>),
    ) -> Vec<StatementReading> {
        let grammar = self.grammar();
        let topic = object.map(|object| {
            let mut words = grammar.noun_phrase(object, PhraseExtent::Whole);
            for part in [old.0, new.0] {
                let listed = grammar.subtree(part);
                words.retain(|i| !listed.contains(i));
            }
            words
        });
        let verb: Vec<ClauseWord> = clause
            .predicate
            .iter()
            .copied()
            .filter(|word| matches!(word, ClauseWord::Token(i) if self.tree.upos(*i) != Upos::Adp || self.tree.label(*i) == Label::CompoundPrt))
            .collect();
        let shared = self.new_reading(clause, meant);
        let holds = shared.holds;
        // "It replaces A with B" is habitual.
        let habit = matches!(self.tree.xpos(clause.verb), Xpos::Vbz | Xpos::Vbp) && clause.auxiliaries.is_empty();
        let outright = self.is_unhedged(clause, meant) && !(habit && holds == ValidityExpr::default());
        let mut found = Vec::new();
        for (subject, named) in self.find_subjects(clause, place) {
            for ((head, preposition), phase) in [(old, Phase::Ended), (new, Phase::Begun)] {
                // "We should move from A to B": no old value has ended, and no new one begun.
                let phase = if outright { phase } else { Phase::Steady };
                let other = grammar.subtree(if head == old.0 { new.0 } else { old.0 });
                let mut words = self.strip_times(grammar.noun_phrase(head, PhraseExtent::Whole));
                if !other.contains(&head) {
                    words.retain(|i| !other.contains(i));
                }
                let mut predicate = verb.clone();
                predicate.extend(topic.iter().flatten().copied().map(ClauseWord::Token));
                if let Some(head) = preposition {
                    predicate.extend(grammar.preposition(head).into_iter().map(ClauseWord::Token));
                }
                let said = clause.predicate.iter().chain(&predicate).filter_map(|word| word.token());
                let mut used: Vec<usize> = named.iter().copied().chain(said).collect();
                let both = [Some(old.0), Some(new.0), object].into_iter().flatten();
                used.extend(both.flat_map(|part| grammar.subtree(part)).filter(|i| !self.is_time(*i)));
                let mut beside = self.collect_qualifiers(clause, &used, &[]);
                if old.1.is_none() && head == old.0 {
                    // "replaced A with B": what it was replaced with.
                    beside.insert(0, grammar.prepositional_phrase(new.0));
                }
                found.push(StatementReading {
                    subject: subject.clone(),
                    predicate: self.phrase_with_inserted(&predicate),
                    object: self.phrase(&words),
                    qualifiers: self.phrase_texts(&beside),
                    parts: ReadingTokens::new(&named, &predicate, &words, &beside),
                    phase,
                    holds: if phase == Phase::Ended {
                        ValidityExpr { from: None, until: holds.until.or(holds.from) }
                    } else {
                        holds
                    },
                    topic: topic.as_ref().map(|words| self.phrase(words)),
                    confidence: self.score_clause(clause, &named, &words, 0),
                    ..shared.clone()
                });
            }
        }
        found
    }

    /// Returns the phase that a clause states: ended for "no longer uses", "stopped using", "used to".
    pub(super) fn detect_phase(self, clause: &VerbClause, meant: &ClauseModality) -> Phase {
        let tree = self.tree;
        let has = |wanted: &str| {
            clause.predicate.iter().any(|word| matches!(word, ClauseWord::Token(i) if tree.lower(*i) == wanted))
        };
        // "left the firm" and "has left the firm" end something; "the API was deprecated" is a state that began, and
        // "sells phones" and "we should sell it" are not past.
        let grammar = self.grammar();
        let active = clause.auxiliaries.iter().all(|i| tree.label(*i) != Label::AuxPass);
        let over = match tree.xpos(clause.verb) {
            Xpos::Vbd => true,
            Xpos::Vbn => clause.auxiliaries.iter().any(|i| HAVE_AUXILIARIES.contains(tree.lower(*i))),
            _ => false,
        };
        // "stopped by the office" and "left early" have no object that could end.
        let takes = grammar.has_child(clause.verb, |label| matches!(label, Label::Obj | Label::Xcomp | Label::Ccomp));
        // "left the keys on the table", "ended the call with a joke": place or manner, and the object goes on existing.
        let leaves = matches!(tree.lower(clause.verb), "left" | "leave" | "ended");
        let placed = |k: usize| {
            matches!(tree.label(k), Label::Obl | Label::Nmod)
                && !self.is_time(k)
                && grammar.preposition(k).iter().any(|p| LEAVING_PREPOSITIONS.contains(tree.lower(*p)))
        };
        let object = grammar.first_child(clause.verb, Label::Obj);
        let stays =
            leaves && [Some(clause.verb), object].into_iter().flatten().any(|g| grammar.children(g).any(placed));
        let gives_up = !clause.objects.is_empty() && active && over && takes && !stays;
        // "never left" and "has not sold it yet" end nothing; "no longer uses" does.
        let goes_on = meant.negated && !has("longer");
        if goes_on || !self.is_unhedged(clause, meant) || self.has_almost(clause.verb) {
            return Phase::Steady;
        }
        // "Iptables rules are used to redirect traffic" is no past habit.
        let helps = |i: &usize| USED_TO_AUXILIARIES.contains(tree.lower(*i));
        let used_to = has("used") && has("to") && !clause.auxiliaries.iter().any(helps);
        if has("longer") || used_to || gives_up && ENDING.contains(&base_form(tree.lower(clause.verb))) {
            return Phase::Ended;
        }
        Phase::Steady
    }

    /// Whether a clause asserts a present or past fact, without a plan or a modal.
    fn is_unhedged(self, clause: &VerbClause, meant: &ClauseModality) -> bool {
        let may = |i: usize| self.tree.xpos(i) == Xpos::Md;
        !clause.auxiliaries.iter().any(|i| may(*i))
            && matches!(meant.modality, None | Some(Modality::Asserted | Modality::Reported))
    }

    /// Whether the verb is qualified by "almost": "almost switched" means it did not happen.
    fn has_almost(self, verb: usize) -> bool {
        self.grammar().children(verb).any(|k| matches!(self.tree.lower(k), "almost" | "nearly"))
    }
}

/// Verbs by their base forms.
type VerbSet = HashSet<String>;

fn verb_set(verbs: &WordSet<'_>) -> VerbSet {
    verbs.iter().map(|verb| base_form(verb)).collect()
}
