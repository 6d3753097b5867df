//! The interface of all embedders: [`Embedder`].
//!
//! Invariant: **vectors are comparable only under the same [`EmbedderId`].** It is stored with them, and a new id means
//! embedding everything again. Out of scope: which embedder is used, and when.

use std::error::Error;
use std::fmt;

use crate::vector::Vector;

/// Turns texts into vectors.
///
/// 1. A text's vector depends only on the text and on [`Embedder::id`], not on other texts, up to rounding.
/// 2. It has [`Embedder::dimensions`] values. It is zero if there is nothing to embed, and so like nothing: a text without
///    words, or without any that the model knows.
/// 3. Nothing of a text is kept or logged, or put into an error's own message. What a runtime says of its failure is its
///    `source`.
///
/// Where texts are truncated is up to the embedder; it embeds what comes before.
pub trait Embedder: Send + Sync {
    /// Returns the id that vectors are stored under.
    fn id(&self) -> &EmbedderId;

    /// Returns how many values a vector has.
    fn dimensions(&self) -> usize;

    /// Returns a vector for each text, in their order.
    ///
    /// A few hundred texts at a time are a good measure; more are no quicker, and all their vectors are in memory.
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError>;

    /// Returns the vector of one text: a question's.
    fn embed_one(&self, text: &str) -> Result<Vector, EmbedError> {
        let vector = self.embed(&[text])?.pop();
        vector.ok_or_else(|| EmbedError::Shape { model: self.id().name().to_owned(), wanted: 1, given: 0 })
    }
}

/// Identifies the embedder that made a vector: the name of its model, and a hash of everything its vectors depend on.
///
/// Two embedders have the same if and only if their vectors may be compared. [`Display`](fmt::Display) and
/// [`EmbedderId::as_str`] give `name:hash`, which is what to keep.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EmbedderId {
    text: String,
    /// How much of it is the name.
    name: usize,
}

impl EmbedderId {
    /// The id of a model by its name, which has no colon, and the hash of all that its vectors depend on.
    pub fn new(name: &str, hash: impl fmt::Display) -> Self {
        Self { text: format!("{name}:{hash}"), name: name.len() }
    }

    /// Returns `name:hash`.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the name of the model, for people.
    pub fn name(&self) -> &str {
        self.text.get(..self.name).unwrap_or_default()
    }
}

impl fmt::Display for EmbedderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Why texts have no vectors.
#[derive(Debug, thiserror::Error)]
pub enum EmbedError {
    /// The model could not be run.
    #[error("the embedding model {model} failed")]
    Run {
        /// Its name.
        model: String,
        /// What its runtime says.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The model gave something else than a vector for each text.
    #[error("the embedding model {model} gave {given} where {wanted} were due")]
    Shape {
        /// Its name.
        model: String,
        /// How many vectors there had to be, or values in one.
        wanted: usize,
        /// How many there were.
        given: usize,
    },
}
