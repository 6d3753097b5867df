//! The product of a matrix of bytes with rows of floats: [`QuantizedMatrix::add_product`].
//!
//! A few rows of weights are widened at a time and multiplied with a few rows of floats at once, so that their sums stay in
//! registers and each number is loaded for several products; the matrix is read in place. `pulp` compiles it for the
//! processors that there are. Invariant: **what a row becomes depends on no other row**, so that a text is encoded alike in
//! any company.

use pulp::{Arch, Simd, WithSimd};

use crate::transformer::weights::QuantizedMatrix;

/// How many rows of floats are multiplied at once, and with how many rows of weights: sums, weights and one row of floats fill the
/// 16 registers of AVX2.
const ROWS: usize = 4;
const OUTPUTS: usize = 3;

/// How many floats a row of weights is widened for: as many as the second cache keeps.
const GROUP_FLOATS: usize = 32 * 1024;

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
        let rows = (GROUP_FLOATS / inputs).next_multiple_of(ROWS);
        for (x, sums) in x.chunks(rows * inputs).zip(sums.chunks_mut(rows * outputs)) {
            multiply_group(simd, matrix, x, sums);
        }
    }
}

/// Multiplies rows for which each row of weights is widened once.
#[inline(always)]
fn multiply_group<S: Simd>(simd: S, matrix: &QuantizedMatrix, x: &[f32], sums: &mut [f32]) {
    let (inputs, outputs) = (matrix.inputs, matrix.outputs());
    let (full, rest) = x.split_at(x.len() - x.len() % (ROWS * inputs));
    let blocks: Vec<Vec<[S::f32s; ROWS]>> =
        full.chunks(ROWS * inputs).map(|rows| lay_beside(simd, rows, inputs)).collect();
    let last = Last::new(simd, rest, inputs);
    let mut widened = vec![0.0; OUTPUTS * inputs];
    let weights = matrix.rows.chunks(OUTPUTS * inputs).zip(matrix.scales.chunks(OUTPUTS));
    for (at, (bytes, scales)) in weights.enumerate() {
        // Of a row that is missing, what was there stays, and no scale goes with it.
        for (weight, byte) in widened.iter_mut().zip(bytes) {
            *weight = f32::from(byte.cast_signed());
        }
        let mut weights = widened.chunks_exact(inputs).map(|row| S::as_simd_f32s(row).0);
        let weights = std::array::from_fn(|_| weights.next().unwrap_or_default());
        let mut rows = sums.chunks_mut(ROWS * outputs);
        let mut add = |products: &[[f32; OUTPUTS]]| {
            add_scaled(products, scales, rows.next().unwrap_or_default(), outputs, at * OUTPUTS);
        };
        for block in &blocks {
            add(&multiply(simd, block, weights));
        }
        match &last {
            Last::None => {}
            Last::One(block) => add(&multiply(simd, block, weights)),
            Last::Two(block) => add(&multiply(simd, block, weights)),
            Last::Three(block) => add(&multiply(simd, block, weights)),
        }
    }
}

/// Adds products to some outputs of some rows, the first of them `output`.
#[inline(always)]
fn add_scaled(products: &[[f32; OUTPUTS]], scales: &[f32], rows: &mut [f32], outputs: usize, output: usize) {
    for (row, products) in rows.chunks_exact_mut(outputs).zip(products) {
        let sums = row.get_mut(output..).unwrap_or_default();
        for ((sum, product), scale) in sums.iter_mut().zip(products).zip(scales) {
            *sum += scale * product;
        }
    }
}

/// The rows that no full block holds.
enum Last<V> {
    None,
    One(Vec<[V; 1]>),
    Two(Vec<[V; 2]>),
    Three(Vec<[V; 3]>),
}

impl<V> Last<V> {
    #[inline(always)]
    fn new<S: Simd<f32s = V>>(simd: S, rows: &[f32], inputs: usize) -> Self {
        match rows.len() / inputs {
            0 => Self::None,
            1 => Self::One(lay_beside(simd, rows, inputs)),
            2 => Self::Two(lay_beside(simd, rows, inputs)),
            _ => Self::Three(lay_beside(simd, rows, inputs)),
        }
    }
}

/// Lays rows beside each other, vector by vector, so that one pass reads them all.
#[inline(always)]
fn lay_beside<S: Simd, const R: usize>(simd: S, rows: &[f32], inputs: usize) -> Vec<[S::f32s; R]> {
    let zero = simd.splat_f32s(0.0);
    let rows: [&[S::f32s]; R] =
        std::array::from_fn(|row| S::as_simd_f32s(rows.get(row * inputs..(row + 1) * inputs).unwrap_or_default()).0);
    let beside = |at| std::array::from_fn(|row| rows.get(row).and_then(|row| row.get(at)).copied().unwrap_or(zero));
    (0..inputs / S::F32_LANES).map(beside).collect()
}

/// The products of each row of a block with each row of weights.
#[inline(always)]
fn multiply<S: Simd, const R: usize>(
    simd: S,
    block: &[[S::f32s; R]],
    [one, two, three]: [&[S::f32s]; OUTPUTS],
) -> [[f32; OUTPUTS]; R] {
    let mut sums = [[simd.splat_f32s(0.0); OUTPUTS]; R];
    for (((x, one), two), three) in block.iter().zip(one).zip(two).zip(three) {
        for (sums, x) in sums.iter_mut().zip(x) {
            for (sum, weight) in sums.iter_mut().zip([one, two, three]) {
                *sum = simd.mul_add_f32s(*x, *weight, *sum);
            }
        }
    }
    // Loops, since closures that the library calls would be compiled without the processor's features.
    let mut products = [[0.0; OUTPUTS]; R];
    for (products, sums) in products.iter_mut().zip(sums) {
        for (product, sum) in products.iter_mut().zip(sums) {
            *product = simd.reduce_sum_f32s(sum);
        }
    }
    products
}
