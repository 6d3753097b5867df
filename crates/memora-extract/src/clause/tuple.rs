//! Clauses as tuples of words, the form in which open information extraction is evaluated.
//!
//! [`extract_tuples`] returns more than the product claims: weak relations of noun phrases too, each with a confidence
//! that allows a caller to cut them off. Coordinated subjects stay together here, since the reference annotators
//! kept them so.

use memora_nlp::{DependencyTree, Label};

use super::confidence::{TupleFeatures, score_tuple};
use super::noun_relations::{NounRelation, find_apposition, find_title, find_weak_relations};
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
        find_clauses(tree).iter().flat_map(|clause| clause_tuples(grammar, clause)).collect();
    for i in 0..tree.len() {
        let nominals = find_apposition(grammar, i)
            .into_iter()
            .chain(find_title(grammar, i))
            .chain(find_weak_relations(grammar, i));
        found.extend(nominals.map(|nominal| nominal_tuple(grammar, nominal)));
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

/// Returns the words of a clause's subject, with its conjuncts.
fn subject_phrase(grammar: TreeQuery<'_>, clause: &VerbClause) -> Option<Vec<usize>> {
    let subject = clause.subject?;
    Some(match grammar.tree.label(subject) {
        Label::Csubj => grammar.clause_tokens(subject),
        _ => grammar.noun_phrase_without(subject, PhraseExtent::Whole, clause.but),
    })
}

fn clause_tuples(grammar: TreeQuery<'_>, clause: &VerbClause) -> Vec<TokenTuple> {
    let Some(subject) = subject_phrase(grammar, clause) else { return Vec::new() };
    let mut found = Vec::new();
    for (index, object) in clause.objects.iter().enumerate() {
        let mut arguments = vec![subject.clone()];
        arguments.extend(Some(object.clone()).filter(|object| !object.is_empty()));
        arguments.extend(clause.rest.iter().cloned());
        let confidence =
            score_tuple(grammar.tree, &TupleFeatures::from_clause(grammar.tree, clause, &arguments, index));
        found.push(TokenTuple { predicate: clause.predicate.clone(), arguments, confidence });
    }
    found
}

fn nominal_tuple(grammar: TreeQuery<'_>, nominal: NounRelation) -> TokenTuple {
    let arguments = vec![nominal.subject.clone(), nominal.object.clone()];
    let confidence = score_tuple(grammar.tree, &TupleFeatures::from_nominal(&nominal, &arguments));
    TokenTuple { predicate: nominal.predicate, arguments, confidence }
}
