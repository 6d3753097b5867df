//! A clause as a graph of its words: [`Graph`], [`Node`], [`Relation`].
//!
//! A node is a word with content, a pronoun, an adverb or a fact; articles, auxiliaries, prepositions and negations are
//! features of their node. [`crate::syntax`] reads graphs off dependency trees, [`crate::normal`] gives one thing said in two
//! ways one graph. Deliberately not here: what follows from a graph ([`crate::embedding`]).

use std::ops::Range;

use memora_nlp::{Upos, Xpos};

use crate::atom::{Atom, AtomKind};

/// What a node is to its head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Root,
    Subject,
    Object,
    Recipient,
    /// A phrase with a preposition, or a bare one that tells when.
    Oblique,
    /// Whose it is, or of what.
    Of,
    Modifier,
    Number,
    Determiner,
    /// A further part of a name.
    Name,
    Adverb,
    Apposition,
    Participle,
    Relative,
    Adverbial,
    Complement,
    Joined,
    Particle,
    /// A clause beside it that only a comma parts.
    Beside,
    Other,
}

/// When a predicate is so; none of what is no predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Time {
    None,
    Past,
    Present,
    Perfect,
    PastPerfect,
    /// An infinitive, or an order.
    Base,
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
    /// What joins it to the one in front.
    pub(crate) joint: Option<String>,
    /// The first member of the list that it is in.
    pub(crate) list: Option<usize>,
    pub(crate) time: Time,
    pub(crate) progressive: bool,
    pub(crate) modal: Option<String>,
    /// Its negations.
    pub(crate) negations: Vec<String>,
    pub(crate) passive: bool,
    /// Whether it is a past participle that tells what was done to its head.
    pub(crate) participle: bool,
    pub(crate) copula: bool,
    /// Whether it says since when.
    pub(crate) since: bool,
    /// Whether an article, a demonstrative or an owner says which one.
    pub(crate) definite: bool,
    pub(crate) indefinite: bool,
    /// Whether a comma stands in front of all that hangs on it.
    pub(crate) comma: bool,
    /// Whether a bracket opens in front of it.
    pub(crate) bracketed: bool,
    /// Whether the piece begins with it.
    pub(crate) first: bool,
    /// Whether it only stands for another word, or says nothing.
    pub(crate) silent: bool,
    /// The key of the name that a pronoun stands for.
    pub(crate) meant: Option<String>,
    /// Whether what negates or qualifies another verb may reach it.
    pub(crate) unsure: bool,
    /// What hangs on it in the tree.
    pub(crate) children: Vec<usize>,
    /// What hangs on it once the graph is normalised.
    pub(crate) edges: Vec<(Relation, usize)>,
}

impl Node {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.atom.is(word)
    }

    pub(crate) fn is_predicate(&self) -> bool {
        self.time != Time::None
    }

    /// Whether a comma parts it from what stands in front, or nothing stands there.
    pub(crate) fn comma_or_first(&self) -> bool {
        self.comma || self.first
    }

    pub(crate) fn is_name(&self) -> bool {
        self.upos == Upos::Propn
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
    pub(crate) root: usize,
    /// Its tokens in the text.
    pub(crate) tokens: Range<usize>,
    /// The whole sentence around it.
    pub(crate) segment: Range<usize>,
}

impl Graph {
    pub(crate) fn node(&self, at: usize) -> Option<&Node> {
        self.nodes.get(at)
    }

    /// The heads above a node, the nearest first.
    pub(crate) fn above(&self, at: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(self.node(at).and_then(|node| node.head), |at| self.node(*at)?.head)
            .take(self.nodes.len())
    }

    /// All that hangs on a node, itself among it.
    pub(crate) fn below(&self, at: usize) -> Vec<usize> {
        (0..self.nodes.len()).filter(|i| *i == at || self.above(*i).any(|head| head == at)).collect()
    }

    /// What hangs on a node as something.
    pub(crate) fn related(&self, at: usize, relation: Relation) -> impl Iterator<Item = usize> + '_ {
        let edges = self.node(at).map(|node| node.edges.as_slice()).unwrap_or_default();
        edges.iter().filter(move |(own, _)| *own == relation).map(|(_, to)| *to)
    }
}
