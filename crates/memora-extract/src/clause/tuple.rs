//! Clauses as tuples of words, the form in which open information extraction is scored.
//!
//! [`tuples`] gives more than the product claims from: the faint relations of noun phrases too, each with the confidence
//! that lets a reader cut them off. Coordinated subjects stay together here, since that is how the reference annotators
//! wrote them.

use memora_nlp::{Label, Tree};

use super::confidence::{Features, confidence};
use super::grammar::{Extent, Grammar};
use super::nominal::Nominal;
use super::{Clause, Word, clauses};

/// A predicate with its arguments, the subject first.
#[derive(Clone, Debug)]
pub(crate) struct Tuple {
    pub(crate) predicate: Vec<Word>,
    pub(crate) arguments: Vec<Vec<usize>>,
    /// Higher is surer; ranks tuples, and is no probability.
    pub(crate) confidence: f32,
}

/// All tuples of a sentence, clauses first; none twice.
pub(crate) fn tuples(tree: &Tree<'_>) -> Vec<Tuple> {
    let grammar = Grammar::new(tree);
    let mut found: Vec<Tuple> = clauses(tree).iter().flat_map(|clause| grammar.tuples_of(clause)).collect();
    for i in 0..tree.len() {
        let nominals = grammar.apposition(i).into_iter().chain(grammar.title(i)).chain(grammar.faint(i));
        found.extend(nominals.map(|nominal| grammar.tuple_of(nominal)));
    }
    let mut distinct: Vec<Tuple> = Vec::new();
    for tuple in found {
        let same = |known: &Tuple| known.predicate == tuple.predicate && known.arguments == tuple.arguments;
        if tuple.arguments.first().is_some_and(|subject| !subject.is_empty()) && !distinct.iter().any(same) {
            distinct.push(tuple);
        }
    }
    distinct
}

impl Grammar<'_> {
    /// The words of a clause's subject, with what is coordinated to it.
    pub(crate) fn whole_subject(self, clause: &Clause) -> Option<Vec<usize>> {
        let subject = clause.subject?;
        Some(match self.tree.label(subject) {
            Label::Csubj => self.whole_clause(subject),
            _ => self.noun_phrase_but(subject, Extent::Whole, clause.but),
        })
    }

    fn tuples_of(self, clause: &Clause) -> Vec<Tuple> {
        let Some(subject) = self.whole_subject(clause) else { return Vec::new() };
        let mut found = Vec::new();
        for (index, object) in clause.objects.iter().enumerate() {
            let mut arguments = vec![subject.clone()];
            arguments.extend(Some(object.clone()).filter(|object| !object.is_empty()));
            arguments.extend(clause.rest.iter().cloned());
            let confidence = confidence(self.tree, &Features::of_clause(self.tree, clause, &arguments, index));
            found.push(Tuple { predicate: clause.predicate.clone(), arguments, confidence });
        }
        found
    }

    fn tuple_of(self, nominal: Nominal) -> Tuple {
        let arguments = vec![nominal.subject.clone(), nominal.object.clone()];
        let confidence = confidence(self.tree, &Features::of_nominal(&nominal, &arguments));
        Tuple { predicate: nominal.predicate, arguments, confidence }
    }
}
