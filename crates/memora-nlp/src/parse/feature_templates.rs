//! The feature templates of the parser, grouped by their dependencies.
//!
//! Invariant: **numbers and values are part of the model**, which was trained with exactly these; the grouping is not.
//! The templates are grouped by how long they are valid, so that the sum of a group can be cached as long:
//!
//! - `push_stack_features`: the top of the stack, its left children, the tokens below. Valid while it is there.
//! - `push_right_child_features`: the right children of the top as well. Valid until it gets another.
//! - `push_buffer_features`: the buffer alone. Valid until a token leaves it.
//! - `push_left_child_features`: the left children of the buffer's front. Valid until it gets another.
//! - `push_joint_features`: stack and buffer, and the guide. Valid for one transition.
//!
//! Not here: weights.

use crate::parse::features::FeatureBuffer;
use crate::parse::guide::Guide;
use crate::parse::state::{ChildSummary, NONE, ParseState};

/// A token as the templates see it: word, tag, cluster.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenView {
    pub(crate) w: u32,
    pub(crate) p: u32,
    pub(crate) c: u32,
}

impl TokenView {
    const ABSENT: Self = Self { w: 1, p: 0, c: 0 };
    pub(crate) const ROOT: Self = Self { w: 2, p: 1, c: 0 };
}

/// The state of a parse, and the tokens with the root as their last.
#[derive(Clone, Copy)]
pub(crate) struct StateView<'a> {
    pub(crate) state: &'a ParseState,
    pub(crate) tokens: &'a [TokenView],
}

