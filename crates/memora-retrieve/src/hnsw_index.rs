//! A graph above the scan of the current vectors.
//!
//! Invariant: **a graph only proposes candidates.** Vectors changed since it was built are skipped and compared
//! separately, candidates are scored by the current codes of the scan, and a filter always goes to the
//! scan. A vector that the graph overlooks is missing from a list; nothing else can go wrong.

use std::collections::HashSet;
use std::sync::Arc;

use memora_claim::StatementId;
use memora_embed::{Vector, quantize};

use crate::HnswGraph;
use crate::nearest::{Nearest, VectorScan};

/// A graph combined with a scan of the current vectors.
pub struct HnswIndex {
    /// The graph, built some time ago.
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
        if among.is_some() || self.graph.is_empty() || !self.scan.can_search(vector, limit) {
            return self.scan.find_nearest(vector, limit, among);
        }
        let asked = quantize(vector);
        let wanted = limit.saturating_add(self.changed.len()).min(self.graph.len());
        let found = self.graph.propose(&asked, wanted).into_iter();
        let unchanged = found.filter(|statement| !self.changed.contains(statement));
        self.scan.find_nearest_of(vector, limit, unchanged.chain(self.changed.iter().copied()))
    }
}
