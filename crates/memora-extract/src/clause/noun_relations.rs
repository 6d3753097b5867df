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

impl TreeQuery<'_> {
    /// Returns the relation of an apposition: "Kestrel, a shop, …".
    pub(crate) fn find_apposition(self, i: usize) -> Option<NounRelation> {
        let head = self.head_with_label(i, Label::Appos)?;
        if matches!(self.tree.upos(i), Upos::Verb | Upos::Num) {
            return None;
        }
        Some(NounRelation {
            kind: ClauseKind::Apposition,
            at: i,
            subject: self.noun_phrase(head, PhraseExtent::One),
            predicate: vec![ClauseWord::Inserted("is")],
            object: self.noun_phrase(i, PhraseExtent::Whole),
        })
    }

    /// Returns the relation of a title in front of a name: "chief engineer Anna Roth".
    pub(crate) fn find_title(self, i: usize) -> Option<NounRelation> {
        let head = self.head_with_label(i, Label::NmodDesc)?;
        let object = self.noun_phrase(i, PhraseExtent::Whole);
        Some(self.build_relation(ClauseKind::Title, i, head, vec![ClauseWord::Inserted("is")], object))
    }

    /// Returns weak relations, mostly not worth a claim; they extend the recall of open extraction.
    pub(crate) fn find_weak_relations(self, i: usize) -> Vec<NounRelation> {
        let tree = self.tree;
        let Some(head) = tree.head(i) else { return Vec::new() };
        match tree.label(i) {
            Label::NmodPoss => {
                let pronoun = tree.xpos(i) == Xpos::PrpPoss;
                let kind = if pronoun { ClauseKind::PossessivePronoun } else { ClauseKind::Possessive };
                let thing = self.phrase_without(head, i);
                let subject = self.noun_phrase(i, PhraseExtent::Whole);
                vec![NounRelation { kind, at: i, subject, predicate: vec![ClauseWord::Inserted("has")], object: thing }]
            }
            Label::Nmod => self.find_prepositional(i, head),
            Label::Amod if i < head => {
                let adjective = self.subtree(i);
                vec![self.build_relation(
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
    fn find_prepositional(self, i: usize, head: usize) -> Vec<NounRelation> {
        let preposition = self.preposition(i);
        let Some(first) = preposition.first() else { return Vec::new() };
        let such = preposition.len() == 2 && self.tree.lower(*first) == "such";
        if such || preposition.iter().any(|k| self.tree.lower(*k) == "including") {
            let mut predicate = vec![ClauseWord::Inserted(if such { "are" } else { "include" })];
            if such {
                predicate.extend(preposition.iter().copied().map(ClauseWord::Token));
            }
            let examples = self.conjunct_phrases(i).into_iter();
            return examples
                .map(|one| self.build_relation(ClauseKind::Including, i, head, predicate.clone(), one))
                .collect();
        }
        if i < head || self.tree.lower(*first) == "of" {
            return Vec::new();
        }
        let predicate =
            [ClauseWord::Inserted("is")].into_iter().chain(preposition.into_iter().map(ClauseWord::Token)).collect();
        vec![self.build_relation(
            ClauseKind::NounWithPreposition,
            i,
            head,
            predicate,
            self.noun_phrase(i, PhraseExtent::Whole),
        )]
    }

    fn build_relation(
        self,
        kind: ClauseKind,
        at: usize,
        head: usize,
        predicate: Vec<ClauseWord>,
        object: Vec<usize>,
    ) -> NounRelation {
        NounRelation { kind, at, subject: self.phrase_without(head, at), predicate, object }
    }

    /// Returns the noun phrase of `head` without the subtree of `part`.
    fn phrase_without(self, head: usize, part: usize) -> Vec<usize> {
        let mut words = self.noun_phrase(head, PhraseExtent::One);
        let listed = self.subtree(part);
        words.retain(|k| !listed.contains(k));
        self.trim_punctuation(&mut words);
        words
    }
}
