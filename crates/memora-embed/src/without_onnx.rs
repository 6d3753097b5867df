//! What stands in for the embedder that runs through ONNX Runtime in a program built without the feature `onnx`.
//!
//! The type has no value: its constructor says that this program has no such embedder.

use crate::embedder::{EmbedError, Embedder, EmbedderId};
use crate::runtime_paths::{RuntimePaths, RuntimeUnavailable};
use crate::vector::Vector;
use std::path::Path;

/// No embedder: this program was built without the feature `onnx`.
#[derive(Debug)]
pub enum FastEmbedder {}

impl FastEmbedder {
    /// Returns the error that there is none.
    ///
    /// # Errors
    /// [`RuntimeUnavailable::NotBuilt`], always.
    pub fn probe(_places: &RuntimePaths) -> Result<Self, RuntimeUnavailable> {
        Err(RuntimeUnavailable::NotBuilt)
    }

    /// Returns the library in use.
    pub fn library(&self) -> &Path {
        match *self {}
    }

    /// Returns the folder of the model.
    pub fn folder(&self) -> &Path {
        match *self {}
    }
}

impl Embedder for FastEmbedder {
    fn id(&self) -> &EmbedderId {
        match *self {}
    }

    fn dimensions(&self) -> usize {
        match *self {}
    }

    fn embed(&self, _texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        match *self {}
    }
}
