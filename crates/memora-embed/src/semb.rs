//! The static model's file format: [`StaticModel`], its tables in memory.
//!
//! Invariant: **a damaged file is an error**, and any accepted file can be embedded with. Static bytes, such as those
//! in the program, are used in place without a copy. `assets/README.md` describes the format. Out of scope: writing
//! one.

use std::borrow::Cow;
use std::ops::Range;

use crate::vocabulary::Vocabulary;

const MAGIC: &[u8] = b"SEMB0001";

/// An upper bound on dimensions, so that a corrupt count cannot exhaust the memory.
const DIMENSIONS_MAX: usize = 8192;

/// Why bytes are not a valid model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StaticModelError {
    /// They begin with something else than a model does.
    #[error("no model of this format")]
    Magic,
    /// They end too early.
    #[error("the model ends at byte {at} in the middle of something")]
    Truncated {
        /// Where something began that is not all there.
        at: usize,
    },
    /// Something is left over.
    #[error("the model goes on behind its end at byte {at}")]
    Trailing {
        /// Where the model ends.
        at: usize,
    },
    /// There are no rows of such a kind.
    #[error("the model has rows of {dimensions} times {bits} bits")]
    Rows {
        /// How many weights a row has.
        dimensions: usize,
        /// How many bits a weight has.
        bits: usize,
    },
    /// The vocabulary is no text.
    #[error("the vocabulary is not UTF-8 from its byte {at} on")]
    Encoding {
        /// Where in the vocabulary.
        at: usize,
    },
    /// The vocabulary has more or fewer pieces than the model says.
    #[error("the vocabulary has {found} pieces where {expected} are due")]
    Pieces {
        /// How many the model says.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A piece has two rows.
    #[error("piece number {number} of the vocabulary is there twice")]
    Repeated {
        /// The number of the second.
        number: usize,
    },
    /// A scale is no number.
    #[error("the scale of piece number {number} is not finite")]
    Scale {
        /// The number of the piece.
        number: usize,
    },
}

/// The encoding of a weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WeightWidth {
    /// Two in a byte, the lower half first, eight too high.
    Four,
    /// As an `i8`.
    Eight,
}

/// The tables of a model file.
pub(crate) struct StaticModel {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) dimensions: usize,
    pub(crate) width: WeightWidth,
    /// The factors of the rows' weights, one for each piece.
    pub(crate) scales: Vec<f32>,
    /// A row for each piece.
    rows: Cow<'static, [u8]>,
}

impl StaticModel {
    pub(crate) fn load(bytes: Cow<'static, [u8]>) -> Result<Self, StaticModelError> {
        let mut cursor = SembCursor { bytes: &bytes, at: 0 };
        if cursor.take_range(MAGIC.len()).ok().and_then(|range| bytes.get(range)) != Some(MAGIC) {
            return Err(StaticModelError::Magic);
        }
        let (count, dimensions, bits) = (cursor.read_count()?, cursor.read_count()?, cursor.read_count()?);
        let width = match bits {
            4 if dimensions.is_multiple_of(2) => WeightWidth::Four,
            8 => WeightWidth::Eight,
            _ => return Err(StaticModelError::Rows { dimensions, bits }),
        };
        if !(1..=DIMENSIONS_MAX).contains(&dimensions) {
            return Err(StaticModelError::Rows { dimensions, bits });
        }
        let length = cursor.read_count()?;
        let text = cursor.take_range(length)?;
        cursor.take_range(length.wrapping_neg() % ALIGNMENT)?;
        let scales = cursor.take_range(count.saturating_mul(size_of::<f32>()))?;
        let rows = cursor.take_range(count.saturating_mul(dimensions * bits / 8))?;
        if cursor.at < bytes.len() {
            return Err(StaticModelError::Trailing { at: cursor.at });
        }

        if let Some(Err(error)) = bytes.get(text.clone()).map(str::from_utf8) {
            return Err(StaticModelError::Encoding { at: error.valid_up_to() });
        }
        let part = |range: Range<usize>| match &bytes {
            Cow::Borrowed(bytes) => Cow::Borrowed(bytes.get(range).unwrap_or_default()),
            Cow::Owned(bytes) => Cow::Owned(bytes.get(range).unwrap_or_default().to_vec()),
        };
        let vocabulary = Vocabulary::new(part(text));
        let vocabulary = vocabulary.map_err(|repeated| StaticModelError::Repeated { number: repeated.number })?;
        if vocabulary.count() != count {
            return Err(StaticModelError::Pieces { expected: count, found: vocabulary.count() });
        }
        let scales = bytes.get(scales).unwrap_or_default().as_chunks().0;
        let scales: Vec<f32> = scales.iter().map(|scale| f32::from_le_bytes(*scale)).collect();
        if let Some(number) = scales.iter().position(|scale| !scale.is_finite()) {
            return Err(StaticModelError::Scale { number });
        }
        Ok(Self { vocabulary, dimensions, width, scales, rows: part(rows) })
    }

    /// Returns the row of the piece of that number, or nothing.
    pub(crate) fn row(&self, number: u32) -> &[u8] {
        let length = match self.width {
            WeightWidth::Four => self.dimensions / 2,
            WeightWidth::Eight => self.dimensions,
        };
        let start = (number as usize).saturating_mul(length);
        self.rows.get(start..start.saturating_add(length)).unwrap_or_default()
    }
}

/// What follows the vocabulary begins at a multiple of this, and the vocabulary does too.
const ALIGNMENT: usize = 4;

/// A position in a model file; all numbers are little endian.
struct SembCursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl SembCursor<'_> {
    fn take_range(&mut self, count: usize) -> Result<Range<usize>, StaticModelError> {
        let (start, end) = (self.at, self.at.saturating_add(count));
        if end > self.bytes.len() {
            return Err(StaticModelError::Truncated { at: start });
        }
        self.at = end;
        Ok(start..end)
    }

    fn read_count(&mut self) -> Result<usize, StaticModelError> {
        let at = self.at;
        let bytes = self.take_range(size_of::<u32>())?;
        let bytes = self.bytes.get(bytes).and_then(|bytes| bytes.first_chunk());
        bytes.map(|bytes| u32::from_le_bytes(*bytes) as usize).ok_or(StaticModelError::Truncated { at })
    }
}
