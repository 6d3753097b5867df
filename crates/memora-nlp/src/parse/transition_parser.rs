//! The transition parser: two passes over the sentence, from the right and then from the left.
//!
//! Invariant: **parsing is greedy**, the best legal action is taken at once, so the time is linear in the tokens: two
//! actions each, in each direction. Not here: search for the best tree.

use crate::parse::feature_templates::{StateView, TokenView};
use crate::parse::features::FeatureBuffer;
use crate::parse::guide::Guide;
use crate::parse::model::ParserModel;
use crate::parse::state::{LabelledArc, ParseState};
use crate::parse::tagset::Label;
use crate::parse::weights::{ActionScores, LookupScratch, Weights};
use crate::parse::word_features::WordFeatures;

/// The heads, labels and margins of all tokens.
pub(crate) struct ParseOutput {
    /// The root's index is the number of tokens.
    pub(crate) heads: Vec<u16>,
    /// As numbers of the model.
    pub(crate) labels: Vec<u8>,
    pub(crate) margins: Vec<f32>,
    /// Whether both passes found the same head.
    pub(crate) agreed: Vec<bool>,
}

/// Parses one sentence of tagged words, fewer than 65,535.
pub(crate) fn parse(model: &ParserModel, words: &[WordFeatures], tags: &[u8]) -> ParseOutput {
    let see = |(word, tag): (&WordFeatures, &u8)| TokenView { w: word.low, p: u32::from(*tag) + 2, c: word.fine };
    let mut tokens: Vec<TokenView> = words.iter().zip(tags).rev().map(see).collect();
    let count = tokens.len();
    tokens.push(TokenView::ROOT);
    let (state, _) = ParsePass::new(model, &model.backward, &tokens, None).run_to_end();
    let guide = Guide::from_reversed(&state);
    if let Some(tokens) = tokens.get_mut(..count) {
        tokens.reverse();
    }
    let (state, margins) = ParsePass::new(model, &model.forward, &tokens, Some(&guide)).run_to_end();
    let (mut heads, mut labels) = (state.heads, state.labels);
    heads.truncate(count);
    labels.truncate(count);
    let agreed = (0..).zip(&heads).map(|(place, head)| guide.head(place) == Some(*head)).collect();
    ParseOutput { heads, labels, margins, agreed }
}

/// One pass over a sentence, with the sums that are still valid; see [`crate::parse::feature_templates`].
struct ParsePass<'a> {
    model: &'a ParserModel,
    weights: &'a Weights,
    tokens: &'a [TokenView],
    guide: Option<&'a Guide>,
    state: ParseState,
    margins: Vec<f32>,
    /// Cached sums of each token since it was at the top of the stack.
    stacked: Vec<StackedScores>,
    features: FeatureBuffer,
    desk: LookupScratch,
    ahead: Option<ActionScores>,
    left: Option<ActionScores>,
}

#[derive(Clone, Copy, Default)]
struct StackedScores {
    below: Option<ActionScores>,
    right: Option<ActionScores>,
}

/// A transition, with a label's number in the model.
#[derive(Debug, Clone, Copy)]
enum Transition {
    Shift,
    LeftArc(u8),
    RightArc(u8),
}

impl Transition {
    fn from_number(number: usize, labels: usize) -> Self {
        match number.checked_sub(1) {
            None => Self::Shift,
            Some(label) if label < labels => Self::LeftArc(label as u8),
            Some(label) => Self::RightArc((label - labels) as u8),
        }
    }
}

/// The margin of a transition without legal alternatives.
const MARGIN_WITHOUT_RIVAL: f32 = 99.0;

impl<'a> ParsePass<'a> {
    /// `tokens` ends with the root.
    fn new(model: &'a ParserModel, weights: &'a Weights, tokens: &'a [TokenView], guide: Option<&'a Guide>) -> Self {
        let count = tokens.len().saturating_sub(1);
        Self {
            model,
            weights,
            tokens,
            guide,
            state: ParseState::new(u16::try_from(count).unwrap_or(u16::MAX - 1)),
            margins: vec![0.0; count],
            stacked: vec![StackedScores::default(); count],
            features: FeatureBuffer::new(),
            desk: LookupScratch::new(),
            ahead: None,
            left: None,
        }
    }

