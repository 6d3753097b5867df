//! What of a note's graph may be left out: [`Omission`].
//!
//! The one rule to know: **in doubt it may not**. When and where something happened may go, why, further members of a list
//! joined by *and*, a clause that only adds; never a negation, a condition, a hedge, a quantifier, a plan, who says so, or
//! what tells which ones of a kind are meant.

use crate::atom::{Atom, AtomKind};
use crate::graph::{Graph, Node, Relation, Time};
use crate::lists::{
    ADJUNCT_PREPOSITIONS, ATTITUDE_VERBS, CLAUSAL_PREPOSITIONS, GUARDS, HARMLESS_GUARDS, HEDGING_ADVERBS,
    INVERTED_CONDITIONS, LIMITING_CONJUNCTIONS, LIMITS_OF_RELATIVES, NEGATIONS, OMISSIBLE_ADVERBS, REASON_CONJUNCTIONS,
    SENTENCE_HEDGES, SYMMETRIC, TIME_CONJUNCTIONS, TIME_NOUNS, TURNING_WORDS, UNREAL_SETTINGS,
};
use crate::passage::Passage;
use crate::premise::Premise;
use memora_nlp::token::Token;
use memora_nlp::word_lists::WordSet;
use memora_nlp::{Upos, Xpos};

/// Whether leaving a word out may change what is said.
pub(crate) fn is_limiting(atom: &Atom) -> bool {
    match atom.kind {
        AtomKind::Word => {
            let lower = atom.lower.as_str();
            (GUARDS.contains(lower) || NEGATIONS.contains(lower) || HEDGING_ADVERBS.contains(lower))
                && !HARMLESS_GUARDS.contains(lower)
        }
        AtomKind::Sign | AtomKind::Turned | AtomKind::Break('?') => true,
        _ => false,
    }
}

/// A piece of a note of which some nodes are taken.
pub(crate) struct Omission<'o> {
    pub(crate) graph: &'o Graph,
    pub(crate) own: &'o Graph,
    pub(crate) note: &'o Passage,
    pub(crate) premise: &'o Premise,
    pub(crate) taken: &'o [usize],
    /// Whether the sentence does not say who did it.
    pub(crate) agentless: bool,
    /// Whether the sentence says that something is one of a kind.
    pub(crate) vague: bool,
}

