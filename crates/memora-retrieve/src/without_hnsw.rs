//! What stands in for the graph in a program built without the feature `hnsw`: a graph of nothing, so that the scan answers.

use std::collections::HashSet;
use std::sync::Arc;

use memora_claim::StatementId;
use memora_embed::Vector;

use crate::nearest::{Nearest, VectorScan};

/// A graph without vectors: this program was built without the feature `hnsw`.
#[derive(Debug)]
pub struct HnswGraph;

impl HnswGraph {
    /// Returns the empty graph.
    #[must_use]
    pub fn build(_scan: &VectorScan) -> Self {
        Self
    }

    /// Returns 0.
    #[must_use]
    pub fn len(&self) -> usize {
        0
    }

    /// Whether the graph is empty: always.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        true
    }
}

/// A scan of the current vectors, behind the name that the graph has.
pub struct HnswIndex {
    /// The empty graph.
    pub graph: Arc<HnswGraph>,
    /// The current vectors.
    pub scan: Arc<VectorScan>,
    /// Statements whose vector was added, changed or removed since the graph was built.
    pub changed: Arc<HashSet<StatementId>>,
}

impl Nearest for HnswIndex {
    fn find_nearest(
        &self,
        vector: &Vector,
        limit: usize,
        among: Option<&HashSet<StatementId>>,
    ) -> Vec<(StatementId, f32)> {
        self.scan.find_nearest(vector, limit, among)
    }
}
