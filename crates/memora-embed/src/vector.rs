//! The embedding of a text: [`Vector`].
//!
//! Invariant: **its length is one, or it is zero.** Cosine and dot product are therefore the same, and a zero vector is
//! similar to nothing, itself included.

/// A unit vector in the space of one embedder, or zero: always finite.
///
/// Vectors of different embedders are not comparable, even with equal dimensions, so vectors must be stored with their
/// [`EmbedderId`](crate::EmbedderId).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Vector(Box<[f32]>);

impl Vector {
    /// Returns `values` scaled to length one.
    ///
    /// Zeros, and values that are not finite or have no finite length, become the zero vector. Weighted sums come back
    /// through here, as do vectors from a database.
    pub fn normalized(mut values: Vec<f32>) -> Self {
        let length = euclidean_length(&values);
        if length > 0.0 && length.is_finite() {
            let factor = length.recip();
            values.iter_mut().for_each(|value| *value = (f64::from(*value) * factor) as f32);
        } else {
            values.fill(0.0);
        }
        Self(values.into())
    }

    /// Returns a vector that is similar to nothing.
    pub fn zero(dimensions: usize) -> Self {
        Self(vec![0.0; dimensions].into())
    }

    /// Returns whether the text had no known words.
    pub fn is_zero(&self) -> bool {
        self.0.iter().all(|value| *value == 0.0)
    }

    /// Returns the values, one a dimension.
    pub fn values(&self) -> &[f32] {
        &self.0
    }

    /// Returns the similarity of two vectors of one embedder, from -1 to 1; zero if one of them is zero.
    pub fn cosine(&self, other: &Self) -> f32 {
        let (chunks, rest) = self.0.as_chunks::<LANES>();
        let (others, other_rest) = other.0.as_chunks::<LANES>();
        let mut lanes = [0.0_f32; LANES];
        for (chunk, other) in chunks.iter().zip(others) {
            for ((lane, value), other) in lanes.iter_mut().zip(chunk).zip(other) {
                *lane += value * other;
            }
        }
        let rest: f32 = rest.iter().zip(other_rest).map(|(value, other)| value * other).sum();
        lanes.iter().sum::<f32>() + rest
    }
}

/// Sums of floats have an order that the compiler keeps. These are summed beside each other, so that it can use wide
/// registers, and the same everywhere, so that a text has one vector on every machine.
pub(crate) const LANES: usize = 8;

fn euclidean_length(values: &[f32]) -> f64 {
    let square = |value: f32| f64::from(value) * f64::from(value);
    let (chunks, rest) = values.as_chunks::<LANES>();
    let mut lanes = [0.0_f64; LANES];
    for chunk in chunks {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane += square(*value);
        }
    }
    (lanes.iter().sum::<f64>() + rest.iter().map(|value| square(*value)).sum::<f64>()).sqrt()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_has_no_direction_is_zero() {
        for values in [vec![], vec![0.0; 3], vec![f32::NAN, 1.0], vec![f32::INFINITY, 1.0], vec![f32::NEG_INFINITY; 9]]
        {
            let dimensions = values.len();
            assert_eq!(Vector::normalized(values), Vector::zero(dimensions));
        }
    }

    #[test]
    fn a_zero_vector_is_like_nothing() {
        let (zero, one) = (Vector::zero(9), Vector::normalized(vec![1.0; 9]));
        assert_eq!([zero.cosine(&zero), zero.cosine(&one), one.cosine(&zero)], [0.0; 3]);
        assert!((one.cosine(&one) - 1.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn any_values_have_length_one_or_none(values in proptest::collection::vec(any::<f32>(), 0..40)) {
            let vector = Vector::normalized(values);
            prop_assert!(vector.values().iter().all(|value| value.is_finite()));
            prop_assert!(vector.is_zero() || (euclidean_length(vector.values()) - 1.0).abs() < 1e-5);
        }

        #[test]
        fn small_and_great_values_have_the_direction_of_others(
            values in proptest::collection::vec(-1.0_f32..1.0, 1..40),
            factor in prop::sample::select(vec![1e-20_f32, 1e-3, 1.0, 1e20, 1e36]),
        ) {
            prop_assume!(euclidean_length(&values) > 0.1);
            let scaled = Vector::normalized(values.iter().map(|value| value * factor).collect());
            prop_assert!((scaled.cosine(&Vector::normalized(values)) - 1.0).abs() < 1e-4);
        }
    }
}
