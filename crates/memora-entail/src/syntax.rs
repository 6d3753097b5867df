//! From text to graphs: its pieces are parsed, and each tree becomes a [`Graph`].
//!
//! The one rule to know: **a piece ends where a dash, an arrow, a colon or a bracket stands**; what those part is not read
//! together. Deliberately not here: passives, lists, relative clauses and pronouns ([`crate::normal`]).

use std::collections::HashSet;
use std::ops::Range;

use memora_nlp::{DependencyParser, DependencyTree, Label, Upos, WordSenses, Xpos};

use crate::atom::{Atom, AtomKind, atoms};
use crate::graph::{Graph, Node, Relation, Time};
use crate::lists::{BRACKET_WORDS, FUNCTION, MODAL_VERBS, PAST_HELPERS, PRESENT_HELPERS};
use crate::normal::resolve_pronouns;
use crate::text::Text;
use memora_nlp::stem::is_past;
use memora_nlp::token::{Token, TokenKind};
use memora_nlp::word_lists::WordSet;

/// Longer pieces are parsed too badly, in tokens.
const TOKENS_MAX: usize = 60;
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

/// The graphs of a text, piece by piece; questions have none. Words with these stems that end in an *s* are verbs.
pub(crate) fn graphs(text: &Text, by_owner: bool, verbs: &HashSet<String>) -> Vec<Graph> {
    let atoms = atoms(text, by_owner);
    let read = pieces(text).into_iter().filter(|piece| (2..=TOKENS_MAX).contains(&piece.tokens.len()));
    let mut found: Vec<Graph> = read.filter_map(|piece| graph(text, &atoms, &piece, verbs)).collect();
    resolve_pronouns(text, &mut found);
    found
}

/// Parses some tokens of a text.
fn graph(text: &Text, atoms: &[Atom], piece: &Piece, verbs: &HashSet<String>) -> Option<Graph> {
    let Piece { tokens: piece, segment } = piece;
    let tokens = text.tokens.get(piece.clone())?;
    let words: Vec<&str> =
        tokens.iter().map(|t| if t.capital { text.slice(&t.range) } else { t.lower.as_str() }).collect();
    let is_name = |at: usize| {
        tokens.get(at).is_some_and(|t| {
            let plain = FUNCTION.contains(t.lower.as_str()) || WordSenses::look_up(&t.lower).is_known();
            t.kind == TokenKind::Word && t.capital && !plain
        })
    };
    let is_verb = |at: usize| {
        tokens.get(at).is_some_and(|t| at > 0 && !t.capital && t.lower.ends_with('s') && verbs.contains(&t.stem))
    };
    let known: Vec<(usize, Upos, Xpos)> = (0..tokens.len())
        .filter_map(|at| match () {
            () if is_verb(at) => Some((at, Upos::Verb, Xpos::Vbz)),
            () if is_name(at) => Some((at, Upos::Propn, Xpos::Nnp)),
            () => None,
        })
        .collect();
    let tree = DependencyParser::embedded().parse_with_tags(&words, &known);
    let (start, end) = (piece.start, piece.end);
    let atoms = atoms.iter().filter(|atom| start <= atom.tokens.start && atom.tokens.end <= end);
    Builder { tree: &tree, text, start }.build(atoms, piece.clone(), segment.clone())
}

struct Builder<'b> {
    tree: &'b DependencyTree<'b>,
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
        let has = |words: &WordSet<'_>| helpers.iter().any(|helper| words.contains(helper.as_str()));
        let is_any = |words: &[&str]| helpers.iter().any(|helper| words.contains(&helper.as_str()));
        let (upos, xpos) = (self.tree.upos(at), self.tree.xpos(at));
        let label = self.tree.label(at);
        let describes = matches!(label, Label::Amod | Label::Compound | Label::Case | Label::Fixed | Label::Flat);
        let is_verb = upos == Upos::Verb && !describes;
        let to = self.children(at, &[Label::Mark, Label::Aux]).any(|i| self.lower(i) == "to");
        let time = match () {
            () if is_any(&["had"]) => Time::PastPerfect,
            () if is_any(&["has", "have"]) => Time::Perfect,
            () if has(&PAST_HELPERS) => Time::Past,
            () if has(&PRESENT_HELPERS) => Time::Present,
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
            modal: helpers.iter().find(|helper| MODAL_VERBS.contains(helper.as_str())).cloned(),
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
            Label::Parataxis if self.has_relative(at) => Relation::Relative,
            Label::Parataxis => Relation::Beside,
            _ => Relation::Other,
        }
    }
}

/// Whether a word denies what it hangs on.
pub(crate) fn is_negation(lower: &str) -> bool {
    matches!(lower, "not" | "never" | "no" | "without" | "neither" | "nor")
}
