//! The dependency graph of a clause, normalised so that one thing said in two ways has one graph: [`Graph`].
//!
//! A node is a word with content, a pronoun, an adverb or a fact; articles, auxiliaries, prepositions and negations are
//! features of their node. Of a passive the subject is the object and the agent the subject, members of a list hang where
//! its first one does, a relative pronoun is its antecedent, and a second verb has the first one's subject.
//! Deliberately not here: what follows from a graph ([`crate::embedding`]), and what may be left out ([`crate::omission`]).

use std::ops::Range;

use memora_nlp::{Label, Meaning, Reader, Tree, Upos, Xpos};

use crate::atom::{Atom, AtomKind, atoms};
use crate::lists::FUNCTION;
use crate::said::written;
use crate::text::Text;
use memora_nlp::stem::is_past;
use memora_nlp::token::Kind;

/// Longer pieces are parsed too badly, in tokens.
const TOKENS_MAX: usize = 60;

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
    pub(crate) copula: bool,
    /// Whether an article, a demonstrative or an owner says which one.
    pub(crate) definite: bool,
    pub(crate) indefinite: bool,
    /// Whether a comma stands in front of all that hangs on it.
    pub(crate) comma: bool,
    /// Whether it only stands for another word, or says nothing.
    pub(crate) silent: bool,
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

/// The graphs of a text, piece by piece; questions have none.
pub(crate) fn graphs(text: &Text, by_owner: bool) -> Vec<Graph> {
    let atoms = atoms(text, by_owner);
    let segments = text.segments();
    let around = |piece: &Range<usize>| {
        segments.iter().find(|s| s.start <= piece.start && piece.end <= s.end).cloned().unwrap_or_default()
    };
    let pieces = text.pieces().into_iter().filter(|(piece, asks)| !asks && (2..=TOKENS_MAX).contains(&piece.len()));
    pieces.filter_map(|(piece, _)| graph(text, &atoms, piece.clone(), around(&piece))).collect()
}

/// Parses some tokens of a text.
pub(crate) fn graph(text: &Text, atoms: &[Atom], piece: Range<usize>, segment: Range<usize>) -> Option<Graph> {
    let tokens = text.tokens.get(piece.clone())?;
    let words: Vec<&str> = tokens.iter().map(|token| written(text, token)).collect();
    let is_name = |at: usize| {
        tokens.get(at).is_some_and(|t| {
            let plain = FUNCTION.contains(t.lower.as_str()) || Meaning::of(&t.lower).is_known();
            t.kind == Kind::Word && t.capital && !plain
        })
    };
    let names: Vec<(usize, Upos, Xpos)> =
        (0..tokens.len()).filter(|at| is_name(*at)).map(|at| (at, Upos::Propn, Xpos::Nnp)).collect();
    let tree = Reader::embedded().read_as(&words, &names);
    let (start, end) = (piece.start, piece.end);
    let atoms = atoms.iter().filter(|atom| start <= atom.tokens.start && atom.tokens.end <= end);
    Builder { tree: &tree, text, start }.build(atoms, piece, segment)
}

/// Relative pronouns.
const RELATIVES: [&str; 4] = ["who", "which", "that", "whom"];
const MODALS: [&str; 11] =
    ["can", "could", "will", "would", "shall", "should", "may", "might", "must", "ought", "need"];

struct Builder<'b> {
    tree: &'b Tree<'b>,
    text: &'b Text,
    start: usize,
}

