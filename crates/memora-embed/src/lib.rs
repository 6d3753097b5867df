//! Turns texts into vectors: texts of similar meaning are close to each other.
//!
//! [`Embedder`] is the interface for the rest of Memora. [`StaticEmbedder`] is part of the program and always
//! available; [`FastEmbedder`] needs ONNX Runtime and a model. [`quantize`] compresses a [`Vector`] for scans.
//! Invariant: **vectors are stored under the [`EmbedderId`] that made them**, and compared with no others.
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
//! Out of scope: what of a note is embedded, where vectors are stored, vector search, and downloads.

mod binary_codes;
#[cfg(test)]
mod damage_tests;
mod embedder;
#[cfg(feature = "onnx")]
mod fast_embedder;
mod int8_codes;
mod pre_tokenizer;
mod runtime_paths;
mod semb;
mod static_embedder;
mod transformer;
mod vector;
mod vocabulary;
#[cfg(not(feature = "onnx"))]
mod without_onnx;

pub use binary_codes::BinaryCodes;
pub use embedder::{EmbedError, Embedder, EmbedderId};
#[cfg(feature = "onnx")]
pub use fast_embedder::FastEmbedder;
pub use int8_codes::{cosine_from_dot, cosine_to_code, dot, quantize};
pub use runtime_paths::{RuntimePaths, RuntimeUnavailable};
pub use semb::StaticModelError;
pub use static_embedder::StaticEmbedder;
pub use transformer::{EncodedQuery, PassageVectors, QueryVectors, Transformer, WeightsError};
pub use vector::Vector;
#[cfg(not(feature = "onnx"))]
pub use without_onnx::FastEmbedder;