    /// Runs the pass to its end.
    fn run_to_end(mut self) -> (ParseState, Vec<f32>) {
        // Every token is shifted once and attached once.
        for _ in 0..2 * self.stacked.len() {
            match self.state.stack.last().copied() {
                None => self.apply(Transition::Shift),
                Some(top) => {
                    let scores = self.score_transitions(top);
                    let (action, margin) = self.best_legal(&scores);
                    if let (Transition::LeftArc(_) | Transition::RightArc(_), Some(slot)) =
                        (action, self.margins.get_mut(usize::from(top)))
                    {
                        *slot = margin;
                    }
                    self.apply(action);
                }
            }
        }
        (self.state, self.margins)
    }

    /// Scores all transitions, legal or not, with `top` at the top of the stack.
    fn score_transitions(&mut self, top: u16) -> ActionScores {
        let view = StateView { state: &self.state, tokens: self.tokens };
        let Some(stacked) = self.stacked.get_mut(usize::from(top)) else { return ActionScores::ZERO };
        let features = &mut self.features;
        features.clear();
        view.push_joint_features(self.guide, features.set_group(0));
        if self.ahead.is_none() {
            view.push_buffer_features(features.set_group(1));
        }
        if self.left.is_none() {
            view.push_left_child_features(features.set_group(2));
        }
        if stacked.below.is_none() {
            view.push_stack_features(features.set_group(3));
        }
        if stacked.right.is_none() {
            view.push_right_child_features(features.set_group(4));
        }
        let sums = self.weights.sum_groups(features, &mut self.desk);
        let mut total = sums.group(0);
        total.accumulate(self.ahead.get_or_insert_with(|| sums.group(1)));
        total.accumulate(self.left.get_or_insert_with(|| sums.group(2)));
        total.accumulate(stacked.below.get_or_insert_with(|| sums.group(3)));
        total.accumulate(stacked.right.get_or_insert_with(|| sums.group(4)));
        total
    }

    /// Returns the first of the best legal transitions, and its margin over the second best.
    fn best_legal(&self, scores: &ActionScores) -> (Transition, f32) {
        let labels = self.model.labels.len();
        // The legal transitions are contiguous: shift, left, right.
        let first = match (self.state.can_shift(), self.state.can_attach_left()) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => 1 + labels,
        };
        let end = if self.state.can_attach_right() { 1 + 2 * labels } else { 1 + labels };
        let legal = scores.slice(first..end);
        let highest = |scores: &[i16]| scores.iter().fold(i16::MIN, |highest, score| highest.max(*score));
        let score = highest(legal);
        let at = legal.iter().position(|other| *other == score).unwrap_or(0);
        let (before, behind) = legal.split_at(at);
        let second = highest(before).max(highest(behind.get(1..).unwrap_or_default()));
        let margin = match second {
            i16::MIN => MARGIN_WITHOUT_RIVAL,
            second => f32::from(score - second) * self.weights.scale,
        };
        (Transition::from_number(first + at, labels), margin)
    }

    fn apply(&mut self, action: Transition) {
        match action {
            Transition::Shift => {
                self.state.shift();
                (self.ahead, self.left) = (None, None);
            }
            Transition::LeftArc(number) => {
                let arc = self.top_arc(number);
                self.state.attach_left(arc);
                self.left = None;
            }
            Transition::RightArc(number) => {
                let arc = self.top_arc(number);
                self.state.attach_right(arc);
                let head = self.state.stack.last().and_then(|head| self.stacked.get_mut(usize::from(*head)));
                if let Some(head) = head {
                    head.right = None;
                }
            }
        }
    }

    /// Returns the arc that a transition creates for the top of the stack.
    fn top_arc(&self, number: u8) -> LabelledArc {
        let label = self.model.labels.get(usize::from(number)).copied().unwrap_or(Label::Dep);
        let word = self.state.stack.last().and_then(|child| self.tokens.get(usize::from(*child)));
        LabelledArc { number, label, word: word.map_or(0, |child| child.w) }
    }
}
