//! Who does what in a text, in the active: [`Actor`].

use std::ops::Range;

use memora_nlp::stem::stem;
use memora_nlp::{DependencyParser, DependencyTree, Label, Upos, tokenize_treebank as cut};

use crate::lists::{FUNCTION, SYMMETRIC};

/// A sentence of more words is parsed badly.
const PARSED_MAX: usize = 80;

/// A name that does something, in the active.
pub(crate) struct Actor {
    pub(crate) verb: String,
    pub(crate) key: String,
    pub(crate) words: String,
    pub(crate) range: Range<usize>,
}

pub(crate) fn actors(text: &str) -> Vec<Actor> {
    let places = cut(text, &[]);
    let words: Vec<&str> = places.iter().filter_map(|place| text.get(place.clone())).collect();
    if words.len() > PARSED_MAX || words.len() != places.len() {
        return Vec::new();
    }
    let tree = DependencyParser::embedded().parse(&words);
    (0..tree.len()).filter_map(|at| actor(&tree, at, &places, text)).collect()
}

fn actor(tree: &DependencyTree<'_>, at: usize, places: &[Range<usize>], text: &str) -> Option<Actor> {
    let verb = tree.head(at)?;
    let is_passive =
        tree.children(verb).iter().any(|child| matches!(tree.label(*child), Label::AuxPass | Label::NsubjPass));
    // "Anna and Ben moved", "Anna's brother moved": nobody alone.
    let is_alone = tree
        .children(at)
        .iter()
        .all(|child| !matches!(tree.label(*child), Label::Conj | Label::Nmod | Label::NmodPoss));
    let acts = tree.label(at) == Label::Nsubj && tree.upos(verb) == Upos::Verb && tree.upos(at) == Upos::Propn;
    if !acts || is_passive || !is_alone || FUNCTION.contains(tree.lower(at)) || SYMMETRIC.contains(tree.lower(verb)) {
        return None;
    }
    let range = places.get(at)?.clone();
    let words = text.get(range.clone())?.to_owned();
    Some(Actor { verb: stem(tree.lower(verb)), key: stem(&words.to_lowercase()), words, range })
}
