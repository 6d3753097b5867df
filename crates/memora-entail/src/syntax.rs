//! From text to graphs: its pieces are parsed, and each tree becomes a [`Graph`].
//!
//! The one rule to know: **a piece ends where a dash, an arrow, a colon or a bracket stands**; what those part is not read
//! together. Deliberately not here: passives, lists and relative clauses ([`crate::normal`]).

use std::ops::Range;

use memora_nlp::{DependencyParser, DependencyTree, Label, Upos, WordSenses, Xpos};

use crate::atom::{Atom, AtomKind, atoms};
use crate::graph::{Graph, Node, Predicate, Relation};
use crate::lists::{BRACKET_WORDS, FINITE_HELPERS, FUNCTION, MODAL_VERBS};
use crate::text::Text;
use memora_nlp::stem::is_past;
use memora_nlp::token::{Token, TokenKind};

/// Longer pieces are parsed too badly, in tokens.
const TOKENS_MAX: usize = 60;

/// The pieces of a text: its sentences, parted where a dash, an arrow, a colon or a bracket stands, unless the bracket only
/// tells a name or a date; questions have none.
fn pieces(text: &Text) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for segment in text.segments() {
        // A cell of a table says nothing without its row: `The moon is cheese | false`.
        let bars = |at: Option<usize>| at.and_then(|at| text.tokens.get(at)).is_some_and(|t| t.is_mark('|'));
        if bars(segment.start.checked_sub(1)) || bars(Some(segment.end)) {
            continue;
        }
        if text.tokens.get(segment.end).is_some_and(|t| t.is_mark('?')) {
            continue;
        }
        let (mut start, mut at) = (segment.start, segment.start);
        while at < segment.end {
            if let Some(end) = harmless(text, at, segment.end) {
                at = end;
                continue;
            }
            let parts =
                |t: &Token| matches!(t.kind, TokenKind::Mark(':' | '(' | ')' | '→')) || (t.is_mark('-') && !t.glued);
            if text.tokens.get(at).is_some_and(parts) {
                found.push(start..at);
                start = at + 1;
            }
            at += 1;
        }
        found.push(start..segment.end);
    }
    found
}

/// Where a bracket that opens at a token ends, if it tells nothing but names, dates, or a date of birth.
fn harmless(text: &Text, at: usize, end: usize) -> Option<usize> {
    text.tokens.get(at).filter(|t| t.is_mark('('))?;
    let close = (at + 1..end).find(|i| text.tokens.get(*i).is_some_and(|t| t.is_mark(')')))?;
    let inner = text.tokens.get(at + 1..close)?;
    let is_plain = |(i, t): (usize, &Token)| match t.kind {
        TokenKind::Mark(mark) => matches!(mark, ',' | ';' | '-' | '/'),
        TokenKind::Numeral => true,
        TokenKind::Word => {
            let name = t.capital && !WordSenses::look_up(&t.lower).is_known() && !FUNCTION.contains(t.lower.as_str());
            name || BRACKET_WORDS.contains(t.lower.as_str()) || text.is_fact.get(at + 1 + i) == Some(&true)
        }
    };
    let told = inner
        .first()
        .is_some_and(|t| !BRACKET_WORDS.contains(t.lower.as_str()) || t.lower == "born" || t.lower == "also");
    (told && inner.iter().enumerate().all(is_plain)).then_some(close + 1)
}

/// The graphs of a text, piece by piece; questions have none.
pub(crate) fn graphs(text: &Text, by_owner: bool) -> Vec<Graph> {
    let atoms = atoms(text, by_owner);
    let read = pieces(text).into_iter().filter(|piece| (2..=TOKENS_MAX).contains(&piece.len()));
    read.filter_map(|piece| graph(text, &atoms, &piece)).collect()
}

/// Parses some tokens of a text.
fn graph(text: &Text, atoms: &[Atom], piece: &Range<usize>) -> Option<Graph> {
    let tokens = text.tokens.get(piece.clone())?;
    let words: Vec<&str> =
        tokens.iter().map(|t| if t.capital { text.slice(&t.range) } else { t.lower.as_str() }).collect();
    let is_name = |t: &Token| {
        let plain = FUNCTION.contains(t.lower.as_str()) || WordSenses::look_up(&t.lower).is_known();
        t.kind == TokenKind::Word && t.capital && !plain
    };
    let names = tokens.iter().enumerate().filter(|(_, token)| is_name(token));
    let known: Vec<(usize, Upos, Xpos)> = names.map(|(at, _)| (at, Upos::Propn, Xpos::Nnp)).collect();
    let tree = DependencyParser::embedded().parse_with_tags(&words, &known);
    let atoms = atoms.iter().filter(|atom| piece.start <= atom.tokens.start && atom.tokens.end <= piece.end);
    Builder { tree: &tree, text, start: piece.start }.build(atoms)
}

