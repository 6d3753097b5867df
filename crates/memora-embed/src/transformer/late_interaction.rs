//! Scores how well a passage answers a question, piece by piece: [`QueryVectors`], [`PassageVectors`].
//!
//! Invariant: **a passage's vectors are bytes**, which is what is stored; a question's are computed when it is asked,
//! and never stored.

use crate::int8_codes::{cosine_from_dot, dot, quantize};
use crate::transformer::layers::EncodedText;

/// The vectors of a question's pieces, and the importance of each, which sums to one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueryVectors {
    pieces: Vec<(Vec<i8>, f32)>,
}

/// The vectors of a passage's pieces, one after the other, a byte a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PassageVectors {
    codes: Vec<i8>,
}

impl QueryVectors {
    pub(super) fn from_encoded(read: EncodedText) -> Self {
        Self { pieces: read.pieces.iter().map(quantize).zip(read.matters).collect() }
    }

    /// Returns how well a passage answers, from -1 to 1: for each piece the similarity of its most similar piece,
    /// weighted by importance. A passage without pieces scores 0.
    #[must_use]
    pub fn max_similarity(&self, passage: &PassageVectors) -> f32 {
        let best = |piece: &[i8]| {
            let products = passage.codes.chunks_exact(piece.len().max(1)).map(|other| dot(piece, other));
            products.max().map_or(0.0, |most| cosine_from_dot(most, piece.len()).min(1.0))
        };
        self.pieces.iter().map(|(piece, matters)| best(piece) * matters).sum()
    }
}

impl PassageVectors {
    pub(super) fn from_encoded(read: &EncodedText) -> Self {
        Self { codes: read.pieces.iter().flat_map(quantize).collect() }
    }

    /// Restores vectors from stored bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Self {
        Self { codes: bytes.iter().map(|byte| byte.cast_signed()).collect() }
    }

    /// Returns the bytes to keep: a piece after the other, [`Transformer::width`](crate::Transformer::width) each.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.codes.iter().map(|code| code.cast_unsigned()).collect()
    }
}
