//! Readings of a clause: one for each of its coordinated subjects and objects.

use memora_claim::Modality;
use memora_nlp::{Label, Upos};

use super::factuality::{is_finite, is_unclaimable};
use super::modality::{ClauseModality, detect_modality, is_negated};
use super::parsed_sentence::{ParsedSentence, expand_contractions};
use super::reading::{ReadingContext, ReadingSubject, ReadingTokens, StatementReading};
use super::validity::clause_validity;
use crate::clause::complement::ComplementRole;
use crate::clause::confidence::{TupleFeatures, score_tuple};
use crate::clause::noun_relations::NounRelation;
use crate::clause::{ClauseWord, VerbClause};
use crate::lists::{JOINING_ADVERBS, WILL_AUXILIARIES};

impl ParsedSentence<'_> {
    /// Returns the readings of one clause: one for each of its coordinated subjects and objects.
    pub(super) fn read_clause(self, clause: &VerbClause, place: ReadingContext<'_>) -> Vec<StatementReading> {
        let meant = detect_modality(self, clause);
        if meant.asserts_nothing || is_unclaimable(self, clause, place) {
            return Vec::new();
        }
        if let Some(changed) = self.read_change(clause, place, &meant) {
            return changed;
        }
        if let Some(exists) = self.read_existential(clause, &meant) {
            return vec![exists];
        }
        let tree = self.tree;
        let mut subjects = self.find_subjects(clause, place);
        for (subject, named) in subjects.iter_mut().filter(|_| meant.negated) {
            if named.len() > 1 && named.first().is_some_and(|i| self.is_negative_determiner(*i)) {
                named.remove(0);
                *subject = ReadingSubject::Named(self.phrase(named));
            }
        }
        let mut predicate = clause.predicate.clone();
        let mut objects = self.find_objects(clause);
        if clause.object_role == Some(ComplementRole::Adverbial) {
            // A time or condition is not an object.
            let beside = clause.rest.iter().find(|words| words.first().is_some_and(|i| tree.upos(*i) == Upos::Adv));
            objects = vec![beside.cloned().unwrap_or_default()];
        }
        if let Some((linked, adjective)) = self.split_circumstance(clause) {
            predicate = linked;
            objects = vec![adjective];
        } else if let Some((particle, object)) = self.split_particle(clause, &objects) {
            predicate.extend(particle.into_iter().map(ClauseWord::Token));
            objects = vec![object];
        }
        predicate.retain(|word| word.token().is_none_or(|i| !JOINING_ADVERBS.contains(self.tree.lower(i))));
        let shared = self.new_reading(clause, &meant);
        // "Rabbits, not deer, are eating the beans": negated for deer.
        let mut not_so = Vec::new();
        for (subject, named) in &mut subjects {
            let not = named.len() > 1 && named.first().is_some_and(|i| self.is_negation_word(*i));
            if not {
                named.remove(0);
                *subject = ReadingSubject::Named(self.phrase(named));
            }
            not_so.push(not);
        }
        let mut found = Vec::new();
        for ((subject, named), not_so) in subjects.iter().zip(not_so) {
            for (index, object) in objects.iter().enumerate() {
                let said = predicate.iter().filter_map(|word| word.token());
                let used: Vec<usize> = named.iter().chain(object).copied().chain(said).collect();
                let denied =
                    index > 0 && (self.is_object_negated(clause, object) != self.is_but_alternative(clause, object));
                let none = |i: usize| {
                    self.is_negative_determiner(i)
                        || self.is_negation_word(i)
                        || matches!(self.tree.lower(i), "neither" | "nor")
                };
                let said = |i: usize| !(denied && self.is_negation_word(i) || meant.negated && none(i));
                let affirmed: Vec<usize> = object.iter().copied().filter(|i| said(*i)).collect();
                if affirmed.is_empty() && !object.is_empty() {
                    continue;
                }
                let object = affirmed.as_slice();
                // "is not a doctor but a nurse": affirmed for a nurse.
                let so = meant.negated && denied;
                let predicate: Vec<ClauseWord> = predicate
                    .iter()
                    .copied()
                    .filter(|w| !so || !w.token().is_some_and(|i| self.is_negation_word(i)))
                    .collect();
                let beside = self.collect_qualifiers(clause, &used, &objects);
                let reading = StatementReading {
                    subject: subject.clone(),
                    predicate: expand_contractions(&self.phrase_with_inserted(&predicate)),
                    object: self.phrase(object),
                    qualifiers: self.phrase_texts(&beside),
                    confidence: self.score_clause(clause, named, object, index),
                    parts: ReadingTokens::new(named, &predicate, object, &beside),
                    ..shared.clone()
                };
                let torn = self.has_unlicensed_clause(named)
                    || self.is_invalid_name(named)
                    || self.crosses_separator(object)
                    || clause.object_role.is_none_or(is_noun_role) && self.has_unlicensed_clause(object);
                found.push(StatementReading { negated: reading.negated ^ denied ^ not_so, torn, ..reading });
            }
        }
        found
    }

    /// Whether the negation applies only to this one of several objects: "a reconstruction, not a recording".
    fn is_object_negated(self, clause: &VerbClause, object: &[usize]) -> bool {
        let said = |i: usize| clause.predicate.iter().any(|word| word.token() == Some(i));
        let below = |i: usize| self.tree.children(i).iter().copied();
        object.iter().any(|i| {
            self.is_negation_word(*i)
                || *i != clause.verb && !said(*i) && below(*i).any(|k| self.is_negation_word(k) && !said(k))
        })
    }

    /// Whether an object is affirmed in contrast to a negated one: "not a doctor but a nurse".
    fn is_but_alternative(self, clause: &VerbClause, object: &[usize]) -> bool {
        let tree = self.tree;
        let but = |i: usize| tree.children(i).iter().any(|k| tree.label(*k) == Label::Cc && tree.lower(*k) == "but");
        object.iter().any(|i| tree.label(*i) == Label::Conj && but(*i)) && is_negated(self, clause)
    }

    /// Whether a determiner negates its clause: "no lift".
    pub(super) fn is_negative_determiner(self, i: usize) -> bool {
        self.tree.lower(i) == "no" && self.tree.upos(i) == Upos::Det
    }

    fn is_negation_word(self, i: usize) -> bool {
        matches!(self.tree.lower(i), "not" | "never" | "n't" | "n’t")
    }

    /// Creates a reading of a clause without its words.
    pub(super) fn new_reading(self, clause: &VerbClause, meant: &ClauseModality) -> StatementReading {
        let phase = self.detect_phase(clause, meant);
        let holds = clause_validity(self, clause, phase);
        let ahead = meant.modality == Some(Modality::Planned)
            || clause.auxiliaries.iter().any(|i| WILL_AUXILIARIES.contains(self.tree.lower(*i)));
        StatementReading {
            modality: meant.modality.unwrap_or(Modality::Asserted),
            negated: meant.negated,
            attribution: meant.attribution.clone(),
            phase,
            is_clause: true,
            is_finite: is_finite(self, clause),
            is_main: self.grammar().is_main_clause(clause.verb),
            holds: if ahead { holds.prefer_future() } else { holds },
            speaker: meant.speaker.clone(),
            ..StatementReading::new_asserted(ReadingSubject::FromContext, String::new(), String::new())
        }
    }

    pub(super) fn score_clause(self, clause: &VerbClause, subject: &[usize], object: &[usize], index: usize) -> f32 {
        let mut arguments = vec![subject.to_vec(), object.to_vec()];
        arguments.extend(clause.rest.iter().cloned());
        score_tuple(self.tree, &TupleFeatures::from_clause(self.tree, clause, &arguments, index))
    }

    /// Returns the reading of an apposition to a name.
    pub(super) fn read_apposition(self, nominal: &NounRelation) -> Option<StatementReading> {
        let tree = self.tree;
        let is_name = nominal.subject.iter().any(|i| tree.upos(*i) == Upos::Propn);
        let says_what = nominal.object.iter().any(|i| tree.upos(*i) == Upos::Noun) && nominal.object.len() > 1;
        if !is_name || !says_what {
            return None;
        }
        let arguments = vec![nominal.subject.clone(), nominal.object.clone()];
        Some(StatementReading {
            confidence: score_tuple(tree, &TupleFeatures::from_nominal(nominal, &arguments)),
            parts: ReadingTokens::new(&nominal.subject, &nominal.predicate, &nominal.object, &[]),
            torn: self.has_unlicensed_clause(&nominal.subject) || self.has_unlicensed_clause(&nominal.object),
            ..StatementReading::new_asserted(
                ReadingSubject::Named(self.phrase(&nominal.subject)),
                self.phrase_with_inserted(&nominal.predicate),
                self.phrase(&nominal.object),
            )
        })
    }
}

/// Whether a complement with this role is a noun phrase.
fn is_noun_role(role: ComplementRole) -> bool {
    matches!(role, ComplementRole::Object | ComplementRole::Indirect | ComplementRole::Oblique | ComplementRole::Adverb)
}
