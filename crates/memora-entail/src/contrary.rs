//! A word in whose place the note has its opposite: `rarely` for `often`, `thoroughly` for `hardly`.
//!
//! The one rule to know: **both words have to hang in one place**: on the same word, or with the same word on them, denied on
//! both sides or on none; and most of the sentence is the note's.

use std::collections::HashSet;

use memora_nlp::{LexicalRelation, WordSenses, Xpos};

use crate::clause::Turned;
use crate::graph::{Graph, Node};
use crate::lists::{CONVERSES, OPPOSITES};
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::syntax::graphs;
use crate::text::Text;

/// The share of a sentence's words with content that stand in the premise, in percent, for both to speak of one thing.
const SHARED_PERCENT: usize = 50;

/// Finds a word of a sentence in whose place a premise has its opposite.
pub(crate) fn contrary(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    let content: Vec<_> = sentence.tokens.iter().filter(|token| token.is_content()).collect();
    // What is excepted, and few of many, turn an opposite round.
    let turns = |text: &Text| {
        let words = ["but", "except", "few", "hardly", "only", "unless", "without"];
        text.tokens.iter().any(|token| words.contains(&token.lower.as_str()))
    };
    if turns(sentence) {
        return None;
    }
    let own_stems: HashSet<&str> = sentence.tokens.iter().map(|token| token.stem.as_str()).collect();
    let mut own = None;
    premises.iter().find_map(|premise| {
        let shared = content.iter().filter(|token| premise.stems.contains(&token.stem)).count();
        if turns(&premise.words) || shared < 2 || shared * 100 < content.len() * SHARED_PERCENT {
            return None;
        }
        // What is compared has another order, and no opposite: `A is faster than B`, `B is slower`.
        // *Off* and *on* are more often parts of a verb: `runs off solar panels`.
        let is_part = |node: &Node| matches!(node.atom.lower.as_str(), "on" | "off" | "in" | "out" | "up" | "down");
        let compares =
            |node: &Node| matches!(node.xpos, Xpos::Jjr | Xpos::Rbr) || is_converse(&node.atom.key) || is_part(node);
        let is_new = |node: &Node| node.atom.is_content() && !compares(node) && !premise.stems.contains(&node.atom.key);
        let graphs = own.get_or_insert_with(|| graphs(sentence, false));
        graphs.iter().find_map(|graph| {
            let places = (0..graph.nodes.len()).filter(|at| graph.node(*at).is_some_and(is_new));
            places.into_iter().find_map(|at| turned_in(graph, at, premise, &own_stems))
        })
    })
}

/// Whether a verb says from one side what another says from the other.
fn is_converse(key: &str) -> bool {
    CONVERSES.iter().any(|(one, _)| one == key)
}

/// The opposite of a node that stands in its place in a premise.
fn turned_in(graph: &Graph, at: usize, premise: &Premise, own_stems: &HashSet<&str>) -> Option<Turned> {
    let node = graph.node(at)?;
    let senses = WordSenses::look_up(&node.atom.lower);
    let opposes = |their: &Node| {
        OPPOSITES.contains(&(node.atom.key.clone(), their.atom.key.clone()))
            || senses.relation_to(&WordSenses::look_up(&their.atom.lower)) == Some(LexicalRelation::Antonym)
    };
    let own_place = Place::of(graph, at);
    premise.graphs().iter().find_map(|their| {
        let there = (0..their.nodes.len()).find(|i| {
            their.node(*i).is_some_and(|other| {
                other.atom.is_content()
                    && !own_stems.contains(other.atom.key.as_str())
                    && opposes(other)
                    && own_place.is_same(&Place::of(their, *i))
            })
        })?;
        let tokens = node.atom.tokens.clone();
        let found = words_around(their, there, premise);
        Some(Turned { kind: ReasonKind::Direction, tokens, found })
    })
}

/// Where a word hangs.
struct Place {
    head: Option<String>,
    below: Vec<String>,
    is_denied: bool,
    is_unsure: bool,
}

impl Place {
    fn of(graph: &Graph, at: usize) -> Self {
        let node = graph.node(at);
        let key = |i: usize| graph.node(i).filter(|n| n.atom.is_content()).map(|n| n.atom.key.clone());
        let head = node.and_then(|node| node.head);
        let denied = |i: usize| graph.node(i).is_some_and(|n| n.negations.len() % 2 == 1);
        let unsure = |i: usize| graph.node(i).is_some_and(|n| n.unsure || n.modal.is_some());
        let edges = node.map(|node| node.edges.as_slice()).unwrap_or_default();
        Self {
            head: head.and_then(key),
            below: edges.iter().filter_map(|(_, to)| key(*to)).collect(),
            is_denied: denied(at) != head.is_some_and(denied),
            is_unsure: unsure(at) || head.is_some_and(unsure),
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let one_head = self.head.is_some() && self.head == other.head;
        let one_below = self.below.iter().any(|key| other.below.contains(key));
        (one_head || one_below) && self.is_denied == other.is_denied && self.is_unsure == other.is_unsure
    }
}

/// The words of the note from an opposite to what it hangs on.
fn words_around(graph: &Graph, at: usize, premise: &Premise) -> String {
    let node = graph.node(at);
    let head = node.and_then(|node| node.head).filter(|head| head.abs_diff(at) <= 4);
    let places = [Some(at), head].into_iter().flatten().filter_map(|i| graph.node(i));
    let tokens: Vec<usize> = places.flat_map(|node| [node.atom.tokens.start, node.atom.tokens.end - 1]).collect();
    let (first, last) = (tokens.iter().min().copied(), tokens.iter().max().copied());
    premise.words.words(&(first.unwrap_or_default()..last.map_or(0, |last| last + 1))).to_owned()
}
