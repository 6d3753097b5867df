//! Reads and validates the weights file.
//!
//! Invariant: **a damaged file is an error**, and any accepted file can be run. `assets/README.md` describes the
//! format, which `training/export.py` writes. Matrices stay as they stand there, a byte a weight: loading takes no time, and a process no memory that another one could not share.

use std::borrow::Cow;

use bytes::Bytes;

use crate::transformer::processor::LANES_MAX;

const MAGIC: &[u8] = b"MTRF0001";

/// An upper bound on all counts, so that a corrupt number cannot exhaust the memory.
const COUNT_MAX: usize = 1 << 20;

/// Why bytes are not valid weights.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WeightsError {
    /// They begin with something else.
    #[error("no weights of this format")]
    Magic,
    /// They end too early.
    #[error("the weights end at byte {at} in the middle of something")]
    Truncated {
        /// Where something began that is not all there.
        at: usize,
    },
    /// Something is left over.
    #[error("the weights go on behind their end at byte {at}")]
    Trailing {
        /// Where they end.
        at: usize,
    },
    /// There is no network of such a shape.
    #[error("the weights are of a network of no possible shape")]
    Shape,
    /// A number is none.
    #[error("a weight before byte {at} is not finite")]
    NotFinite {
        /// Where the numbers end that it is among.
        at: usize,
    },
}

/// The dimensions of the network, from the head of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct NetworkShape {
    pub(super) pieces: usize,
    pub(super) width: usize,
    pub(super) layers: usize,
    pub(super) heads: usize,
    pub(super) inner: usize,
    pub(super) positions: usize,
    /// Values of a vector that is compared.
    pub(super) compared: usize,
}

/// The piece embeddings, four bits a weight as in the file: two in a byte, the lower half first, offset by eight.
pub(super) struct PieceTable {
    scales: Vec<f32>,
    rows: Bytes,
    width: usize,
}

impl PieceTable {
    /// Adds a piece's row to `sums`; a piece that is not there adds nothing.
    pub(super) fn add_row_to(&self, piece: u32, sums: &mut [f32]) {
        let (half, at) = (self.width / 2, piece as usize);
        let Some(scale) = self.scales.get(at) else { return };
        let Some(row) = self.rows.get(at * half..(at + 1) * half) else { return };
        let (pairs, _) = sums.as_chunks_mut::<2>();
        for ([low, high], byte) in pairs.iter_mut().zip(row) {
            *low += scale * (f32::from(byte & 0xf) - 8.0);
            *high += scale * (f32::from(byte >> 4) - 8.0);
        }
    }
}

/// A matrix as in the file: a row an output, a byte a weight, and a scale for each row.
pub(super) struct QuantizedMatrix {
    pub(super) scales: Vec<f32>,
    pub(super) rows: Bytes,
    /// Weights of a row: the inputs.
    pub(super) inputs: usize,
}

impl QuantizedMatrix {
    /// The number of outputs.
    pub(super) fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// All weights, an output a row.
    fn widen(&self) -> Vec<f32> {
        let rows = self.scales.iter().zip(self.rows.chunks_exact(self.inputs));
        rows.flat_map(|(scale, row)| row.iter().map(move |byte| scale * f32::from(byte.cast_signed()))).collect()
    }
}

/// A linear layer.
pub(super) struct LinearLayer {
    pub(super) weights: QuantizedMatrix,
    pub(super) bias: Vec<f32>,
}

/// The scale and the shift of a layer norm.
pub(super) struct LayerNorm {
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
}

/// Reads a weights file from its beginning to its end.
pub(super) struct WeightsReader {
    bytes: Bytes,
    at: usize,
}

impl WeightsReader {
    pub(super) fn new(bytes: Cow<'static, [u8]>) -> Result<Self, WeightsError> {
        let bytes = match bytes {
            Cow::Borrowed(bytes) => Bytes::from_static(bytes),
            Cow::Owned(bytes) => Bytes::from(bytes),
        };
        match bytes.starts_with(MAGIC) {
            true => Ok(Self { bytes, at: MAGIC.len() }),
            false => Err(WeightsError::Magic),
        }
    }

