//! The product of a matrix of bytes with rows of floats: [`QuantizedMatrix::add_product`].
//!
//! A row of weights is widened once for a few rows of floats, whose sums stay in registers; nothing is packed, and the matrix
//! is read in place. `pulp` compiles it for the processors that there are. Invariant: **what a row becomes depends on no other
//! row**, so that a text is encoded alike in any company.

use pulp::{Arch, Simd, WithSimd};

use crate::transformer::weights::QuantizedMatrix;

/// How many rows of floats are multiplied at once: as many as registers hold, beside what they are multiplied with.
const ROWS: usize = 12;

/// How many times a widened row of weights is used: as often as the floats stay in the nearest cache.
const BLOCKS: usize = 2;

impl QuantizedMatrix {
    /// Adds the products of the rows of `x` with each output to the rows of `sums`.
    pub(super) fn add_product(&self, x: &[f32], sums: &mut [f32]) {
        Arch::new().dispatch(Product { matrix: self, x, sums });
    }
}

struct Product<'p> {
    matrix: &'p QuantizedMatrix,
    x: &'p [f32],
    sums: &'p mut [f32],
}

impl WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { matrix, x, sums } = self;
        let (inputs, outputs) = (matrix.inputs, matrix.outputs());
        let groups = x.chunks(BLOCKS * ROWS * inputs).zip(sums.chunks_mut(BLOCKS * ROWS * outputs));
        for (x, sums) in groups {
            let rows = x.len() / inputs;
            // Blocks of one size waste the least.
            let size = rows.div_ceil(rows.div_ceil(ROWS).max(1)).max(1);
            let block = Block { simd, matrix, x, sums };
            match size {
                1 => block.multiply::<1>(),
                2 => block.multiply::<2>(),
                3 => block.multiply::<3>(),
                4 => block.multiply::<4>(),
                5 => block.multiply::<5>(),
                6 => block.multiply::<6>(),
                7 => block.multiply::<7>(),
                8 => block.multiply::<8>(),
                9 => block.multiply::<9>(),
                10 => block.multiply::<10>(),
                11 => block.multiply::<11>(),
                _ => block.multiply::<ROWS>(),
            }
        }
    }
}

/// Rows for which a row of weights is widened once, and their sums.
struct Block<'b, S> {
    simd: S,
    matrix: &'b QuantizedMatrix,
    x: &'b [f32],
    sums: &'b mut [f32],
}

impl<S: Simd> Block<'_, S> {
    /// Multiplies `R` rows at a time.
    #[inline(always)]
    fn multiply<const R: usize>(self) {
        let Self { simd, matrix, x, sums } = self;
        let (inputs, outputs) = (matrix.inputs, matrix.outputs());
        let zero = simd.splat_f32s(0.0);
        // The rows of a block beside each other, so that one pass reads them all.
        let lanes = inputs / S::F32_LANES;
        let mut beside: Vec<[S::f32s; R]> = Vec::with_capacity(BLOCKS * lanes);
        for rows in x.chunks(R * inputs) {
            let rows: [&[S::f32s]; R] = std::array::from_fn(|row| {
                S::as_simd_f32s(rows.get(row * inputs..(row + 1) * inputs).unwrap_or_default()).0
            });
            let lane =
                |at| std::array::from_fn(|row| rows.get(row).and_then(|row| row.get(at)).copied().unwrap_or(zero));
            beside.extend((0..lanes).map(lane));
        }
        let mut widened = vec![0.0; inputs];
        let weights = matrix.scales.iter().zip(matrix.rows.chunks_exact(inputs));
        for (output, (scale, bytes)) in weights.enumerate() {
            for (weight, byte) in widened.iter_mut().zip(bytes) {
                *weight = f32::from(byte.cast_signed());
            }
            for (block, sums) in beside.chunks_exact(lanes).zip(sums.chunks_mut(R * outputs)) {
                let mut products = [zero; R];
                for (x, weight) in block.iter().zip(S::as_simd_f32s(&widened).0) {
                    for (product, x) in products.iter_mut().zip(x) {
                        *product = simd.mul_add_f32s(*x, *weight, *product);
                    }
                }
                for (row, product) in products.into_iter().enumerate() {
                    if let Some(sum) = sums.get_mut(row * outputs + output) {
                        *sum += scale * simd.reduce_sum_f32s(product);
                    }
                }
            }
        }
    }
}
