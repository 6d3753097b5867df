//! The network itself: piece ids in, a vector for each out.
//!
//! All texts are stacked in one matrix, a row a piece, so that nothing is padded: the linear layers take all rows at
//! once, attention runs per text. `product.rs` multiplies with weights; attention's products are `ndarray`'s.

use std::borrow::Cow;
use std::ops::Range;

use ndarray::{Array2, ArrayView1, ArrayView2, ArrayViewMut1, Axis, Slice};

use crate::transformer::weights::{LayerNorm, LinearLayer, PieceTable, QuantizedMatrix, WeightsError, WeightsReader};
use crate::vector::Vector;

/// The ids of `[CLS]` and `[SEP]` in BERT's vocabulary.
const CLS_ID: u32 = 101;
const SEP_ID: u32 = 102;

/// The number of special tokens around a text.
pub(super) const MARK_COUNT: usize = 2;

/// Added to a variance before its root is taken, as in the reference.
const EPSILON: f32 = 1e-12;

pub(super) struct EncoderNetwork {
    pieces: PieceTable,
    positions: Array2<f32>,
    norm: LayerNorm,
    layers: Vec<EncoderLayer>,
    heads: usize,
    /// Projection to the vectors that are compared.
    project: QuantizedMatrix,
    /// Weights of a piece's importance in a question; the last one is the bias.
    matter: Vec<f32>,
}

/// An encoded text, special tokens included.
pub(super) struct EncodedText {
    /// The vector of each piece.
    pub(super) pieces: Vec<Vector>,
    /// The importance of each piece; they sum to one.
    pub(super) matters: Vec<f32>,
    /// The mean of the last layer over all pieces.
    pub(super) mean: Vector,
}

struct EncoderLayer {
    /// Queries, keys and values beside each other.
    attended: LinearLayer,
    mixed: LinearLayer,
    mixed_norm: LayerNorm,
    wide: LinearLayer,
    narrow: LinearLayer,
    narrow_norm: LayerNorm,
}

impl EncoderNetwork {
    pub(super) fn load(bytes: Cow<'static, [u8]>) -> Result<Self, WeightsError> {
        let mut reader = WeightsReader::new(bytes)?;
        let shape = reader.read_shape()?;
        let width = shape.width;
        let pieces = reader.read_pieces(shape)?;
        let positions = reader.read_widened(shape.positions, width)?;
        let norm = reader.read_norm(width)?;
        let layer = |_| {
            Ok(EncoderLayer {
                attended: reader.read_linear(width, 3 * width)?,
                mixed: reader.read_linear(width, width)?,
                mixed_norm: reader.read_norm(width)?,
                wide: reader.read_linear(width, shape.inner)?,
                narrow: reader.read_linear(shape.inner, width)?,
                narrow_norm: reader.read_norm(width)?,
            })
        };
        let layers = (0..shape.layers).map(layer).collect::<Result<_, _>>()?;
        let project = reader.read_matrix(shape.compared, width)?;
        let matter = reader.read_floats(width + 1)?;
        reader.expect_end()?;
        Ok(Self { pieces, positions, norm, layers, heads: shape.heads, project, matter })
    }

    /// The number of values in a piece's vector.
    pub(super) fn width(&self) -> usize {
        self.project.outputs()
    }

    /// The number of values in a text's vector.
    pub(super) fn state_width(&self) -> usize {
        self.positions.ncols()
    }

    /// Encodes texts, independently of each other.
    pub(super) fn encode_texts(&self, texts: &[&[u32]]) -> Vec<EncodedText> {
        let longest = self.positions.nrows().saturating_sub(MARK_COUNT);
        let texts: Vec<&[u32]> = texts.iter().map(|text| text.get(..longest).unwrap_or(text)).collect();
        let rows = texts.iter().map(|text| text.len() + MARK_COUNT).sum();
        let mut x = Array2::zeros((rows, self.positions.ncols()));
        let mut row = 0;
        let mut spans = Vec::with_capacity(texts.len());
        for text in texts {
            let start = row;
            let marked = [CLS_ID].into_iter().chain(text.iter().copied()).chain([SEP_ID]);
            for (piece, position) in marked.zip(self.positions.outer_iter()) {
                let mut sums = x.row_mut(row);
                sums.assign(&position);
                if let Some(sums) = sums.as_slice_mut() {
                    self.pieces.add_row_to(piece, sums);
                }
                row += 1;
            }
            spans.push(start..row);
        }
        layer_norm(&mut x, &self.norm);
        for layer in &self.layers {
            let attended = self_attention(&layer.attended.apply(&x), &spans, self.heads);
            x += &layer.mixed.apply(&attended);
            layer_norm(&mut x, &layer.mixed_norm);
            let mut wide = layer.wide.apply(&x);
            wide.as_slice_mut().unwrap_or_default().iter_mut().for_each(|value| *value = gelu(*value));
            x += &layer.narrow.apply(&wide);
            layer_norm(&mut x, &layer.narrow_norm);
        }
        let mut directions = Array2::zeros((rows, self.project.outputs()));
        self.project.add_product_to(&x, &mut directions);
        let read = |span: Range<usize>| {
            let pieces = directions.slice_axis(Axis(0), span.clone().into());
            let pieces = pieces.outer_iter().map(|piece| Vector::normalized(piece.to_vec())).collect();
            let states = x.slice_axis(Axis(0), span.into());
            let mut matters: Vec<f32> = states.outer_iter().map(|state| self.piece_importance(state)).collect();
            softmax(ArrayViewMut1::from(matters.as_mut_slice()), 1.0);
            let mean = Vector::normalized(states.sum_axis(Axis(0)).to_vec());
            EncodedText { pieces, matters, mean }
        };
        spans.into_iter().map(read).collect()
    }

