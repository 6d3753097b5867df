//! How a tree is turned into arcs.

use std::iter::successors;

use memora_english::{Label, Tree, Xpos};

use super::super::lexicon::leading;
use super::super::tokens::{Kind, Token};
use super::{Relation, child, is_verb, subject_of};

/// The preposition that leads to a word, also one read as opening a clause in front of a second subject (`the segment after
/// a crash was checked`).
fn preposition<'t>(tree: &'t Tree<'_>, at: usize) -> Option<&'t str> {
    let is_subject = |at: usize| matches!(tree.label(at), Label::Nsubj | Label::NsubjPass);
    let beside = || tree.head(at).map_or(&[][..], |head| tree.children(head));
    let first =
        || beside().iter().copied().find(|child| is_subject(*child)).filter(|first| *first < at && is_subject(at));
    let opens = |mark: usize| tree.label(mark) == Label::Mark && first().is_some_and(|first| first < mark && mark < at);
    let case = tree.children(at).iter().copied().rfind(|child| tree.label(*child) == Label::Case);
    case.or_else(|| beside().iter().copied().find(|child| opens(*child))).map(|word| tree.lower(word))
}

/// A sentence while its tree is turned into arcs.
pub(super) struct Reading<'t> {
    tokens: &'t [Token],
    tree: Tree<'t>,
    arcs: Vec<Vec<(Relation, usize)>>,
    roots: Vec<usize>,
}

impl<'t> Reading<'t> {
    pub(super) fn new(tokens: &'t [Token], tree: Tree<'t>) -> Self {
        let arcs = vec![Vec::new(); tree.len()];
        Self { tokens, tree, arcs, roots: Vec::new() }
    }

    /// The arcs of each word, and the roots.
    pub(super) fn done(mut self) -> (Vec<Vec<(Relation, usize)>>, Vec<usize>) {
        for at in 0..self.tree.len() {
            match self.tree.head(at) {
                None => self.roots.push(at),
                Some(head) => self.add(self.saying(head), at),
            }
        }
        self.share();
        let roots = self.roots.iter().copied().filter(|root| self.says(*root)).collect();
        (self.arcs, roots)
    }

    fn says(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(Token::says)
    }

    /// A word that says something, or the first above it that does: `call` of `on-call rota` hangs on *rota*.
    fn saying(&self, at: usize) -> usize {
        let mut above = successors(Some(at), |at| self.tree.head(*at)).take(self.tree.len());
        above.find(|at| self.says(*at)).unwrap_or(at)
    }

    fn link(&mut self, head: usize, relation: Relation, part: usize) {
        if self.says(part)
            && self.says(head)
            && let Some(arcs) = self.arcs.get_mut(head)
        {
            arcs.push((relation, part));
        }
    }

    fn link_both(&mut self, one: usize, relation: Relation, other: usize) {
        self.link(one, relation, other);
        self.link(other, relation, one);
    }

