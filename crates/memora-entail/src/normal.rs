//! One graph for one thing said in two ways.
//!
//! Of a passive the subject is the object and the agent the subject; members of a list hang where its first one does, and a
//! second verb has the first one's subject; a relative pronoun is its antecedent, and a participle tells what was done to its
//! head. The one rule to know: **nothing is normalised that says more or less then.**

use memora_nlp::{Upos, Xpos};

use crate::graph::{Graph, Node, Predicate, Relation};
use crate::lists::RELATIVE_PRONOUNS;

impl Graph {
    /// Hangs a relative clause that was hung on a verb on the noun in front of it.
    pub(crate) fn hang_relatives(&mut self) {
        for at in 0..self.nodes.len() {
            let Some(node) = self.node(at).filter(|node| node.relation == Relation::Relative) else { continue };
            let Some(old) = node.head.filter(|head| self.node(*head).is_some_and(|head| head.upos == Upos::Verb))
            else {
                continue;
            };
            let is_noun = |i: &usize| self.node(*i).is_some_and(|n| matches!(n.upos, Upos::Noun | Upos::Propn));
            let Some(noun) = self.first_below(at).checked_sub(1).filter(is_noun) else { continue };
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
            if let Some(lead) = self.nodes.get_mut(first) {
                lead.list = Some(first);
            }
            if let Some(node) = self.nodes.get_mut(at) {
                node.relation = lead.relation;
                node.list = Some(first);
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

    /// Gives a joined verb the subject, the helping verbs and the doubts of the one in front.
    fn share_with(&mut self, at: usize, lead: &Node) {
        let Some(node) = self.nodes.get_mut(at) else { return };
        let role =
            if node.passive || (lead.passive && !node.is_predicate()) { Relation::Object } else { Relation::Subject };
        let own = node
            .edges
            .iter()
            .any(|(relation, _)| *relation == Relation::Subject || (node.passive && *relation == role));
        if own {
            return;
        }
        let lead_role = if lead.passive { Relation::Object } else { Relation::Subject };
        node.edges.extend(lead.edges.iter().filter(|(relation, _)| *relation == lead_role).map(|(_, to)| (role, *to)));
        if node.predicate != Predicate::Finite && node.upos == Upos::Verb && node.modal.is_none() {
            (node.predicate, node.modal, node.passive) = (lead.predicate, lead.modal.clone(), lead.passive);
        }
        if lead.passive && node.xpos == Xpos::Vbn {
            (node.predicate, node.passive) = (lead.predicate, true);
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
        }
    }
}