struct Builder<'b> {
    tree: &'b DependencyTree<'b>,
    text: &'b Text,
    start: usize,
}

impl Builder<'_> {
    fn build<'a>(&self, atoms: impl Iterator<Item = &'a Atom>) -> Option<Graph> {
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
        let mut graph = Graph { nodes };
        graph.hang_relatives();
        graph.normalize();
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
        let (upos, xpos) = (self.tree.upos(at), self.tree.xpos(at));
        let label = self.tree.label(at);
        let describes = matches!(label, Label::Amod | Label::Compound | Label::Case | Label::Fixed | Label::Flat);
        let is_verb = upos == Upos::Verb && !describes;
        let to = self.children(at, &[Label::Mark, Label::Aux]).any(|i| self.lower(i) == "to");
        let is_clause = matches!(label, Label::Acl | Label::Advcl);
        let predicate = match xpos {
            _ if helpers.iter().any(|helper| FINITE_HELPERS.contains(helper.as_str())) => Predicate::Finite,
            _ if to || !helpers.is_empty() => Predicate::Bare,
            _ if !is_verb => Predicate::No,
            Xpos::Vbz | Xpos::Vbd => Predicate::Finite,
            _ if is_past(&atom.lower) && !is_clause => Predicate::Finite,
            Xpos::Vbg | Xpos::Vbn => Predicate::No,
            Xpos::Vbp => Predicate::Finite,
            _ if self.children(at, &[Label::Nsubj]).next().is_some() => Predicate::Finite,
            _ => Predicate::Bare,
        };
        let case = self.children(at, &[Label::Case, Label::Mark]).map(|i| {
            let more = self.children(i, &[Label::Fixed]).map(|i| self.lower(i));
            std::iter::once(self.lower(i)).chain(more).collect::<Vec<_>>().join(" ")
        });
        let own = self.tree.children(at);
        let negations = own.iter().map(|i| self.lower(*i)).filter(|word| is_negation(word)).map(str::to_owned);
        let participle = label == Label::Acl && xpos == Xpos::Vbn && helpers.is_empty() && !to;
        Node {
            atom: atom.clone(),
            upos,
            xpos,
            head: None,
            relation: self.relation(at),
            case: case.filter(|case| case != "that" && !is_negation(case)).collect(),
            list: None,
            predicate,
            modal: helpers.iter().find(|helper| MODAL_VERBS.contains(helper.as_str())).cloned(),
            negations: negations.collect(),
            passive: self.children(at, &[Label::AuxPass, Label::NsubjPass]).next().is_some() || participle,
            participle,
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

    fn relation(&self, at: usize) -> Relation {
        let of = || self.children(at, &[Label::Case]).map(|i| self.lower(i)).eq(["of"]);
        match self.tree.label(at) {
            Label::Nsubj | Label::Csubj | Label::OblAgent => Relation::Subject,
            Label::NsubjPass | Label::Obj => Relation::Object,
            Label::Iobj => Relation::Recipient,
            Label::NmodPoss => Relation::Of,
            Label::Nmod if of() => Relation::Of,
            Label::Obl | Label::OblUnmarked | Label::Nmod | Label::NmodUnmarked => Relation::Oblique,
            Label::Amod | Label::Compound => Relation::Modifier,
            Label::Flat | Label::NmodDesc | Label::Goeswith => Relation::Name,
            Label::Appos => Relation::Apposition,
            Label::AclRelcl => Relation::Relative,
            Label::Advcl | Label::Parataxis if self.has_relative(at) => Relation::Relative,
            Label::Conj => Relation::Joined,
            _ => Relation::Other,
        }
    }
}

/// Whether a word denies what it hangs on.
fn is_negation(lower: &str) -> bool {
    matches!(lower, "not" | "never" | "no" | "without" | "neither" | "nor")
}
