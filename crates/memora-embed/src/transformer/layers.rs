//! The network itself: piece ids in, a vector for each out.
//!
//! All texts are stacked, a row a piece, so that nothing is padded: the linear layers take all rows at once (`product.rs`), attention
//! runs per text (`attention.rs`).

use std::borrow::Cow;
use std::ops::Range;

use crate::transformer::attention::{Attended, softmax};
use crate::transformer::math::{gelu, lane_sum};
use crate::transformer::processor::{self, Computation, Multiplier};
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
    /// A row a position, each as wide as `width`.
    positions: Vec<f32>,
    width: usize,
    norm: LayerNorm,
    layers: Vec<EncoderLayer>,
    heads: usize,
    /// Projection to the vectors that are compared.
    project: QuantizedMatrix,
    /// Weights of a piece's importance in a question; the last one is the bias.
    matter: Vec<f32>,
}

/// An encoded text, special tokens included.
#[derive(Default)]
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
        Ok(Self { pieces, positions, width, norm, layers, heads: shape.heads, project, matter })
    }

    /// The number of values in a piece's vector.
    pub(super) fn width(&self) -> usize {
        self.project.outputs()
    }

    /// The number of values in a text's vector.
    pub(super) fn state_width(&self) -> usize {
        self.width
    }

    /// Encodes texts, independently of each other.
    pub(super) fn encode_texts(&self, texts: &[&[u32]]) -> Vec<EncodedText> {
        let (states, spans) = self.look_up(texts);
        let (states, directions) = processor::run(Pass { network: self, states, spans: &spans });
        let compared = self.width();
        let read = |span: Range<usize>| {
            let pieces = part_of_rows(&directions, &span, compared).chunks_exact(compared);
            let pieces = pieces.map(|piece| Vector::normalized(piece.to_vec())).collect();
            let states = part_of_rows(&states, &span, self.width);
            let mut matters: Vec<f32> =
                states.chunks_exact(self.width).map(|state| self.piece_importance(state)).collect();
            softmax(&mut matters, 1.0);
            let mut sums = vec![0.0; self.width];
            for state in states.chunks_exact(self.width) {
                add(&mut sums, state);
            }
            EncodedText { pieces, matters, mean: Vector::normalized(sums) }
        };
        spans.iter().cloned().map(read).collect()
    }

    /// The sums of piece and position of all texts, a row a piece, and the rows of each text. What is longer than the network's
    /// positions is truncated.
    fn look_up(&self, texts: &[&[u32]]) -> (Vec<f32>, Vec<Range<usize>>) {
        let longest = (self.positions.len() / self.width).saturating_sub(MARK_COUNT);
        let mut states = Vec::new();
        let mut spans = Vec::with_capacity(texts.len());
        for text in texts {
            let text = text.get(..longest).unwrap_or(text);
            let start = states.len() / self.width;
            let marked = [CLS_ID].into_iter().chain(text.iter().copied()).chain([SEP_ID]);
            for (piece, position) in marked.zip(self.positions.chunks_exact(self.width)) {
                let row = states.len();
                states.extend_from_slice(position);
                self.pieces.add_row_to(piece, states.get_mut(row..).unwrap_or_default());
            }
            spans.push(start..states.len() / self.width);
        }
        (states, spans)
    }

    fn piece_importance(&self, state: &[f32]) -> f32 {
        let more = self.matter.get(state.len()).copied().unwrap_or_default();
        state.iter().zip(&self.matter).map(|(value, weight)| value * weight).sum::<f32>() + more
    }
}

/// The rows of one text among those of all.
fn part_of_rows<'r>(rows: &'r [f32], span: &Range<usize>, width: usize) -> &'r [f32] {
    rows.get(span.start * width..span.end * width).unwrap_or_default()
}

/// One pass of stacked texts through the network: their states after the last layer, and their directions.
struct Pass<'n> {
    network: &'n EncoderNetwork,
    states: Vec<f32>,
    spans: &'n [Range<usize>],
}

impl Computation for Pass<'_> {
    type Output = (Vec<f32>, Vec<f32>);

    #[inline(always)]
    fn compute<M: Multiplier>(self, multiplier: M) -> Self::Output {
        let Self { network, states: mut x, spans } = self;
        layer_norm(&mut x, &network.norm);
        for layer in &network.layers {
            let rows = layer.attended.apply(multiplier, &x);
            let attended = Attended { rows: &rows, width: network.width, heads: network.heads }.attend(spans);
            add(&mut x, &layer.mixed.apply(multiplier, &attended));
            layer_norm(&mut x, &layer.mixed_norm);
            let mut wide = layer.wide.apply(multiplier, &x);
            for value in &mut wide {
                *value = gelu(*value);
            }
            add(&mut x, &layer.narrow.apply(multiplier, &wide));
            layer_norm(&mut x, &layer.narrow_norm);
        }
        let mut directions = vec![0.0; x.len() / network.width * network.width()];
        network.project.add_product(multiplier, &x, &mut directions);
        (x, directions)
    }
}

impl LinearLayer {
    #[inline(always)]
    fn apply<M: Multiplier>(&self, multiplier: M, x: &[f32]) -> Vec<f32> {
        let mut out = self.bias.repeat(x.len() / self.weights.inputs);
        self.weights.add_product(multiplier, x, &mut out);
        out
    }
}

#[inline(always)]
fn add(sums: &mut [f32], values: &[f32]) {
    for (sum, value) in sums.iter_mut().zip(values) {
        *sum += value;
    }
}

/// Layer norm, each row by itself.
#[inline(always)]
fn layer_norm(x: &mut [f32], norm: &LayerNorm) {
    #[expect(clippy::cast_precision_loss, reason = "a row has some hundred values")]
    let width = norm.scale.len() as f32;
    for row in x.chunks_exact_mut(norm.scale.len()) {
        let mean = lane_sum(row, |value| value) / width;
        let variance = lane_sum(row, |value| (value - mean) * (value - mean)) / width;
        let factor = (variance + EPSILON).sqrt().recip();
        for ((value, scale), shift) in row.iter_mut().zip(&norm.scale).zip(&norm.shift) {
            *value = (*value - mean) * factor * scale + shift;
        }
    }
}
