//! The sentence that is judged: its words, and how it is read if anybody asks.

use std::cell::OnceCell;

use super::arcs::Arcs;
use super::tokens::Token;

/// The sentence that is judged.
pub(super) struct Sentence<'t> {
    pub(super) tokens: &'t [Token],
    arcs: OnceCell<Arcs>,
}

impl<'t> Sentence<'t> {
    pub(super) fn new(tokens: &'t [Token]) -> Self {
        Self { tokens, arcs: OnceCell::new() }
    }

    /// How it is read.
    pub(super) fn reading(&self) -> &Arcs {
        self.arcs.get_or_init(|| Arcs::read(self.tokens))
    }
}