    fn take_bytes(&mut self, length: usize) -> Result<Bytes, WeightsError> {
        match self.at.checked_add(length) {
            Some(end) if end <= self.bytes.len() => {
                let taken = self.bytes.slice(self.at..end);
                self.at = end;
                Ok(taken)
            }
            _ => Err(WeightsError::Truncated { at: self.at }),
        }
    }

    fn read_count(&mut self) -> Result<usize, WeightsError> {
        let taken = self.take_bytes(4)?;
        let (words, _) = taken.as_chunks::<4>();
        let count = words.first().map_or(0, |word| u32::from_le_bytes(*word)) as usize;
        if (1..=COUNT_MAX).contains(&count) { Ok(count) } else { Err(WeightsError::Shape) }
    }

    pub(super) fn read_shape(&mut self) -> Result<NetworkShape, WeightsError> {
        let shape = NetworkShape {
            pieces: self.read_count()?,
            width: self.read_count()?,
            layers: self.read_count()?,
            heads: self.read_count()?,
            inner: self.read_count()?,
            positions: self.read_count()?,
            compared: self.read_count()?,
        };
        let fits = shape.width.is_multiple_of(shape.heads)
            && shape.width.is_multiple_of(LANES_MAX)
            && shape.inner.is_multiple_of(LANES_MAX)
            && shape.width <= 8192
            && shape.inner.max(shape.compared) <= 65_536;
        if fits && shape.layers <= 64 { Ok(shape) } else { Err(WeightsError::Shape) }
    }

    pub(super) fn read_floats(&mut self, count: usize) -> Result<Vec<f32>, WeightsError> {
        let taken = self.take_bytes(count.saturating_mul(4))?;
        let (words, _) = taken.as_chunks::<4>();
        let floats: Vec<f32> = words.iter().map(|word| f32::from_le_bytes(*word)).collect();
        if floats.iter().all(|float| float.is_finite()) {
            Ok(floats)
        } else {
            Err(WeightsError::NotFinite { at: self.at })
        }
    }

    /// A scale for each row, then the rows in four bits.
    pub(super) fn read_pieces(&mut self, shape: NetworkShape) -> Result<PieceTable, WeightsError> {
        let scales = self.read_floats(shape.pieces)?;
        let rows = self.take_bytes(shape.pieces.saturating_mul(shape.width / 2))?;
        Ok(PieceTable { scales, rows, width: shape.width })
    }

    /// A scale for each row, then the rows in a byte a weight.
    pub(super) fn read_matrix(&mut self, outputs: usize, inputs: usize) -> Result<QuantizedMatrix, WeightsError> {
        let scales = self.read_floats(outputs)?;
        Ok(QuantizedMatrix { scales, rows: self.take_bytes(outputs.saturating_mul(inputs))?, inputs })
    }

    /// A matrix of few weights, widened: its rows, one after the other.
    pub(super) fn read_widened(&mut self, rows: usize, columns: usize) -> Result<Vec<f32>, WeightsError> {
        Ok(self.read_matrix(rows, columns)?.widen())
    }

    pub(super) fn read_linear(&mut self, inputs: usize, outputs: usize) -> Result<LinearLayer, WeightsError> {
        let weights = self.read_matrix(outputs, inputs)?;
        Ok(LinearLayer { weights, bias: self.read_floats(outputs)? })
    }

    pub(super) fn read_norm(&mut self, width: usize) -> Result<LayerNorm, WeightsError> {
        Ok(LayerNorm { scale: self.read_floats(width)?, shift: self.read_floats(width)? })
    }

    pub(super) fn expect_end(&self) -> Result<(), WeightsError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(WeightsError::Trailing { at: self.at }) }
    }
}