impl Builder<'_> {
    fn build<'a>(
        &self,
        atoms: impl Iterator<Item = &'a Atom>,
        tokens: Range<usize>,
        segment: Range<usize>,
    ) -> Option<Graph> {
        let mut node_of: Vec<Option<usize>> = vec![None; self.tree.len()];
        let mut heads: Vec<usize> = Vec::new();
        let mut nodes: Vec<Node> = Vec::new();
        for atom in atoms {
            let own = atom.tokens.start - self.start..atom.tokens.end - self.start;
            let outer = |at: &usize| self.tree.head(*at).is_none_or(|head| !own.contains(&head));
            let at = own.clone().find(outer)?;
            if !self.is_node(at, atom) {
                continue;
            }
            own.for_each(|token| {
                if let Some(place) = node_of.get_mut(token) {
                    *place = Some(nodes.len());
                }
            });
            heads.push(at);
            nodes.push(self.node(at, atom));
        }
        let find = |token: usize| {
            std::iter::successors(self.tree.head(token), |at| self.tree.head(*at))
                .take(self.tree.len())
                .find_map(|at| node_of.get(at).copied().flatten())
        };
        for (at, token) in heads.iter().enumerate() {
            let head = find(*token).filter(|head| *head != at);
            if let Some(node) = nodes.get_mut(at) {
                node.head = head;
            }
            if let Some(head) = head.and_then(|head| nodes.get_mut(head)) {
                head.children.push(at);
            }
        }
        let root = nodes.iter().position(|node| node.head.is_none())?;
        let mut graph = Graph { nodes, root, tokens, segment };
        graph.set_voices();
        graph.join_lists();
        graph.resolve_relatives();
        Some(graph)
    }

    fn lower(&self, at: usize) -> &str {
        self.text.tokens.get(self.start + at).map_or("", |t| t.lower.as_str())
    }

    fn children(&self, at: usize, labels: &[Label]) -> impl Iterator<Item = usize> + '_ {
        let labels = labels.to_vec();
        self.tree.children(at).iter().copied().filter(move |child| labels.contains(&self.tree.label(*child)))
    }

    /// Whether an atom is a node of its own rather than a feature of one.
    fn is_node(&self, at: usize, atom: &Atom) -> bool {
        if matches!(atom.kind, AtomKind::Break(_)) {
            return false;
        }
        if self.tree.head(at).is_none() || atom.kind != AtomKind::Word {
            return true;
        }
        let helps = matches!(
            self.tree.label(at),
            Label::Case
                | Label::Mark
                | Label::Cc
                | Label::Aux
                | Label::AuxPass
                | Label::Cop
                | Label::Fixed
                | Label::Punct
                | Label::Expl
        );
        !helps && !atom.is_article() && !is_negation(&atom.lower)
    }

    fn node(&self, at: usize, atom: &Atom) -> Node {
        let helpers: Vec<String> =
            self.children(at, &[Label::Aux, Label::AuxPass, Label::Cop]).map(|i| self.lower(i).to_owned()).collect();
        let has = |words: &[&str]| helpers.iter().any(|helper| words.contains(&helper.as_str()));
        let (upos, xpos) = (self.tree.upos(at), self.tree.xpos(at));
        let label = self.tree.label(at);
        let describes = matches!(label, Label::Amod | Label::Compound | Label::Case | Label::Fixed | Label::Flat);
        let is_verb = upos == Upos::Verb && !describes;
        let to = self.children(at, &[Label::Mark, Label::Aux]).any(|i| self.lower(i) == "to");
        let time = match () {
            () if has(&["had"]) => Time::PastPerfect,
            () if has(&["has", "have"]) => Time::Perfect,
            () if has(&["was", "were", "did"]) => Time::Past,
            () if has(&["is", "are", "am", "do", "does", "'s"]) => Time::Present,
            () if to || !helpers.is_empty() => Time::Base,
            () if !is_verb => Time::None,
            () if matches!(xpos, Xpos::Vbz) => Time::Present,
            () if xpos == Xpos::Vbd || (is_past(&atom.lower) && !matches!(label, Label::Acl | Label::Advcl)) => {
                Time::Past
            }
            () if matches!(xpos, Xpos::Vbg | Xpos::Vbn) => Time::None,
            () if xpos == Xpos::Vbp => Time::Present,
            () if self.children(at, &[Label::Nsubj]).next().is_some() => Time::Present,
            () => Time::Base,
        };
        let case = self.children(at, &[Label::Case, Label::Mark]).map(|i| {
            let more = self.children(i, &[Label::Fixed]).map(|i| self.lower(i));
            std::iter::once(self.lower(i)).chain(more).collect::<Vec<_>>().join(" ")
        });
        let determiners: Vec<&str> = self.children(at, &[Label::Det, Label::NmodPoss]).map(|i| self.lower(i)).collect();
        let own = self.tree.children(at);
        let negations = own.iter().map(|i| self.lower(*i)).filter(|word| is_negation(word)).map(str::to_owned);
        let first = self.first_of(at);
        Node {
            atom: atom.clone(),
            upos,
            xpos,
            head: None,
            relation: self.relation(at),
            case: case.filter(|case| case != "that" && !is_negation(case)).collect(),
            joint: self.children(at, &[Label::Cc]).map(|i| self.lower(i).to_owned()).next(),
            list: None,
            time,
            progressive: xpos == Xpos::Vbg,
            modal: helpers.iter().find(|helper| MODALS.contains(&helper.as_str())).cloned(),
            negations: negations.collect(),
            passive: self.children(at, &[Label::AuxPass, Label::NsubjPass]).next().is_some(),
            copula: self.children(at, &[Label::Cop]).next().is_some(),
            definite: determiners.iter().any(|word| !matches!(*word, "a" | "an")),
            indefinite: determiners.iter().any(|word| matches!(*word, "a" | "an")),
            comma: self.lower(first) == "," || first.checked_sub(1).is_some_and(|before| self.lower(before) == ","),
            silent: false,
            unsure: false,
            children: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// The first token of all that hangs on one.
    fn first_of(&self, at: usize) -> usize {
        let mut first = at;
        while let Some(child) = self.tree.children(first).first().copied().filter(|child| *child < first) {
            first = child;
        }
        first
    }

    fn relation(&self, at: usize) -> Relation {
        if self.tree.head(at).is_none() {
            return Relation::Root;
        }
        let of = || self.children(at, &[Label::Case]).map(|i| self.lower(i)).eq(["of"]);
        match self.tree.label(at) {
            Label::Nsubj | Label::Csubj => Relation::Subject,
            Label::NsubjPass | Label::Obj => Relation::Object,
            Label::Iobj => Relation::Recipient,
            Label::OblAgent => Relation::Subject,
            Label::NmodPoss => Relation::Of,
            Label::Nmod if of() => Relation::Of,
            Label::Obl | Label::OblUnmarked | Label::Nmod | Label::NmodUnmarked => Relation::Oblique,
            Label::Amod | Label::Compound => Relation::Modifier,
            Label::Nummod => Relation::Number,
            Label::Det => Relation::Determiner,
            Label::Flat | Label::NmodDesc | Label::Goeswith => Relation::Name,
            Label::Advmod => Relation::Adverb,
            Label::Appos => Relation::Apposition,
            Label::Acl => Relation::Participle,
            Label::AclRelcl => Relation::Relative,
            Label::Advcl => Relation::Adverbial,
            Label::Ccomp | Label::Xcomp => Relation::Complement,
            Label::Conj => Relation::Joined,
            Label::CompoundPrt => Relation::Particle,
            _ => Relation::Other,
        }
    }
}

/// Whether a word denies what it hangs on.
pub(crate) fn is_negation(lower: &str) -> bool {
    matches!(lower, "not" | "never" | "no" | "without" | "neither" | "nor")
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

    /// Turns passives round, and gives each node its edges.
    fn set_voices(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(at) else { continue };
            let (passive, children) = (node.passive, node.children.clone());
            for &child in &children {
                let Some(child) = self.nodes.get_mut(child) else { continue };
                let agent = child.has_case("by") && !child.is_fact() && child.relation == Relation::Oblique;
                if passive && agent {
                    child.relation = Relation::Subject;
                } else if passive && child.relation == Relation::Subject && !child.has_case("by") {
                    child.relation = Relation::Object;
                }
                if matches!(child.relation, Relation::Subject | Relation::Of) {
                    child.case.retain(|case| !matches!(case.as_str(), "by" | "of" | "'s"));
                }
            }
            let edges = children.iter().filter_map(|child| Some((self.nodes.get(*child)?.relation, *child))).collect();
            if let Some(node) = self.nodes.get_mut(at) {
                node.edges = edges;
            }
        }
    }

    /// Hangs the members of a list where its first one hangs, and gives a second verb what it shares with the first.
    fn join_lists(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(first) = self.first_of_list(at) else { continue };
            let (Some(own), Some(lead)) = (self.nodes.get(at).cloned(), self.nodes.get(first).cloned()) else {
                continue;
            };
            if lead.is_predicate() || own.is_predicate() || lead.head.is_none() {
                self.share_with(at, &lead);
                continue;
            }
            let Some(head) = lead.head else { continue };
            let joint = self.joint_of(first);
            if let Some(lead) = self.nodes.get_mut(first) {
                lead.list = Some(first);
                lead.joint.clone_from(&joint);
            }
            if let Some(node) = self.nodes.get_mut(at) {
                node.relation = lead.relation;
                node.list = Some(first);
                node.joint = joint;
                if node.case.is_empty() {
                    node.case.clone_from(&lead.case);
                }
            }
            if let Some(old) = own.head.and_then(|old| self.nodes.get_mut(old)) {
                old.edges.retain(|(_, to)| *to != at);
            }
            if let Some(head) = self.nodes.get_mut(head) {
                head.edges.push((lead.relation, at));
            }
        }
    }

    fn first_of_list(&self, at: usize) -> Option<usize> {
        let joined =
            |at: usize| self.node(at).filter(|node| node.relation == Relation::Joined).and_then(|node| node.head);
        let first = joined(at)?;
        self.node(first).map(|node| node.list.unwrap_or(first))
    }

    /// What joins the members of a list: the word in front of the last one.
    fn joint_of(&self, first: usize) -> Option<String> {
        let below = self.below(first);
        let members = below.iter().rev().filter_map(|at| self.node(*at));
        members
            .filter(|node| node.relation == Relation::Joined || node.list == Some(first))
            .find_map(|node| node.joint.clone())
    }

    /// Gives a joined verb the subject, the helping verbs and the doubts of the one in front.
    fn share_with(&mut self, at: usize, lead: &Node) {
        let Some(node) = self.nodes.get_mut(at) else { return };
        let role = if node.passive || (lead.passive && node.time == Time::None) {
            Relation::Object
        } else {
            Relation::Subject
        };
        let own = node
            .edges
            .iter()
            .any(|(relation, _)| *relation == Relation::Subject || (node.passive && *relation == role));
        if own {
            return;
        }
        let lead_role = if lead.passive { Relation::Object } else { Relation::Subject };
        node.edges.extend(lead.edges.iter().filter(|(relation, _)| *relation == lead_role).map(|(_, to)| (role, *to)));
        if matches!(node.time, Time::None | Time::Base) && node.upos == Upos::Verb && node.modal.is_none() {
            (node.time, node.modal, node.passive) = (lead.time, lead.modal.clone(), lead.passive);
        }
        if lead.passive && node.xpos == Xpos::Vbn {
            (node.time, node.passive) = (lead.time, true);
        }
        node.unsure |= !lead.negations.is_empty() || (lead.modal.is_some() && node.modal != lead.modal) || lead.unsure;
    }

    /// Puts what a relative clause tells of in the place of its pronoun.
    fn resolve_relatives(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(node) = self.nodes.get(at).filter(|node| node.relation == Relation::Relative) else { continue };
            let Some(antecedent) = node.head else { continue };
            let is_relative =
                |to: usize| self.nodes.get(to).is_some_and(|node| RELATIVES.contains(&node.atom.lower.as_str()));
            let Some((_, pronoun)) = node.edges.iter().copied().find(|(_, to)| is_relative(*to)) else { continue };
            if let Some(node) = self.nodes.get_mut(at) {
                node.edges.iter_mut().filter(|(_, to)| *to == pronoun).for_each(|(_, to)| *to = antecedent);
            }
            if let Some(pronoun) = self.nodes.get_mut(pronoun) {
                pronoun.silent = true;
            }
        }
    }
}
