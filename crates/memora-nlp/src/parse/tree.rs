//! The parse of a sentence: [`DependencyTree`], its tokens with their tags and heads.
//!
//! Invariant: **one token is the root, all others are its descendants**, and no arcs cross. Not here: positions in a
//! text. A tree knows its words; the caller that tokenized them knows their ranges.

use crate::parse::tagset::{Label, Upos, Xpos};

/// A parsed sentence. Indices are positions of tokens, from 0.
///
/// An index beyond the last token is a caller's mistake and is treated as a lone token without content:
/// no word, no head, no children, [`Upos::X`], [`Xpos::Fw`], [`Label::Dep`].
#[derive(Debug, Clone, Default)]
pub struct DependencyTree<'t> {
    pub(crate) tokens: Vec<TreeToken<'t>>,
    /// The words in lower case, concatenated.
    pub(crate) lowered: String,
    /// The children of all tokens, token by token; `Token::children_end` delimits them.
    children: Vec<usize>,
}

/// A token of a tree.
#[derive(Debug, Clone)]
pub(crate) struct TreeToken<'t> {
    pub(crate) word: &'t str,
    /// The end of its lower-case form in `Tree::lowered`.
    pub(crate) lowered_end: usize,
    pub(crate) upos: Upos,
    pub(crate) xpos: Xpos,
    pub(crate) label: Label,
    pub(crate) agreed: bool,
    /// The head; the number of tokens for the root.
    pub(crate) head: u16,
    pub(crate) margin: f32,
    /// The end of its children in `Tree::children`.
    pub(crate) children_end: usize,
}

impl<'t> DependencyTree<'t> {
    pub(crate) fn new(mut tokens: Vec<TreeToken<'t>>, lowered: String) -> Self {
        // A counting sort by head keeps the children of each in ascending order.
        let count = tokens.len();
        let mut next = vec![0; count + 1];
        for token in &tokens {
            if let Some(start) = next.get_mut(usize::from(token.head) + 1) {
                *start += 1;
            }
        }
        for head in 1..next.len() {
            next[head] += next[head - 1];
        }
        let mut children = vec![0; next.last().copied().unwrap_or(0)];
        for (child, token) in tokens.iter().enumerate() {
            let head = usize::from(token.head);
            if head < count {
                children[next[head]] = child;
                next[head] += 1;
            }
        }
        for (token, end) in tokens.iter_mut().zip(next) {
            token.children_end = end;
        }
        Self { tokens, lowered, children }
    }

    /// Returns the number of tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tokens.len()
    }

    /// Whether there are no tokens, and so no root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns token `i` as written.
    #[must_use]
    pub fn word(&self, i: usize) -> &'t str {
        self.tokens.get(i).map_or("", |token| token.word)
    }

    /// Returns token `i` in lower case.
    #[must_use]
    pub fn lower(&self, i: usize) -> &str {
        let start = self.previous_token(i).map_or(0, |token| token.lowered_end);
        self.tokens.get(i).and_then(|token| self.lowered.get(start..token.lowered_end)).unwrap_or("")
    }

    /// Returns the universal tag of token `i`.
    #[must_use]
    pub fn upos(&self, i: usize) -> Upos {
        self.tokens.get(i).map_or(Upos::X, |token| token.upos)
    }

    /// Returns the Penn tag of token `i`.
    #[must_use]
    pub fn xpos(&self, i: usize) -> Xpos {
        self.tokens.get(i).map_or(Xpos::Fw, |token| token.xpos)
    }

    /// Returns the head of token `i`; `None` for the root.
    #[must_use]
    pub fn head(&self, i: usize) -> Option<usize> {
        let head = usize::from(self.tokens.get(i)?.head);
        (head < self.tokens.len()).then_some(head)
    }

    /// Returns the relation of token `i` to its head; not reliable for the root.
    #[must_use]
    pub fn label(&self, i: usize) -> Label {
        self.tokens.get(i).map_or(Label::Dep, |token| token.label)
    }

    /// Returns the children of token `i`, ascending.
    #[must_use]
    pub fn children(&self, i: usize) -> &[usize] {
        let start = self.previous_token(i).map_or(0, |token| token.children_end);
        self.tokens.get(i).and_then(|token| self.children.get(start..token.children_end)).unwrap_or(&[])
    }

    /// Returns the margin by which the head and label of token `i` won over the second best transition: at least 0, in
    /// the model's own unit.
    #[must_use]
    pub fn margin(&self, i: usize) -> f32 {
        self.tokens.get(i).map_or(0.0, |token| token.margin)
    }

    /// Whether both passes gave token `i` the same head; if not, it is less reliable.
    #[must_use]
    pub fn has_agreed_head(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|token| token.agreed)
    }

    fn previous_token(&self, i: usize) -> Option<&TreeToken<'t>> {
        self.tokens.get(i.checked_sub(1)?)
    }
}
