//! Lines without a verb: "Knee still swollen", "room booked", "Cheap, loud", "12 riders, 3 punctures".
//!
//! The omitted verb is "is" or "has", the only words that are ever inserted. A bare noun states nothing; a count, a
//! negation or a description does.

use memora_nlp::{Label, Upos, Xpos};

use super::confidence::ReadingTokens;
use super::parsed_sentence::ParsedSentence;
use super::{ReadingContext, ReadingSubject, StatementReading};
use crate::clause::ClauseKind;
use crate::clause::confidence::{TupleFeatures, score_tuple};
use crate::clause::tree_query::{PhraseExtent, is_subject_label};
use crate::lists::{STATE_ADVERBS, STATE_ENDINGS, STATE_PREPOSITIONS};

impl ParsedSentence<'_> {
    /// Returns the readings of a line without a clause.
    pub(super) fn read_fragment(self, place: ReadingContext<'_>) -> Vec<StatementReading> {
        let Some(root) = (0..self.tree.len()).find(|i| self.tree.label(*i) == Label::Root) else { return Vec::new() };
        let grammar = self.grammar();
        if let Some(subject) = grammar.children(root).find(|k| is_subject_label(self.tree.label(*k))) {
            // A verb with an object is a clause that could not be read; "we ready" is not a plausible line.
            let acts = self.tree.upos(root) == Upos::Verb
                && grammar.has_child(root, |label| matches!(label, Label::Obj | Label::Mark))
                || grammar.has_child(root, |label| matches!(label, Label::Cop | Label::Aux));
            let state = !acts && self.tree.upos(subject) != Upos::Pron;
            return self.read_description(root, Some(subject)).filter(|_| state).into_iter().collect();
        }
        if let Some(reading) = self.read_trailing_participle(root).or_else(|| self.read_location(root)) {
            return vec![reading];
        }
        if !place.lends {
            return Vec::new();
        }
        let heads = self.find_listed_heads(root);
        heads.into_iter().filter_map(|head| self.read_about_context(head)).collect()
    }

    /// Returns the heads of a list: conjuncts, list items, or words in sequence.
    fn find_listed_heads(self, root: usize) -> Vec<usize> {
        let mut heads = vec![root];
        let mut at = 0;
        while let Some(&head) = heads.get(at) {
            let next = self.grammar().children(head).filter(|k| {
                matches!(self.tree.label(*k), Label::Conj | Label::List | Label::Parataxis)
                    || self.tree.label(*k) == Label::Appos && self.grammar().follows_comma(*k)
            });
            heads.extend(next);
            at += 1;
        }
        heads.sort_unstable();
        heads
    }

    /// Returns the reading of a line about the subject of its context.
    fn read_about_context(self, head: usize) -> Option<StatementReading> {
        let tree = self.tree;
        match tree.upos(head) {
            Upos::Adj => self.read_description(head, None),
            Upos::Noun | Upos::Propn | Upos::Num | Upos::Sym => self.read_counted(head),
            _ => None,
        }
    }

    /// Returns the reading `subject | is | description`.
    fn read_description(self, head: usize, subject: Option<usize>) -> Option<StatementReading> {
        let grammar = self.grammar();
        let named = subject.map(|subject| grammar.noun_phrase(subject, PhraseExtent::Whole)).unwrap_or_default();
        let mut object = grammar.subtree_without(head, |k| {
            Some(k) == subject
                || matches!(
                    self.tree.label(k),
                    Label::Conj
                        | Label::Cc
                        | Label::List
                        | Label::Parataxis
                        | Label::Appos
                        | Label::Advcl
                        | Label::Punct
                )
        });
        grammar.trim_punctuation(&mut object);
        // "Important" alone, with a capital, is a heading.
        let adverb = object.first().is_some_and(|i| self.tree.lower(*i).ends_with("ly")) && object.len() > 1;
        let heading = adverb && object.iter().all(|i| self.tree.upos(*i) != Upos::Adj)
            || named.is_empty() && self.tree.len() == 1 && self.tree.word(head) != self.tree.lower(head);
        if heading {
            return None;
        }
        let subject =
            if named.is_empty() { ReadingSubject::FromContext } else { ReadingSubject::Named(self.phrase(&named)) };
        self.build_reading(subject, &named, "is", &object, head)
    }

    /// Returns the reading `context | has | 12 riders`: a count, or an absence.
    fn read_counted(self, head: usize) -> Option<StatementReading> {
        let grammar = self.grammar();
        let object = grammar.noun_phrase(head, PhraseExtent::One);
        let noun = object.iter().position(|i| matches!(self.tree.upos(*i), Upos::Noun | Upos::Propn));
        // A number behind a noun is part of a name: "Stalker 162".
        let counts = object.iter().take(noun.unwrap_or(0)).any(|i| {
            self.tree.upos(*i) == Upos::Num
                || self.tree.lower(*i) == "no"
                || matches!(self.tree.lower(*i), "several" | "many" | "few")
        });
        let is_noun = object.iter().any(|i| matches!(self.tree.upos(*i), Upos::Noun | Upos::Propn));
        let is_amount = self.tree.upos(head) == Upos::Num
            && self.range(head).len() > self.tree.word(head).len()
            && !self.is_time(head);
        if is_amount {
            return self.build_reading(ReadingSubject::FromContext, &[], "is", &object, head);
        }
        let plain = object.iter().all(|i| {
            !matches!(self.tree.upos(*i), Upos::Verb | Upos::Adv | Upos::Punct) || self.tree.lower(*i) == "only"
        });
        (counts && is_noun && plain && object.len() <= 8)
            .then(|| self.build_reading(ReadingSubject::FromContext, &[], "has", &object, head))
            .flatten()
    }

    /// Reads a short name with a participle of its state: "room booked", "catering not yet confirmed".
    pub(super) fn read_state(self) -> Option<StatementReading> {
        let tree = self.tree;
        let beside = |i: usize| tree.upos(i) == Upos::Punct || self.is_time(i) || STATE_ENDINGS.contains(tree.lower(i));
        let last = (0..tree.len()).rev().find(|i| !beside(*i))?;
        let ended = self.text.trim_end().ends_with(['.', '!', '?']);
        let participle = matches!(tree.xpos(last), Xpos::Vbn | Xpos::Vbd)
            && (tree.lower(last).ends_with("ed") || tree.lower(last).ends_with("en"))
            || matches!(tree.upos(last), Upos::Adj);
        let adverb = |i: usize| STATE_ADVERBS.contains(tree.lower(i));
        let start = (0..last).rev().take_while(|i| adverb(*i)).last().unwrap_or(last);
        let name: Vec<usize> = (0..start).collect();
        let noun = name.last().is_some_and(|i| tree.upos(*i) == Upos::Noun || tree.xpos(*i) == Xpos::Vbg);
        let plain = |i: &usize| {
            matches!(tree.upos(*i), Upos::Noun | Upos::Propn | Upos::Adj | Upos::Det | Upos::Num)
                || tree.xpos(*i) == Xpos::Vbg
        };
        if ended || !participle || !noun || name.len() > 4 || !name.iter().all(plain) {
            return None;
        }
        let object: Vec<usize> =
            (start..tree.len()).filter(|i| tree.upos(*i) != Upos::Punct && !self.is_time(*i)).collect();
        self.build_reading(ReadingSubject::Named(self.phrase(&name)), &name, "is", &object, last)
    }

    /// Reads an observation of a thing and its place: "password on the fridge", "boiler at 93 °C".
    fn read_location(self, root: usize) -> Option<StatementReading> {
        let tree = self.tree;
        let grammar = self.grammar();
        let place = grammar.children(root).filter(|k| *k > root && tree.label(*k) == Label::Nmod).last()?;
        let preposition = grammar.preposition(place);
        let fits = preposition.first().is_some_and(|p| STATE_PREPOSITIONS.contains(tree.lower(*p)));
        let name = grammar.noun_phrase_without(root, PhraseExtent::Whole, Some(place));
        let object = grammar.noun_phrase(place, PhraseExtent::Whole);
        let all = name.len() + preposition.len() + object.len();
        let words = (0..tree.len()).filter(|i| tree.upos(*i) != Upos::Punct).count();
        let observed = tree.word(0) == tree.lower(0) && !self.text.trim_end().ends_with('.');
        if !fits || !observed || all < words || name.len() > 3 || self.is_time(place) {
            return None;
        }
        let mut reading = self.build_reading(ReadingSubject::Named(self.phrase(&name)), &name, "is", &object, root)?;
        reading.predicate = format!("is {}", self.phrase(&preposition));
        Some(reading)
    }

    /// Reads a short name with an amount behind it: "pool size 40", "upper left crown 480 €". None of its words
    /// may be a finite verb.
    pub(super) fn read_amount(self) -> Option<StatementReading> {
        let tree = self.tree;
        let finite = |i: usize| matches!(tree.xpos(i), Xpos::Vbz | Xpos::Vbd | Xpos::Md) || tree.upos(i) == Upos::Aux;
        let amount = (0..tree.len()).rev().find(|i| tree.upos(*i) != Upos::Punct)?;
        let is_number = tree.word(amount).starts_with(|c: char| c.is_ascii_digit()) && !self.is_time(amount);
        let name: Vec<usize> = (0..amount).collect();
        let plain = |i: &usize| {
            matches!(tree.upos(*i), Upos::Noun | Upos::Propn | Upos::Adj | Upos::Verb | Upos::Det)
                && tree.xpos(*i) != Xpos::Vbn
                && !tree.word(*i).contains(|c: char| c.is_ascii_digit())
        };
        // One word and a number is a name: "Release 1.4", "Chapter 3".
        let unit = self.range(amount).len() > tree.word(amount).len();
        let named = name.len() > 1 || unit && name.len() == 1;
        if !is_number || !named || name.len() > 5 || !name.iter().all(plain) || name.iter().any(|i| finite(*i)) {
            return None;
        }
        let described = tree.upos(0) == Upos::Verb && tree.xpos(0) == Xpos::Vb;
        if described && name.len() < 2 {
            return None;
        }
        self.build_reading(ReadingSubject::Named(self.phrase(&name)), &name, "is", &[amount], amount)
    }

    /// Reads a noun with a bare participle behind it: "room booked".
    fn read_trailing_participle(self, root: usize) -> Option<StatementReading> {
        let tree = self.tree;
        let grammar = self.grammar();
        let participle =
            grammar.children(root).find(|k| *k > root && tree.label(*k) == Label::Acl && tree.xpos(*k) == Xpos::Vbn)?;
        let name = grammar.noun_phrase_without(root, PhraseExtent::Whole, Some(participle));
        let mut object = grammar.subtree(participle);
        grammar.trim_punctuation(&mut object);
        self.build_reading(ReadingSubject::Named(self.phrase(&name)), &name, "is", &object, participle)
    }

    fn build_reading(
        self,
        subject: ReadingSubject,
        named: &[usize],
        verb: &'static str,
        object: &[usize],
        head: usize,
    ) -> Option<StatementReading> {
        let denied = |i: &usize| matches!(self.tree.lower(*i), "no" | "not" | "never" | "n't");
        // "No one called." is a clause, even if parsed otherwise.
        if named.last().is_some_and(|i| self.tree.lower(*i) == "one") {
            return None;
        }
        let negated = object.iter().any(denied);
        let object = match object {
            [first, rest @ ..] if matches!(self.tree.lower(*first), "not" | "never") => rest,
            _ => object,
        };
        if object.is_empty() {
            return None;
        }
        let predicate = [crate::clause::ClauseWord::Inserted(verb)];
        let arguments = [named.to_vec(), object.to_vec()];
        let features = TupleFeatures {
            kind: ClauseKind::Bare,
            verb: head,
            predicate: &predicate,
            arguments: &arguments,
            split: false,
            later: false,
            rest: 0,
            own_subject: !named.is_empty(),
        };
        Some(StatementReading {
            negated,
            confidence: score_tuple(self.tree, &features),
            is_described: verb == "is" && matches!(self.tree.upos(head), Upos::Adj | Upos::Verb),
            holds: self.phrase_validity(object),
            parts: ReadingTokens::new(named, &predicate, object, &[]),
            torn: self.is_invalid_name(named)
                || self.crosses_separator(object)
                || self.has_unlicensed_clause(named)
                || self.has_unlicensed_clause(object),
            ..StatementReading::new_asserted(subject, verb.to_owned(), self.phrase(object))
        })
    }
}
