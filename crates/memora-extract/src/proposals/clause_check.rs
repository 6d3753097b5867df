//! Whether the parts of a proposal belong to one clause, by the tree of their sentence.
//!
//! Words in order may still belong to two clauses: "Anna likes rye and Ben likes beer" has "Anna likes … Ben".
//! Invariant: **the subject of another verb is not an object, nor its object a subject.** Trees may be wrong, so behind
//! a conjunction the next word must agree: a name followed by a word other than a preposition begins a clause.

use std::ops::Range;

use memora_nlp::{DependencyParser, DependencyTree, Label, TOKENS_MAX, Upos, tokenize_treebank};

use super::proposal::Ungrounded;
use super::quoted_statement::{PlacedParts, QuotedStatement};
use crate::clause::tree_query::is_subject_label;

/// Rejects parts that belong to several clauses by the tree.
pub(super) fn check_one_clause(quoted: &QuotedStatement<'_>, placed: &PlacedParts) -> Result<(), Ungrounded> {
    let ranges = tokenize_treebank(quoted.text, &[]);
    if ranges.is_empty() || ranges.len() > TOKENS_MAX {
        return if quoted.is_later_conjunct(placed) { Err(Ungrounded::Object) } else { Ok(()) };
    }
    let forms: Vec<&str> = ranges.iter().map(|range| quoted.text.get(range.clone()).unwrap_or_default()).collect();
    let tree = DependencyParser::embedded().parse(&forms);
    let sentence = ParsedQuote { quoted, ranges: &ranges, tree: &tree };
    let verb: Vec<usize> =
        placed.predicate.iter().flat_map(|word| sentence.tokens_of_words(*word..*word + 1)).collect();
    let object = sentence.tokens_of_words(placed.object.clone());
    if sentence.phrase_head(&object).is_some_and(|head| sentence.is_subject_of_another(head, &verb))
        || quoted.is_later_conjunct(placed) && sentence.is_phrase_continued(placed.object.end)
    {
        return Err(Ungrounded::Object);
    }
    let subject = placed.subject.clone().filter(|subject| quoted.has_intervening_words(subject.end, placed));
    if let Some(subject) = subject
        && sentence
            .phrase_head(&sentence.tokens_of_words(subject))
            .is_some_and(|head| sentence.is_object_of_another(head, &verb))
    {
        return Err(Ungrounded::Subject);
    }
    Ok(())
}

/// A parsed sentence, with its words for comparison.
struct ParsedQuote<'s, 'w> {
    quoted: &'s QuotedStatement<'w>,
    ranges: &'s [Range<usize>],
    tree: &'s DependencyTree<'s>,
}

impl ParsedQuote<'_, '_> {
    /// Returns the tokens of some words.
    fn tokens_of_words(&self, words: Range<usize>) -> Vec<usize> {
        let of = self.quoted.words.get(words).unwrap_or_default();
        let (Some(first), Some(last)) = (of.first(), of.last()) else { return Vec::new() };
        let within = |range: &Range<usize>| range.start < last.at.end && first.at.start < range.end;
        (0..self.ranges.len()).filter(|i| self.ranges.get(*i).is_some_and(within)).collect()
    }

    /// Returns the first of some tokens whose head is none of them.
    fn phrase_head(&self, of: &[usize]) -> Option<usize> {
        of.iter().copied().find(|i| self.tree.head(*i).is_none_or(|head| !of.contains(&head)))
    }

    /// Returns the first of a chain of conjuncts: "rye" of "rye, oats and beer".
    fn first_conjunct(&self, token: usize) -> usize {
        let mut at = token;
        while self.tree.label(at) == Label::Conj
            && let Some(head) = self.tree.head(at)
            && head < at
            && !matches!(self.tree.upos(head), Upos::Verb | Upos::Aux)
        {
            at = head;
        }
        at
    }

    fn is_subject_of_another(&self, token: usize, verb: &[usize]) -> bool {
        let first = self.first_conjunct(token);
        is_subject_label(self.tree.label(first)) && !self.tree.head(first).is_some_and(|head| verb.contains(&head))
    }

    fn is_object_of_another(&self, token: usize, verb: &[usize]) -> bool {
        let first = self.first_conjunct(token);
        matches!(self.tree.label(first), Label::Obj | Label::Iobj | Label::Obl)
            && !self.tree.head(first).is_some_and(|head| verb.contains(&head))
    }

    /// Whether the same phrase or a verb continues behind a word, adverbs aside.
    fn is_phrase_continued(&self, word: usize) -> bool {
        let before = word.checked_sub(1).and_then(|last| self.quoted.words.get(last)).map_or(0, |word| word.at.end);
        let behind = (0..self.ranges.len()).filter(|i| self.ranges.get(*i).is_some_and(|range| range.start >= before));
        let next = behind.map(|i| self.tree.upos(i)).find(|upos| *upos != Upos::Adv);
        matches!(next, Some(Upos::Verb | Upos::Aux | Upos::Noun | Upos::Propn | Upos::Adj | Upos::Det | Upos::Num))
    }
}
