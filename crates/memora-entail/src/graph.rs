//! The dependency graph of a clause, normalised so that one thing said in two ways has one graph: [`Graph`].
//!
//! A node is a word with content, a pronoun, an adverb or a fact; articles, auxiliaries, prepositions and negations are
//! features of their node. Of a passive the subject is the object and the agent the subject, members of a list hang where
//! its first one does, a relative pronoun is its antecedent, and a second verb has the first one's subject.
//! Deliberately not here: what follows from a graph ([`crate::embedding`]), and what may be left out ([`crate::omission`]).

use std::ops::Range;

use memora_nlp::{Label, Meaning, Reader, Tree, Upos, Xpos};

use crate::atom::{Atom, AtomKind, atoms};
use crate::lists::{FUNCTION, PEOPLE};
use crate::text::Text;
use memora_nlp::stem::is_past;
use memora_nlp::token::{Kind, Token};

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

/// What is parsed at once, and the sentence around it.
pub(crate) struct Piece {
    pub(crate) tokens: Range<usize>,
    pub(crate) segment: Range<usize>,
}

/// The pieces of a text: its sentences, parted where a dash, an arrow, a colon or a bracket stands, unless the bracket only
/// tells a name or a date; questions have none.
pub(crate) fn pieces(text: &Text) -> Vec<Piece> {
    let mut found = Vec::new();
    for segment in text.segments() {
        if text.tokens.get(segment.end).is_some_and(|t| t.is_mark('?')) {
            continue;
        }
        let (mut start, mut at) = (segment.start, segment.start);
        while at < segment.end {
            if let Some(end) = harmless(text, at, segment.end) {
                at = end;
                continue;
            }
            let parts = |t: &Token| matches!(t.kind, Kind::Mark(':' | '(' | ')' | '→')) || (t.is_mark('-') && !t.glued);
            if text.tokens.get(at).is_some_and(parts) {
                found.push(Piece { tokens: start..at, segment: segment.clone() });
                start = at + 1;
            }
            at += 1;
        }
        found.push(Piece { tokens: start..segment.end, segment: segment.clone() });
    }
    found.retain(|piece| !piece.tokens.is_empty());
    found
}

/// Where a bracket that opens at a token ends, if it tells nothing but names, dates, or when somebody was born.
fn harmless(text: &Text, at: usize, end: usize) -> Option<usize> {
    const PLAIN: [&str; 14] =
        ["also", "and", "as", "at", "born", "called", "died", "in", "known", "of", "on", "or", "simply", "the"];
    text.tokens.get(at).filter(|t| t.is_mark('('))?;
    let close = (at + 1..end).find(|i| text.tokens.get(*i).is_some_and(|t| t.is_mark(')')))?;
    let inner = text.tokens.get(at + 1..close)?;
    let is_plain = |(i, t): (usize, &Token)| match t.kind {
        Kind::Mark(mark) => matches!(mark, ',' | ';' | '-' | '/'),
        Kind::Numeral => true,
        Kind::Word => {
            let name = t.capital && !Meaning::of(&t.lower).is_known() && !FUNCTION.contains(t.lower.as_str());
            name || PLAIN.contains(&t.lower.as_str()) || text.is_fact.get(at + 1 + i) == Some(&true)
        }
    };
    let told =
        inner.first().is_some_and(|t| !PLAIN.contains(&t.lower.as_str()) || t.lower == "born" || t.lower == "also");
    (told && inner.iter().enumerate().all(is_plain)).then_some(close + 1)
}

/// The graphs of a text, piece by piece; questions have none.
pub(crate) fn graphs(text: &Text, by_owner: bool) -> Vec<Graph> {
    let atoms = atoms(text, by_owner);
    let read = pieces(text).into_iter().filter(|piece| (2..=TOKENS_MAX).contains(&piece.tokens.len()));
    let mut found: Vec<Graph> = read.filter_map(|piece| graph(text, &atoms, piece.tokens, piece.segment)).collect();
    resolve_pronouns(text, &mut found);
    found
}

