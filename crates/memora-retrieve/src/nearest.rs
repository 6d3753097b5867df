//! Which statements lie nearest to a question: [`Nearest`], and the scan that answers it, [`Scan`].
//!
//! The one rule to know: **a scan holds the vectors it was given and nothing else**, so that a door's results follow from
//! what that door may see. It reads every code, a byte a dimension; there is nothing to build and nothing to delete, and
//! a filter only makes it quicker. What it finds is scored again by the vectors themselves, which the caller holds.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use memora_claim::StatementId;
use memora_embed::{Vector, cosine, dot, quantize};

/// What the sentence before weighs in a statement's vector; tuned on LoCoMo, development half.
const BEFORE: f32 = 0.5;

/// What title and headings weigh; tuned on Cranfield.
const CONTEXT: f32 = 0.8;

/// The vector of a statement: that of its own words, with a share of the sentence before it and of what it stands under.
///
/// Zero where its own words have none: what is only said around it is not its meaning.
#[must_use]
pub fn statement_vector(words: &Vector, before: &Vector, context: &Vector) -> Vector {
    if words.is_zero() {
        return words.clone();
    }
    let values = words.values().iter().zip(before.values()).zip(context.values());
    Vector::normalized(values.map(|((word, before), context)| word + BEFORE * before + CONTEXT * context).collect())
}

/// Finds the statements whose vectors lie nearest to another one.
pub trait Nearest {
    /// Returns at most `limit` statements that `keep` lets through, nearest first, each with about its cosine; equal ones
    /// in the order of their ids. A zero vector is near to nothing.
    fn nearest(&self, vector: &Vector, limit: usize, keep: &dyn Fn(StatementId) -> bool) -> Vec<(StatementId, f32)>;
}

/// The codes of some statements, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    statements: Vec<StatementId>,
    codes: Vec<i8>,
    dimensions: usize,
}

impl Scan {
    /// Takes codes as they are kept: `dimensions` bytes for each statement, in the same order.
    ///
    /// What is there beyond the shorter of the two is left out.
    #[must_use]
    pub fn new(mut statements: Vec<StatementId>, codes: Vec<i8>, dimensions: usize) -> Self {
        statements.truncate(codes.len().checked_div(dimensions).unwrap_or_default());
        Self { statements, codes, dimensions }
    }

    /// How many vectors it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }
}

impl Nearest for Scan {
    fn nearest(&self, vector: &Vector, limit: usize, keep: &dyn Fn(StatementId) -> bool) -> Vec<(StatementId, f32)> {
        if limit == 0 || vector.is_zero() || vector.values().len() != self.dimensions {
            return Vec::new();
        }
        let asked = quantize(vector);
        // The worst of the best lies on top: most codes are compared with it and passed over.
        let mut best: BinaryHeap<Reverse<(i32, Reverse<StatementId>)>> = BinaryHeap::with_capacity(limit + 1);
        for (statement, code) in self.statements.iter().zip(self.codes.chunks_exact(self.dimensions)) {
            let product = dot(&asked, code);
            let found = Reverse((product, Reverse(*statement)));
            let full = best.len() >= limit;
            if product <= 0 || full && best.peek().is_some_and(|worst| *worst <= found) || !keep(*statement) {
                continue;
            }
            best.push(found);
            if full {
                best.pop();
            }
        }
        let nearest = best.into_sorted_vec();
        nearest
            .into_iter()
            .map(|Reverse((product, Reverse(statement)))| (statement, cosine(product, self.dimensions)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statement(number: usize) -> StatementId {
        StatementId::of(&format!("statement {number}"), &[])
    }

    fn scan(vectors: &[Vec<f32>], dimensions: usize) -> Scan {
        let codes = vectors.iter().flat_map(|vector| quantize(&Vector::normalized(vector.clone()))).collect();
        Scan::new((0..vectors.len()).map(statement).collect(), codes, dimensions)
    }

    fn found(scan: &Scan, vector: &[f32], limit: usize) -> Vec<StatementId> {
        let vector = Vector::normalized(vector.to_vec());
        scan.nearest(&vector, limit, &|_| true).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn nearest_come_first_and_the_filter_holds() {
        let scan = scan(&[vec![1.0, 0.0], vec![0.8, 0.6], vec![0.0, 1.0], vec![-1.0, 0.0]], 2);
        assert_eq!(found(&scan, &[1.0, 0.1], 9), [statement(0), statement(1), statement(2)]);
        assert_eq!(found(&scan, &[1.0, 0.1], 1), [statement(0)]);
        let vector = Vector::normalized(vec![1.0, 0.1]);
        let kept = scan.nearest(&vector, 1, &|id| id != statement(0));
        assert_eq!(kept.first().map(|(id, _)| *id), Some(statement(1)));
    }

    #[test]
    fn nothing_is_near_to_nothing() {
        let scan = scan(&[vec![1.0, 0.0]], 2);
        assert!(found(&scan, &[0.0, 0.0], 5).is_empty());
        assert!(found(&scan, &[1.0, 0.0, 0.0], 5).is_empty(), "of another embedder");
        assert!(found(&scan, &[1.0, 0.0], 0).is_empty());
        assert!(found(&Scan::default(), &[1.0], 5).is_empty());
    }

    proptest! {
        #[test]
        fn a_scan_finds_what_sorting_finds(
            vectors in proptest::collection::vec(proptest::collection::vec(-1.0_f32..1.0, 16), 1..60),
            asked in proptest::collection::vec(-1.0_f32..1.0, 16),
            limit in 1_usize..20,
        ) {
            let scan = scan(&vectors, 16);
            let asked = Vector::normalized(asked);
            let code = quantize(&asked);
            let mut all: Vec<(i32, StatementId)> = vectors
                .iter()
                .enumerate()
                .map(|(i, vector)| (dot(&code, &quantize(&Vector::normalized(vector.clone()))), statement(i)))
                .filter(|(product, _)| *product > 0)
                .collect();
            all.sort_by_key(|(product, id)| (Reverse(*product), *id));
            all.truncate(limit);
            let expect: Vec<StatementId> = all.into_iter().map(|(_, id)| id).collect();
            let found: Vec<StatementId> =
                scan.nearest(&asked, limit, &|_| true).into_iter().map(|(id, _)| id).collect();
            prop_assert_eq!(found, expect);
        }
    }
}
