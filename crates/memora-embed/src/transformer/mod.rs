//! The transformer in the program: [`Transformer`], a small BERT that reads a question and a passage piece by piece.
//!
//! Six layers over word pieces; each piece of a text becomes a direction that depends on the text around it. A piece of a
//! question looks for the piece of the passage that is most like it ([`QueryVectors::likeness`]), so that one rare name
//! counts and is not lost in a mean. It takes milliseconds a text where [`StaticEmbedder`] takes microseconds, so it orders
//! what others find. The one rule to know: **the weights in the program are the model**; how they were trained, and what
//! they are worth, is in `training/` and `docs/decisions/0022-transformer.md`. The pieces are those of [`StaticEmbedder`],
//! whose vocabulary it shares.
//!
//! Source: Devlin et al., "BERT", 2018 (the encoder); Khattab and Zaharia, "ColBERT", 2020 (late interaction).

mod layers;
mod likeness;
mod weights;

use std::borrow::Cow;
use std::sync::LazyLock;

use rayon::prelude::*;

use crate::embedder::EmbedderId;
use crate::static_embedder::StaticEmbedder;
use crate::transformer::layers::{MARK_COUNT, EncoderNetwork};
pub use crate::transformer::likeness::{PassageVectors, QueryVectors};
pub use crate::transformer::weights::WeightsError;

static EMBEDDED: &[u8] = include_bytes!("../../assets/memora-minilm-96-int8.mtrf");

/// Of [`EMBEDDED`]: hashing 17 MB would take longer than loading them. A test compares.
const EMBEDDED_BLAKE3: &str = "8fa2c9055551c1235080b5800f64d7867b0b9daf62cbf441a8c23452c30cb2d0";

/// Counted up whenever the same weights make other vectors of some text; part of what vectors are kept under.
const RULES_VERSION: u32 = 1;

/// Behind the last letter of Latin Extended-B.
const LATIN_END: char = '\u{250}';

/// Word pieces of a text that are read; the rest is cut off. A statement with its title seldom has more.
const PIECES_MAX: usize = 126;

/// Pieces that go through the network at once, of as many texts as that takes: few enough for the caches.
const BATCH_PIECES: usize = 384;

/// Reads with a small transformer, on the processor, some milliseconds a text.
///
/// Loading takes some milliseconds and 45 MB of memory, once, when it is first used. What it reads is English, and of other
/// languages what looks like it.
pub struct Transformer {
    id: EmbedderId,
    network: EncoderNetwork,
}

impl Transformer {
    /// Returns the transformer whose weights are a part of the program.
    pub fn embedded() -> &'static Self {
        static TRANSFORMER: LazyLock<Transformer> = LazyLock::new(|| {
            let network = EncoderNetwork::load(EMBEDDED).expect("a test loads the very same bytes");
            Transformer::new(network, EMBEDDED_BLAKE3)
        });
        &TRANSFORMER
    }

    /// Reads weights of the format that `assets/README.md` describes; the pieces are numbered as in the program's
    /// vocabulary.
    ///
    /// # Errors
    /// [`WeightsError`], for what is no such file.
    pub fn load(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self, WeightsError> {
        let bytes = bytes.into();
        let hash = blake3::hash(&bytes);
        Ok(Self::new(EncoderNetwork::load(&bytes)?, &hash.to_hex()))
    }

    fn new(network: EncoderNetwork, hash: &str) -> Self {
        let name = format!("memora-minilm-{}-int8/{RULES_VERSION}", network.width());
        Self { id: EmbedderId::new(&name, hash), network }
    }

    /// Returns what vectors are kept under.
    pub fn id(&self) -> &EmbedderId {
        &self.id
    }

    /// Returns how many values a piece's direction has.
    pub fn width(&self) -> usize {
        self.network.width()
    }

    /// Whether a text is in letters that it reads: most of them Latin.
    #[must_use]
    pub fn can_read(text: &str) -> bool {
        let letters = text.chars().filter(|c| c.is_alphabetic());
        let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|c| *c < LATIN_END);
        latin.len() > other.len()
    }

    /// Reads a question.
    pub fn encode_query(&self, text: &str) -> QueryVectors {
        let read = self.network.encode_texts(&[&truncated_piece_ids(text)]);
        read.into_iter().next().map(QueryVectors::from_encoded).unwrap_or_default()
    }

    /// Reads passages: vectors for each, in their order.
    ///
    /// They are read on all cores, several together.
    pub fn encode_passages<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Vec<PassageVectors> {
        let texts: Vec<Vec<u32>> = texts.iter().map(|text| truncated_piece_ids(text.as_ref())).collect();
        let made: Vec<Vec<PassageVectors>> = split_batches(&texts)
            .par_iter()
            .map(|batch| self.network.encode_texts(batch).into_iter().map(|read| PassageVectors::from_encoded(&read)).collect())
            .collect();
        made.into_iter().flatten().collect()
    }
}

/// The pieces of a text that the network reads, without the marks around them.
fn truncated_piece_ids(text: &str) -> Vec<u32> {
    let mut pieces = StaticEmbedder::embedded().piece_ids(text);
    pieces.truncate(PIECES_MAX);
    pieces
}

/// Which texts go through the network together, in their order.
fn split_batches(texts: &[Vec<u32>]) -> Vec<Vec<&[u32]>> {
    let mut batches: Vec<Vec<&[u32]>> = Vec::new();
    let mut filled = BATCH_PIECES;
    for text in texts {
        let size = text.len() + MARK_COUNT;
        if filled + size > BATCH_PIECES {
            batches.push(Vec::new());
            filled = 0;
        }
        filled += size;
        if let Some(batch) = batches.last_mut() {
            batch.push(text);
        }
    }
    batches
}
