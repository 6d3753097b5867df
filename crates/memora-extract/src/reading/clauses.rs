//! A clause as what it claims: one reading for each of its coordinated subjects and objects.

use memora_claim::Modality;
use memora_nlp::{Label, Upos, Xpos};

use super::confidence::Parts;
use super::modality::Meant;
use super::parts::JOINING;
use super::words::{Words, written_out};
use super::{Place, Reading, Subject};
use crate::clause::complement::Role;
use crate::clause::confidence::{Features, confidence};
use crate::clause::nominal::Nominal;
use crate::clause::{Clause, Word};

impl Words<'_> {
    /// The readings of one clause: one for each of its coordinated subjects and objects.
    pub(super) fn readings_of(self, clause: &Clause, place: Place<'_>) -> Vec<Reading> {
        // "arrives Friday": a day behind the verb is no subject.
        let day = clause.subject.is_some_and(|subject| self.is_time(subject) && clause.verb < subject);
        let nameless;
        let clause = if day {
            nameless = Clause { subject: None, ..clause.clone() };
            &nameless
        } else {
            clause
        };
        let meant = self.meant(clause);
        if meant.asserts_nothing || self.is_no_claim(clause, place) {
            return Vec::new();
        }
        if let Some(changed) = self.change(clause, place, &meant) {
            return changed;
        }
        if let Some(exists) = self.existence(clause, &meant) {
            return vec![exists];
        }
        let tree = self.tree;
        let mut subjects = self.subjects(clause, place);
        for (subject, named) in subjects.iter_mut().filter(|_| meant.negated) {
            if named.len() > 1 && named.first().is_some_and(|i| self.is_none(*i)) {
                named.remove(0);
                *subject = Subject::Named(self.phrase(named));
            }
        }
        let mut predicate = clause.predicate.clone();
        let mut objects = self.objects(clause);
        if clause.object_role == Some(Role::Adverbial) {
            // When or if it does so is no object.
            let beside = clause.rest.iter().find(|words| words.first().is_some_and(|i| tree.upos(*i) == Upos::Adv));
            objects = vec![beside.cloned().unwrap_or_default()];
        }
        if let Some(state) = self.bare_participle(clause) {
            predicate = vec![Word::Inserted("is")];
            objects = vec![state];
        } else if let Some((linked, adjective)) = self.with_circumstance(clause) {
            predicate = linked;
            objects = vec![adjective];
        } else if let Some((particle, object)) = self.behind_particle(clause, &objects) {
            predicate.extend(particle.into_iter().map(Word::Token));
            objects = vec![object];
        }
        // "the note you want to merge into": what it hangs on stands elsewhere.
        let stranded = |object: &Vec<usize>| matches!(object.as_slice(), [i] if tree.xpos(*i) == Xpos::In);
        if objects.iter().any(stranded) {
            return Vec::new();
        }
        predicate.retain(|word| word.token().is_none_or(|i| !JOINING.contains(&self.tree.lower(i))));
        let shared = self.empty(clause, &meant);
        // "Rabbits, not deer, are eating the beans": of deer it is not so.
        let mut not_so = Vec::new();
        for (subject, named) in &mut subjects {
            let not = named.len() > 1 && named.first().is_some_and(|i| self.is_not(*i));
            if not {
                named.remove(0);
                *subject = Subject::Named(self.phrase(named));
            }
            not_so.push(not);
        }
        let mut found = Vec::new();
        for ((subject, named), not_so) in subjects.iter().zip(not_so) {
            for (index, object) in objects.iter().enumerate() {
                let said = predicate.iter().filter_map(|word| word.token());
                let used: Vec<usize> = named.iter().chain(object).copied().chain(said).collect();
                let denied = index > 0 && (self.is_denied_apart(clause, object) != self.is_instead(clause, object));
                let none =
                    |i: usize| self.is_none(i) || self.is_not(i) || matches!(self.tree.lower(i), "neither" | "nor");
                let said = |i: usize| !(denied && self.is_not(i) || meant.negated && none(i));
                let affirmed: Vec<usize> = object.iter().copied().filter(|i| said(*i)).collect();
                if affirmed.is_empty() && !object.is_empty() {
                    continue;
                }
                let object = affirmed.as_slice();
                // "is not a doctor but a nurse": a nurse she is.
                let so = meant.negated && denied;
                let predicate: Vec<Word> =
                    predicate.iter().copied().filter(|w| !so || !w.token().is_some_and(|i| self.is_not(i))).collect();
                let beside = self.qualifiers(clause, &used, &objects);
                let reading = Reading {
                    subject: subject.clone(),
                    predicate: written_out(&self.phrase_with(&predicate)),
                    object: self.phrase(object),
                    qualifiers: self.phrases(&beside),
                    confidence: self.confidence_of(clause, named, object, index),
                    parts: Parts::new(named, &predicate, object, &beside),
                    ..shared.clone()
                };
                let torn = self.is_torn(named)
                    || self.is_no_name(named)
                    || self.is_split(object)
                    || self.is_headless(object)
                    || clause.object_role.is_none_or(takes_noun) && self.is_torn(object);
                found.push(Reading { negated: reading.negated ^ denied ^ not_so, torn, ..reading });
            }
        }
        found
    }

    /// "a reconstruction, not a recording", "fast but not safe": denied of this one of several objects.
    fn is_denied_apart(self, clause: &Clause, object: &[usize]) -> bool {
        let said = |i: usize| clause.predicate.iter().any(|word| word.token() == Some(i));
        let below = |i: usize| self.tree.children(i).iter().copied();
        object
            .iter()
            .any(|i| self.is_not(*i) || *i != clause.verb && !said(*i) && below(*i).any(|k| self.is_not(k) && !said(k)))
    }

    /// "not a doctor but a nurse": the one is so, and the other not.
    fn is_instead(self, clause: &Clause, object: &[usize]) -> bool {
        let tree = self.tree;
        let but = |i: usize| tree.children(i).iter().any(|k| tree.label(*k) == Label::Cc && tree.lower(*k) == "but");
        object.iter().any(|i| tree.label(*i) == Label::Conj && but(*i)) && self.is_denied(clause)
    }

    /// "no lift": what is denied of none is denied.
    pub(super) fn is_none(self, i: usize) -> bool {
        self.tree.lower(i) == "no" && self.tree.upos(i) == Upos::Det
    }

    fn is_not(self, i: usize) -> bool {
        matches!(self.tree.lower(i), "not" | "never" | "n't" | "n’t")
    }

    /// A reading of a clause without its words.
    pub(super) fn empty(self, clause: &Clause, meant: &Meant) -> Reading {
        let phase = self.phase_of(clause, meant);
        let holds = self.holds(clause, phase);
        let ahead = meant.modality == Some(Modality::Planned)
            || clause
                .auxiliaries
                .iter()
                .any(|i| matches!(self.tree.lower(*i), "will" | "'ll" | "’ll" | "wo" | "shall"));
        Reading {
            modality: meant.modality.unwrap_or(Modality::Asserted),
            negated: meant.negated,
            attribution: meant.attribution.clone(),
            phase,
            is_clause: true,
            is_finite: self.is_finite(clause),
            is_main: self.grammar().is_main(clause.verb),
            holds: if ahead { holds.ahead() } else { holds },
            speaker: meant.speaker.clone(),
            ..Reading::plain(Subject::OfPlace, String::new(), String::new())
        }
    }

    pub(super) fn confidence_of(self, clause: &Clause, subject: &[usize], object: &[usize], index: usize) -> f32 {
        let mut arguments = vec![subject.to_vec(), object.to_vec()];
        arguments.extend(clause.rest.iter().cloned());
        confidence(self.tree, &Features::of_clause(self.tree, clause, &arguments, index))
    }

    /// An apposition to a name.
    pub(super) fn in_passing(self, nominal: &Nominal) -> Option<Reading> {
        let tree = self.tree;
        let is_name = nominal.subject.iter().any(|i| tree.upos(*i) == Upos::Propn);
        let says_what = nominal.object.iter().any(|i| tree.upos(*i) == Upos::Noun) && nominal.object.len() > 1;
        if !is_name || !says_what {
            return None;
        }
        let arguments = vec![nominal.subject.clone(), nominal.object.clone()];
        Some(Reading {
            confidence: confidence(tree, &Features::of_nominal(nominal, &arguments)),
            parts: Parts::new(&nominal.subject, &nominal.predicate, &nominal.object, &[]),
            torn: self.is_torn(&nominal.subject) || self.is_torn(&nominal.object),
            ..Reading::plain(
                Subject::Named(self.phrase(&nominal.subject)),
                self.phrase_with(&nominal.predicate),
                self.phrase(&nominal.object),
            )
        })
    }
}

/// Whether a complement of this kind is a noun phrase.
fn takes_noun(role: Role) -> bool {
    matches!(role, Role::Object | Role::Indirect | Role::Oblique | Role::Adverb)
}
