//! Clauses as tuples of words, the form in which open information extraction is evaluated.
//!
//! [`extract_tuples`] returns more than the product claims: weak relations of noun phrases too, each with a confidence
//! that allows a caller to cut them off. Coordinated subjects stay together here, since the reference annotators
//! kept them so.

use memora_nlp::{DependencyTree, Label};

use super::confidence::{TupleFeatures, score_tuple};
use super::noun_relations::NounRelation;
use super::tree_query::{PhraseExtent, TreeQuery};
use super::{ClauseWord, VerbClause, find_clauses};

/// A predicate with its arguments, the subject first.
#[derive(Clone, Debug)]
pub(crate) struct TokenTuple {
    pub(crate) predicate: Vec<ClauseWord>,
    pub(crate) arguments: Vec<Vec<usize>>,
    /// Higher is surer; a ranking, not a probability.
    pub(crate) confidence: f32,
}

/// Returns all tuples of a sentence, clauses first, without duplicates.
pub(crate) fn extract_tuples(tree: &DependencyTree<'_>) -> Vec<TokenTuple> {
    let grammar = TreeQuery::new(tree);
    let mut found: Vec<TokenTuple> =
        find_clauses(tree).iter().flat_map(|clause| grammar.clause_tuples(clause)).collect();
    for i in 0..tree.len() {
        let nominals =
            grammar.find_apposition(i).into_iter().chain(grammar.find_title(i)).chain(grammar.find_weak_relations(i));
        found.extend(nominals.map(|nominal| grammar.nominal_tuple(nominal)));
    }
    let mut distinct: Vec<TokenTuple> = Vec::new();
    for tuple in found {
        let same = |known: &TokenTuple| known.predicate == tuple.predicate && known.arguments == tuple.arguments;
        if tuple.arguments.first().is_some_and(|subject| !subject.is_empty()) && !distinct.iter().any(same) {
            distinct.push(tuple);
        }
    }
    distinct
}

impl TreeQuery<'_> {
    /// Returns the words of a clause's subject, with its conjuncts.
    pub(crate) fn subject_phrase(self, clause: &VerbClause) -> Option<Vec<usize>> {
        let subject = clause.subject?;
        Some(match self.tree.label(subject) {
            Label::Csubj => self.clause_tokens(subject),
            _ => self.noun_phrase_without(subject, PhraseExtent::Whole, clause.but),
        })
    }

    fn clause_tuples(self, clause: &VerbClause) -> Vec<TokenTuple> {
        let Some(subject) = self.subject_phrase(clause) else { return Vec::new() };
        let mut found = Vec::new();
        for (index, object) in clause.objects.iter().enumerate() {
            let mut arguments = vec![subject.clone()];
            arguments.extend(Some(object.clone()).filter(|object| !object.is_empty()));
            arguments.extend(clause.rest.iter().cloned());
            let confidence = score_tuple(self.tree, &TupleFeatures::from_clause(self.tree, clause, &arguments, index));
            found.push(TokenTuple { predicate: clause.predicate.clone(), arguments, confidence });
        }
        found
    }

    fn nominal_tuple(self, nominal: NounRelation) -> TokenTuple {
        let arguments = vec![nominal.subject.clone(), nominal.object.clone()];
        let confidence = score_tuple(self.tree, &TupleFeatures::from_nominal(&nominal, &arguments));
        TokenTuple { predicate: nominal.predicate, arguments, confidence }
    }
}
