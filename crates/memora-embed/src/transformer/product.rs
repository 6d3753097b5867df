//! The product of a matrix of bytes with rows of floats: [`QuantizedMatrix::add_product`].
//!
//! Each row of floats is rounded to integers of 16 bits by a scale of its own, as fine as a sum of 32 bits allows: to one in 32,767
//! of its greatest value where a row has 384 values, to one in 10,922 where it has 1,536. The sums are exact then, and the same on
//! every processor. A few rows of weights are widened at a time and multiplied with a few rows of integers at once, so that their
//! sums stay in registers and each number is loaded for several products; the matrix is read in place. Invariant: **what a row
//! becomes depends on no other row**, so that a text is encoded alike in any company.

use pulp::bytemuck::{Zeroable as _, cast_slice_mut};

use crate::transformer::math::{ROUNDING, lane_max};
use crate::transformer::processor::Multiplier;
use crate::transformer::weights::QuantizedMatrix;

/// How many rows of integers are multiplied at once, and with how many rows of weights: sums, weights, one row of integers and its
/// product fit into the 16 registers of AVX2.
const ROWS: usize = 4;
const OUTPUTS: usize = 2;

/// How many integers a row of weights is widened for: as many as the second cache keeps.
const GROUP_INTEGERS: usize = 64 * 1024;

/// The largest amount of a weight.
const WEIGHT_MAX: usize = 128;

/// Rows that are multiplied at once, lane by lane beside each other.
type Block<L> = Vec<[L; ROWS]>;

impl QuantizedMatrix {
    /// Adds the products of the rows of `x` with each output to the rows of `sums`.
    #[inline(always)]
    pub(super) fn add_product<M: Multiplier>(&self, multiplier: M, x: &[f32], sums: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let rows = (GROUP_INTEGERS / inputs).next_multiple_of(ROWS);
        let mut widened = vec![M::Lane::zeroed(); OUTPUTS * inputs / M::LANES];
        for (x, sums) in x.chunks(rows * inputs).zip(sums.chunks_mut(rows * outputs)) {
            self.multiply_group(multiplier, &mut widened, x, sums);
        }
    }

    /// Multiplies rows for which each row of weights is widened once, into `widened`.
    #[inline(always)]
    fn multiply_group<M: Multiplier>(&self, multiplier: M, widened: &mut [M::Lane], x: &[f32], sums: &mut [f32]) {
        let (inputs, outputs) = (self.inputs, self.outputs());
        let blocks: Vec<(Block<M::Lane>, [f32; ROWS])> =
            x.chunks(ROWS * inputs).map(|rows| round_rows::<M>(rows, inputs)).collect();
        let weights = self.rows.chunks(OUTPUTS * inputs).zip(self.scales.chunks(OUTPUTS));
        for (at, (bytes, weight_scales)) in weights.enumerate() {
            // Of a row that is missing, what was there stays, and no scale goes with it.
            for (weight, byte) in cast_slice_mut::<_, i16>(widened).iter_mut().zip(bytes) {
                *weight = i16::from(byte.cast_signed());
            }
            let mut weights = widened.chunks_exact(inputs / M::LANES);
            let weights = std::array::from_fn(|_| weights.next().unwrap_or_default());
            for ((block, row_scales), rows) in blocks.iter().zip(sums.chunks_mut(ROWS * outputs)) {
                let products = multiply(multiplier, block, weights);
                add_scaled(&products, row_scales, weight_scales, rows, outputs, at * OUTPUTS);
            }
        }
    }
}

/// Adds products to some outputs of some rows, the first of them `output`.
#[inline(always)]
fn add_scaled(
    products: &[[i32; ROWS]; OUTPUTS],
    row_scales: &[f32; ROWS],
    weight_scales: &[f32],
    rows: &mut [f32],
    outputs: usize,
    output: usize,
) {
    for (at, (products, weight_scale)) in products.iter().zip(weight_scales).enumerate() {
        let mut scaled = [0.0; ROWS];
        for ((scaled, product), row_scale) in scaled.iter_mut().zip(products).zip(row_scales) {
            #[expect(clippy::cast_precision_loss, reason = "the rest is finer than what was rounded")]
            let product = *product as f32;
            *scaled = product * row_scale * weight_scale;
        }
        for (row, scaled) in scaled.into_iter().enumerate() {
            if let Some(sum) = rows.get_mut(row * outputs + output + at) {
                *sum += scaled;
            }
        }
    }
}

/// Rounds rows, four at most, and lays them beside each other, so that one pass reads them all. Also returns what an integer of each
/// is worth.
#[inline(always)]
fn round_rows<M: Multiplier>(rows: &[f32], inputs: usize) -> (Block<M::Lane>, [f32; ROWS]) {
    let finest = (i32::MAX.unsigned_abs() as usize / (WEIGHT_MAX * inputs)).min(i16::MAX.unsigned_abs().into());
    #[expect(clippy::cast_precision_loss, reason = "at most 32,767")]
    let finest = finest as f32;
    let mut block = vec![[M::Lane::zeroed(); ROWS]; inputs / M::LANES];
    let mut scales = [0.0; ROWS];
    for (at, (row, scale)) in rows.chunks_exact(inputs).zip(&mut scales).enumerate() {
        let most = lane_max(row, f32::abs);
        if most == 0.0 {
            continue;
        }
        *scale = most / finest;
        let factor = finest / most;
        for (lanes, values) in block.iter_mut().zip(row.chunks_exact(M::LANES)) {
            let integers = cast_slice_mut::<_, i16>(lanes.get_mut(at..=at).unwrap_or_default());
            for (integer, value) in integers.iter_mut().zip(values) {
                let rounded = value * factor + ROUNDING;
                *integer = rounded.to_bits() as i16;
            }
        }
    }
    (block, scales)
}

/// The products of each row of a block with each row of weights.
#[inline(always)]
fn multiply<M: Multiplier>(
    multiplier: M,
    block: &[[M::Lane; ROWS]],
    weights: [&[M::Lane]; OUTPUTS],
) -> [[i32; ROWS]; OUTPUTS] {
    let mut sums = [[multiplier.zero(); ROWS]; OUTPUTS];
    let [one, two] = weights;
    for ((x, one), two) in block.iter().zip(one).zip(two) {
        for (sums, weight) in sums.iter_mut().zip([*one, *two]) {
            for (sum, x) in sums.iter_mut().zip(x) {
                *sum = multiplier.add_products(*sum, *x, weight);
            }
        }
    }
    let [one, two] = sums;
    [multiplier.totals(one), multiplier.totals(two)]
}
