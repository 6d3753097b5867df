//! Scaled dot-product attention, each text to itself: `softmax(Q Kᵀ / √d) V` for each head.
//!
//! A head of a text is small, so that its products are plain loops over what lies together: keys are turned, values are read in place.

use std::ops::Range;

use crate::transformer::math::{exp, lane_max, lane_sum};

/// The queries, keys and values of stacked texts, a row a piece: `3 * width` numbers, each `width` in `heads` parts.
#[derive(Clone, Copy)]
pub(super) struct Attended<'a> {
    pub(super) rows: &'a [f32],
    pub(super) width: usize,
    pub(super) heads: usize,
}

impl Attended<'_> {
    /// What each piece attends to, a row a piece. `spans` are the rows of each text.
    #[inline(always)]
    pub(super) fn attend(self, spans: &[Range<usize>]) -> Vec<f32> {
        let mut mixed = vec![0.0; self.rows.len() / 3];
        let mut keys = Vec::new();
        let mut weights = Vec::new();
        for span in spans {
            for head in 0..self.heads {
                self.turn_keys(span, head, &mut keys);
                self.attend_head(span, head, &keys, &mut weights, &mut mixed);
            }
        }
        mixed
    }

    /// The part of a row that is of a head: of its queries, keys or values.
    #[inline(always)]
    fn part(&self, row: usize, which: usize, head: usize) -> &[f32] {
        let size = self.width / self.heads;
        let start = (3 * row + which) * self.width + head * size;
        self.rows.get(start..start + size).unwrap_or_default()
    }

    /// Turns the keys of a head: a row for each of their values, in which the keys stand beside each other.
    #[inline(always)]
    fn turn_keys(&self, span: &Range<usize>, head: usize, turned: &mut Vec<f32>) {
        turned.clear();
        turned.resize(span.len() * self.width / self.heads, 0.0);
        for (at, row) in span.clone().enumerate() {
            for (turned, value) in turned.chunks_exact_mut(span.len()).zip(self.part(row, 1, head)) {
                if let Some(turned) = turned.get_mut(at) {
                    *turned = *value;
                }
            }
        }
    }

    #[inline(always)]
    fn attend_head(&self, span: &Range<usize>, head: usize, keys: &[f32], weights: &mut Vec<f32>, mixed: &mut [f32]) {
        let size = self.width / self.heads;
        #[expect(clippy::cast_precision_loss, reason = "a head is some dozens wide")]
        let scale = (size as f32).sqrt().recip();
        for row in span.clone() {
            weights.clear();
            weights.resize(span.len(), 0.0);
            add_weighted(weights, self.part(row, 0, head), |value| {
                keys.get(value * span.len()..(value + 1) * span.len()).unwrap_or_default()
            });
            softmax(weights, scale);
            let start = row * self.width + head * size;
            let mixed = mixed.get_mut(start..start + size).unwrap_or_default();
            add_weighted(mixed, weights, |other| self.part(span.start + other, 2, head));
        }
    }
}

/// Adds rows to sums, each by its weight, four at a time, so that the sums are loaded for four products.
#[inline(always)]
fn add_weighted<'r>(sums: &mut [f32], weights: &[f32], row: impl Fn(usize) -> &'r [f32]) {
    let (fours, rest) = weights.as_chunks::<4>();
    for (at, [first, second, third, fourth]) in fours.iter().enumerate() {
        let rows = row(4 * at).iter().zip(row(4 * at + 1)).zip(row(4 * at + 2)).zip(row(4 * at + 3));
        for (sum, (((a, b), c), d)) in sums.iter_mut().zip(rows) {
            *sum += (first * a + second * b) + (third * c + fourth * d);
        }
    }
    for (at, weight) in rest.iter().enumerate() {
        for (sum, value) in sums.iter_mut().zip(row(4 * fours.len() + at)) {
            *sum += weight * value;
        }
    }
}

/// Makes of numbers shares of one, the greater the more.
#[inline(always)]
pub(super) fn softmax(row: &mut [f32], scale: f32) {
    let most = lane_max(row, |value| value);
    for value in row.iter_mut() {
        *value = exp((*value - most) * scale);
    }
    let sum = lane_sum(row, |value| value);
    for value in row {
        *value /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_attention_sum_to_one() {
        let mut row = [1.0, 2.0, 3.0];
        softmax(&mut row, 1.0);
        assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!(row[2] > row[1] && row[1] > row[0]);
    }

    /// By the formula, a number at a time.
    #[test]
    fn a_text_attends_to_itself_alone() {
        let (width, heads, pieces) = (8, 2, 40);
        let rows: Vec<f32> = (0..pieces * 3 * width)
            .map(|at| f32::from(u8::try_from(at * 37 % 101).unwrap_or_default()) / 50.0 - 1.0)
            .collect();
        let attended = Attended { rows: &rows, width, heads };
        let mixed = attended.attend(&[0..5, 5..pieces]);
        for (span, row) in [(0..5, 3), (5..pieces, 38)] {
            for head in 0..heads {
                let product = |key: usize| -> f32 {
                    attended.part(row, 0, head).iter().zip(attended.part(key, 1, head)).map(|(q, k)| q * k).sum()
                };
                let weights: Vec<f32> = span.clone().map(|key| (product(key) / 2.0).exp()).collect();
                let sum: f32 = weights.iter().sum();
                for value in 0..width / heads {
                    let expected: f32 = span
                        .clone()
                        .zip(&weights)
                        .map(|(key, weight)| weight / sum * attended.part(key, 2, head)[value])
                        .sum();
                    let found = mixed[row * width + head * (width / heads) + value];
                    assert!((found - expected).abs() < 1e-5, "{found} {expected}");
                }
            }
        }
    }
}