impl Omission<'_> {
    /// Whether the clause with this head is said outright, and nothing that is left out limits it.
    pub(crate) fn limits_nothing(&self, root: usize) -> bool {
        self.is_outright(root)
            && self.stands_free()
            && self.is_unquoted()
            && self.is_unattributed()
            && self.taken.iter().all(|at| self.node(*at).is_some_and(|node| self.may_lose_children(node)))
            && self.has_no_stray_limit(root)
            && !self.follows_inverted_condition()
    }

    /// Whether no verb of saying or thinking stands in the sentence but what is taken, and no condition in front: `A and B, says
    /// Tom`, `Critics argue that A and B`, `Tom knows if A, and B`.
    fn is_unattributed(&self) -> bool {
        // What parts of a sentence stand between semicolons hangs on what stands in front of them.
        let tokens = &self.premise.words.tokens;
        let ends = |at: &usize| {
            tokens.get(*at).is_some_and(|token| token.is_segment_end() && !token.is_mark(';'))
                && !self.premise.words.is_inner_stop(*at)
        };
        let start = (0..self.graph.segment.start).rev().find(ends).map_or(0, |at| at + 1);
        let end = (self.graph.segment.end..tokens.len()).find(ends).unwrap_or(tokens.len());
        let taken =
            |at: usize| self.taken.iter().any(|i| self.node(*i).is_some_and(|node| node.atom.tokens.contains(&at)));
        let limits = |at: usize| {
            tokens.get(at).is_some_and(|token| {
                let lower = token.lower.as_str();
                let asks = at < self.first_byte() && matches!(lower, "if" | "unless" | "whether" | "whenever");
                asks || ATTITUDE_VERBS.contains(&token.stem)
            })
        };
        !(start..end).any(|at| limits(at) && !taken(at))
    }

    /// Whether the sentence opens with an inverted condition: "Had the funding come, we hired Tom."
    fn follows_inverted_condition(&self) -> bool {
        let atoms = &self.note.atoms;
        let taken = self.first_byte();
        let Some(at) = atoms.iter().position(|atom| atom.tokens.start >= taken) else { return false };
        let start = self.note.sentence_start(at);
        let opens = atoms.get(start).is_some_and(|atom| INVERTED_CONDITIONS.iter().any(|word| atom.is(word)));
        opens && atoms.get(start..at).is_some_and(|front| front.iter().any(|atom| atom.is_break(',')))
    }

    fn node(&self, at: usize) -> Option<&Node> {
        self.graph.node(at)
    }

    /// Whether a word limits where it stands: *last* does not in *last week*.
    fn limits(&self, node: &Node) -> bool {
        let when = (node.is("last") || node.is("next"))
            && node.head.and_then(|head| self.node(head)).is_some_and(|head| is_time_word(&head.atom.lower));
        is_limiting(&node.atom) && !when
    }

    fn may_lose_children(&self, node: &Node) -> bool {
        let free = |child: &usize| !self.taken.contains(child) && self.node(*child).is_some_and(|child| !child.silent);
        node.edges.iter().map(|(_, to)| *to).chain(node.children.iter().copied()).filter(free).all(|child| {
            let Some(lost) = self.node(child) else { return false };
            // A list of which nothing is taken goes with its first member.
            let taken = |list| self.taken.iter().any(|at| self.node(*at).is_some_and(|node| node.list == Some(list)));
            lost.list.is_some_and(|list| list != child && !taken(list)) || self.may_lose(node, lost, child)
        })
    }

    fn may_lose(&self, node: &Node, lost: &Node, at: usize) -> bool {
        let below: Vec<usize> = self.graph.below(at).into_iter().filter(|i| !self.taken.contains(i)).collect();
        let nodes = || below.iter().filter_map(|i| self.node(*i));
        let plain = nodes().all(|node| !self.limits(node) && node.negations.is_empty() && node.modal.is_none());
        let happened = matches!(node.time, Time::Past | Time::Perfect | Time::PastPerfect)
            && node.modal.is_none()
            && node.negations.is_empty();
        let denied = !node.negations.is_empty();
        let is_time =
            matches!(lost.atom.kind, AtomKind::Date(_) | AtomKind::Clock(_)) || is_time_word(&lost.atom.lower);
        let in_list =
            lost.list.is_some() && self.taken.iter().any(|i| self.node(*i).is_some_and(|n| n.list == lost.list));
        if in_list {
            let halves = |word: &str| matches!(word, "half" | "quarter" | "third" | "other" | "others");
            return plain
                && !self.words(&below).any(halves)
                && !denied
                && matches!(lost.joint.as_deref(), Some("and" | "&" | "+"))
                && !lost.has_case("between")
                && !SYMMETRIC.contains(node.atom.lower.as_str());
        }
        // Brackets within a piece only tell names and dates.
        if lost.bracketed && matches!(lost.relation, Relation::Beside | Relation::Participle | Relation::Apposition) {
            return plain;
        }
        // What is an old red house is a house.
        let kind = node.copula && node.indefinite && self.vague && !denied && node.modal.is_none();
        let behind = lost.atom.tokens.start > node.atom.tokens.start;
        if kind && matches!(lost.relation, Relation::Relative | Relation::Participle) {
            return behind;
        }
        if kind && lost.is_fact() && !behind && !matches!(lost.atom.kind, AtomKind::Clock(_)) {
            return lost.children.is_empty();
        }
        match lost.relation {
            Relation::Adverb => {
                plain && !denied && below.len() == 1 && OMISSIBLE_ADVERBS.contains(lost.atom.lower.as_str())
            }
            Relation::Oblique if node.is_predicate() => {
                let since = lost.has_case("since") && is_time && !denied;
                let role = lost.has_case("as") && lost.comma && !denied && !node.copula;
                let reason = lost.case.iter().any(|case| CLAUSAL_PREPOSITIONS.contains(case.as_str())) && !is_time;
                let when = is_time && lost.case.iter().all(|case| ADJUNCT_PREPOSITIONS.contains(case.as_str()));
                plain && since
                    || role && self.only_tells(&below, at)
                    || plain && happened && (when || reason) && self.is_specific(node)
            }
            Relation::Adverbial => {
                let reason = REASON_CONJUNCTIONS.iter().any(|word| lost.has_case(word))
                    || plain && happened && TIME_CONJUNCTIONS.iter().any(|word| lost.has_case(word));
                let limits = nodes().any(|node| {
                    LIMITING_CONJUNCTIONS.iter().any(|word| node.is(word) || node.has_case(word))
                        || ["not", "never"].iter().any(|word| node.negations.iter().any(|other| other == word))
                            && !reason
                });
                let free = happened
                    && plain
                    && lost.case.is_empty()
                    && lost.comma_or_first()
                    && matches!(lost.xpos, Xpos::Vbn | Xpos::Vbg)
                    && !lost.is_predicate();
                let able = matches!(node.modal.as_deref(), Some("can" | "could")) && !denied;
                let means = (happened || able)
                    && plain
                    && lost.xpos == Xpos::Vbg
                    && lost.atom.tokens.start > node.atom.tokens.start
                    && lost.case.iter().all(|case| case == "by");
                let purpose =
                    happened && plain && lost.case == ["to"] && lost.atom.tokens.start > node.atom.tokens.start;
                free || means
                    || purpose
                    || reason && !denied && !limits && !self.words(&below).any(|word| TURNING_WORDS.contains(word))
            }
            Relation::Joined => {
                let ends_plainly = below.last().and_then(|i| self.node(*i)).is_some_and(|last| !self.limits(last));
                let clause = lost.is_predicate() && (plain || lost.upos == Upos::Verb && ends_plainly);
                let kind = plain && node.copula && lost.upos == Upos::Adj && !denied && node.modal.is_none();
                let turns = |token: &Token| {
                    let lower = token.lower.as_str();
                    matches!(lower, "that" | "this" | "which" | "it")
                        || UNREAL_SETTINGS.contains(lower)
                        || TURNING_WORDS.contains(lower)
                        || ATTITUDE_VERBS.contains(&token.stem)
                };
                lost.joint.as_deref() == Some("and") && (clause || kind) && !self.tokens(&below).any(turns)
            }
            Relation::Relative => {
                let inner = self.commas(&below);
                lost.comma && inner == 0 && !self.has_words(&below, &LIMITS_OF_RELATIVES) && plain
            }
            Relation::Beside => {
                let told = lost.edges.iter().any(|(relation, _)| *relation == Relation::Subject);
                plain && happened && lost.comma && lost.is_predicate() && told && !self.says(lost)
            }
            Relation::Participle => plain && lost.comma && self.commas(&below) == 0,
            Relation::Apposition => {
                let one = lost.definite || lost.indefinite || lost.is_name();
                plain && one && !node.is_fact() && lost.comma && !lost.is_predicate() && lost.list.is_none()
            }
            Relation::Of => lost.xpos == Xpos::PrpPoss || lost.atom.lower == "your",
            Relation::Subject => self.agentless && !node.passive && plain && !denied,
            _ => false,
        }
    }

    /// Whether a phrase with *as* only adds a role.
    fn only_tells(&self, below: &[usize], at: usize) -> bool {
        let limits = |i: &usize| {
            self.node(*i).is_some_and(|node| {
                let only = node.is("only") && node.head == Some(at);
                !only && (is_limiting(&node.atom) || node.modal.is_some()) || !node.negations.is_empty()
            })
        };
        !below.iter().any(limits)
    }

    /// Whether a predicate is about a particular person or thing.
    fn is_specific(&self, node: &Node) -> bool {
        let mut subjects = node
            .edges
            .iter()
            .filter(|(relation, _)| *relation == Relation::Subject || (node.passive && *relation == Relation::Object))
            .filter_map(|(_, to)| self.node(*to));
        subjects
            .all(|subject| subject.is_name() || subject.definite || subject.indefinite || subject.upos == Upos::Pron)
    }

    /// How many commas stand within what hangs on a node.
    fn commas(&self, below: &[usize]) -> usize {
        self.words(below).filter(|word| *word == ",").count()
    }

    fn has_words(&self, below: &[usize], words: &WordSet<'_>) -> bool {
        self.words(below).any(|word| words.contains(word))
    }

    /// The words of the tokens from the first to the last node of some, in lower case.
    fn words<'w>(&'w self, below: &[usize]) -> impl Iterator<Item = &'w str> {
        self.tokens(below).map(|token| token.lower.as_str())
    }

    fn tokens<'w>(&'w self, below: &[usize]) -> impl Iterator<Item = &'w Token> {
        let start = below.iter().filter_map(|i| self.node(*i)).map(|node| node.atom.tokens.start).min().unwrap_or(0);
        let end = below.iter().filter_map(|i| self.node(*i)).map(|node| node.atom.tokens.end).max().unwrap_or(0);
        self.premise.words.tokens.get(start..end).unwrap_or_default().iter()
    }

    /// Whether a clause is said outright: its head is the sentence's, or joined to it, or tells of what is named there.
    fn is_outright(&self, root: usize) -> bool {
        let mut here = root;
        loop {
            let Some(node) = self.node(here) else { return false };
            let Some(head) = node.head else {
                return here == root || !self.reaches_down(node, root);
            };
            let Some(above) = self.node(head) else { return false };
            let fine = match node.relation {
                Relation::Joined | Relation::Beside => {
                    !node.unsure
                        && node.joint.as_deref() != Some("or")
                        && !self.reaches_down(above, root)
                        && !self.says(above)
                }
                Relation::Relative => node.comma && here == root && self.is_plain_antecedent(head, node),
                Relation::Participle => {
                    here == root && node.participle && above.list.is_none() && (above.definite || above.is_name())
                }
                Relation::Apposition => here == root && self.is_told(node, above, here),
                Relation::Adverbial => {
                    REASON_CONJUNCTIONS.iter().any(|word| node.has_case(word))
                        && above.negations.is_empty()
                        && above.modal.is_none()
                        && !self.reaches_down(above, root)
                }
                // The clause in which what a relative clause tells of stands.
                Relation::Subject | Relation::Object | Relation::Oblique => here != root && above.is_predicate(),
                _ => false,
            };
            if !fine {
                return false;
            }
            here = head;
        }
    }

    /// Whether a verb reports speech or thought.
    fn says(&self, node: &Node) -> bool {
        ATTITUDE_VERBS.contains(&node.atom.key)
    }

    /// Whether something on a head may limit the clauses that are joined to it: a condition, a hedge, a phrase in front.
    fn reaches_down(&self, above: &Node, root: usize) -> bool {
        above.children.iter().filter(|child| **child != root && !self.taken.contains(child)).any(|child| {
            self.node(*child).is_some_and(|child| {
                let front = child.atom.tokens.start < above.atom.tokens.start;
                let is_date = matches!(child.atom.kind, AtomKind::Date(_) | AtomKind::Clock(_));
                match child.relation {
                    Relation::Adverbial => !REASON_CONJUNCTIONS.iter().any(|word| child.has_case(word)),
                    Relation::Adverb => is_limiting(&child.atom),
                    Relation::Oblique => front && !is_date,
                    Relation::Other => true,
                    _ => false,
                }
            })
        }) || above.modal.is_some()
    }

    /// Whether a relative clause tells of one short phrase, with no other in it that it may tell of.
    fn is_plain_antecedent(&self, head: usize, clause: &Node) -> bool {
        let start = clause.atom.tokens.start;
        let inner = self.graph.below(head).into_iter().filter_map(|i| self.node(i));
        let simple = |node: &Node| {
            node.silent
                || node.atom.tokens.start > start
                || matches!(
                    node.relation,
                    Relation::Modifier | Relation::Name | Relation::Number | Relation::Determiner
                )
                || node.atom.lower == "your"
                || node.atom.tokens == self.node(head).map(|node| node.atom.tokens.clone()).unwrap_or_default()
        };
        let antecedent = self.node(head);
        inner.filter(|node| node.atom.tokens.start < start).all(simple)
            && antecedent.is_some_and(|node| {
                node.list.is_none()
                    && (node.is_name() || node.definite)
                    && matches!(node.relation, Relation::Subject | Relation::Object | Relation::Oblique)
            })
    }

    /// Whether an apposition between commas says what its name is.
    fn is_told(&self, node: &Node, above: &Node, at: usize) -> bool {
        let joined = self.graph.below(at).iter().any(|i| self.node(*i).is_some_and(|n| n.relation == Relation::Joined));
        let closes = self.premise.words.tokens.get(node.atom.tokens.end).is_none_or(|t| t.lower == ",")
            || node.atom.tokens.end == self.graph.tokens.end;
        node.comma
            && closes
            && !self.is_behind_comma(above)
            && (node.definite || node.indefinite)
            && above.is_name()
            && above.list.is_none()
            && !joined
            && node.list.is_none()
    }

    /// Whether a comma stands right in front of a name: in `Bruno, Anna, the dog, went` *the dog* may be a third.
    fn is_behind_comma(&self, name: &Node) -> bool {
        let front = self.premise.words.tokens.get(..name.atom.tokens.start).unwrap_or_default();
        front.iter().rev().find(|token| !token.capital).is_some_and(|token| token.is_mark(','))
    }

    /// Whether nothing stands in front of the piece in its sentence but what the sentence or the context names, and nothing
    /// behind.
    fn stands_free(&self) -> bool {
        let tokens = &self.premise.words.tokens;
        let (piece, segment) = (&self.graph.tokens, &self.graph.segment);
        let front = tokens.get(segment.start..piece.start).unwrap_or_default();
        let behind = tokens.get(piece.end..segment.end).unwrap_or_default();
        let named =
            |key: &str| self.own.nodes.iter().any(|node| node.atom.key == key) || self.note.context.contains(key);
        let said =
            front.iter().all(|t| !t.is_content() && t.kind != memora_nlp::token::TokenKind::Numeral || named(&t.stem));
        let limited = front.iter().any(|t| GUARDS.contains(t.lower.as_str()) || NEGATIONS.contains(t.lower.as_str()));
        let labelled = front.is_empty() || front.last().is_some_and(|t| t.is_mark(':'));
        let ends = behind.is_empty()
            || behind.iter().all(|t| matches!(t.kind, memora_nlp::token::TokenKind::Mark('!' | '.' | '*')));
        said && !limited && labelled && ends
    }

    /// Whether no word taken stands in quotation marks but a title: quoted words are reported, or not meant literally.
    fn is_unquoted(&self) -> bool {
        let segment = self.graph.segment.clone();
        let tokens = self.premise.words.tokens.get(segment.clone()).unwrap_or_default();
        let mut open = false;
        let mut quoted = Vec::new();
        for (i, token) in tokens.iter().enumerate() {
            open ^= token.is_mark('"');
            if open && !token.is_mark('"') {
                quoted.push(segment.start + i);
            }
        }
        let title = |at: &usize| self.premise.words.tokens.get(*at).is_some_and(|t| t.capital || !t.is_content());
        let taken =
            |at: &usize| self.taken.iter().any(|i| self.node(*i).is_some_and(|node| node.atom.tokens.contains(at)));
        !tokens.iter().any(|t| t.is_mark('[') || t.is_mark('?'))
            && quoted.iter().filter(|at| taken(at)).all(title)
            && !open
    }

    /// Whether each word that limits is taken, or belongs to a clause or phrase that is left out whole.
    fn has_no_stray_limit(&self, root: usize) -> bool {
        let path: Vec<usize> = std::iter::once(root).chain(self.graph.above(root)).collect();
        (0..self.graph.nodes.len()).filter(|at| !self.taken.contains(at)).all(|at| {
            let Some(node) = self.node(at).filter(|node| self.limits(node)) else { return true };
            let island = |i: usize| {
                self.node(i).is_some_and(|node| {
                    !path.contains(&i)
                        && match node.relation {
                            Relation::Adverbial | Relation::Relative => true,
                            Relation::Joined | Relation::Beside => node.is_predicate(),
                            Relation::Oblique => node.has_case("as"),
                            _ => false,
                        }
                })
            };
            let inside = self.graph.above(at).any(island);
            // What stands in another clause of the sentence, above or beside, does not reach here.
            let beside = self.graph.above(at).find(|i| self.node(*i).is_some_and(Node::is_predicate));
            let elsewhere =
                beside.is_some_and(|i| i != root && path.contains(&i)) && node.atom.tokens.end < self.first_byte();
            inside || elsewhere && !self.reaches_all(node)
        })
    }

    /// The first token taken.
    fn first_byte(&self) -> usize {
        self.taken.iter().filter_map(|i| self.node(*i)).map(|node| node.atom.tokens.start).min().unwrap_or(0)
    }

    /// Whether a word limits all that follows it: a hedge or condition, rather than a quantifier or a degree.
    fn reaches_all(&self, node: &Node) -> bool {
        SENTENCE_HEDGES.contains(node.atom.lower.as_str())
    }
}

/// Whether a word names a time.
fn is_time_word(lower: &str) -> bool {
    TIME_NOUNS.contains(lower)
}
