//! The parser: twice over the sentence, from the right and then from the left.
//!
//! The one rule to know: **of the legal actions the best is taken at once**, so that the time is linear in the tokens:
//! two actions each, in each direction. Deliberately not here: searching for the best tree.

use crate::parse::features::Features;
use crate::parse::guide::Guide;
use crate::parse::model::Model;
use crate::parse::names::Label;
use crate::parse::state::{Arc, State};
use crate::parse::templates::{Seen, View};
use crate::parse::weights::{Desk, Sum, Weights};
use crate::parse::word::Word;

/// Heads, labels and how sure they are, token by token.
pub(crate) struct Parse {
    /// The root's place is the number of tokens.
    pub(crate) heads: Vec<u16>,
    /// In the model's numbers.
    pub(crate) labels: Vec<u8>,
    pub(crate) margins: Vec<f32>,
    /// Whether both directions found the same head.
    pub(crate) agreed: Vec<bool>,
}

/// Parses one sentence of tagged words, fewer than 65,535.
pub(crate) fn parse(model: &Model, words: &[Word], tags: &[u8]) -> Parse {
    let see = |(word, tag): (&Word, &u8)| Seen { w: word.low, p: u32::from(*tag) + 2, c: word.fine };
    let mut tokens: Vec<Seen> = words.iter().zip(tags).rev().map(see).collect();
    let count = tokens.len();
    tokens.push(Seen::ROOT);
    let (state, _) = Pass::new(model, &model.backward, &tokens, None).run();
    let guide = Guide::mirrored(&state);
    if let Some(tokens) = tokens.get_mut(..count) {
        tokens.reverse();
    }
    let (state, margins) = Pass::new(model, &model.forward, &tokens, Some(&guide)).run();
    let (mut heads, mut labels) = (state.heads, state.labels);
    heads.truncate(count);
    labels.truncate(count);
    let agreed = (0..).zip(&heads).map(|(place, head)| guide.head(place) == Some(*head)).collect();
    Parse { heads, labels, margins, agreed }
}

/// One way over a sentence, with the sums that still hold; see [`crate::parse::templates`].
struct Pass<'a> {
    model: &'a Model,
    weights: &'a Weights,
    tokens: &'a [Seen],
    guide: Option<&'a Guide>,
    state: State,
    margins: Vec<f32>,
    /// Of each token since it was at the top of the stack.
    stacked: Vec<Stacked>,
    features: Features,
    desk: Desk,
    ahead: Option<Sum>,
    left: Option<Sum>,
}

#[derive(Clone, Copy, Default)]
struct Stacked {
    below: Option<Sum>,
    right: Option<Sum>,
}

/// What can be done next, with a label's number in the model.
#[derive(Debug, Clone, Copy)]
enum Action {
    Shift,
    Left(u8),
    Right(u8),
}

impl Action {
    fn numbered(number: usize, labels: usize) -> Self {
        match number.checked_sub(1) {
            None => Self::Shift,
            Some(label) if label < labels => Self::Left(label as u8),
            Some(label) => Self::Right((label - labels) as u8),
        }
    }
}

/// The margin of what was done because nothing else could be done.
const MARGIN_WITHOUT_RIVAL: f32 = 99.0;

impl<'a> Pass<'a> {
    /// `tokens` ends with the root.
    fn new(model: &'a Model, weights: &'a Weights, tokens: &'a [Seen], guide: Option<&'a Guide>) -> Self {
        let count = tokens.len().saturating_sub(1);
        Self {
            model,
            weights,
            tokens,
            guide,
            state: State::new(u16::try_from(count).unwrap_or(u16::MAX - 1)),
            margins: vec![0.0; count],
            stacked: vec![Stacked::default(); count],
            features: Features::new(),
            desk: Desk::new(),
            ahead: None,
            left: None,
        }
    }

    /// Goes all the way.
    fn run(mut self) -> (State, Vec<f32>) {
        // Every token is shifted once and hung once.
        for _ in 0..2 * self.stacked.len() {
            match self.state.stack.last().copied() {
                None => self.take(Action::Shift),
                Some(top) => {
                    let scores = self.scores(top);
                    let (action, margin) = self.best(&scores);
                    if let (Action::Left(_) | Action::Right(_), Some(slot)) =
                        (action, self.margins.get_mut(usize::from(top)))
                    {
                        *slot = margin;
                    }
                    self.take(action);
                }
            }
        }
        (self.state, self.margins)
    }

    /// Scores all actions, legal or not, with `top` at the top of the stack.
    fn scores(&mut self, top: u16) -> Sum {
        let view = View { state: &self.state, tokens: self.tokens };
        let Some(stacked) = self.stacked.get_mut(usize::from(top)) else { return Sum::ZERO };
        let features = &mut self.features;
        features.clear();
        view.between(self.guide, features.group(0));
        if self.ahead.is_none() {
            view.ahead(features.group(1));
        }
        if self.left.is_none() {
            view.left(features.group(2));
        }
        if stacked.below.is_none() {
            view.below(features.group(3));
        }
        if stacked.right.is_none() {
            view.right(features.group(4));
        }
        let [between, ahead, left, below, right] = self.weights.sums(features, &mut self.desk);
        let mut total = *between;
        total.add(self.ahead.get_or_insert(*ahead));
        total.add(self.left.get_or_insert(*left));
        total.add(stacked.below.get_or_insert(*below));
        total.add(stacked.right.get_or_insert(*right));
        total
    }

    /// Returns the first of the best legal actions, and how far the second best is behind it.
    fn best(&self, scores: &Sum) -> (Action, f32) {
        let labels = self.model.labels.len();
        // The legal actions stand together: to shift, those to the left, those to the right.
        let first = match (self.state.can_shift(), self.state.can_go_left()) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 1 + labels,
        };
        let end = if self.state.can_go_right() { 1 + 2 * labels } else { 1 + labels };
        let legal = scores.scores(first..end);
        let highest = |scores: &[i16]| scores.iter().fold(i16::MIN, |highest, score| highest.max(*score));
        let score = highest(legal);
        let at = legal.iter().position(|other| *other == score).unwrap_or(0);
        let (before, behind) = legal.split_at(at);
        let second = highest(before).max(highest(behind.get(1..).unwrap_or_default()));
        let margin = match second {
            i16::MIN => MARGIN_WITHOUT_RIVAL,
            second => f32::from(score - second) * self.weights.scale,
        };
        (Action::numbered(first + at, labels), margin)
    }

    fn take(&mut self, action: Action) {
        match action {
            Action::Shift => {
                self.state.shift();
                (self.ahead, self.left) = (None, None);
            }
            Action::Left(number) => {
                let arc = self.arc(number);
                self.state.left(arc);
                self.left = None;
            }
            Action::Right(number) => {
                let arc = self.arc(number);
                self.state.right(arc);
                let head = self.state.stack.last().and_then(|head| self.stacked.get_mut(usize::from(*head)));
                if let Some(head) = head {
                    head.right = None;
                }
            }
        }
    }

    /// What hanging the top of the stack on something leaves there.
    fn arc(&self, number: u8) -> Arc {
        let label = self.model.labels.get(usize::from(number)).copied().unwrap_or(Label::Dep);
        let word = self.state.stack.last().and_then(|child| self.tokens.get(usize::from(*child)));
        Arc { number, label, word: word.map_or(0, |child| child.w) }
    }
}
