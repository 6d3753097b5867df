//! What a hedge reaches: of `Mia may come, and Anna, who leads drift, cooks` only that Mia comes.
//!
//! The one rule to know: **what cannot be told it reaches.** A clause that only describes a word is not reached through that
//! word.

use std::iter::successors;

use memora_english::{Label, Tree};

use super::arcs::Arcs;

/// What a hedge reaches.
#[derive(Default)]
pub(super) struct Reach {
    /// The words at the top of it; none if it cannot be told.
    tops: Vec<usize>,
    /// Whether it is a clause, by the hedge's own part: `may be slow`, `if it rains`.
    of_clause: bool,
    /// Whether what is joined to it belongs to it, too: `if it rains, we stay and Anna cooks`.
    joined: bool,
}

impl Reach {
    pub(super) fn of(tree: &Tree<'_>, at: usize) -> Self {
        let head = tree.head(at);
        let said: Vec<usize> = tree.children(at).iter().copied().filter(|child| is_said(tree, *child)).collect();
        let (tops, of_clause, joined) = match tree.label(at) {
            // `Mia asked whether it rains` says nothing of the rain, `Mia stays if it rains` nothing of her staying.
            Label::Mark if tree.lower(at) == "whether" => (head, true, true),
            Label::Mark => (head.and_then(|verb| tree.head(verb)), true, true),
            _ if !said.is_empty() => return Self { tops: said, of_clause: true, joined: false },
            Label::Aux => (head, true, false),
            Label::Advmod | Label::Amod | Label::Compound => (head, false, false),
            Label::Acl | Label::AclRelcl | Label::Conj => (Some(at), false, false),
            _ => (None, false, false),
        };
        Self { tops: tops.into_iter().collect(), of_clause, joined }
    }
}

/// Whether a clause is what somebody says or wants.
fn is_said(tree: &Tree<'_>, at: usize) -> bool {
    matches!(tree.label(at), Label::Ccomp | Label::Xcomp)
}

impl Arcs {
    /// Whether a hedge reaches what a sentence uses of this one. What cannot be told it does.
    ///
    /// A hedge of a verb (`may`, `if`, `wants to`) reaches its clause: a verb in it that is used, or any word if no verb
    /// outside is used. One of a noun (`former`) reaches what describes that.
    pub(super) fn reaches(&self, hedge: usize, used: impl Fn(usize) -> bool) -> bool {
        let Some(reach) = self.words.get(hedge).map(|word| &word.reach).filter(|reach| !reach.tops.is_empty()) else {
            return true;
        };
        let inside = |at: &usize| self.is_inside(*at, reach);
        let all = || (0..self.words.len()).filter(|at| used(*at));
        let other_verb = || all().any(|at| self.is_verb(at) && !inside(&at));
        let verb = || all().any(|at| reach.tops.contains(&at) || (self.is_verb(at) && inside(&at)));
        let is_clause = reach.of_clause || reach.tops.iter().any(|top| self.is_verb(*top));
        (is_clause && verb()) || ((!is_clause || !other_verb()) && all().any(|at| inside(&at)))
    }

    /// Whether a word belongs to what a hedge reaches: not through a clause that only describes a word of it, nor another's
    /// part.
    fn is_inside(&self, at: usize, reach: &Reach) -> bool {
        let up = |at: usize| {
            let word = self.words.get(at)?;
            let is_apart = match word.label {
                Label::AclRelcl | Label::Acl | Label::Appos | Label::Parataxis => true,
                Label::Conj => !reach.joined && word.subject.is_some(),
                _ => word.head.is_some_and(|head| reach.tops.contains(&head)) && word.is_subject && !reach.of_clause,
            };
            word.head.filter(|_| !is_apart)
        };
        let mut chain = successors(Some(at), |at| if reach.tops.contains(at) { None } else { up(*at) });
        chain.by_ref().take(self.words.len()).any(|at| reach.tops.contains(&at))
    }
}
