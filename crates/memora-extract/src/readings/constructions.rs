//! Constructions that notes use differently from edited text: circumstances, particles, existence and place.

use memora_nlp::{Label, Upos};

use super::modality::ClauseModality;
use super::parsed_sentence::{ParsedSentence, expand_contractions};
use super::reading::{ReadingSubject, ReadingTokens, StatementReading};
use crate::clause::complement::ComplementRole;
use crate::clause::tree_query::{PhraseExtent, is_subject_label};
use crate::clause::{ClauseKind, ClauseWord, VerbClause};
use crate::lists::{CIRCUMSTANCE_PREPOSITIONS, EXISTENCE_PREPOSITIONS, VERB_PARTICLES};

impl ParsedSentence<'_> {
    /// Separates an adjective from a circumstance: "has been readable since the fall".
    pub(super) fn split_circumstance(self, clause: &VerbClause) -> Option<(Vec<ClauseWord>, Vec<usize>)> {
        let tree = self.tree;
        let last = clause.predicate.last()?.token()?;
        let fits = clause.kind == ClauseKind::Copula
            && clause.object_role == Some(ComplementRole::Oblique)
            && CIRCUMSTANCE_PREPOSITIONS.contains(tree.lower(last))
            && matches!(tree.upos(clause.verb), Upos::Adj | Upos::Adv);
        let helps = |i: &usize| clause.auxiliaries.contains(i);
        let tokens: Vec<usize> = clause.predicate.iter().filter_map(|word| word.token()).collect();
        let linked = tokens.iter().copied().filter(|i| helps(i)).map(ClauseWord::Token).collect();
        let adjective = tokens.iter().copied().filter(|i| !helps(i) && tree.label(*i) != Label::Case).collect();
        fits.then_some((linked, adjective))
    }

    /// Moves an adverb that is a preposition to the verb, and returns its complement as the object: "stayed in",
    /// "dies below -15 °C".
    pub(super) fn split_particle(
        self,
        clause: &VerbClause,
        objects: &[Vec<usize>],
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let [only] = objects else { return None };
        let [particle] = only.as_slice() else { return None };
        let last = clause.predicate.iter().rev().find_map(|word| word.token())?;
        let fits = clause.object_role == Some(ComplementRole::Adverb)
            && VERB_PARTICLES.contains(self.tree.lower(*particle))
            && *particle == last + 1;
        let next = clause.rest.iter().find(|words| words.first() == Some(&(particle + 1))).cloned().unwrap_or_default();
        let prepositions = next.iter().take_while(|i| self.tree.label(**i) == Label::Case).count();
        let (preposition, object) = next.split_at_checked(prepositions).unwrap_or((&[], &next));
        let mut said = vec![*particle];
        said.extend(preposition);
        fits.then(|| (said, object.to_vec()))
    }

    /// Reads an existential clause with a place: "There are two keys at Anna's place".
    pub(super) fn read_existential(self, clause: &VerbClause, meant: &ClauseModality) -> Option<StatementReading> {
        let tree = self.tree;
        let grammar = self.grammar();
        grammar.children(clause.verb).find(|k| tree.label(*k) == Label::Expl && tree.lower(*k) == "there")?;
        let thing = clause
            .subject
            .or_else(|| tree.children(clause.verb).iter().copied().find(|k| is_subject_label(tree.label(*k))))?;
        let hangs = grammar.children(clause.verb).filter(|k| tree.label(*k) == Label::Obl && *k > thing);
        let within = grammar.children(thing).filter(|k| tree.label(*k) == Label::Nmod);
        let place = hangs.chain(within).find(|k| {
            grammar.preposition(*k).first().is_some_and(|p| EXISTENCE_PREPOSITIONS.contains(tree.lower(*p)))
                && !self.is_time(*k)
        })?;
        let mut named = grammar.noun_phrase_without(thing, PhraseExtent::Whole, Some(place));
        named.retain(|i| !(meant.negated && self.is_negative_determiner(*i)));
        let object = grammar.noun_phrase(place, PhraseExtent::Whole);
        let mut predicate: Vec<ClauseWord> = clause.auxiliaries.iter().copied().map(ClauseWord::Token).collect();
        if tree.upos(clause.verb) == Upos::Verb || tree.upos(clause.verb) == Upos::Aux {
            predicate.push(ClauseWord::Token(clause.verb));
        }
        predicate.extend(grammar.preposition(place).into_iter().map(ClauseWord::Token));
        let said = predicate.iter().filter_map(|word| word.token());
        let there = grammar.children(clause.verb).filter(|k| tree.label(*k) == Label::Expl);
        let used: Vec<usize> = named.iter().chain(&object).copied().chain(said).chain(there).collect();
        let beside = self.collect_qualifiers(clause, &used, &[]);
        Some(StatementReading {
            subject: ReadingSubject::Named(self.phrase(&named)),
            predicate: expand_contractions(&self.phrase_with_inserted(&predicate)),
            object: self.phrase(&object),
            qualifiers: self.phrase_texts(&beside),
            confidence: self.score_clause(clause, &named, &object, 0),
            parts: ReadingTokens::new(&named, &predicate, &object, &beside),
            torn: self.has_unlicensed_clause(&named) || self.has_unlicensed_clause(&object),
            ..self.new_reading(clause, meant)
        })
    }
}
