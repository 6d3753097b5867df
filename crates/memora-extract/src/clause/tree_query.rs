//! Queries on a parsed sentence: the words of a phrase, the dependents of a verb.
//!
//! Invariant: no query recurses. A tree has at most [`memora_nlp::TOKENS_MAX`] words, and a phrase is
//! collected with a stack.

use memora_nlp::{DependencyTree, Label, Upos, Xpos};

use crate::lists::CLAUSE_NEGATIONS;

/// A parsed sentence with queries.
#[derive(Clone, Copy)]
pub(crate) struct TreeQuery<'a> {
    /// The sentence.
    pub(crate) tree: &'a DependencyTree<'a>,
}

/// The extent of a noun phrase.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum PhraseExtent {
    /// With its conjuncts.
    Whole,
    /// Without its conjuncts.
    One,
}

impl<'a> TreeQuery<'a> {
    pub(crate) fn new(tree: &'a DependencyTree<'a>) -> Self {
        Self { tree }
    }

    pub(crate) fn children(self, i: usize) -> impl Iterator<Item = usize> + 'a {
        self.tree.children(i).iter().copied()
    }

    /// Returns the first child with the given label.
    pub(crate) fn first_child(self, i: usize, label: Label) -> Option<usize> {
        self.children(i).find(|k| self.tree.label(*k) == label)
    }

    pub(crate) fn has_child(self, i: usize, wanted: impl Fn(Label) -> bool) -> bool {
        self.children(i).any(|k| wanted(self.tree.label(k)))
    }

    pub(crate) fn has_subject(self, i: usize) -> bool {
        self.has_child(i, is_subject_label)
    }

    /// Returns the subtree of `top` in order, without the subtrees for which `skip` is true.
    pub(crate) fn subtree_without(self, top: usize, skip: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut found = vec![top];
        let mut at = 0;
        while let Some(&i) = found.get(at) {
            found.extend(self.children(i).filter(|k| !skip(*k)));
            at += 1;
        }
        found.sort_unstable();
        found
    }

    /// Returns the subtree of `top`, in order.
    pub(crate) fn subtree(self, top: usize) -> Vec<usize> {
        self.subtree_without(top, |_| false)
    }

    /// Returns the leftmost word of a subtree.
    pub(crate) fn leftmost(self, top: usize) -> usize {
        let mut first = top;
        while let Some(left) = self.children(first).next().filter(|left| *left < first) {
            first = left;
        }
        first
    }

    /// Returns the head of `i`, if the arc to it has the given label.
    pub(crate) fn head_with_label(self, i: usize, label: Label) -> Option<usize> {
        self.tree.head(i).filter(|_| self.tree.label(i) == label)
    }

    /// Removes punctuation from both ends of a phrase, and a conjunction from its end.
    pub(crate) fn trim_punctuation(self, words: &mut Vec<usize>) {
        let tree = self.tree;
        let is_sign = |i: usize| tree.upos(i) == Upos::Punct;
        let opens = |i: usize| matches!(tree.word(i), "(" | "-LRB-" | "``" | "\"" | "“");
        let closes = |i: usize| matches!(tree.word(i), ")" | "-RRB-" | "''" | "\"" | "”" | "%");
        while let Some(&last) = words.last() {
            let trailing = is_sign(last) && !closes(last) || tree.label(last) == Label::Cc && words.len() > 1;
            if !trailing {
                break;
            }
            words.pop();
        }
        let leading = words.iter().take_while(|i| is_sign(**i) && !opens(**i)).count();
        words.drain(..leading);
        self.trim_lone_mark(words);
    }

    /// Removes a single bracket or quotation mark, whose counterpart was cut away.
    fn trim_lone_mark(self, words: &mut Vec<usize>) {
        let is_mark =
            |i: &usize| matches!(self.tree.word(*i), "(" | "-LRB-" | ")" | "-RRB-" | "``" | "''" | "\"" | "“" | "”");
        if words.iter().filter(|i| is_mark(i)).count() != 1 {
            return;
        }
        if words.first().is_some_and(is_mark) {
            words.remove(0);
        }
        if words.last().is_some_and(is_mark) {
            words.pop();
        }
    }

    /// Whether a word is a relative pronoun: "who", "which", "that".
    pub(crate) fn is_relative_pronoun(self, i: usize) -> bool {
        matches!(self.tree.lower(i), "who" | "which" | "that" | "whom")
            && matches!(self.tree.upos(i), Upos::Pron | Upos::Det | Upos::Sconj)
    }

    /// Returns the noun phrase of head `i`, without its preposition, clauses and appositions.
    pub(crate) fn noun_phrase(self, i: usize, extent: PhraseExtent) -> Vec<usize> {
        self.noun_phrase_without(i, extent, None)
    }

    /// Returns the same, also without the subtree of `but`.
    pub(crate) fn noun_phrase_without(self, i: usize, extent: PhraseExtent, but: Option<usize>) -> Vec<usize> {
        let mut words = self.subtree_without(i, |k| Some(k) == but || self.is_outside_phrase(i, k, extent));
        self.trim_punctuation(&mut words);
        words
    }

    /// Whether the descendant `k` of `i` is outside the noun phrase of `i`.
    fn is_outside_phrase(self, i: usize, k: usize, extent: PhraseExtent) -> bool {
        let label = self.tree.label(k);
        if self.tree.head(k) != Some(i) {
            return label == Label::Parataxis;
        }
        match label {
            // "at Ben's": the place belongs to him.
            Label::Case if self.tree.xpos(k) == Xpos::Pos => self.tree.label(i) == Label::NmodPoss,
            Label::Case
            | Label::Mark
            | Label::Cop
            | Label::Aux
            | Label::AuxPass
            | Label::Nsubj
            | Label::NsubjPass
            | Label::Csubj
            | Label::Advcl
            | Label::Parataxis
            | Label::Discourse
            | Label::Vocative
            | Label::Dislocated
            | Label::List
            | Label::Expl
            | Label::Orphan
            | Label::Appos
            | Label::AclRelcl => true,
            Label::Acl => self.follows_comma(k),
            Label::Conj => extent == PhraseExtent::One,
            // "both spouses": a determiner if there are no conjuncts, even if the parser labels it a conjunction.
            Label::Cc => {
                // "the third and all following elements" keeps its own.
                let first = (self.leftmost(i)..i).find(|w| self.tree.upos(*w) != Upos::Punct);
                let outside = if k < i { Some(k) == first } else { extent == PhraseExtent::One };
                outside && (self.tree.lower(k) != "both" || self.first_child(i, Label::Conj).is_some())
            }
            Label::Advmod => self.first_child(i, Label::Cop).is_some_and(|copula| k < copula),
            _ => false,
        }
    }

    /// Whether a comma separates the subtree of `k` from the word before it.
    pub(crate) fn follows_comma(self, k: usize) -> bool {
        let first = self.leftmost(k);
        let before = first.checked_sub(1);
        self.tree.word(first) == "," || before.is_some_and(|before| self.tree.word(before) == ",")
    }

    /// Returns the words of a clause, as the object of another one.
    pub(crate) fn clause_tokens(self, i: usize) -> Vec<usize> {
        let mut words = self.subtree_without(i, |k| {
            self.tree.head(k) == Some(i)
                && (self.tree.label(k) == Label::Parataxis || self.tree.label(k) == Label::Cc && k < i)
        });
        self.trim_punctuation(&mut words);
        words
    }

    /// Returns the heads of the conjuncts, `i` first.
    pub(crate) fn conjuncts(self, i: usize) -> Vec<usize> {
        let mut heads = vec![i];
        for k in self.children(i).filter(|k| self.is_noun_conjunct(*k)) {
            heads.push(k);
            let nested = self.children(k).filter(|n| self.tree.label(*n) == Label::Conj);
            heads.extend(nested.filter(|n| !self.has_own_clause(*n)));
        }
        heads
    }

    fn is_noun_conjunct(self, k: usize) -> bool {
        self.tree.label(k) == Label::Conj
            && !matches!(self.tree.upos(k), Upos::Verb | Upos::Aux)
            && !self.has_own_clause(k)
    }

    /// Whether a conjunct is a clause with its own subject or copula: "loud, and is not safe".
    fn has_own_clause(self, k: usize) -> bool {
        [Label::Nsubj, Label::Cop, Label::Aux].into_iter().any(|label| self.first_child(k, label).is_some())
    }

    /// Returns the conjuncts, one phrase each.
    pub(crate) fn conjunct_phrases(self, i: usize) -> Vec<Vec<usize>> {
        self.conjuncts(i).into_iter().map(|head| self.noun_phrase(head, PhraseExtent::One)).collect()
    }

    /// Returns the preposition in front of `i`.
    pub(crate) fn preposition(self, i: usize) -> Vec<usize> {
        let mut words: Vec<usize> = self
            .children(i)
            .filter(|k| *k < i && self.tree.label(*k) == Label::Case && self.tree.xpos(*k) != Xpos::Pos)
            .flat_map(|k| self.subtree(k))
            .collect();
        words.sort_unstable();
        words
    }

    /// Returns the preposition and the noun phrase, in order.
    pub(crate) fn prepositional_phrase(self, i: usize) -> Vec<usize> {
        let mut words = self.preposition(i);
        words.extend(self.noun_phrase(i, PhraseExtent::Whole));
        words.sort_unstable();
        words.dedup();
        words
    }

    pub(crate) fn is_negation(self, i: usize) -> bool {
        let word = self.tree.lower(i);
        // "not only a doctor"
        if word == "not" && matches!(self.tree.lower(i + 1), "only" | "merely") {
            return false;
        }
        CLAUSE_NEGATIONS.contains(word)
            || word == "longer" && i.checked_sub(1).is_some_and(|b| self.tree.lower(b) == "no")
    }
}

pub(crate) fn is_subject_label(label: Label) -> bool {
    matches!(label, Label::Nsubj | Label::NsubjPass | Label::Csubj)
}

pub(crate) fn is_auxiliary_label(label: Label) -> bool {
    matches!(label, Label::Aux | Label::AuxPass)
}