// The names of the values are those of the literature: `s0` is the top of the stack, `s1` and `s2` lie below it, `b0` is
// the front of the buffer; `n0`, `n1`, `n2` and `m0` know of their children; `l` and `r` are the outermost children.
impl StateView<'_> {
    fn token_view(&self, place: u16) -> TokenView {
        self.tokens.get(usize::from(place)).copied().unwrap_or(TokenView::ABSENT)
    }

    fn stack_token(&self, depth: usize) -> (TokenView, ChildSummary) {
        let place = self.state.stack_at(depth);
        (self.token_view(place), self.state.node(place))
    }

    fn buffer_token(&self, ahead: u16) -> TokenView {
        self.token_view(self.state.buffer_at(ahead))
    }

    /// Returns the label of an attached token; 0 for none.
    fn label_code(&self, place: u16) -> u32 {
        self.state.labels.get(usize::from(place)).map_or(0, |label| u32::from(*label) + 1)
    }

    /// Returns the distance from the top of the stack to the token below.
    fn distance_below(&self) -> u32 {
        match self.state.stack_at(1) {
            NONE => 9,
            below => distance_bucket(below, self.state.stack_at(0)),
        }
    }

    pub(crate) fn push_stack_features(&self, f: &mut FeatureBuffer) {
        let ((s0, n0), (s1, n1), (s2, n2)) = (self.stack_token(0), self.stack_token(1), self.stack_token(2));
        let (s0l, s0l2) = (self.token_view(n0.left[0]), self.token_view(n0.left[1]));
        let (s1l, s1l2) = (self.token_view(n1.left[0]), self.token_view(n1.left[1]));
        let (s1r, s1r2) = (self.token_view(n1.right[0]), self.token_view(n1.right[1]));
        let (s0l_label, s0l2_label) = (self.label_code(n0.left[0]), self.label_code(n0.left[1]));
        let (s1l_label, s1l2_label) = (self.label_code(n1.left[0]), self.label_code(n1.left[1]));
        let (s1r_label, s1r2_label) = (self.label_code(n1.right[0]), self.label_code(n1.right[1]));
        let distance = self.distance_below();

        // one token
        f.push_two(102, s0.w, s0.p);
        f.push_one(103, s0.p);
        f.push_one(104, s0.w);
        f.push_two(105, s1.w, s1.p);
        f.push_one(106, s1.p);
        f.push_one(107, s1.w);
        f.push_two(115, s2.w, s2.p);
        f.push_one(116, s2.p);
        f.push_two(117, s0.c, s0.p);
        f.push_two(119, s1.c, s1.p);
        // two and three
        f.push_four(125, s1.w, s1.p, s0.w, s0.p);
        f.push_three(126, s1.w, s1.p, s0.p);
        f.push_three(127, s1.p, s0.w, s0.p);
        f.push_two(128, s1.w, s0.w);
        f.push_two(129, s1.p, s0.p);
        f.push_two(137, s1.c, s0.c);
        f.push_three(138, s1.c, s0.p, s0.w);
        f.push_three(143, s2.p, s1.p, s0.p);
        f.push_three(199, distance, s1.p, s0.p);
        f.push_two(200, distance, s1.w);
        // with children
        f.push_three(152, s1.p, s0.p, s1r.p);
        f.push_three(153, s1.p, s0.p, s1l.p);
        f.push_three(154, s1.p, s0.p, s0l.p);
        f.push_three(159, s0.p, s0l.w, s0l_label);
        f.push_three(160, s0.p, s0l.p, s0l_label);
        f.push_three(163, s1.p, s1l.p, s1l_label);
        f.push_three(164, s1.p, s1r.w, s1r_label);
        f.push_three(165, s1.p, s1r.p, s1r_label);
        f.push_four(168, s0.p, s0l_label, s0l2_label, s0l2.p);
        f.push_four(170, s1.p, s1r_label, s1r2_label, s1r2.p);
        f.push_four(171, s1.p, s1l_label, s1l2_label, s1l2.p);
        f.push_two(172, s0.p, n0.left_labels);
        f.push_three(174, s1.p, n1.right_labels, s0.p);
        f.push_three(175, s1.p, n1.left_labels, s0.p);
        f.push_two(177, s0.w, n0.left_labels);
        f.push_two(178, s1.w, n1.right_labels);
        f.push_two(181, s1.w, n1.right_count.into());
        f.push_three(182, s1.p, n1.left_count.into(), n1.right_count.into());
        f.push_three(187, s1.w, n1.notable, s0.p);
        f.push_three(207, s2.p, n2.notable, s0.p);
    }

    pub(crate) fn push_right_child_features(&self, f: &mut FeatureBuffer) {
        let ((s0, n0), (s1, n1), (s2, _)) = (self.stack_token(0), self.stack_token(1), self.stack_token(2));
        let (s0r, s0r2) = (self.token_view(n0.right[0]), self.token_view(n0.right[1]));
        let (s0r_label, s0r2_label) = (self.label_code(n0.right[0]), self.label_code(n0.right[1]));

        f.push_three(155, s1.p, s0.p, s0r.p);
        f.push_three(161, s0.p, s0r.w, s0r_label);
        f.push_three(162, s0.p, s0r.p, s0r_label);
        f.push_four(169, s0.p, s0r_label, s0r2_label, s0r2.p);
        f.push_two(173, s0.p, n0.right_labels);
        f.push_three(179, s0.w, n0.left_count.into(), n0.right_count.into());
        f.push_three(180, s0.p, n0.left_count.into(), n0.right_count.into());
        f.push_four(185, s1.p, n1.notable, s0.p, n0.notable);
        // the preposition or conjunction of the top
        f.push_three(188, s1.w, n0.case, s0.p);
        f.push_three(189, s1.p, n0.case, s0.p);
        f.push_three(190, s1.p, n0.case, s0.w);
        f.push_three(191, s2.w, n0.case, s1.p);
        f.push_three(192, s2.p, s1.w, n0.case);
        f.push_three(194, s1.c, n0.case, s0.c);
        f.push_four(195, n1.case, s1.p, n0.case, s0.p);
    }

    pub(crate) fn push_buffer_features(&self, f: &mut FeatureBuffer) {
        let [b0, b1, b2, b3] = [0, 1, 2, 3].map(|ahead| self.buffer_token(ahead));
        let before = self.state.front.checked_sub(1).map_or(TokenView::ABSENT, |place| self.token_view(place));

        f.push_one(101, 0);
        f.push_two(108, b0.w, b0.p);
        f.push_one(109, b0.p);
        f.push_one(110, b0.w);
        f.push_two(111, b1.w, b1.p);
        f.push_one(112, b1.p);
        f.push_two(113, b2.w, b2.p);
        f.push_one(114, b2.p);
        f.push_two(118, b0.c, b0.p);
        f.push_two(133, b0.p, b1.p);
        f.push_two(134, b0.w, b1.p);
        f.push_two(135, b0.p, b1.w);
        f.push_three(141, b0.p, b1.p, b2.p);
        f.push_three(202, before.p, b0.p, b1.p);
        f.push_two(203, before.w, b0.w);
        f.push_four(206, b0.p, b1.p, b2.p, b3.p);
    }

    pub(crate) fn push_left_child_features(&self, f: &mut FeatureBuffer) {
        let (b0, m0) = (self.buffer_token(0), self.state.node(self.state.buffer_at(0)));
        let (b0l, b0l_label) = (self.token_view(m0.left[0]), self.label_code(m0.left[0]));

        f.push_three(166, b0.p, b0l.w, b0l_label);
        f.push_three(167, b0.p, b0l.p, b0l_label);
        f.push_two(183, b0.p, m0.left_count.into());
    }

    pub(crate) fn push_joint_features(&self, guide: Option<&Guide>, f: &mut FeatureBuffer) {
        let ((s0, n0), (s1, _), (s2, _)) = (self.stack_token(0), self.stack_token(1), self.stack_token(2));
        let [b0, b1, b2] = [0, 1, 2].map(|ahead| self.buffer_token(ahead));
        let m0 = self.state.node(self.state.buffer_at(0));
        let (s0l, s0r, b0l) = (self.token_view(n0.left[0]), self.token_view(n0.right[0]), self.token_view(m0.left[0]));
        let before = self.state.front.checked_sub(1).map_or(TokenView::ABSENT, |place| self.token_view(place));
        let gap = distance_bucket(self.state.stack_at(0), self.state.front);

        // two tokens
        f.push_four(120, s0.w, s0.p, b0.w, b0.p);
        f.push_three(121, s0.w, s0.p, b0.p);
        f.push_three(122, s0.p, b0.w, b0.p);
        f.push_two(123, s0.w, b0.w);
        f.push_two(124, s0.p, b0.p);
        f.push_two(130, s1.p, b0.p);
        f.push_two(131, s1.w, b0.p);
        f.push_two(132, s1.p, b0.w);
        f.push_two(136, s0.c, b0.c);
        f.push_two(139, s0.p, b0.c);
        // more of them
        f.push_three(140, s0.p, b0.p, b1.p);
        f.push_three(142, s1.p, s0.p, b0.p);
        f.push_three(144, s1.p, s0.p, b0.w);
        f.push_three(145, s1.p, s0.w, b0.p);
        f.push_three(146, s1.w, s0.p, b0.p);
        f.push_three(147, s0.w, b0.p, b1.p);
        f.push_three(148, s0.p, b0.w, b1.p);
        f.push_four(156, s1.p, s0.p, b0.p, b1.p);
        f.push_four(157, s0.p, b0.p, b1.p, b2.p);
        f.push_four(158, s2.p, s1.p, s0.p, b0.p);
        f.push_three(204, before.p, s0.p, b0.p);
        f.push_three(205, before.w, s0.p, b0.p);
        // with children
        f.push_three(149, s0.p, b0.p, s0l.p);
        f.push_three(150, s0.p, b0.p, s0r.p);
        f.push_three(151, s0.p, b0.p, b0l.p);
        f.push_three(176, b0.p, m0.left_labels, s0.p);
        f.push_three(184, s0.p, n0.notable, b0.p);
        f.push_four(186, s0.p, n0.notable, b0.p, m0.notable);
        f.push_three(193, n0.case, b0.w, s0.p);
        // with distances
        f.push_three(196, gap, s0.p, b0.p);
        f.push_two(197, gap, s0.w);
        f.push_two(198, gap, b0.w);
        f.push_four(201, self.distance_below(), s1.p, s0.p, b0.p);
        if let Some(guide) = guide {
            self.push_guide_features(guide, f);
        }
    }

    /// Pushes the guide's view of the tokens that the next transition decides on.
    fn push_guide_features(&self, guide: &Guide, f: &mut FeatureBuffer) {
        let ((s0, n0), (s1, _), b0) = (self.stack_token(0), self.stack_token(1), self.buffer_token(0));
        let [i0, i1] = [0, 1].map(|depth| self.state.stack_at(depth));
        let j0 = self.state.front;
        let (arc_ahead, arc_below) = (guide.arc_code(i0, j0), guide.arc_code(i0, i1));
        let [label0, label1, label_b] = [i0, i1, j0].map(|place| guide.label_code(place));
        let [head0, head1, head_b] = [i0, i1, j0].map(|place| guide.head_position_code(self.state, place));
        let [more0, more1] = [i0, i1].map(|place| guide.pending_children_code(place, j0));

        f.push_three(301, arc_ahead, arc_below, more0);
        f.push_two(302, head0, label0);
        f.push_three(303, head0, label0, s0.p);
        f.push_two(304, head_b, label_b);
        f.push_three(305, head_b, label_b, b0.p);
        f.push_four(306, head0, head_b, more0, more1);
        f.push_four(307, head0, label0, s0.p, b0.p);
        f.push_three(308, head0, s0.w, label0);
        f.push_four(309, head0, more0, s0.p, s1.p);
        f.push_four(310, head0, label0, n0.case, s0.p);
        f.push_four(311, head0, label0, s1.p, s0.p);
        f.push_three(312, head0, s1.w, n0.case);
        f.push_four(313, head1, label1, more1, head0);
        f.push_four(314, head0, more0, label0, head_b);
        f.push_four(315, head_b, more0, b0.p, s0.p);
    }
}

/// Returns the distance from `left` to `right`, in eight steps.
fn distance_bucket(left: u16, right: u16) -> u32 {
    match right.checked_sub(left) {
        Some(near @ 0..=4) => near.into(),
        Some(5..=6) => 5,
        Some(7..=10) => 6,
        _ => 7,
    }
}