    fn piece_importance(&self, state: ArrayView1<'_, f32>) -> f32 {
        let more = self.matter.get(state.len()).copied().unwrap_or_default();
        state.iter().zip(&self.matter).map(|(value, weight)| value * weight).sum::<f32>() + more
    }
}

impl QuantizedMatrix {
    fn add_product_to(&self, x: &Array2<f32>, sums: &mut Array2<f32>) {
        if let (Some(x), Some(sums)) = (x.as_slice(), sums.as_slice_mut()) {
            self.add_product(x, sums);
        }
    }
}

impl LinearLayer {
    fn apply(&self, x: &Array2<f32>) -> Array2<f32> {
        let shape = (x.nrows(), self.bias.len());
        let mut out = self.bias.broadcast(shape).map_or_else(|| Array2::zeros(shape), |bias| bias.to_owned());
        self.weights.add_product_to(x, &mut out);
        out
    }
}

/// Scaled dot-product attention, each text to itself: `softmax(Q Kᵀ / √d) V` for each head.
fn self_attention(qkv: &Array2<f32>, spans: &[Range<usize>], heads: usize) -> Array2<f32> {
    let width = qkv.ncols() / 3;
    let size = width / heads;
    #[expect(clippy::cast_precision_loss, reason = "a head is some dozens wide")]
    let scale = (size as f32).sqrt().recip();
    let mut mixed = Array2::zeros((qkv.nrows(), width));
    for span in spans {
        for head in 0..heads {
            let part = |which: usize| {
                let from = which * width + head * size;
                submatrix(qkv.view(), span.clone(), from..from + size)
            };
            let mut weights = part(0).dot(&part(1).t());
            weights.outer_iter_mut().for_each(|row| softmax(row, scale));
            let of_head = Slice::from(head * size..(head + 1) * size);
            let mut mixed = mixed.slice_axis_mut(Axis(0), span.clone().into());
            mixed.slice_axis_mut(Axis(1), of_head).assign(&weights.dot(&part(2)));
        }
    }
    mixed
}

fn submatrix(x: ArrayView2<'_, f32>, rows: Range<usize>, columns: Range<usize>) -> ArrayView2<'_, f32> {
    x.slice_axis_move(Axis(0), rows.into()).slice_axis_move(Axis(1), columns.into())
}

fn softmax(mut row: ArrayViewMut1<'_, f32>, scale: f32) {
    let most = row.fold(f32::NEG_INFINITY, |most, value| most.max(*value));
    row.mapv_inplace(|value| ((value - most) * scale).exp());
    let sum = row.sum();
    row /= sum;
}

/// Layer norm, each row by itself.
fn layer_norm(x: &mut Array2<f32>, norm: &LayerNorm) {
    #[expect(clippy::cast_precision_loss, reason = "a row has some hundred values")]
    let width = x.ncols() as f32;
    for mut row in x.outer_iter_mut() {
        let Some(row) = row.as_slice_mut() else { continue };
        let mean = row.iter().sum::<f32>() / width;
        let variance = row.iter().map(|value| (value - mean) * (value - mean)).sum::<f32>() / width;
        let factor = (variance + EPSILON).sqrt().recip();
        for ((value, scale), shift) in row.iter_mut().zip(&norm.scale).zip(&norm.shift) {
            *value = (*value - mean) * factor * scale + shift;
        }
    }
}

/// The Gaussian error linear unit, `x Φ(x)`.
#[inline(always)]
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2))
}

/// The error function, to a few units in the last place: the rational approximation that Eigen uses, without a branch.
#[inline(always)]
fn erf(x: f32) -> f32 {
    const ABOVE: [f32; 7] = [
        -2.726_142_3e-10,
        2.770_681_4e-8,
        -2.101_024e-6,
        -5.692_506_5e-5,
        -7.349_906_3e-4,
        -2.954_6e-3,
        -1.609_603_3e-2,
    ];
    const BELOW: [f32; 5] = [-1.456_607_2e-5, -2.133_740_6e-4, -1.682_827e-3, -7.373_329e-3, -1.426_473_9e-2];
    let x = x.clamp(-4.0, 4.0);
    let square = x * x;
    let polynomial = |terms: &[f32]| terms.iter().fold(0.0, |sum, term| sum * square + term);
    x * polynomial(&ABOVE) / polynomial(&BELOW)
}

#[cfg(test)]
mod tests {
    use ndarray::Array1;

    use super::*;

    #[test]
    fn the_error_function_is_that_of_the_tables() {
        for (x, expect) in
            [(0.0, 0.0), (0.1, 0.112_462_92), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (2.0, 0.995_322_3), (3.5, 1.0)]
        {
            assert!((erf(x) - expect).abs() < 2e-6, "{x}: {}", erf(x));
            assert!((erf(-x) + expect).abs() < 2e-6, "-{x}");
        }
        assert!((gelu(1.0) - 0.841_344_7).abs() < 2e-6);
    }

    #[test]
    fn weights_of_attention_sum_to_one() {
        let mut row = Array1::from(vec![1.0, 2.0, 3.0]);
        softmax(row.view_mut(), 1.0);
        assert!((row.sum() - 1.0).abs() < 1e-6);
        assert!(row[2] > row[1] && row[1] > row[0]);
    }
}
