//! Turns a text into a vector: texts that mean alike are near each other.
//!
//! [`Embedder`] is what the rest of Memora knows. [`StaticEmbedder`] is part of the program and always there;
//! [`FastEmbedder`] is there if the user has ONNX Runtime and a model for it. [`quantize`] makes of a [`Vector`] what a
//! scan reads. [`CrossEncoder`] is a network of another kind, that reads two texts at once. The one rule to know: **vectors are kept under the [`EmbedderId`] that made them**, and are compared with
//! no others.
//!
//! ```
//! use memora_embed::{Embedder, StaticEmbedder};
//!
//! let embedder: &dyn Embedder = StaticEmbedder::embedded();
//! let question = embedder.embed_one("What did we pick for the wire format?")?;
//! let notes = embedder.embed(&["drift switched its serialization to MessagePack", "Anna baked bread on Sunday"])?;
//! assert!(question.cosine(&notes[0]) > question.cosine(&notes[1]));
//!
//! // Nothing to go by is like nothing.
//! assert!(embedder.embed_one("ⵣⵣⵣ")?.is_zero());
//! # Ok::<(), memora_embed::EmbedError>(())
//! ```
//!
//! Deliberately not here: what of a note is embedded, where vectors are kept, the search through them, and downloads.

mod codes;
mod cross_encoder;
#[cfg(test)]
mod damage_tests;
mod embedder;
mod fast_embedder;
mod places;
mod semb;
mod signs;
mod static_embedder;
mod transformer;
mod vector;
mod vocabulary;
mod words;

pub use codes::{cosine_from_dot, dot, quantize};
pub use cross_encoder::CrossEncoder;
pub use embedder::{EmbedError, Embedder, EmbedderId};
pub use fast_embedder::FastEmbedder;
pub use places::{RuntimeUnavailable, RuntimePaths};
pub use semb::StaticModelError;
pub use signs::BinaryCodes;
pub use static_embedder::StaticEmbedder;
pub use transformer::{PassageVectors, QueryVectors, Transformer, WeightsError};
pub use vector::Vector;
