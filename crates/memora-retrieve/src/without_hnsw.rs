//! What stands in for the graph in a program built without the feature `hnsw`: a graph of nothing, so that the scan answers.

use memora_claim::StatementId;

use crate::nearest::VectorScan;

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

    /// Proposes nothing.
    pub(crate) fn propose(&self, _code: &[i8], _wanted: usize) -> Vec<StatementId> {
        Vec::new()
    }
}
