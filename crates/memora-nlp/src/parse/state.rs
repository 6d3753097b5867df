//! The state of a parse: [`ParseState`], after the arc-hybrid system.
//!
//! A stack of tokens without heads, a buffer of tokens to come with the root as its last, and the arcs so far.
//! Invariant: **tokens below the top of the stack do not change**: a token gets left children while it is at the front
//! of the buffer, and right children while it is at the top of the stack. Not here: which transition
//! to take.

use crate::parse::hash;
use crate::parse::tagset::Label;

/// The index of a missing token.
pub(crate) const NONE: u16 = u16::MAX;

/// The state after some transitions. The root's index is the number of tokens.
pub(crate) struct ParseState {
    pub(crate) stack: Vec<u16>,
    /// The front of the buffer.
    pub(crate) front: u16,
    pub(crate) heads: Vec<u16>,
    /// The label of each token's arc to its head, as a number of the model.
    pub(crate) labels: Vec<u8>,
    pub(crate) nodes: Vec<ChildSummary>,
    root: u16,
}

/// The children of a token so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChildSummary {
    /// The outermost child on the left, and the next.
    pub(crate) left: [u16; 2],
    /// The outermost child on the right, and the next.
    pub(crate) right: [u16; 2],
    pub(crate) left_count: u8,
    pub(crate) right_count: u8,
    /// Hashes of the children's labels, in the order of attachment.
    pub(crate) left_labels: u32,
    pub(crate) right_labels: u32,
    /// A bit set of the [`NOTABLE`] labels among the children.
    pub(crate) notable: u32,
    /// The word of the last child that is a preposition or conjunction.
    pub(crate) case: u32,
}

impl ChildSummary {
    pub(crate) const CHILDLESS: Self = Self {
        left: [NONE; 2],
        right: [NONE; 2],
        left_count: 0,
        right_count: 0,
        left_labels: 0,
        right_labels: 0,
        notable: 0,
        case: 0,
    };
}

/// The labels that affect what else a head can take, each with its bit.
const NOTABLE: [Label; 14] = [
    Label::Nsubj,
    Label::Obj,
    Label::Cop,
    Label::Aux,
    Label::Mark,
    Label::Case,
    Label::Cc,
    Label::Conj,
    Label::NsubjPass,
    Label::AuxPass,
    Label::Ccomp,
    Label::Xcomp,
    Label::Det,
    Label::Appos,
];

/// The label of a new arc, and the word of its dependent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LabelledArc {
    /// In the model's numbers.
    pub(crate) number: u8,
    pub(crate) label: Label,
    pub(crate) word: u32,
}

impl ParseState {
    pub(crate) fn new(tokens: u16) -> Self {
        let places = usize::from(tokens) + 1;
        Self {
            stack: Vec::with_capacity(places),
            front: 0,
            heads: vec![NONE; places],
            labels: vec![0; places],
            nodes: vec![ChildSummary::CHILDLESS; places],
            root: tokens,
        }
    }

    pub(crate) fn root(&self) -> u16 {
        self.root
    }

    /// Returns the token at `depth` below the top of the stack, or [`NONE`].
    pub(crate) fn stack_at(&self, depth: usize) -> u16 {
        self.stack.iter().rev().nth(depth).copied().unwrap_or(NONE)
    }

    /// Returns the token, or the root, `ahead` of the front of the buffer, or [`NONE`].
    pub(crate) fn buffer_at(&self, ahead: u16) -> u16 {
        if self.front + ahead <= self.root { self.front + ahead } else { NONE }
    }

    pub(crate) fn node(&self, place: u16) -> ChildSummary {
        self.nodes.get(usize::from(place)).copied().unwrap_or(ChildSummary::CHILDLESS)
    }

    pub(crate) fn can_shift(&self) -> bool {
        self.front < self.root
    }

    /// Whether a left arc is legal. The root takes one child, in the last transition.
    pub(crate) fn can_attach_left(&self) -> bool {
        self.can_shift() || self.stack.len() == 1
    }

    pub(crate) fn can_attach_right(&self) -> bool {
        self.stack.len() > 1
    }

    /// Moves the front of the buffer onto the stack.
    pub(crate) fn shift(&mut self) {
        self.stack.push(self.front);
        self.front += 1;
    }

    /// Attaches the top of the stack to the front of the buffer.
    pub(crate) fn attach_left(&mut self, arc: LabelledArc) {
        let Some(child) = self.stack.pop() else { return };
        self.attach(child, self.front, arc);
        if let Some(node) = self.nodes.get_mut(usize::from(self.front)) {
            node.left = [child, node.left[0]];
            node.left_count = node.left_count.saturating_add(1);
            node.left_labels = hash::feature_key(1, node.left_labels, u32::from(arc.number), 0);
        }
    }

    /// Attaches the top of the stack to the token below.
    pub(crate) fn attach_right(&mut self, arc: LabelledArc) {
        let Some(child) = self.stack.pop() else { return };
        let Some(head) = self.stack.last().copied() else { return };
        self.attach(child, head, arc);
        if let Some(node) = self.nodes.get_mut(usize::from(head)) {
            node.right = [child, node.right[0]];
            node.right_count = node.right_count.saturating_add(1);
            node.right_labels = hash::feature_key(1, node.right_labels, u32::from(arc.number), 0);
        }
    }

    fn attach(&mut self, child: u16, head: u16, arc: LabelledArc) {
        if let Some(slot) = self.heads.get_mut(usize::from(child)) {
            *slot = head;
        }
        if let Some(slot) = self.labels.get_mut(usize::from(child)) {
            *slot = arc.number;
        }
        if let Some(node) = self.nodes.get_mut(usize::from(head)) {
            node.notable |= NOTABLE.iter().position(|label| *label == arc.label).map_or(0, |bit| 1 << bit);
            if matches!(arc.label, Label::Case | Label::Mark) {
                node.case = arc.word;
            }
        }
    }
}
