//! One graph for one thing said in two ways.
//!
//! Of a passive the subject is the object and the agent the subject; members of a list hang where its first one does, and a
//! second verb has the first one's subject; a relative pronoun is its antecedent, a participle tells what was done to its
//! head, and a cleft is the plain clause. The one rule to know: **nothing is normalised that says more or less then.**

use memora_nlp::{Upos, Xpos};

use crate::graph::{Graph, Node, Relation, Time};
use crate::lists::{PEOPLE, PERSONAL_PRONOUNS, RELATIVE_PRONOUNS};
use crate::text::Text;

/// Gives *he* and *she* the only name that stands in front of them in the text, if no other person does.
pub(crate) fn resolve_pronouns(text: &Text, graphs: &mut [Graph]) {
    let mut names: Vec<String> = Vec::new();
    let mut unsure = false;
    let people = |end: usize| {
        text.tokens
            .iter()
            .take(end)
            .any(|t| PEOPLE.contains(t.lower.as_str()) && !PERSONAL_PRONOUNS.contains(t.lower.as_str()))
    };
    for graph in graphs {
        for node in &mut graph.nodes {
            let is_place = node.case.iter().any(|case| matches!(case.as_str(), "at" | "in" | "near"));
            // `The engineer from Tidewell quit. He …` is not of Tidewell.
            let is_part =
                matches!(node.relation, Relation::Oblique | Relation::Of | Relation::Modifier | Relation::Name);
            if node.is_name() && is_part && !is_place {
                unsure = true;
            }
            if node.is_name() && !is_place && !names.contains(&node.atom.key) {
                names.push(node.atom.key.clone());
            }
            if PERSONAL_PRONOUNS.contains(node.atom.lower.as_str())
                && let [name] = names.as_slice()
                && !unsure
                && !people(node.atom.tokens.start)
            {
                node.meant = Some(name.clone());
            }
        }
    }
}

impl Graph {
    /// Hangs a relative clause that was hung on a verb on the noun in front of it.
    pub(crate) fn hang_relatives(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(node) = self.node(at).filter(|node| node.relation == Relation::Relative) else { continue };
            let Some(old) = node.head.filter(|head| self.node(*head).is_some_and(|head| head.upos == Upos::Verb))
            else {
                continue;
            };
            let first = self.below(at).into_iter().min().unwrap_or(at);
            let is_noun = |i: &usize| self.node(*i).is_some_and(|n| matches!(n.upos, Upos::Noun | Upos::Propn));
            let Some(noun) = first.checked_sub(1).filter(is_noun) else { continue };
            if let Some(node) = self.nodes.get_mut(old) {
                node.children.retain(|child| *child != at);
            }
            if let Some(node) = self.nodes.get_mut(noun) {
                node.children.push(at);
            }
            if let Some(node) = self.nodes.get_mut(at) {
                node.head = Some(noun);
            }
        }
    }

    /// Normalises a graph as it was read.
    pub(crate) fn normalize(&mut self) {
        self.set_voices();
        self.join_lists();
        self.resolve_relatives();
        self.unfold();
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
                |to: usize| self.nodes.get(to).is_some_and(|node| RELATIVE_PRONOUNS.contains(node.atom.lower.as_str()));
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
        let is =
            |at: usize, words: &[&str]| self.node(at).is_some_and(|node| words.contains(&node.atom.lower.as_str()));
        let expletive = self.related(at, Relation::Subject).find(|subject| is(*subject, &["it"]));
        let subject = self.related(at, Relation::Subject).find(|subject| Some(*subject) != expletive);
        let clause_of = |of: usize| {
            let clauses = self.related(of, Relation::Relative).chain(self.related(of, Relation::Adverbial));
            let (at, clause) =
                clauses.filter_map(|at| Some((at, self.node(at)?))).find(|(_, node)| node.is_predicate())?;
            let has = |role: Relation| clause.edges.iter().any(|(relation, _)| *relation == role);
            let placed = self.node(of).is_some_and(|node| !node.case.is_empty() || node.is_fact());
            let told = clause.edges.iter().find(|(_, to)| *to == of).map(|(relation, _)| *relation);
            let free = match () {
                () if placed => Some(Relation::Oblique),
                () if is(of, &["what"]) && has(Relation::Subject) && !has(Relation::Object) => Some(Relation::Object),
                () => None,
            };
            Some((at, told.or(free)?))
        };
        let is_one = |at: usize| is(at, &["one", "what"]);
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
            if !node.edges.contains(&(told, who)) {
                node.edges.push((told, who));
            }
        }
        if let Some(node) = self.nodes.get_mut(place).filter(|_| place != who) {
            node.silent = true;
            node.head = Some(clause);
        }
        if let Some(node) = self.nodes.get_mut(who) {
            (node.head, node.relation, node.copula, node.time) = (Some(clause), told, false, Time::None);
            let goes = |to: usize| to == clause || to == place || Some(to) == expletive;
            node.edges.retain(|(_, to)| !goes(*to));
            node.children.retain(|to| !goes(*to));
        }
        if let Some(node) = expletive.and_then(|at| self.nodes.get_mut(at)) {
            node.silent = true;
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

    /// The same with a phrase with *by* that hangs on a noun as the agent of the passive in front: `stored in a file by the
    /// engine`.
    pub(crate) fn with_agent(&self) -> Option<Self> {
        let root = self.node(self.root).filter(|node| node.passive)?;
        if root.edges.iter().any(|(relation, _)| *relation == Relation::Subject) {
            return None;
        }
        let phrase = |node: &Node| matches!(node.relation, Relation::Object | Relation::Oblique | Relation::Of);
        let agent = (0..self.nodes.len()).find(|at| {
            self.node(*at)
                .is_some_and(|node| node.has_case("by") && !node.is_fact() && node.relation == Relation::Oblique)
                && self
                    .above(*at)
                    .take_while(|above| *above != self.root)
                    .all(|above| self.node(above).is_some_and(phrase))
        })?;
        let mut turned = self.clone();
        let head = self.node(agent)?.head?;
        turned.nodes.get_mut(head)?.edges.retain(|(_, to)| *to != agent);
        turned.nodes.get_mut(head)?.children.retain(|to| *to != agent);
        let node = turned.nodes.get_mut(agent)?;
        (node.head, node.relation) = (Some(self.root), Relation::Subject);
        node.case.clear();
        turned.nodes.get_mut(self.root)?.edges.push((Relation::Subject, agent));
        Some(turned)
    }
}
