//! Whether the dependency graph of a sentence is part of a note's: an embedding.
//!
//! Each clause of the sentence is mapped into one piece of the premise: every node to one of the same word in the same
//! tense and polarity, every edge to an edge. The one rule to know: **the sentence adds nothing, and what it leaves out
//! limits nothing** ([`crate::omission`]).

use std::collections::HashSet;
use std::sync::OnceLock;

use crate::atom::{Atom, AtomKind, atoms};
use crate::graph::{Graph, Node, Relation, Time};
use crate::lists::{CLAUSAL_PREPOSITIONS, FUNCTION, NOTE_NOUNS, STATING_VERBS, TOPIC_PREPOSITIONS};
use crate::node_match::{has_same_case, is_same, is_same_word};
use crate::omission::{Omission, is_limiting};
use crate::passage::Passage;
use crate::premise::Premise;
use crate::syntax::{graphs, pieces};
use crate::text::Text;
use memora_nlp::token::Token;
use memora_nlp::{Upos, Xpos};

/// How many pairs of nodes are tried for a clause and a piece.
const STEPS_MAX: usize = 2_000;
/// The clauses of a sentence, ready to be looked for.
pub(crate) struct Hypothesis {
    text: Text,
    by_owner: bool,
    atoms: Vec<Atom>,
    graphs: OnceLock<Vec<Graph>>,
}

impl Hypothesis {
    /// Takes a sentence, without the words that say it is in the notes; none if it has brackets, colons or dashes, whose
    /// parts do not make one graph.
    pub(crate) fn of(sentence: &Text) -> Option<Self> {
        let text = told(sentence).unwrap_or_else(|| sentence.clone());
        let whole = pieces(&text).len() == text.segments().len()
            && pieces(&text).iter().all(|piece| piece.tokens == piece.segment && piece.tokens.len() > 1);
        // `Anna, says Bob, is a liar` is read as if Anna said it.
        let is_saying =
            |at: usize| text.tokens.get(at + 1).is_some_and(|t| matches!(t.lower.as_str(), "says" | "say" | "said"));
        let is_inserted =
            (0..text.tokens.len()).any(|at| text.tokens.get(at).is_some_and(|t| t.is_mark(',')) && is_saying(at));
        // Who writes *I* about the notes is their owner, unless the sentence speaks to the owner as well.
        let speaks_to = |t: &Token| matches!(t.lower.as_str(), "you" | "your" | "yours" | "yourself");
        let by_owner = !text.tokens.iter().any(speaks_to);
        let atoms = atoms(&text, by_owner);
        // A date may be told less exactly; that is for the graphs to say.
        let is_asked = |atom: &Atom| atom.lower != "one" && !matches!(atom.kind, AtomKind::Date(_));
        let atoms = atoms.into_iter().filter(is_asked).collect();
        (whole && !is_inserted).then_some(Self { text, by_owner, atoms, graphs: OnceLock::new() })
    }

    /// Whether every clause is part of the premise; trees are read only where all words stand there.
    pub(crate) fn is_part_of(&self, premise: &Premise, note: &Passage) -> bool {
        if note.lacks(&self.atoms) > 0 {
            return false;
        }
        let own = self.graphs.get_or_init(|| graphs(&self.text, self.by_owner, &HashSet::new()));
        if self.is_embedded(own, premise.graphs(), premise, note) {
            return true;
        }
        // What is a verb in one of the two is one in the other: `leads` of `Anna leads drift`.
        let (mine, theirs) = (verbs(own), verbs(premise.graphs()));
        let (missed, unread) = (mistaken(own, &theirs), mistaken(premise.graphs(), &mine));
        if !missed && !unread {
            return false;
        }
        let own = if missed { &graphs(&self.text, self.by_owner, &theirs) } else { own };
        let their = if unread { &graphs(&premise.words, premise.by_owner, &verbs(own)) } else { premise.graphs() };
        self.is_embedded(own, their, premise, note)
    }

    fn is_embedded(&self, own: &[Graph], their: &[Graph], premise: &Premise, note: &Passage) -> bool {
        let has = |own: &Graph| {
            clauses(own).is_some_and(|roots| {
                roots.iter().all(|root| {
                    their.iter().any(|their| Embedding::new(own, *root, &roots, their, premise, note).exists())
                })
            })
        };
        let in_any_order = |own: &Graph| {
            std::iter::once(own.clone()).chain(own.inverted()).chain(own.with_agent()).any(|own| has(&own))
        };
        own.len() == self.text.segments().len() && own.iter().all(in_any_order)
    }
}

