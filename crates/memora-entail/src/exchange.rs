//! Two words that stand in each other's place: then the note says it the other way round.
//!
//! The one rule to know: **a sentence of the note's own words that would follow if two of them were exchanged is contradicted**:
//! "MessagePack reached 158,000 and JSON 412,000", "Tom leads storage and Anna leads search". Members of one list have no order,
//! and *met* holds both ways.

use memora_nlp::{DependencyParser, DependencyTree, Label, tokenize_treebank as cut};

use crate::align::AlignmentTarget;
use crate::atom::{Atom, AtomKind};
use crate::lists::SYMMETRIC;
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::text::Text;
use crate::turn::Turn;

/// How many words of a sentence are tried in each other's place; of more the facts alone.
const WORDS_MAX: usize = 16;

/// Finds two words of a sentence that a note has in each other's place.
pub(crate) fn find_swap(sentence: &Text, own: &[Atom], target: &AlignmentTarget<'_>) -> Option<Turn> {
    let premise = target.premise;
    if target.note.lacks(own) > 0 || own.iter().any(|atom| SYMMETRIC.contains(atom.lower.as_str())) {
        return None;
    }
    let is_fact = |atom: &Atom| matches!(atom.kind, AtomKind::Number(_) | AtomKind::Date(_) | AtomKind::Clock(_));
    let is_word = |atom: &Atom| atom.is_content();
    let mut places: Vec<usize> = (0..own.len()).filter(|at| is_fact(&own[*at]) || is_word(&own[*at])).collect();
    if places.len() > WORDS_MAX {
        places.retain(|at| is_fact(&own[*at]));
    }
    let mut lists = None;
    for (nth, &first) in places.iter().enumerate() {
        for &second in places.get(nth + 1..).unwrap_or_default() {
            let (one, other) = (&own[first], &own[second]);
            if is_fact(one) != is_fact(other) || one.is_same(other) {
                continue;
            }
            if target.steps.are_spent() {
                return None;
            }
            let mut swapped = own.to_vec();
            (swapped[first], swapped[second]) = (in_place_of(one, other), in_place_of(other, one));
            if !target.entails(&swapped) {
                continue;
            }
            let joins = |atom: &Atom| matches!(atom.kind, AtomKind::Break(_)) || atom.is("and") || atom.is("or");
            let of_one_list = match is_fact(one) {
                true => own.get(first + 1..second).unwrap_or_default().iter().all(joins),
                false => lists.get_or_insert_with(|| Lists::of(sentence)).are_of_one(sentence, one, other),
            };
            if of_one_list {
                return None;
            }
            let found = between(premise, other, one).unwrap_or_else(|| premise.words.source.trim().to_owned());
            let kind = if is_fact(one) { ReasonKind::Number } else { ReasonKind::Direction };
            return Some(Turn { kind, tokens: one.tokens.start..other.tokens.end, found });
        }
    }
    None
}

/// An atom where another stands; a number takes the unit of its place.
fn in_place_of(place: &Atom, other: &Atom) -> Atom {
    let is_number = |atom: &Atom| matches!(atom.kind, AtomKind::Number(_));
    let key = if is_number(place) && is_number(other) { &place.key } else { &other.key };
    Atom { tokens: place.tokens.clone(), key: key.clone(), ..other.clone() }
}

/// The note's words from one atom to another.
fn between(premise: &Premise, from: &Atom, to: &Atom) -> Option<String> {
    let note = premise.passage()?;
    let at = |atom: &Atom| note.atoms.iter().find(|their| their.is_same(atom)).map(|their| their.tokens.clone());
    let (from, to) = (at(from)?, at(to)?);
    let byte = |token: usize| premise.words.tokens.get(token).map(|token| token.range.clone());
    let (start, end) = (byte(from.start)?.start, byte(to.end.checked_sub(1)?)?.end);
    (start < end).then(|| premise.words.slice(&(start..end)).to_owned())
}

/// Which words of a sentence belong to one list, by its tree.
struct Lists<'t> {
    tree: Option<DependencyTree<'t>>,
    starts: Vec<usize>,
}

impl<'t> Lists<'t> {
    fn of(sentence: &'t Text) -> Self {
        let places = cut(&sentence.source, &[]);
        let words: Vec<&str> = places.iter().filter_map(|place| sentence.source.get(place.clone())).collect();
        let tree = (words.len() == places.len()).then(|| DependencyParser::embedded().parse(&words));
        Self { tree, starts: places.iter().map(|place| place.start).collect() }
    }

    /// Whether one word is joined to the other as a member of its list; without a tree that cannot be told.
    fn are_of_one(&self, sentence: &Text, one: &Atom, other: &Atom) -> bool {
        let Some(tree) = &self.tree else { return true };
        let at = |atom: &Atom| {
            let start = sentence.tokens.get(atom.tokens.start)?.range.start;
            self.starts.iter().position(|place| *place == start)
        };
        let (Some(one), Some(other)) = (at(one), at(other)) else { return true };
        let list_of = |from: usize| {
            let mut word = from;
            // Compounds and what describes go with their head.
            while matches!(tree.label(word), Label::Compound | Label::Amod | Label::Nummod | Label::Conj | Label::Flat)
                && let Some(head) = tree.head(word)
            {
                word = head;
            }
            word
        };
        list_of(one) == list_of(other)
    }
}
