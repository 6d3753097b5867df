//! What noun phrases say without a verb: appositions, titles, owners, examples.

use memora_nlp::{Label, Upos, Xpos};

use super::grammar::{Extent, Grammar};
use super::{Kind, Word};

/// A relation between two noun phrases.
#[derive(Clone, Debug)]
pub(crate) struct Nominal {
    pub(crate) kind: Kind,
    /// The word that shows it.
    pub(crate) at: usize,
    pub(crate) subject: Vec<usize>,
    pub(crate) predicate: Vec<Word>,
    pub(crate) object: Vec<usize>,
}

impl Grammar<'_> {
    /// "Kestrel, a shop, …": what a noun phrase is said to be in passing.
    pub(crate) fn apposition(self, i: usize) -> Option<Nominal> {
        let head = self.head_if(i, Label::Appos)?;
        if matches!(self.tree.upos(i), Upos::Verb | Upos::Num) {
            return None;
        }
        Some(Nominal {
            kind: Kind::Apposition,
            at: i,
            subject: self.noun_phrase(head, Extent::One),
            predicate: vec![Word::Inserted("is")],
            object: self.noun_phrase(i, Extent::Whole),
        })
    }

    /// "chief engineer Anna Roth": a title in front of a name.
    pub(crate) fn title(self, i: usize) -> Option<Nominal> {
        let head = self.head_if(i, Label::NmodDesc)?;
        let object = self.noun_phrase(i, Extent::Whole);
        Some(self.nominal(Kind::Title, i, head, vec![Word::Inserted("is")], object))
    }

    /// Relations that are mostly not worth a claim; they lengthen the tail of an open extraction.
    pub(crate) fn faint(self, i: usize) -> Vec<Nominal> {
        let tree = self.tree;
        let Some(head) = tree.head(i) else { return Vec::new() };
        match tree.label(i) {
            Label::NmodPoss => {
                let pronoun = tree.xpos(i) == Xpos::PrpPoss;
                let kind = if pronoun { Kind::PossessivePronoun } else { Kind::Possessive };
                let thing = self.without(head, i);
                let subject = self.noun_phrase(i, Extent::Whole);
                vec![Nominal { kind, at: i, subject, predicate: vec![Word::Inserted("has")], object: thing }]
            }
            Label::Nmod => self.prepositional(i, head),
            Label::Amod if i < head => {
                let adjective = self.all_below(i);
                vec![self.nominal(Kind::NounWithAdjective, i, head, vec![Word::Inserted("is")], adjective)]
            }
            _ => Vec::new(),
        }
    }

    /// "editors such as Vim", "the shop in Altona".
    fn prepositional(self, i: usize, head: usize) -> Vec<Nominal> {
        let preposition = self.preposition(i);
        let Some(first) = preposition.first() else { return Vec::new() };
        let such = preposition.len() == 2 && self.tree.lower(*first) == "such";
        if such || preposition.iter().any(|k| self.tree.lower(*k) == "including") {
            let mut predicate = vec![Word::Inserted(if such { "are" } else { "include" })];
            if such {
                predicate.extend(preposition.iter().copied().map(Word::Token));
            }
            let examples = self.conjunct_phrases(i).into_iter();
            return examples.map(|one| self.nominal(Kind::Including, i, head, predicate.clone(), one)).collect();
        }
        if i < head || self.tree.lower(*first) == "of" {
            return Vec::new();
        }
        let predicate = [Word::Inserted("is")].into_iter().chain(preposition.into_iter().map(Word::Token)).collect();
        vec![self.nominal(Kind::NounWithPreposition, i, head, predicate, self.noun_phrase(i, Extent::Whole))]
    }

    fn nominal(self, kind: Kind, at: usize, head: usize, predicate: Vec<Word>, object: Vec<usize>) -> Nominal {
        Nominal { kind, at, subject: self.without(head, at), predicate, object }
    }

    /// The noun phrase around `head` without the subtree of `part`.
    fn without(self, head: usize, part: usize) -> Vec<usize> {
        let mut words = self.noun_phrase(head, Extent::One);
        let listed = self.all_below(part);
        words.retain(|k| !listed.contains(k));
        self.trim(&mut words);
        words
    }
}