/// The stems of the verbs of some graphs.
fn verbs(graphs: &[Graph]) -> HashSet<String> {
    let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
    nodes.filter(|node| node.upos == Upos::Verb).map(|node| node.atom.key.clone()).collect()
}

/// Whether a word was read as something else that is a verb elsewhere.
fn mistaken(graphs: &[Graph], verbs: &HashSet<String>) -> bool {
    let nodes = graphs.iter().flat_map(|graph| &graph.nodes);
    nodes
        .into_iter()
        .any(|node| node.upos != Upos::Verb && node.atom.lower.ends_with('s') && verbs.contains(&node.atom.key))
}

/// What a sentence says the notes say: `Your notes say that X`, `According to your notes, X`, `As noted, X`.
pub(crate) fn told(sentence: &Text) -> Option<Text> {
    let lower = |at: usize| sentence.tokens.get(at).map_or("", |t| t.lower.as_str());
    let names = |at: usize| {
        let noun = lower(at + 1);
        matches!(lower(at), "your" | "my") && NOTE_NOUNS.contains(noun)
            || lower(at) == "the" && matches!(noun, "note" | "notes")
    };
    let start = match () {
        () if lower(0) == "according" && lower(1) == "to" && names(2) => 4 + usize::from(lower(4) == ","),
        () if lower(0) == "in" && names(1) && lower(3) == "," => 4,
        () if lower(0) == "as" && lower(1) == "noted" && lower(2) == "," => 3,
        () if names(0) && STATING_VERBS.contains(lower(2)) && lower(3) == "that" => 4,
        () => return None,
    };
    let rest = sentence.source.get(sentence.tokens.get(start)?.range.start..)?;
    Some(Text::read(rest))
}

/// The heads of the clauses of a sentence that hold each for itself; none if they cannot be told.
fn clauses(own: &Graph) -> Option<Vec<usize>> {
    let mut found = vec![own.root];
    loop {
        let joins = |node: &Node| match node.relation {
            Relation::Joined => {
                node.is_predicate() && node.joint.as_deref().is_none_or(|joint| matches!(joint, "and" | "but"))
            }
            Relation::Adverbial => node.has_case("while") || node.has_case("whereas"),
            Relation::Relative => {
                node.comma && node.head.is_some_and(|head| node.edges.iter().any(|(_, to)| *to == head))
            }
            _ => false,
        };
        // A relative clause hangs on a noun of a clause, the others on its verb.
        let hangs = |at: usize, node: &Node| match node.relation {
            Relation::Relative => own.above(at).any(|head| found.contains(&head)),
            _ => node.head.is_some_and(|head| found.contains(&head)),
        };
        let next = (0..own.nodes.len())
            .find(|at| !found.contains(at) && own.node(*at).is_some_and(|node| joins(node) && hangs(*at, node)));
        match next {
            Some(next) => found.push(next),
            None => break,
        }
    }
    let sure = found.iter().all(|at| own.node(*at).is_some_and(|node| node.is_predicate() && !node.unsure));
    sure.then_some(found)
}

/// A node of the sentence to be mapped, with what it hangs on.
struct Step {
    node: usize,
    from: Option<(usize, Relation)>,
}

struct Embedding<'e> {
    own: &'e Graph,
    their: &'e Graph,
    premise: &'e Premise,
    note: &'e Passage,
    order: Vec<Step>,
    /// Further edges of the sentence, between nodes of the order.
    closing: Vec<(usize, Relation, usize)>,
    image: Vec<Option<usize>>,
    passed: Vec<bool>,
    steps: usize,
}

