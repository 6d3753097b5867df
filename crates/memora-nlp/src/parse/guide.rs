//! The output of the right-to-left parser: [`Guide`], as features of the left-to-right one (stacked parsing).
//!
//! Invariant: **a guide is advisory**; its arcs are features among others. Not here: the tree.

use crate::parse::state::{NONE, ParseState};

/// The heads and labels of a whole sentence, in its own order. The root's index is the number of tokens.
pub(crate) struct Guide {
    heads: Vec<u16>,
    labels: Vec<u8>,
}

/// How far ahead to look for children.
const AHEAD: usize = 40;

impl Guide {
    /// Converts the result for the reversed sentence to original order.
    pub(crate) fn from_reversed(state: &ParseState) -> Self {
        let root = state.root();
        let tokens = usize::from(root);
        let turned = |head: &u16| if *head < root { root - 1 - head } else { root };
        Self {
            heads: state.heads.iter().take(tokens).rev().map(turned).collect(),
            labels: state.labels.iter().take(tokens).rev().copied().collect(),
        }
    }

    pub(crate) fn head(&self, place: u16) -> Option<u16> {
        self.heads.get(usize::from(place)).copied()
    }

    /// Returns the label of a token's arc, from 1; 0 for the root and for no token.
    pub(crate) fn label_code(&self, place: u16) -> u32 {
        self.labels.get(usize::from(place)).map_or(0, |label| u32::from(*label) + 1)
    }

    /// Returns 0 if a token is missing; else 1, plus 1 if `other` is the head of `one`, plus 2 for the reverse.
    pub(crate) fn arc_code(&self, one: u16, other: u16) -> u32 {
        if one == NONE || other == NONE {
            return 0;
        }
        1 + u32::from(self.head(one) == Some(other)) + 2 * u32::from(self.head(other) == Some(one))
    }

    /// Returns a code for the position of the head of the token at `place`.
    pub(crate) fn head_position_code(&self, state: &ParseState, place: u16) -> u32 {
        let Some(head) = self.head(place) else { return 0 };
        if head == state.root() {
            1
        } else if head == state.front {
            2
        } else if head > state.front {
            3
        } else if head == state.stack_at(1) {
            4
        } else if head == state.stack_at(0) {
            5
        } else if head == state.stack_at(2) {
            6
        } else if head < place {
            7
        } else {
            8
        }
    }

    /// Returns 0 for the root and no token, 1 without children from `front` on, 2 if the front is one, else 3.
    pub(crate) fn pending_children_code(&self, place: u16, front: u16) -> u32 {
        if usize::from(place) >= self.heads.len() {
            return 0;
        }
        let mut coming = self.heads.iter().skip(usize::from(front)).take(AHEAD);
        match coming.position(|head| *head == place) {
            None => 1,
            Some(0) => 2,
            Some(_) => 3,
        }
    }
}