    /// What one word hanging on another says.
    fn add(&mut self, head: usize, at: usize) {
        let tree = &self.tree;
        let label = match tree.label(at) {
            // What a preposition leads to is no subject, however it was read.
            Label::Nsubj | Label::NsubjPass | Label::Obj if preposition(tree, at).is_some() => Label::Obl,
            label => label,
        };
        match label {
            // `The tart was Anna's`.
            Label::Nsubj if child(tree, head, Label::Cop).is_some() && is_owner(tree, head) => {
                self.link(at, Relation::Of, head);
            }
            Label::Nsubj | Label::Csubj if child(tree, head, Label::Cop).is_some() => {
                self.link_both(head, Relation::Is, at);
            }
            // `Tom was given the keys`.
            Label::NsubjPass | Label::Iobj if child(tree, head, Label::Obj).is_some() => {
                self.link(head, led_by(Some("to")), at);
            }
            Label::Nsubj | Label::Csubj if !self.is_passive(head) => self.link(head, Relation::Agent, at),
            // `Expires 2025-11-30`, `tomorrow we go`: nothing is done to a day, and it describes no verb.
            Label::Obj | Label::Advmod
                if self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Date(_))) =>
            {
                self.link(head, Relation::Placed, at);
            }
            Label::Nsubj | Label::Csubj | Label::NsubjPass | Label::Obj | Label::Iobj => {
                self.link(head, Relation::Patient, at);
            }
            Label::OblAgent => self.link(head, Relation::Agent, at),
            Label::Obl | Label::Nmod | Label::OblUnmarked | Label::NmodUnmarked => {
                let led = preposition(tree, at);
                let is_time = self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Date(_)));
                let relation = match led {
                    Some("in" | "on" | "at") if is_time => Relation::Placed,
                    Some("by") if !is_time && is_past_form(tree, head) => Relation::Agent,
                    _ => led_by(led),
                };
                self.link(head, relation, at);
            }
            Label::NmodPoss => self.link(head, Relation::Of, at),
            Label::Amod
            | Label::Nummod
            | Label::Compound
            | Label::Flat
            | Label::Advmod
            | Label::NmodDesc
            | Label::Det
            | Label::CompoundPrt
            | Label::Fixed => self.link(head, Relation::Described, at),
            Label::Appos if !is_verb(tree, at) && !is_verb(tree, head) => self.link_both(head, Relation::Is, at),
            Label::AclRelcl => {
                if let Some(relation) = part_in_clause(tree, at) {
                    self.link(at, relation, head);
                    if relation == Relation::Is {
                        self.link(head, relation, at);
                    }
                }
                self.link(head, Relation::Clause, at);
            }
            Label::Acl if is_verb(tree, at) => {
                let done = !tree.lower(at).ends_with("ing");
                self.link(at, if done { Relation::Patient } else { Relation::Agent }, head);
                self.link(head, Relation::Clause, at);
            }
            // A clause that is joined to the root is one of its own.
            Label::Conj if self.roots.contains(&head) && is_verb(tree, at) => self.roots.push(at),
            Label::Conj
            | Label::Cop
            | Label::Aux
            | Label::AuxPass
            | Label::Case
            | Label::Cc
            | Label::Mark
            | Label::Punct => {}
            _ => self.link(head, Relation::Clause, at),
        }
    }

    /// Whether what a verb has as its subject is done to it: `the salt tax, introduced by the bishop`, too.
    fn is_passive(&self, verb: usize) -> bool {
        let tree = &self.tree;
        let is_agent = |at: &usize| {
            let is_time = self.tokens.get(*at).is_some_and(|token| matches!(token.kind, Kind::Date(_)));
            matches!(tree.label(*at), Label::Obl | Label::OblAgent) && preposition(tree, *at) == Some("by") && !is_time
        };
        let is_done_by = || {
            is_past_form(tree, verb)
                && child(tree, verb, Label::Obj).is_none()
                && tree.children(verb).iter().any(is_agent)
        };
        child(tree, verb, Label::AuxPass).is_some() || child(tree, verb, Label::NsubjPass).is_some() || is_done_by()
    }

    /// What stands in front of a verb as its subject, or is described by it, and what that is to it.
    fn subject(&self, verb: usize) -> Option<(Relation, usize)> {
        let own = subject_of(&self.tree, verb);
        let described =
            matches!(self.tree.label(verb), Label::Acl | Label::AclRelcl).then(|| self.tree.head(verb)).flatten();
        let subject = own.filter(|at| self.says(*at)).or(described)?;
        self.arcs[verb].iter().copied().find(|(_, part)| *part == subject)
    }

    /// What is joined shares what it hangs on, and verbs who does them: `Anna and Bruno lead drift and test it`.
    fn share(&mut self) {
        for at in 0..self.tree.len() {
            let (Some(first), Label::Conj) = (self.tree.head(at), self.tree.label(at)) else { continue };
            // What is joined to an amount is mostly another verb: `costs 90 euros and draws 6 watts`.
            let measures = |at: usize| self.tokens.get(at).is_some_and(|token| matches!(token.kind, Kind::Number(_)));
            if measures(first) && !measures(at) {
                continue;
            }
            let arcs = self.arcs.iter().enumerate().flat_map(|(head, arcs)| arcs.iter().map(move |arc| (head, *arc)));
            let above = arcs.filter(|(_, (_, part))| *part == first).map(|(head, (relation, _))| (head, relation));
            let above: Vec<(usize, Relation)> = above.collect();
            for (head, relation) in above.into_iter().filter(|(head, _)| *head != at) {
                self.link(head, relation, at);
                if relation == Relation::Is {
                    self.link(at, relation, head);
                }
            }
            let has_own = subject_of(&self.tree, at).is_some();
            let subject = self.subject(first).filter(|_| !has_own && is_verb(&self.tree, at));
            if let Some((relation, part)) = subject {
                let same_form = self.tree.xpos(at) == self.tree.xpos(first);
                let turned = if self.is_passive(at) { Relation::Patient } else { Relation::Agent };
                self.link(at, if same_form { relation } else { turned }, part);
            }
        }
    }
}

/// Whether a word is the one who owns something: `Anna's`.
fn is_owner(tree: &Tree<'_>, at: usize) -> bool {
    tree.children(at).iter().any(|child| tree.label(*child) == Label::Case && tree.lower(*child) == "'s")
}

/// Whether a verb is a past tense or a participle.
fn is_past_form(tree: &Tree<'_>, at: usize) -> bool {
    matches!(tree.xpos(at), Xpos::Vbn | Xpos::Vbd)
}

/// What the word that a relative clause belongs to is in it: who does it (`who leads drift`), or what it is done to (`which she
/// wrote`, `she wrote`); none for a place or an owner (`where`, `in which`, `whose`).
fn part_in_clause(tree: &Tree<'_>, verb: usize) -> Option<Relation> {
    const RELATIVE: [&str; 4] = ["who", "which", "that", "whom"];
    const PLACE: [&str; 4] = ["whose", "where", "when", "why"];
    let children = || tree.children(verb).iter().copied();
    if let Some(pronoun) = children().find(|at| RELATIVE.contains(&tree.lower(*at))) {
        return match tree.label(pronoun) {
            Label::Nsubj if child(tree, verb, Label::Cop).is_some() => Some(Relation::Is),
            Label::Nsubj if child(tree, verb, Label::AuxPass).is_some() => Some(Relation::Patient),
            Label::Nsubj => Some(Relation::Agent),
            Label::NsubjPass | Label::Obj => Some(Relation::Patient),
            _ => None,
        };
    }
    let is_place = |at: usize| PLACE.contains(&tree.lower(at));
    let placed = children().any(|at| is_place(at) || tree.children(at).iter().any(|at| is_place(*at)));
    let has_gap = child(tree, verb, Label::Nsubj).is_some() && child(tree, verb, Label::Obj).is_none();
    (has_gap && !placed).then_some(Relation::Patient)
}

fn led_by(preposition: Option<&str>) -> Relation {
    let group = preposition.and_then(leading);
    match (preposition, group) {
        (Some("of"), _) => Relation::Of,
        (_, Some(group)) => Relation::Led(group),
        _ => Relation::Placed,
    }
}