/// Gives *he* and *she* the only name that stands in front of them in the text, if no other person does.
fn resolve_pronouns(text: &Text, graphs: &mut [Graph]) {
    const PRONOUNS: [&str; 5] = ["he", "she", "him", "her", "his"];
    let mut names: Vec<String> = Vec::new();
    let people = |end: usize| {
        text.tokens.iter().take(end).any(|t| PEOPLE.contains(t.lower.as_str()) && !PRONOUNS.contains(&t.lower.as_str()))
    };
    for graph in graphs {
        for node in &mut graph.nodes {
            let is_place = node.case.iter().any(|case| matches!(case.as_str(), "at" | "in" | "near"));
            if node.is_name() && !is_place && !names.contains(&node.atom.key) {
                names.push(node.atom.key.clone());
            }
            if PRONOUNS.contains(&node.atom.lower.as_str())
                && let [name] = names.as_slice()
                && !people(node.atom.tokens.start)
            {
                node.meant = Some(name.clone());
            }
        }
    }
}

/// Parses some tokens of a text.
pub(crate) fn graph(text: &Text, atoms: &[Atom], piece: Range<usize>, segment: Range<usize>) -> Option<Graph> {
    let tokens = text.tokens.get(piece.clone())?;
    let words: Vec<&str> =
        tokens.iter().map(|t| if t.capital { text.slice(&t.range) } else { t.lower.as_str() }).collect();
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
        graph.unfold();
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
        let participle = label == Label::Acl && xpos == Xpos::Vbn && helpers.is_empty() && !to;
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
            passive: self.children(at, &[Label::AuxPass, Label::NsubjPass]).next().is_some() || participle,
            participle,
            copula: self.children(at, &[Label::Cop]).next().is_some(),
            since: own.iter().any(|i| self.children(*i, &[Label::Case]).any(|i| self.lower(i) == "since")),
            definite: determiners.iter().any(|word| !matches!(*word, "a" | "an")),
            indefinite: determiners.iter().any(|word| matches!(*word, "a" | "an")),
            comma: matches!(self.lower(first), "," | "(")
                || first.checked_sub(1).is_some_and(|before| matches!(self.lower(before), "," | "(")),
            bracketed: self.lower(first) == "(",
            first: first == 0,
            silent: false,
            meant: None,
            unsure: false,
            children: Vec::new(),
            edges: Vec::new(),
        }
    }

    /// Whether *who* or *which* is what a verb tells of, and nothing else joins it to its head.
    fn has_relative(&self, at: usize) -> bool {
        self.children(at, &[Label::Mark]).next().is_none()
            && self.children(at, &[Label::Nsubj, Label::NsubjPass]).any(|i| matches!(self.lower(i), "who" | "which"))
    }

    /// Whether a clause with a verb and subject of its own is joined by nothing: `Anna left, Bruno stayed`.
    fn stands_beside(&self, at: usize) -> bool {
        let subject = self.children(at, &[Label::Nsubj, Label::NsubjPass]).next();
        let joined = self.children(at, &[Label::Mark, Label::Case]).next().is_some()
            || self.children(at, &[Label::Advmod]).any(|i| self.tree.xpos(i) == Xpos::Wrb);
        let helper = self.children(at, &[Label::Aux, Label::AuxPass, Label::Cop]).next();
        let finite = matches!(self.tree.xpos(at), Xpos::Vbd | Xpos::Vbz | Xpos::Vbp) || helper.is_some();
        subject.is_some_and(|subject| helper.is_none_or(|helper| subject < helper)) && !joined && finite
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
            Label::Advcl if self.has_relative(at) => Relation::Relative,
            Label::Advcl if self.stands_beside(at) => Relation::Beside,
            Label::Advcl => Relation::Adverbial,
            Label::Ccomp | Label::Xcomp => Relation::Complement,
            Label::Conj => Relation::Joined,
            Label::CompoundPrt => Relation::Particle,
            Label::Parataxis => Relation::Beside,
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
            let done_to = node.head.filter(|_| node.participle).map(|head| (Relation::Object, head));
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
            let edges = children
                .iter()
                .filter_map(|child| Some((self.nodes.get(*child)?.relation, *child)))
                .chain(done_to)
                .collect();
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

    /// Says a cleft plainly: `It was Anna who moved it` and `Anna is the one who moved it` as `Anna moved it`.
    fn unfold(&mut self) {
        let Some(root) = self.node(self.root).filter(|node| node.copula && node.negations.is_empty()) else { return };
        if root.modal.is_some() || !matches!(root.time, Time::Present | Time::Past) {
            return;
        }
        let at = self.root;
        let subject = self.related(at, Relation::Subject).next();
        let clause_of = |of: usize| {
            let clause = self.related(of, Relation::Relative).next()?;
            let told = self.node(clause)?.edges.iter().find(|(_, to)| *to == of)?.0;
            Some((clause, told))
        };
        let is_one = |at: usize| self.node(at).is_some_and(|node| node.atom.lower == "one");
        // Who is told of, whose place it takes, and what is told.
        let found = match subject {
            None => clause_of(at).map(|(clause, told)| (at, at, clause, told)),
            Some(subject) if is_one(at) => clause_of(at).map(|(clause, told)| (subject, at, clause, told)),
            Some(subject) if is_one(subject) => clause_of(subject).map(|(clause, told)| (at, subject, clause, told)),
            Some(_) => None,
        };
        let Some((who, place, clause, told)) = found else { return };
        if let Some(node) = self.nodes.get_mut(clause) {
            (node.head, node.relation) = (None, Relation::Root);
            node.edges.iter_mut().filter(|(_, to)| *to == place).for_each(|(_, to)| *to = who);
            node.children.push(who);
        }
        if let Some(node) = self.nodes.get_mut(place).filter(|_| place != who) {
            node.silent = true;
            node.head = Some(clause);
        }
        if let Some(node) = self.nodes.get_mut(who) {
            (node.head, node.relation, node.copula, node.time) = (Some(clause), told, false, Time::None);
            node.edges.retain(|(_, to)| *to != clause && *to != place);
            node.children.retain(|to| *to != clause && *to != place);
        }
        self.root = clause;
    }

    /// The same with what a copula joins exchanged, where both are one thing: `The default is X` of `X is the default`.
    pub(crate) fn inverted(&self) -> Option<Self> {
        let root = self.node(self.root).filter(|node| node.copula)?;
        let subject = self.related(self.root, Relation::Subject).next()?;
        let told = self.node(subject)?;
        let one = |node: &Node| {
            (node.definite || node.is_name() || node.is_fact())
                && matches!(node.upos, Upos::Noun | Upos::Propn | Upos::Num)
        };
        if !one(root) || !one(told) {
            return None;
        }
        let inner = |relation: Relation| {
            use Relation::{Apposition, Determiner, Modifier, Name, Number, Of, Participle, Relative};
            matches!(relation, Of | Modifier | Number | Determiner | Name | Apposition | Participle | Relative)
        };
        let mut turned = self.clone();
        let (kept, moved): (Vec<_>, Vec<_>) =
            root.edges.iter().copied().filter(|(_, to)| *to != subject).partition(|(relation, _)| inner(*relation));
        let first = turned.nodes.get_mut(self.root)?;
        (first.edges, first.relation, first.head) = (kept, Relation::Subject, Some(subject));
        (first.time, first.copula, first.progressive) = (Time::None, false, false);
        let second = turned.nodes.get_mut(subject)?;
        second.edges.extend(moved);
        second.edges.push((Relation::Subject, self.root));
        (second.relation, second.head) = (Relation::Root, None);
        (second.time, second.copula) = (root.time, true);
        (second.modal, second.negations) = (root.modal.clone(), root.negations.clone());
        turned.root = subject;
        Some(turned)
    }
}
