//! What reading a sentence gives: [`Tree`], its tokens with their tags and heads.
//!
//! The one rule to know: **one token is the root, and every other hangs below it** without crossing arcs. Deliberately
//! not here: places in a text. A tree knows its words; whoever cut them knows where they stand.

use crate::parse::names::{Label, Upos, Xpos};

/// A sentence that was read. Indices are positions of tokens, from 0.
///
/// An index beyond the last token is a mistake of the caller's, and answered as a lone token would be that says nothing:
/// no word, no head, no children, [`Upos::X`], [`Xpos::Fw`], [`Label::Dep`].
#[derive(Debug, Clone, Default)]
pub struct DependencyTree<'t> {
    pub(crate) tokens: Vec<TreeToken<'t>>,
    /// The words in lower case, one behind the other.
    pub(crate) lowered: String,
    /// The children of all tokens, token by token; `Token::children` says which are whose.
    children: Vec<usize>,
}

/// What a tree knows about one token.
#[derive(Debug, Clone)]
pub(crate) struct TreeToken<'t> {
    pub(crate) word: &'t str,
    /// Where its lower case ends in `Tree::lowered`.
    pub(crate) lowered_end: usize,
    pub(crate) upos: Upos,
    pub(crate) xpos: Xpos,
    pub(crate) label: Label,
    pub(crate) agreed: bool,
    /// The root's is the number of tokens.
    pub(crate) head: u16,
    pub(crate) margin: f32,
    /// Where its children end in `Tree::children`.
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

    /// Whether there is no token, and so no root.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tokens.is_empty()
    }

    /// Returns token `i` as it is written.
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

    /// Returns the token that token `i` hangs on; the root hangs on none.
    #[must_use]
    pub fn head(&self, i: usize) -> Option<usize> {
        let head = usize::from(self.tokens.get(i)?.head);
        (head < self.tokens.len()).then_some(head)
    }

    /// Returns what token `i` is to its head. Of the root it says nothing certain.
    #[must_use]
    pub fn label(&self, i: usize) -> Label {
        self.tokens.get(i).map_or(Label::Dep, |token| token.label)
    }

    /// Returns the tokens that hang on token `i`, ascending.
    #[must_use]
    pub fn children(&self, i: usize) -> &[usize] {
        let start = self.previous_token(i).map_or(0, |token| token.children_end);
        self.tokens.get(i).and_then(|token| self.children.get(start..token.children_end)).unwrap_or(&[])
    }

    /// Returns how far the head and label of token `i` were ahead of the next best action when they were chosen: at
    /// least 0, in the model's own unit.
    #[must_use]
    pub fn margin(&self, i: usize) -> f32 {
        self.tokens.get(i).map_or(0.0, |token| token.margin)
    }

    /// Whether reading from the right gave token `i` the same head as reading from the left: where not, trust it less.
    #[must_use]
    pub fn has_agreed_head(&self, i: usize) -> bool {
        self.tokens.get(i).is_some_and(|token| token.agreed)
    }

    fn previous_token(&self, i: usize) -> Option<&TreeToken<'t>> {
        self.tokens.get(i.checked_sub(1)?)
    }
}