impl<'e> Embedding<'e> {
    fn new(
        own: &'e Graph,
        root: usize,
        roots: &[usize],
        their: &'e Graph,
        premise: &'e Premise,
        note: &'e Passage,
    ) -> Self {
        let mut order: Vec<Step> = vec![Step { node: root, from: None }];
        let mut closing = Vec::new();
        let mut next = 0;
        while let Some(at) = order.get(next).map(|step| step.node) {
            next += 1;
            for &(relation, to) in own.node(at).map(|node| node.edges.as_slice()).unwrap_or_default() {
                if own.node(to).is_some_and(|node| node.silent) || roots.contains(&to) {
                    continue;
                }
                if order.iter().any(|step| step.node == to) {
                    closing.push((at, relation, to));
                } else {
                    order.push(Step { node: to, from: Some((at, relation)) });
                }
            }
        }
        let count = own.nodes.len();
        Self {
            own,
            their,
            premise,
            note,
            order,
            closing,
            image: vec![None; count],
            passed: vec![false; count],
            steps: 0,
        }
    }

    fn exists(mut self) -> bool {
        self.place(0)
    }

    fn place(&mut self, at: usize) -> bool {
        self.steps += 1;
        if self.steps > STEPS_MAX {
            return false;
        }
        let Some(step) = self.order.get(at) else { return self.holds() };
        let node = step.node;
        let (candidates, may_pass) = match step.from {
            None => ((0..self.their.nodes.len()).filter(|to| self.is_root_of(node, *to)).collect(), false),
            Some((from, _)) if self.passed.get(from) == Some(&true) => (Vec::new(), true),
            Some((from, relation)) => (self.candidates(from, relation, node), self.may_pass(from, relation, node)),
        };
        for to in candidates {
            if self.image.contains(&Some(to)) {
                continue;
            }
            self.image[node] = Some(to);
            if self.place(at + 1) {
                return true;
            }
            self.image[node] = None;
        }
        if may_pass {
            self.passed[node] = true;
            if self.place(at + 1) {
                return true;
            }
            self.passed[node] = false;
        }
        false
    }

    fn is_root_of(&self, own: usize, their: usize) -> bool {
        let (Some(mine), Some(node)) = (self.own.node(own), self.their.node(their)) else { return false };
        let told = mine.copula && node.relation == Relation::Apposition && !mine.progressive;
        (node.is_predicate() || node.participle) && is_same(mine, node)
            || told && mine.negations.is_empty() && is_same_word(mine, node)
    }

    /// The nodes of the note to which one of the sentence may be mapped that hangs on another as something.
    fn candidates(&self, from: usize, relation: Relation, own: usize) -> Vec<usize> {
        let (Some(head), Some(mine)) = (self.image.get(from).copied().flatten(), self.own.node(own)) else {
            return Vec::new();
        };
        let edges = |at: usize| self.their.node(at).map(|node| node.edges.as_slice()).unwrap_or_default();
        let mut found: Vec<usize> = Vec::new();
        let direct = edges(head).iter().filter(|(other, to)| self.is_same_edge(relation, mine, *other, *to));
        found.extend(direct.map(|(_, to)| *to));
        let told = self.their.node(head).filter(|node| node.relation == Relation::Apposition && !node.is_predicate());
        if relation == Relation::Subject
            && let Some(named) = told.and_then(|node| node.head)
        {
            found.push(named);
        }
        if relation == Relation::Oblique {
            // A phrase may hang on the verb or on what stands in front of it.
            let phrase = |at: usize, behind: usize| {
                edges(at)
                    .iter()
                    .filter(move |(other, to)| *other == Relation::Oblique && *to > behind)
                    .map(|(_, to)| *to)
            };
            let is_part = |relation: &Relation| matches!(relation, Relation::Object | Relation::Oblique);
            for (_, part) in edges(head).iter().filter(|(relation, _)| is_part(relation)) {
                found.extend(phrase(*part, *part));
            }
            // When and why something was is told of the whole clause, on whatever it hangs.
            let is_whole = |at: &usize| {
                let parts = self.their.above(*at).take_while(|above| *above != head);
                self.their.above(*at).any(|above| above == head)
                    && parts
                        .filter_map(|at| self.their.node(at))
                        .all(|node| node.upos != Upos::Verb && !node.is_predicate())
            };
            if mine.is_fact() || mine.case.iter().any(|case| CLAUSAL_PREPOSITIONS.contains(case.as_str())) {
                let phrases = |at: &usize| self.their.node(*at).is_some_and(|node| node.relation == Relation::Oblique);
                found.extend((0..self.their.nodes.len()).filter(phrases).filter(is_whole));
            }
            if let Some(node) = self.their.node(head).filter(|node| is_part(&node.relation)) {
                found.extend(node.head.into_iter().flat_map(|above| phrase(above, head)));
                let given = node.head.filter(|_| mine.has_case("to"));
                let given = given.into_iter().flat_map(edges).filter(|(other, _)| *other == Relation::Recipient);
                found.extend(given.map(|(_, to)| *to));
            }
        }
        if relation == Relation::Modifier {
            // Which of several words in front of a noun hangs on which is told by nobody.
            let inner = |at: &usize| {
                let parts = self.their.above(*at).take_while(|above| *above != head);
                let describes = |at: usize| self.their.node(at).is_some_and(|node| node.relation == Relation::Modifier);
                describes(*at) && self.their.above(*at).any(|above| above == head) && parts.into_iter().all(describes)
            };
            found.extend((0..self.their.nodes.len()).filter(inner));
        }
        if relation == Relation::Adverb && !is_limiting(&mine.atom) {
            let near = |at: &usize| {
                let above = self.their.node(*at).and_then(|node| node.head);
                let higher = above.and_then(|above| self.their.node(above)).and_then(|node| node.head);
                let beside = self.their.node(head).and_then(|node| node.head);
                higher == Some(head) || (above.is_some() && above == beside)
            };
            let adverb = |at: &usize| self.their.node(*at).is_some_and(|node| node.relation == Relation::Adverb);
            found.extend((0..self.their.nodes.len()).filter(adverb).filter(near));
        }
        found.retain(|to| self.their.node(*to).is_some_and(|node| is_same(mine, node) && has_same_case(mine, node)));
        if matches!(relation, Relation::Oblique | Relation::Adverbial) {
            found.retain(|to| self.is_attached(from, own, head, *to));
        }
        found.dedup();
        found
    }

