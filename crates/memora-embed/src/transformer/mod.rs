//! The built-in transformer: [`Transformer`], a small BERT that encodes a question and a passage piece by piece.
//!
//! Six layers over word pieces; each piece of a text becomes a vector that depends on its context. Each piece of a
//! question is matched with the most similar piece of the passage ([`QueryVectors::max_similarity`]), so that one rare name
//! counts and is not lost in a mean. It takes milliseconds a text where [`StaticEmbedder`] takes microseconds, so it
//! reranks the results of others. Invariant: **the built-in weights are the model**; `training/` and
//! `docs/decisions/0022-transformer.md` say how they were trained and evaluated. It shares the vocabulary of
//! [`StaticEmbedder`].
//!
//! Source: Devlin et al., "BERT", 2018 (the encoder); Khattab and Zaharia, "ColBERT", 2020 (late interaction).

mod attention;
mod late_interaction;
mod layers;
mod math;
mod processor;
mod product;
mod weights;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use rayon::prelude::*;

use crate::embedder::EmbedderId;
use crate::static_embedder::StaticEmbedder;
pub use crate::transformer::late_interaction::{PassageVectors, QueryVectors};
use crate::transformer::layers::{EncodedText, EncoderNetwork, MARK_COUNT};
pub use crate::transformer::weights::WeightsError;
use crate::vector::Vector;

static EMBEDDED: &[u8] = include_bytes!("../../assets/memora-minilm-96-int8.mtrf");

/// The hash of [`EMBEDDED`]: hashing 17 MB would take longer than loading them. A test compares.
const EMBEDDED_BLAKE3: &str = "8fa2c9055551c1235080b5800f64d7867b0b9daf62cbf441a8c23452c30cb2d0";

/// Incremented whenever the same weights give other vectors for some text; part of the id of stored vectors.
const RULES_VERSION: u32 = 3;

/// Behind the last letter of Latin Extended-B.
const LATIN_END: char = '\u{250}';

/// The maximum number of word pieces of a text; the rest is truncated. Few statements with their titles have more.
const PIECES_MAX: usize = 126;

/// The maximum number of pieces per batch, of as many texts as fit: few enough for the caches.
const BATCH_PIECES: usize = 384;

/// Encodes texts with a small transformer on the CPU, some milliseconds a text.
///
/// Its weights stay in the program's file, so loading takes next to no time and memory. It knows English, and words of other
/// languages that look like English.
pub struct Transformer {
    id: EmbedderId,
    network: EncoderNetwork,
    /// The hash of the last question, and what it is as vectors.
    last_query: Mutex<Option<(blake3::Hash, Arc<EncodedQuery>)>>,
}

/// A question as it is compared with statements and with passages.
#[derive(Debug)]
pub struct EncodedQuery {
    /// The vectors of its pieces, for a close look at a few statements.
    pub pieces: QueryVectors,
    /// The vector of it whole, as of [`Transformer::embed_texts`].
    pub mean: Vector,
}

impl Transformer {
    /// Returns the transformer whose weights are a part of the program.
    pub fn embedded() -> &'static Self {
        static TRANSFORMER: LazyLock<Transformer> = LazyLock::new(|| {
            let network = EncoderNetwork::load(Cow::Borrowed(EMBEDDED)).expect("a test loads the very same bytes");
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
        Ok(Self::new(EncoderNetwork::load(bytes)?, &hash.to_hex()))
    }

    fn new(network: EncoderNetwork, hash: &str) -> Self {
        let name = format!("memora-minilm-{}-int8/{RULES_VERSION}", network.width());
        Self { id: EmbedderId::new(&name, hash), network, last_query: Mutex::new(None) }
    }

    /// Returns the id that vectors are stored under.
    pub fn id(&self) -> &EmbedderId {
        &self.id
    }

    /// Returns the number of values in a piece's vector.
    pub fn width(&self) -> usize {
        self.network.width()
    }

    /// Whether a text is in a script that it knows: mostly Latin letters.
    #[must_use]
    pub fn can_read(text: &str) -> bool {
        let letters = text.chars().filter(|c| c.is_alphabetic());
        let (latin, other): (Vec<char>, Vec<char>) = letters.partition(|c| *c < LATIN_END);
        latin.len() > other.len()
    }

    /// Encodes a question, both ways. The last one is remembered: a search looks at statements and at passages.
    pub fn encode_query(&self, text: &str) -> Arc<EncodedQuery> {
        let last = || self.last_query.lock().unwrap_or_else(PoisonError::into_inner);
        let hash = blake3::hash(text.as_bytes());
        if let Some((_, encoded)) = last().as_ref().filter(|(asked, _)| *asked == hash) {
            return Arc::clone(encoded);
        }
        let read = self.network.encode_texts(&[&truncated_piece_ids(text)]).into_iter().next().unwrap_or_default();
        let encoded = Arc::new(EncodedQuery { mean: read.mean.clone(), pieces: QueryVectors::from_encoded(read) });
        *last() = Some((hash, Arc::clone(&encoded)));
        encoded
    }

    /// Encodes passages, in order.
    ///
    /// Uses all cores, several passages at a time.
    pub fn encode_passages<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Vec<PassageVectors> {
        self.encode_all(texts, |read| PassageVectors::from_encoded(&read))
    }

    /// Returns the number of values in the vector of a whole text.
    pub fn dimensions(&self) -> usize {
        self.network.state_width()
    }

    /// Embeds texts whole, in order: the mean of the last layer, of unit length. For a first look at many passages, where
    /// [`Transformer::encode_passages`] is for a closer one at few.
    ///
    /// Uses all cores, several texts at a time. A text without a piece that it knows has a vector, too, of no meaning.
    pub fn embed_texts<T: AsRef<str> + Sync>(&self, texts: &[T]) -> Vec<Vector> {
        self.encode_all(texts, |read| read.mean)
    }

    fn encode_all<T: AsRef<str> + Sync, R: Send>(&self, texts: &[T], take: impl Fn(EncodedText) -> R + Sync) -> Vec<R> {
        let texts: Vec<Vec<u32>> = texts.iter().map(|text| truncated_piece_ids(text.as_ref())).collect();
        let made: Vec<Vec<R>> = split_batches(&texts)
            .par_iter()
            .map(|batch| self.network.encode_texts(batch).into_iter().map(&take).collect())
            .collect();
        made.into_iter().flatten().collect()
    }
}

/// The ids of a text's pieces, truncated, without special tokens.
fn truncated_piece_ids(text: &str) -> Vec<u32> {
    let mut pieces = StaticEmbedder::embedded().piece_ids(text);
    pieces.truncate(PIECES_MAX);
    pieces
}

/// Groups texts into batches, in order.
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
