//! Verbless relations in noun phrases: appositions, titles, owners, examples.

use memora_nlp::{Label, Upos, Xpos};

use super::tree_query::{PhraseExtent, TreeQuery};
use super::{ClauseKind, ClauseWord};

/// A relation between two noun phrases.
#[derive(Clone, Debug)]
pub(crate) struct NounRelation {
    pub(crate) kind: ClauseKind,
    /// The word that indicates it.
    pub(crate) at: usize,
    pub(crate) subject: Vec<usize>,
    pub(crate) predicate: Vec<ClauseWord>,
    pub(crate) object: Vec<usize>,
}

/// Returns the relation of an apposition: "Kestrel, a shop, …".
pub(crate) fn find_apposition(grammar: TreeQuery<'_>, i: usize) -> Option<NounRelation> {
    let head = grammar.head_with_label(i, Label::Appos)?;
    if matches!(grammar.tree.upos(i), Upos::Verb | Upos::Num) {
        return None;
    }
    Some(NounRelation {
        kind: ClauseKind::Apposition,
        at: i,
        subject: grammar.noun_phrase(head, PhraseExtent::One),
        predicate: vec![ClauseWord::Inserted("is")],
        object: grammar.noun_phrase(i, PhraseExtent::Whole),
    })
}

/// Returns the relation of a title in front of a name: "chief engineer Anna Roth".
pub(crate) fn find_title(grammar: TreeQuery<'_>, i: usize) -> Option<NounRelation> {
    let head = grammar.head_with_label(i, Label::NmodDesc)?;
    let object = grammar.noun_phrase(i, PhraseExtent::Whole);
    Some(build_relation(grammar, ClauseKind::Title, i, head, vec![ClauseWord::Inserted("is")], object))
}

/// Returns weak relations, mostly not worth a claim; they extend the recall of open extraction.
pub(crate) fn find_weak_relations(grammar: TreeQuery<'_>, i: usize) -> Vec<NounRelation> {
    let tree = grammar.tree;
    let Some(head) = tree.head(i) else { return Vec::new() };
    match tree.label(i) {
        Label::NmodPoss => {
            let pronoun = tree.xpos(i) == Xpos::PrpPoss;
            let kind = if pronoun { ClauseKind::PossessivePronoun } else { ClauseKind::Possessive };
            let thing = phrase_without(grammar, head, i);
            let subject = grammar.noun_phrase(i, PhraseExtent::Whole);
            vec![NounRelation { kind, at: i, subject, predicate: vec![ClauseWord::Inserted("has")], object: thing }]
        }
        Label::Nmod => find_prepositional(grammar, i, head),
        Label::Amod if i < head => {
            let adjective = grammar.subtree(i);
            vec![build_relation(
                grammar,
                ClauseKind::NounWithAdjective,
                i,
                head,
                vec![ClauseWord::Inserted("is")],
                adjective,
            )]
        }
        _ => Vec::new(),
    }
}

/// Returns the relations of a prepositional phrase: "editors such as Vim", "the shop in Altona".
fn find_prepositional(grammar: TreeQuery<'_>, i: usize, head: usize) -> Vec<NounRelation> {
    let preposition = grammar.preposition(i);
    let Some(first) = preposition.first() else { return Vec::new() };
    let such = preposition.len() == 2 && grammar.tree.lower(*first) == "such";
    if such || preposition.iter().any(|k| grammar.tree.lower(*k) == "including") {
        let mut predicate = vec![ClauseWord::Inserted(if such { "are" } else { "include" })];
        if such {
            predicate.extend(preposition.iter().copied().map(ClauseWord::Token));
        }
        let examples = grammar.conjunct_phrases(i).into_iter();
        return examples
            .map(|one| build_relation(grammar, ClauseKind::Including, i, head, predicate.clone(), one))
            .collect();
    }
    if i < head || grammar.tree.lower(*first) == "of" {
        return Vec::new();
    }
    let predicate =
        [ClauseWord::Inserted("is")].into_iter().chain(preposition.into_iter().map(ClauseWord::Token)).collect();
    vec![build_relation(
        grammar,
        ClauseKind::NounWithPreposition,
        i,
        head,
        predicate,
        grammar.noun_phrase(i, PhraseExtent::Whole),
    )]
}

fn build_relation(
    grammar: TreeQuery<'_>,
    kind: ClauseKind,
    at: usize,
    head: usize,
    predicate: Vec<ClauseWord>,
    object: Vec<usize>,
) -> NounRelation {
    NounRelation { kind, at, subject: phrase_without(grammar, head, at), predicate, object }
}

/// Returns the noun phrase of `head` without the subtree of `part`.
fn phrase_without(grammar: TreeQuery<'_>, head: usize, part: usize) -> Vec<usize> {
    let mut words = grammar.noun_phrase(head, PhraseExtent::One);
    let listed = grammar.subtree(part);
    words.retain(|k| !listed.contains(k));
    grammar.trim_punctuation(&mut words);
    words
}
