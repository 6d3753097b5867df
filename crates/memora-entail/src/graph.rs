//! A clause as a graph of its words: [`Graph`], [`Node`], [`Relation`].
//!
//! A node is a word with content, a pronoun, an adverb or a fact; articles, auxiliaries, prepositions and negations are
//! features of their node. [`crate::syntax`] reads graphs off dependency trees, [`crate::normal`] gives one thing said in two
//! ways one graph. Graphs tell that a sentence disagrees ([`crate::roles`], [`crate::contrary`]), never that it follows.

use memora_nlp::{Upos, Xpos};

use crate::atom::{Atom, AtomKind};

/// What a node is to its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Subject,
    Object,
    Recipient,
    /// A phrase with a preposition, or a bare one that tells when.
    Oblique,
    /// Whose it is, or of what.
    Of,
    Modifier,
    /// A further part of a name.
    Name,
    Apposition,
    Relative,
    Joined,
    Other,
}

/// How a node is a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Predicate {
    No,
    Finite,
    /// An infinitive, an order, or a verb whose helper has no tense.
    Bare,
}

/// A word or fact with its features.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) atom: Atom,
    pub(crate) upos: Upos,
    pub(crate) xpos: Xpos,
    pub(crate) head: Option<usize>,
    pub(crate) relation: Relation,
    /// Its prepositions and subordinators.
    pub(crate) case: Vec<String>,
    /// The first member of the list that it is in.
    pub(crate) list: Option<usize>,
    pub(crate) predicate: Predicate,
    pub(crate) modal: Option<String>,
    pub(crate) negations: Vec<String>,
    pub(crate) passive: bool,
    /// Whether it is a past participle that tells what was done to its head.
    pub(crate) participle: bool,
    /// Whether what negates or qualifies another verb may reach it.
    pub(crate) unsure: bool,
    /// What hangs on it in the tree.
    pub(crate) children: Vec<usize>,
    /// What hangs on it once the graph is normalised.
    pub(crate) edges: Vec<(Relation, usize)>,
}

impl Node {
    pub(crate) fn is_predicate(&self) -> bool {
        self.predicate != Predicate::No
    }

    pub(crate) fn has_case(&self, word: &str) -> bool {
        self.case.iter().any(|case| case == word)
    }

    pub(crate) fn is_fact(&self) -> bool {
        matches!(self.atom.kind, AtomKind::Number(_) | AtomKind::Date(_) | AtomKind::Clock(_))
    }
}

/// A piece of a sentence as a graph.
#[derive(Clone, Debug)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
}

impl Graph {
    pub(crate) fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// The first of all nodes that hang on one, itself among them.
    pub(crate) fn first_below(&self, at: usize) -> usize {
        let hangs = |node: usize| {
            std::iter::successors(Some(node), |at| self.node(*at)?.head).take(self.nodes.len()).any(|head| head == at)
        };
        (0..at).find(|node| hangs(*node)).unwrap_or(at)
    }

    /// What hangs on a node as something.
    pub(crate) fn related(&self, at: usize, relation: Relation) -> impl Iterator<Item = usize> + '_ {
        let edges = self.node(at).map(|node| node.edges.as_slice()).unwrap_or_default();
        edges.iter().filter(move |(own, _)| *own == relation).map(|(_, to)| *to)
    }
}
