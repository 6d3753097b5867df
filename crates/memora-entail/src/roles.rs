//! Who did what to whom, and which of two is more: two things in each other's place.
//!
//! The one rule to know: **both sides have to name the same two things with one verb, or compare them by one word**; then their
//! order is a fact, however it is worded: active or passive, `A beat B` or `B lost to A`, `A is faster than B` or `B is slower`.
//! A pronoun, a list and a symmetric verb have no order.

use std::collections::BTreeSet;
use std::ops::Range;

use memora_nlp::{LexicalRelation, Upos, WordSenses};

use crate::clause::Turned;
use crate::graph::{Graph, Node, Relation};
use crate::lists::{CONVERSES, NEGATIONS, OPPOSITES, STANDING_PRONOUNS, SYMMETRIC};
use crate::premise::Premise;
use crate::reason::ReasonKind;
use crate::syntax::graphs;
use crate::text::Text;

/// What a clause says of two things.
struct Event {
    /// The verb, or the word that compares.
    word: String,
    key: String,
    kind: EventKind,
    /// The content of the first thing: who does it, or what is more.
    first: BTreeSet<String>,
    /// The content of the second: to whom it is done, or what is less.
    second: BTreeSet<String>,
    /// The relation and preposition of the second.
    role: String,
    tokens: Range<usize>,
    is_denied: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum EventKind {
    Act,
    /// A comparison, and whether it says *less*.
    More,
    Less,
}

/// Finds two things that a sentence names in each other's place of what the premises say of them.
pub(crate) fn swapped(sentence: &Text, premises: &[&Premise]) -> Option<Turned> {
    // Both have to name two things: read trees of those alone.
    let content: BTreeSet<&str> =
        sentence.tokens.iter().filter(|t| t.is_content()).map(|token| token.stem.as_str()).collect();
    let is_near = |premise: &&&Premise| content.iter().filter(|stem| premise.stems.contains(**stem)).count() > 1;
    let near: Vec<&&Premise> = premises.iter().filter(is_near).collect();
    if near.is_empty() {
        return None;
    }
    let speaks_to = sentence.tokens.iter().any(|t| matches!(t.lower.as_str(), "you" | "your"));
    let mut own: Vec<Event> = graphs(sentence, !speaks_to).iter().flat_map(events).collect();
    own.extend(comparisons(sentence));
    if own.is_empty() {
        return None;
    }
    let theirs: Vec<(&Premise, Event)> = near
        .into_iter()
        .flat_map(|premise| {
            let said = premise.graphs().iter().flat_map(events).chain(comparisons(&premise.words));
            said.map(move |event| (*premise, event))
        })
        .collect();
    own.iter().find_map(|event| {
        let about = || theirs.iter().filter_map(|(premise, other)| Some((premise, other, event.order_in(other)?)));
        let (premise, other, _) = about().find(|(_, _, order)| *order == Order::Turned)?;
        if about().any(|(_, _, order)| order == Order::Same) {
            return None;
        }
        let found = premise.words.words(&other.tokens).to_owned();
        let tokens = event.tokens.clone();
        (!found.is_empty()).then_some(Turned { kind: ReasonKind::Direction, tokens, found })
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Same,
    Turned,
}

impl Event {
    /// In which order another event has the same two things; none if it is not about them, or not by the same word.
    fn order_in(&self, other: &Self) -> Option<Order> {
        let turns = self.relation_to(other)?;
        let straight = meet(&self.first, &other.first) && meet(&self.second, &other.second);
        let crossed = meet(&self.first, &other.second) && meet(&self.second, &other.first);
        if straight == crossed || self.is_denied != other.is_denied {
            return None;
        }
        Some(if straight == turns { Order::Turned } else { Order::Same })
    }

    /// Whether the word of another event turns the order of its things round; none if it says something else.
    fn relation_to(&self, other: &Self) -> Option<bool> {
        let is_act = self.kind == EventKind::Act;
        if is_act != (other.kind == EventKind::Act) {
            return None;
        }
        if is_act {
            let is_pair = |one: &str, two: &str| CONVERSES.contains(&(one.to_owned(), two.to_owned()));
            if is_pair(&self.key, &other.key) {
                return Some(true);
            }
            let same_role = self.role == other.role;
            let is_same = self.key == other.key
                || WordSenses::look_up(&self.word).relation_to(&WordSenses::look_up(&other.word))
                    == Some(LexicalRelation::Synonym);
            return (same_role && is_same).then_some(false);
        }
        let is_less = (self.kind == EventKind::Less) != (other.kind == EventKind::Less);
        let is_bare = |key: &str| matches!(key, "more" | "less");
        if self.key == other.key || is_bare(&self.key) && is_bare(&other.key) {
            return Some(is_less);
        }
        let is_opposite = OPPOSITES.contains(&(self.key.clone(), other.key.clone()))
            || WordSenses::look_up(&positive(&self.word)).relation_to(&WordSenses::look_up(&positive(&other.word)))
                == Some(LexicalRelation::Antonym);
        is_opposite.then_some(!is_less)
    }
}

/// Whether two things have a word in common.
fn meet(one: &BTreeSet<String>, other: &BTreeSet<String>) -> bool {
    !one.is_disjoint(other)
}

/// An adjective that is compared, as it stands in a dictionary: *fast* of *faster*.
fn positive(word: &str) -> String {
    let bare = word.strip_suffix("er").unwrap_or(word);
    bare.strip_suffix('i').map_or_else(|| bare.to_owned(), |bare| format!("{bare}y"))
}

/// What a graph says of two things each.
fn events(graph: &Graph) -> Vec<Event> {
    let mut found = Vec::new();
    for at in 0..graph.nodes.len() {
        let Some(node) = graph.node(at) else { continue };
        let acts = node.upos == Upos::Verb && !SYMMETRIC.contains(node.atom.lower.as_str());
        if !acts || node.unsure || node.modal.is_some() {
            continue;
        }
        let subjects: Vec<usize> = graph.related(at, Relation::Subject).collect();
        // Two who do it together are each other's company.
        let [subject] = subjects.as_slice() else { continue };
        for (relation, to) in &node.edges {
            let Some(second) = graph.node(*to) else { continue };
            let is_second = matches!(relation, Relation::Object | Relation::Recipient | Relation::Oblique);
            if !is_second || second.has_case("than") || second.is_fact() || second.list.is_some() {
                continue;
            }
            found.extend(act(graph, node, *subject, *to, role(*relation, second)));
        }
    }
    found
}

/// The role of what a verb governs: its relation, or the preposition that leads to it.
fn role(relation: Relation, node: &Node) -> String {
    match relation {
        Relation::Object => "object".to_owned(),
        Relation::Recipient => "to".to_owned(),
        _ => node.case.join(" "),
    }
}

/// What each clause of a text compares with a phrase behind *than*, by its words alone: trees of comparisons are seldom right.
fn comparisons(text: &Text) -> Vec<Event> {
    let mut found = Vec::new();
    for clause in text.segments() {
        let word = |at: usize| text.tokens.get(at).map_or("", |t| t.lower.as_str());
        let parts = |at: &usize| {
            text.tokens.get(*at).is_some_and(|t| t.is_mark(',') || t.is_mark(':') || t.is_mark('-') && !t.glued)
        };
        let Some(than) = clause.clone().find(|at| word(*at) == "than" && word(at.saturating_sub(1)) != "rather") else {
            continue;
        };
        let start = (clause.start..than).rev().find(parts).map_or(clause.start, |at| at + 1);
        let end = (than..clause.end).find(parts).unwrap_or(clause.end);
        let Some(at) = (start..than).rev().find(|at| compares(word(*at))) else { continue };
        let is_degree = matches!(word(at), "more" | "less");
        let adjective = text.tokens.get(at + 1).filter(|t| is_degree && at + 1 < than && t.is_content());
        let Some(told) = adjective.or(text.tokens.get(at)) else { continue };
        let content = |range: Range<usize>| -> BTreeSet<String> {
            let words = range.filter_map(|at| text.tokens.get(at)).filter(|t| t.is_content() && !compares(&t.lower));
            words.map(|t| t.stem.clone()).collect()
        };
        let (one, two) = (content(start..at), content(than + 1..end));
        let denies = |at: usize| NEGATIONS.contains(word(at));
        let event = Event {
            word: told.lower.clone(),
            key: told.stem.clone(),
            kind: if word(at) == "less" { EventKind::Less } else { EventKind::More },
            first: &one - &two,
            second: &two - &one,
            role: "than".to_owned(),
            tokens: start..end,
            is_denied: (start..end).any(denies),
        };
        found.extend((!event.first.is_empty() && !event.second.is_empty()).then_some(event));
    }
    found
}

/// Whether a word compares: *more*, *better*, *faster*.
fn compares(word: &str) -> bool {
    matches!(word, "more" | "less" | "fewer" | "better" | "worse" | "further")
        || word.ends_with("er") && word.len() > 4 && {
            let bare = positive(word);
            [&bare, &format!("{bare}e")].iter().any(|word| WordSenses::look_up(word).is_known())
        }
}

/// What a verb says of two things, if each has a word that the other lacks.
fn act(graph: &Graph, word: &Node, first: usize, second: usize, role: String) -> Option<Event> {
    let (one, two) = (content(graph, first), content(graph, second));
    if one.is_subset(&two) || two.is_subset(&one) {
        return None;
    }
    let tokens = [first, second].map(|at| graph.node(at).map(|node| node.atom.tokens.clone()).unwrap_or_default());
    let start = tokens.iter().map(|t| t.start).chain([word.atom.tokens.start]).min()?;
    let end = tokens.iter().map(|t| t.end).chain([word.atom.tokens.end]).max()?;
    Some(Event {
        word: word.atom.lower.clone(),
        key: word.atom.key.clone(),
        kind: EventKind::Act,
        first: &one - &two,
        second: &two - &one,
        role,
        tokens: start..end,
        is_denied: !word.negations.is_empty(),
    })
}

/// What names a thing: its head and what stands before it, no clause and no phrase behind.
fn content(graph: &Graph, head: usize) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut open = vec![head];
    while let Some(at) = open.pop() {
        let Some(node) = graph.node(at) else { continue };
        let stands_for = node.atom.key.is_empty() || STANDING_PRONOUNS.contains(node.atom.lower.as_str());
        if node.atom.key == "you" || node.atom.is_content() && !stands_for {
            found.insert(node.atom.key.clone());
        }
        let parts = node.children.iter().copied().filter(|child| {
            graph.node(*child).is_some_and(|child| {
                let is_within =
                    child.relation == Relation::Oblique && node.upos != Upos::Verb && child.has_case("with");
                matches!(child.relation, Relation::Modifier | Relation::Name | Relation::Of | Relation::Apposition)
                    || is_within
            })
        });
        if found.len() < 8 {
            open.extend(parts);
        }
    }
    found
}
