//! Approximate nearest neighbours by a graph (HNSW): an option for vaults too large for a full scan.
//!
//! A graph is built once over vectors and never changed: an id inserted twice stays twice, and nothing can be removed.
//! It only proposes: [`HnswIndex`](crate::HnswIndex) says what becomes of a proposal. Figures are in
//! `docs/decisions/0009-nearest.md`.

use hnsw_rs::anndists::dist::Distance;
use hnsw_rs::hnsw::Hnsw;
use memora_claim::StatementId;
use memora_embed::{cosine_from_dot, dot};

use crate::nearest::VectorScan;

/// HNSW parameters: neighbours per layer, and candidates considered while building.
const MAX_CONNECTIONS: usize = 16;
const EF_CONSTRUCTION: usize = 100;

const MAX_LAYERS: usize = 16;

/// The minimum number of candidates kept during a search; a larger number raises recall.
const EF_SEARCH_MIN: usize = 400;

/// The distance between two codes, from their cosine.
#[derive(Clone, Copy, Default)]
struct CodeDistance;

impl Distance<i8> for CodeDistance {
    fn eval(&self, left: &[i8], right: &[i8]) -> f32 {
        // Rounded codes can be slightly longer than one, and a distance must not be negative.
        (1.1 - cosine_from_dot(dot(left, right), left.len())).max(0.0)
    }
}

/// A graph over the codes that a scan had when it was built.
pub struct HnswGraph {
    hnsw: Hnsw<'static, i8, CodeDistance>,
    /// The statements, by their numbers in the graph.
    statements: Vec<StatementId>,
}

impl HnswGraph {
    /// Builds a graph on this thread; takes minutes for a vault that needs one.
    ///
    /// Deterministic for the same scan: the random generator has a fixed seed, and vectors are inserted in order.
    #[must_use]
    pub fn build(scan: &VectorScan) -> Self {
        let hnsw = Hnsw::new(MAX_CONNECTIONS, scan.len().max(1), MAX_LAYERS, EF_CONSTRUCTION, CodeDistance);
        let mut statements = Vec::with_capacity(scan.len());
        for (number, (statement, code)) in scan.iter_codes().enumerate() {
            statements.push(statement);
            hnsw.insert_slice((code, number));
        }
        Self { hnsw, statements }
    }

    /// Returns the number of vectors in the graph.
    #[must_use]
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether the graph is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Proposes the statements whose codes were near when the graph was built.
    pub(crate) fn propose(&self, code: &[i8], wanted: usize) -> Vec<StatementId> {
        let found = self.hnsw.search(code, wanted, wanted.max(EF_SEARCH_MIN));
        found.iter().filter_map(|neighbour| self.statements.get(neighbour.d_id)).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use memora_embed::{Vector, quantize};
    use proptest::prelude::*;

    use super::*;
    use crate::hnsw_index::HnswIndex;
    use crate::nearest::Nearest;

    fn statement(number: usize) -> StatementId {
        StatementId::from_words(&format!("statement {number}"), &[])
    }

    /// Random directions, or, with `topics`, some of them with something of one's own.
    fn vectors(count: usize, topics: Option<usize>) -> Vec<Vector> {
        let mut state = 11_u64;
        let mut value = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let topics: Vec<Vec<f32>> = (0..topics.unwrap_or(0)).map(|_| (0..32).map(|_| value()).collect()).collect();
        let of = |number: usize, part: usize| topics.get(number % topics.len().max(1)).map_or(0.0, |topic| topic[part]);
        (0..count).map(|number| Vector::normalized((0..32).map(|part| of(number, part) + value()).collect())).collect()
    }

    fn scan(vectors: &[Vector]) -> VectorScan {
        VectorScan::new((0..vectors.len()).map(statement).collect(), vectors.iter().flat_map(quantize).collect(), 32)
    }

    fn graphed(graph: &Arc<HnswGraph>, scan: VectorScan, changed: &[usize]) -> HnswIndex {
        let changed = changed.iter().copied().map(statement).collect();
        HnswIndex { graph: Arc::clone(graph), scan: Arc::new(scan), changed: Arc::new(changed) }
    }

    #[test]
    fn it_finds_what_the_scan_finds() {
        for topics in [None, Some(20)] {
            let vectors = vectors(3_000, topics);
            let scan = scan(&vectors);
            let graphed = graphed(&Arc::new(HnswGraph::build(&scan)), scan.clone(), &[]);
            let (mut held, mut all) = (0, 0);
            for asked in vectors.iter().step_by(101) {
                let expect = scan.find_nearest(asked, 10, None);
                let found = graphed.find_nearest(asked, 10, None);
                held += expect.iter().filter(|expect| found.contains(expect)).count();
                all += expect.len();
            }
            assert!(held * 100 >= all * 95, "{held} of {all}, topics {topics:?}");
        }
    }

    #[test]
    fn there_may_be_nothing() {
        let empty = VectorScan::new(Vec::new(), Vec::new(), 32);
        let graphed = graphed(&Arc::new(HnswGraph::build(&empty)), empty, &[]);
        assert!(graphed.find_nearest(&vectors(1, None)[0], 5, None).is_empty());
        assert!(graphed.find_nearest(&Vector::zero(32), 5, None).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// With so few, a graph that is searched widely overlooks nothing: any difference from the scan is a mistake.
        #[test]
        fn changes_and_filters_are_exact(
            steps in proptest::collection::vec((0_usize..60, proptest::option::of(0_usize..80)), 0..40),
            among in proptest::option::of(proptest::collection::hash_set(0_usize..60, 0..40)),
            limit in 1_usize..20,
        ) {
            let all = vectors(80, None);
            let mut now = scan(&all[..40]);
            let graph = Arc::new(HnswGraph::build(&now));
            for (number, vector) in &steps {
                match vector {
                    Some(vector) => now.insert(statement(*number), &quantize(&all[*vector])),
                    None => now.remove(statement(*number)),
                }
            }
            let changed: Vec<usize> = steps.iter().map(|(number, _)| *number).collect();
            let among: Option<HashSet<StatementId>> = among.map(|among| among.into_iter().map(statement).collect());
            let graphed = graphed(&graph, now.clone(), &changed);
            for asked in all.iter().step_by(9) {
                prop_assert_eq!(
                    graphed.find_nearest(asked, limit, among.as_ref()),
                    now.find_nearest(asked, limit, among.as_ref())
                );
            }
        }
    }
}
