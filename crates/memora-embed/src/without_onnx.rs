//! What stands in for models that run through ONNX Runtime in a program built without the feature `onnx`.
//!
//! Neither type has a value: both constructors say that this program has no such models.

use crate::embedder::{EmbedError, Embedder, EmbedderId};
use crate::runtime_paths::{RuntimePaths, RuntimeUnavailable};
use crate::vector::Vector;
use std::path::Path;

/// No embedder: this program was built without the feature `onnx`.
#[derive(Debug)]
pub enum FastEmbedder {}

/// No cross-encoder: this program was built without the feature `onnx`.
#[derive(Debug)]
pub enum CrossEncoder {}

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

impl CrossEncoder {
    /// Returns the error that there is none.
    ///
    /// # Errors
    /// [`RuntimeUnavailable::NotBuilt`], always.
    pub fn load(_places: &RuntimePaths) -> Result<Self, RuntimeUnavailable> {
        Err(RuntimeUnavailable::NotBuilt)
    }

    /// Returns the name of the model.
    pub fn name(&self) -> String {
        match *self {}
    }

    /// Returns a probability for each class of each pair.
    ///
    /// # Errors
    /// None: there is no value to call it on.
    pub fn classify_pairs(&self, _pairs: &[(&str, &str)]) -> Result<Vec<Option<[f32; 3]>>, EmbedError> {
        match *self {}
    }
}