    /// Whether a phrase of the note surely tells of its verb, where the sentence moved it to the other side: no noun stands between
    /// them that it may tell of.
    fn is_attached(&self, from: usize, own: usize, head: usize, to: usize) -> bool {
        let start = |graph: &Graph, at: usize| graph.node(at).map_or(0, |node| node.atom.tokens.start);
        let (verb, phrase) = (start(self.their, head), start(self.their, to));
        let is_moved = (start(self.own, own) < start(self.own, from)) != (phrase < verb);
        let between = |node: &&Node| (verb + 1..phrase).contains(&node.atom.tokens.start);
        let is_noun = |node: &Node| matches!(node.upos, Upos::Noun | Upos::Propn | Upos::Verb);
        let inner = self.their.below(to);
        !is_moved
            || phrase < verb
            || !(0..self.their.nodes.len())
                .filter(|at| !inner.contains(at))
                .filter_map(|at| self.their.node(at))
                .any(|node| between(&node) && is_noun(node))
    }

    fn is_same_edge(&self, own: Relation, mine: &Node, other: Relation, to: usize) -> bool {
        use Relation::{Adverb, Apposition, Complement, Modifier, Name, Number, Object, Oblique, Of, Recipient};
        let Some(node) = self.their.node(to) else { return false };
        let is_noun = |node: &Node| matches!(node.upos, Upos::Noun | Upos::Propn);
        match (own, other) {
            (Relation::Joined, Relation::Joined) => mine.joint == node.joint,
            _ if own == other => true,
            (Of, Modifier) | (Modifier, Of) => is_noun(mine) && is_noun(node),
            (Name | Modifier | Apposition, Name | Modifier | Apposition) => is_noun(node) || node.is_fact(),
            (Adverb, Oblique) | (Oblique, Adverb) => true,
            // `upgraded staging`: what is done, or what it is done to.
            (Complement, Object) | (Object, Complement) => !mine.is_predicate() && !node.is_predicate(),
            (Recipient, Oblique) => node.has_case("to"),
            (Oblique, Recipient) => mine.has_case("to"),
            (Number, Modifier) | (Modifier, Number) => node.is_fact(),
            _ => false,
        }
    }

