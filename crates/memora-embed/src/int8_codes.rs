//! Vectors quantized to one byte a dimension: [`quantize`], and their dot product, [`dot`].
//!
//! A scan over all vectors reads a quarter of the memory this way; its results are scored again with the question's own
//! values ([`cosine_to_code`]). Invariant: **one scale for all vectors.** It depends on the number of dimensions alone, so products can
//! be compared with each other; with a scale per vector, recall fell to a quarter. Out of scope: the scan, and
//! storage.

use crate::vector::{LANES, Vector};

/// A unit vector's values are about 1/√d; beyond five times that they are cut off.
const WIDTH: f32 = 5.0;

const CODE_MAX: f32 = 127.0;

/// The factor from a unit vector's values to their codes.
fn code_scale(dimensions: usize) -> f32 {
    CODE_MAX * (dimensions as f32).sqrt() / WIDTH
}

/// Returns a code for each value, from -127 to 127.
pub fn quantize(vector: &Vector) -> Vec<i8> {
    let values = vector.values();
    let scale = code_scale(values.len());
    values.iter().map(|value| (value * scale).round().clamp(-CODE_MAX, CODE_MAX) as i8).collect()
}

/// Returns the dot product of two vectors' codes. [`cosine_from_dot`] scales it; for comparisons that is not needed.
///
/// Both should be of one embedder; if one is longer, its end does not count. The sum is exact up to 131,000 dimensions.
#[inline]
pub fn dot(left: &[i8], right: &[i8]) -> i32 {
    let common = left.len().min(right.len());
    let (chunks, rest) = left.get(..common).unwrap_or_default().as_chunks::<CHUNK>();
    let (others, other_rest) = right.get(..common).unwrap_or_default().as_chunks::<CHUNK>();
    let mut sum = 0;
    for (chunk, other) in chunks.iter().zip(others) {
        sum = add_products(sum, chunk, other);
    }
    add_products(sum, rest, other_rest)
}

/// With a known length, the compiler unrolls the loop and vectorizes it as one would by hand: widen to 16 bits,
/// multiply, add in pairs. Measured from 16 to 64 without CPU-specific instructions (x86-64, 256 dimensions): 39, 25
/// and 57 ns; a loop without chunks takes 55.
const CHUNK: usize = 32;

#[inline(always)]
fn add_products(sum: i32, left: &[i8], right: &[i8]) -> i32 {
    // Wrapping, because a check in the loop would keep it narrow.
    let product = |(left, right): (&i8, &i8)| i32::from(i16::from(*left)) * i32::from(i16::from(*right));
    left.iter().zip(right).map(product).fold(sum, i32::wrapping_add)
}

/// Returns approximately the [`Vector::cosine`] of the vectors whose codes have this product.
pub fn cosine_from_dot(dot: i32, dimensions: usize) -> f32 {
    if dimensions == 0 {
        return 0.0;
    }
    let scale = code_scale(dimensions);
    dot as f32 / (scale * scale)
}

/// Returns the cosine of a vector and of another of which only the code is kept: from -1 to 1, zero if one of them is zero.
///
/// Nearer than [`cosine_from_dot`], since only one of the two is rounded: among 256 dimensions off by less than 0.004.
pub fn cosine_to_code(vector: &Vector, code: &[i8]) -> f32 {
    let length = (dot(code, code) as f32).sqrt();
    if length == 0.0 {
        return 0.0;
    }
    let (chunks, rest) = vector.values().as_chunks::<LANES>();
    let (others, other_rest) = code.as_chunks::<LANES>();
    let mut lanes = [0.0_f32; LANES];
    for (chunk, other) in chunks.iter().zip(others) {
        for ((lane, value), other) in lanes.iter_mut().zip(chunk).zip(other) {
            *lane += value * f32::from(*other);
        }
    }
    let rest: f32 = rest.iter().zip(other_rest).map(|(value, other)| value * f32::from(*other)).sum();
    (lanes.iter().sum::<f32>() + rest) / length
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn vector(dimensions: usize) -> impl Strategy<Value = Vector> {
        proptest::collection::vec(-1.0_f32..1.0, dimensions).prop_map(Vector::normalized)
    }

    #[test]
    fn the_scale_is_one_for_all_vectors() {
        // One value takes all of the length and is cut off; the other codes do not grow to fill the room.
        let mut values = vec![0.001_f32; 256];
        values[7] = 1.0;
        let codes = quantize(&Vector::normalized(values));
        assert_eq!((codes[7], codes[8]), (127, 0));
        assert_eq!(quantize(&Vector::normalized(vec![-1.0; 256])), vec![-25; 256]);
        assert_eq!(quantize(&Vector::normalized(vec![-1.0, 0.0, 0.0, 0.0])), [-51, 0, 0, 0]);
    }

    #[test]
    fn nothing_is_like_a_zero_vector() {
        let zero = quantize(&Vector::zero(256));
        assert_eq!((dot(&zero, &zero), dot(&zero, &[127; 256])), (0, 0));
        assert_eq!((cosine_from_dot(0, 256), cosine_from_dot(0, 0)), (0.0, 0.0));
    }

    #[test]
    fn the_greatest_sum_is_exact() {
        assert_eq!(dot(&[-128; 131_000], &[-128; 131_000]), 128 * 128 * 131_000);
    }

    proptest! {
        #[test]
        fn a_product_is_the_sum_of_products_of_what_both_have(
            left in proptest::collection::vec(any::<i8>(), 0..300),
            right in proptest::collection::vec(any::<i8>(), 0..300),
        ) {
            let plain: i32 = left.iter().zip(&right).map(|(left, right)| i32::from(*left) * i32::from(*right)).sum();
            prop_assert_eq!(dot(&left, &right), plain);
            prop_assert_eq!(dot(&right, &left), plain);
        }

        #[test]
        fn codes_say_nearly_what_the_vectors_say(left in vector(256), right in vector(256)) {
            let near = cosine_from_dot(dot(&quantize(&left), &quantize(&right)), 256);
            prop_assert!((near - left.cosine(&right)).abs() < 0.01, "{near} for {}", left.cosine(&right));
        }

        #[test]
        fn a_code_alone_says_more_nearly_what_its_vector_says(left in vector(256), right in vector(256)) {
            let near = cosine_to_code(&left, &quantize(&right));
            prop_assert!((near - left.cosine(&right)).abs() < 0.004, "{near} for {}", left.cosine(&right));
            prop_assert_eq!(cosine_to_code(&left, &[0; 256]), 0.0);
        }

        #[test]
        fn no_vector_has_a_code_beyond_the_greatest(values in proptest::collection::vec(any::<f32>(), 0..20)) {
            let codes = quantize(&Vector::normalized(values));
            prop_assert!(codes.iter().all(|code| *code >= -127));
        }
    }
}
