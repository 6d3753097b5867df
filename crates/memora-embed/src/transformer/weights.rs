//! Reads and validates the weights file.
//!
//! Invariant: **a damaged file is an error**, and any accepted file can be run. `assets/README.md` describes the
//! format, which `training/export.py` writes.

use ndarray::{Array1, Array2};

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
    rows: Vec<u8>,
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

/// A linear layer, transposed for multiplication from the right: a column an output.
pub(super) struct LinearLayer {
    pub(super) weights: Array2<f32>,
    pub(super) bias: Array1<f32>,
}

/// The scale and the shift of a layer norm.
pub(super) struct LayerNorm {
    pub(super) scale: Vec<f32>,
    pub(super) shift: Vec<f32>,
}

/// Reads a weights file from its beginning to its end.
pub(super) struct WeightsReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> WeightsReader<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Result<Self, WeightsError> {
        match bytes.starts_with(MAGIC) {
            true => Ok(Self { bytes, at: MAGIC.len() }),
            false => Err(WeightsError::Magic),
        }
    }

    fn take_bytes(&mut self, length: usize) -> Result<&'b [u8], WeightsError> {
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(self.at..end)).ok_or(WeightsError::Truncated { at: self.at })?;
        self.at += length;
        Ok(taken)
    }

    fn read_count(&mut self) -> Result<usize, WeightsError> {
        let (words, _) = self.take_bytes(4)?.as_chunks::<4>();
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
            && shape.width.is_multiple_of(2)
            && shape.width <= 8192
            && shape.inner.max(shape.compared) <= 65_536;
        if fits && shape.layers <= 64 { Ok(shape) } else { Err(WeightsError::Shape) }
    }

    pub(super) fn read_floats(&mut self, count: usize) -> Result<Vec<f32>, WeightsError> {
        let (words, _) = self.take_bytes(count.saturating_mul(4))?.as_chunks::<4>();
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
        let rows = self.take_bytes(shape.pieces.saturating_mul(shape.width / 2))?.to_vec();
        Ok(PieceTable { scales, rows, width: shape.width })
    }

    /// A scale for each row, then the rows in a byte a weight, as they stand in the file.
    pub(super) fn read_matrix(&mut self, rows: usize, columns: usize) -> Result<Array2<f32>, WeightsError> {
        let scales = self.read_floats(rows)?;
        let bytes = self.take_bytes(rows.saturating_mul(columns))?;
        let weights = scales
            .iter()
            .zip(bytes.chunks_exact(columns))
            .flat_map(|(scale, row)| row.iter().map(move |byte| scale * f32::from(byte.cast_signed())));
        Array2::from_shape_vec((rows, columns), weights.collect()).map_err(|_| WeightsError::Shape)
    }

    pub(super) fn read_linear(&mut self, from: usize, to: usize) -> Result<LinearLayer, WeightsError> {
        let rows = self.read_matrix(to, from)?;
        // Laid out by input, so that a product runs along memory.
        let weights = rows.t().as_standard_layout().into_owned();
        Ok(LinearLayer { weights, bias: Array1::from_vec(self.read_floats(to)?) })
    }

    pub(super) fn read_norm(&mut self, width: usize) -> Result<LayerNorm, WeightsError> {
        Ok(LayerNorm { scale: self.read_floats(width)?, shift: self.read_floats(width)? })
    }

    pub(super) fn expect_end(&self) -> Result<(), WeightsError> {
        if self.at == self.bytes.len() { Ok(()) } else { Err(WeightsError::Trailing { at: self.at }) }
    }
}
