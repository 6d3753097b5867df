//! Whose clause the parts of a proposal are of, by the tree of their sentence.
//!
//! Words in order may still be two clauses': "Anna likes rye and Ben likes beer" has "Anna likes … Ben". The one rule to know:
//! **what is the subject of another verb is no object, and what is the object of another verb is no subject.** Trees err, so
//! behind a conjunction the next word must agree: a name with a word behind it that is no preposition begins something else.

use std::ops::Range;

use memora_nlp::{Label, Reader, TOKENS_MAX, Tree, Upos, tokens};

use super::Ungrounded;
use super::order::{Placed, Quoted};
use crate::clause::grammar::is_subject;

/// Rejects parts that the sentence gives to several clauses.
pub(super) fn is_of_one_clause(quoted: &Quoted<'_>, placed: &Placed) -> Result<(), Ungrounded> {
    let ranges = tokens(quoted.text, &[]);
    if ranges.is_empty() || ranges.len() > TOKENS_MAX {
        return if quoted.is_listed(placed) { Err(Ungrounded::Object) } else { Ok(()) };
    }
    let forms: Vec<&str> = ranges.iter().map(|range| quoted.text.get(range.clone()).unwrap_or_default()).collect();
    let tree = Reader::embedded().read(&forms);
    let sentence = Sentence { quoted, ranges: &ranges, tree: &tree };
    let verb: Vec<usize> = placed.predicate.iter().flat_map(|word| sentence.tokens(*word..*word + 1)).collect();
    let object = sentence.tokens(placed.object.clone());
    if sentence.head(&object).is_some_and(|head| sentence.is_subject_of_another(head, &verb))
        || quoted.is_listed(placed) && sentence.goes_on(placed.object.end)
    {
        return Err(Ungrounded::Object);
    }
    let subject = placed.subject.clone().filter(|subject| quoted.is_joined(subject.end, placed));
    if let Some(subject) = subject
        && sentence.head(&sentence.tokens(subject)).is_some_and(|head| sentence.is_object_of_another(head, &verb))
    {
        return Err(Ungrounded::Subject);
    }
    Ok(())
}

/// A sentence read, beside the words that are compared.
struct Sentence<'s, 'w> {
    quoted: &'s Quoted<'w>,
    ranges: &'s [Range<usize>],
    tree: &'s Tree<'s>,
}

impl Sentence<'_, '_> {
    /// The tokens of some words.
    fn tokens(&self, words: Range<usize>) -> Vec<usize> {
        let of = self.quoted.words.get(words).unwrap_or_default();
        let (Some(first), Some(last)) = (of.first(), of.last()) else { return Vec::new() };
        let within = |range: &Range<usize>| range.start < last.at.end && first.at.start < range.end;
        (0..self.ranges.len()).filter(|i| self.ranges.get(*i).is_some_and(within)).collect()
    }

    /// The first of some tokens that hangs on none of them.
    fn head(&self, of: &[usize]) -> Option<usize> {
        of.iter().copied().find(|i| self.tree.head(*i).is_none_or(|head| !of.contains(&head)))
    }

    /// The token that a chain of coordinated ones begins with: "rye" of "rye, oats and beer".
    fn first_of_chain(&self, token: usize) -> usize {
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
        let first = self.first_of_chain(token);
        is_subject(self.tree.label(first)) && !self.tree.head(first).is_some_and(|head| verb.contains(&head))
    }

    fn is_object_of_another(&self, token: usize, verb: &[usize]) -> bool {
        let first = self.first_of_chain(token);
        matches!(self.tree.label(first), Label::Obj | Label::Iobj | Label::Obl)
            && !self.tree.head(first).is_some_and(|head| verb.contains(&head))
    }

    /// Whether behind a word the same phrase or a verb goes on, but for adverbs.
    fn goes_on(&self, word: usize) -> bool {
        let before = word.checked_sub(1).and_then(|last| self.quoted.words.get(last)).map_or(0, |word| word.at.end);
        let behind = (0..self.ranges.len()).filter(|i| self.ranges.get(*i).is_some_and(|range| range.start >= before));
        let next = behind.map(|i| self.tree.upos(i)).find(|upos| *upos != Upos::Adv);
        matches!(next, Some(Upos::Verb | Upos::Aux | Upos::Noun | Upos::Propn | Upos::Adj | Upos::Det | Upos::Num))
    }
}
