//! The built-in embedder: [`StaticEmbedder`].
//!
//! Every word piece has a row of weights; a text's vector is the sum of its pieces' rows. Word order and negation are
//! lost: `assets/README.md` says what it is good for. Invariant: **it always works.** There is nothing to install,
//! nothing that can fail, and any text is embedded in time linear in its length.

use std::borrow::Cow;
use std::sync::LazyLock;

use crate::embedder::{EmbedError, Embedder, EmbedderId};
use crate::pre_tokenizer::for_each_word;
use crate::semb::{StaticModel, StaticModelError, WeightWidth};
use crate::vector::Vector;
use crate::vocabulary::PrefixBuffer;

static EMBEDDED: &[u8] = include_bytes!("../assets/memora-static-256-int4.semb");

/// The hash of [`EMBEDDED`]: hashing 4 MB would take longer than loading them. A test compares.
const EMBEDDED_BLAKE3: &str = "ff33e1f672fcb722f2950e4777d47ea54bcc36527de280c88b2d64b0b803c3c7";

/// Incremented whenever the same model gives other vectors for some text, because of word splitting or summation. Part
/// of the name, and so of the id that vectors are stored under.
const RULES_VERSION: u32 = 1;

/// Embeds with a table of weights: some microseconds a text, without a model runtime.
///
/// A text without words, or without any known word, has a zero vector. The model knows English, and words of other
/// languages that look like English.
pub struct StaticEmbedder {
    id: EmbedderId,
    model: StaticModel,
}

impl StaticEmbedder {
    /// Returns the embedder whose model is a part of the program. The first call takes about a millisecond.
    pub fn embedded() -> &'static Self {
        static EMBEDDER: LazyLock<StaticEmbedder> = LazyLock::new(|| {
            let model = StaticModel::load(Cow::Borrowed(EMBEDDED)).expect("a test loads the very same bytes");
            StaticEmbedder::new(model, EMBEDDED_BLAKE3)
        });
        &EMBEDDER
    }

    /// Reads a model of the format that `assets/README.md` describes.
    pub fn load(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, StaticModelError> {
        let bytes = bytes.into();
        let hash = blake3::hash(&bytes);
        Ok(Self::new(StaticModel::load(bytes)?, &hash.to_hex()))
    }

    fn new(model: StaticModel, hash: &str) -> Self {
        let bits = match model.width {
            WeightWidth::Four => 4,
            WeightWidth::Eight => 8,
        };
        let name = format!("memora-static-{}-int{bits}/{RULES_VERSION}", model.dimensions);
        Self { id: EmbedderId::new(&name, hash), model }
    }

    /// Returns the vector of a text. Unlike [`Embedder::embed_one`] it cannot fail.
    pub fn vector(&self, text: &str) -> Vector {
        self.sum_rows(&self.piece_ids(text))
    }

    /// Returns the pieces that a text's vector is the sum of, in their order; those that continue a word begin with `##`.
    pub fn pieces(&self, text: &str) -> Vec<&str> {
        let piece = |number| str::from_utf8(self.model.vocabulary.piece(number)).unwrap_or_default();
        self.piece_ids(text).into_iter().map(piece).collect()
    }

    pub(crate) fn piece_ids(&self, text: &str) -> Vec<u32> {
        let mut numbers = Vec::new();
        let mut ends = PrefixBuffer::default();
        for_each_word(text, |word| self.model.vocabulary.append_word_pieces(word, &mut ends, &mut numbers));
        numbers
    }

    fn sum_rows(&self, numbers: &[u32]) -> Vector {
        let scaled = numbers.iter().filter_map(|number| {
            let scale = self.model.scales.get(*number as usize)?;
            Some((*scale, self.model.row(*number)))
        });
        match self.model.width {
            WeightWidth::Four => {
                // Each half of a byte has its own sums, because neighbours in memory are added at once.
                let mut low = vec![0.0_f32; self.model.dimensions / 2];
                let mut high = low.clone();
                for (scale, row) in scaled {
                    add_row(&mut low, row, |byte| scale * (f32::from(byte & 0xf) - 8.0));
                    add_row(&mut high, row, |byte| scale * (f32::from(byte >> 4) - 8.0));
                }
                Vector::normalized(low.into_iter().zip(high).flat_map(<[f32; 2]>::from).collect())
            }
            WeightWidth::Eight => {
                let mut sums = vec![0.0_f32; self.model.dimensions];
                for (scale, row) in scaled {
                    add_row(&mut sums, row, |byte| scale * f32::from(byte.cast_signed()));
                }
                Vector::normalized(sums)
            }
        }
    }
}

#[inline(always)]
fn add_row(sums: &mut [f32], row: &[u8], weight: impl Fn(u8) -> f32) {
    for (sum, byte) in sums.iter_mut().zip(row) {
        *sum += weight(*byte);
    }
}

impl Embedder for StaticEmbedder {
    fn id(&self) -> &EmbedderId {
        &self.id
    }

    fn dimensions(&self) -> usize {
        self.model.dimensions
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}