    /// Whether a node of the sentence may have none in the note: the owner, or what the context names.
    fn may_pass(&self, from: usize, relation: Relation, own: usize) -> bool {
        let (Some(mine), Some(head)) = (self.own.node(own), self.image.get(from).copied().flatten()) else {
            return false;
        };
        let Some(verb) = self.their.node(head) else { return false };
        let below = self.own.below(own);
        let fills = |atom: &Atom| atom.lower == "your" || FUNCTION.contains(atom.lower.as_str());
        let named = |node: &Node| {
            node.atom.kind == AtomKind::Word
                && node.negations.is_empty()
                && !is_limiting(&node.atom)
                && (self.note.context.contains(&node.atom.key) || fills(&node.atom))
        };
        let words: HashSet<&str> = below
            .iter()
            .filter_map(|at| self.own.node(*at))
            .filter(|node| !fills(&node.atom))
            .map(|node| node.atom.key.as_str())
            .collect();
        let in_context = !fills(&mine.atom)
            && below.iter().filter_map(|at| self.own.node(*at)).all(named)
            && self.note.has_name(&words);
        match relation {
            // A line of the third person without a subject is of what the context names.
            Relation::Subject if in_context && verb.xpos == Xpos::Vbz => {
                let front = self.their.tokens.start == self.their.segment.start;
                let free = !verb.edges.iter().any(|(relation, _)| *relation == Relation::Subject);
                front && free && verb.relation == Relation::Root && !verb.copula
            }
            Relation::Subject if mine.is("you") => {
                let free = !verb.edges.iter().any(|(relation, _)| *relation == Relation::Subject);
                let at = self.note.atoms.iter().position(|atom| atom.tokens == verb.atom.tokens);
                let front = self.their.tokens.start == self.their.segment.start;
                free && front
                    && !verb.passive
                    && !verb.copula
                    && matches!(verb.time, Time::Past)
                    && at.is_some_and(|at| self.note.is_by_owner(at))
            }
            Relation::Of if mine.atom.lower == "your" => !self.note.about_somebody,
            Relation::Of | Relation::Modifier | Relation::Oblique => {
                let about = mine.case.iter().all(|case| TOPIC_PREPOSITIONS.contains(case.as_str()));
                about && in_context
            }
            _ => false,
        }
    }

    /// Whether the mapping found is sound: the edges that close a circle, the order of lists, and what it leaves out.
    fn holds(&self) -> bool {
        let image = |at: usize| self.image.get(at).copied().flatten();
        let closes = |(from, relation, to): &(usize, Relation, usize)| match (image(*from), image(*to)) {
            (Some(from), Some(to)) => self.their.related(from, *relation).any(|other| other == to),
            _ => false,
        };
        let ordered = self.order.iter().all(|step| {
            let list = self.own.node(step.node).and_then(|node| node.list);
            let same =
                |other: &&Step| list.is_some() && self.own.node(other.node).is_some_and(|node| node.list == list);
            self.order.iter().filter(same).all(|other| {
                let (Some(one), Some(two)) = (image(step.node), image(other.node)) else { return true };
                (step.node < other.node) == (one < two)
                    && self.joint(self.own, step.node) == self.joint(self.their, one)
            })
        });
        let Some(root) = self.order.first().and_then(|step| image(step.node)) else { return false };
        let mine = self.order.first().and_then(|step| self.own.node(step.node));
        let taken: Vec<usize> = self.image.iter().copied().flatten().collect();
        let agentless = mine
            .is_some_and(|node| node.passive && !node.edges.iter().any(|(relation, _)| *relation == Relation::Subject));
        // What has no subject is asked of the reader, in both.
        let has_subject = |node: &Node| node.edges.iter().any(|(relation, _)| *relation == Relation::Subject);
        let is_asked = mine.is_some_and(|node| {
            !has_subject(node) && !node.passive && node.edges.iter().any(|(relation, _)| *relation == Relation::Object)
        });
        let asks = self.their.node(root).is_some_and(|node| node.relation == Relation::Root && !has_subject(node));
        self.closing.iter().all(closes)
            && ordered
            && (!is_asked || asks)
            && Omission {
                vague: mine.is_some_and(|node| node.indefinite),
                graph: self.their,
                taken: &taken,
                agentless,
                premise: self.premise,
                own: self.own,
                note: self.note,
            }
            .limits_nothing(root)
    }

    /// Whether a list is one of *or*.
    fn joint(&self, graph: &Graph, at: usize) -> bool {
        graph.node(at).is_some_and(|node| node.joint.as_deref() == Some("or"))
    }
}
