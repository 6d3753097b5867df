//! The nearest by a graph (HNSW): a setting for vaults so large that the scan takes too long.
//!
//! A graph is built over vectors once and never changed: an id that is put in twice stays twice, and nothing can be taken
//! out. So the one rule to know: **a graph only proposes.** What changed since it was built is passed over and looked at
//! by itself, what it proposes is compared by the codes of the scan, as they are now, and a filter always goes to the
//! scan. What it overlooks is missing from a list; nothing else can go wrong. Figures are in
//! `docs/decisions/0009-nearest.md`.

use std::collections::HashSet;
use std::sync::Arc;

use hnsw_rs::anndists::dist::Distance;
use hnsw_rs::hnsw::Hnsw;
use memora_claim::StatementId;
use memora_embed::{Vector, cosine, dot, quantize};

use crate::nearest::{Nearest, Scan};

/// Neighbours of a vector in a layer, and how many are looked at to choose them.
const NEIGHBOURS: usize = 16;
const CHOSEN_FROM: usize = 100;

const LAYERS: usize = 16;

/// How many are kept in view while searching, at least; more find more.
const IN_VIEW: usize = 400;

/// Codes far apart are far from each other.
#[derive(Clone, Copy, Default)]
struct ByCodes;

impl Distance<i8> for ByCodes {
    fn eval(&self, left: &[i8], right: &[i8]) -> f32 {
        // Rounded codes can be a little longer than one, and a distance below zero is none.
        (1.1 - cosine(dot(left, right), left.len())).max(0.0)
    }
}

/// A graph over the codes that a scan had when it was built.
pub struct Graph {
    hnsw: Hnsw<'static, i8, ByCodes>,
    /// By the numbers that they have in the graph.
    statements: Vec<StatementId>,
}

impl Graph {
    /// Builds a graph on this thread; a matter of minutes where it is worth having.
    ///
    /// It is the same for the same scan: what is random in it has a fixed seed, and vectors go in in their order.
    #[must_use]
    pub fn of(scan: &Scan) -> Self {
        let hnsw = Hnsw::new(NEIGHBOURS, scan.len().max(1), LAYERS, CHOSEN_FROM, ByCodes);
        let mut statements = Vec::with_capacity(scan.len());
        for (number, (statement, code)) in scan.coded().enumerate() {
            statements.push(statement);
            hnsw.insert_slice((code, number));
        }
        Self { hnsw, statements }
    }

    /// How many vectors it was built over.
    #[must_use]
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether it was built over none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }
}

/// A graph beside the scan of what there is now.
pub struct Graphed {
    /// Built some time ago.
    pub graph: Arc<Graph>,
    /// As it is now.
    pub scan: Arc<Scan>,
    /// Statements whose vector is new, another one or gone since the graph was built.
    pub changed: Arc<HashSet<StatementId>>,
}

impl Nearest for Graphed {
    fn nearest(&self, vector: &Vector, limit: usize, among: Option<&HashSet<StatementId>>) -> Vec<(StatementId, f32)> {
        if among.is_some() || self.graph.is_empty() || !self.scan.answers(vector, limit) {
            return self.scan.nearest(vector, limit, among);
        }
        let asked = quantize(vector);
        let wanted = limit.saturating_add(self.changed.len()).min(self.graph.len());
        let found = self.graph.hnsw.search(&asked, wanted, wanted.max(IN_VIEW));
        let found = found.iter().filter_map(|neighbour| self.graph.statements.get(neighbour.d_id)).copied();
        let unchanged = found.filter(|statement| !self.changed.contains(statement));
        self.scan.best_of(vector, limit, unchanged.chain(self.changed.iter().copied()))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statement(number: usize) -> StatementId {
        StatementId::of(&format!("statement {number}"), &[])
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

    fn scan(vectors: &[Vector]) -> Scan {
        Scan::new((0..vectors.len()).map(statement).collect(), vectors.iter().flat_map(quantize).collect(), 32)
    }

    fn graphed(graph: &Arc<Graph>, scan: Scan, changed: &[usize]) -> Graphed {
        let changed = changed.iter().copied().map(statement).collect();
        Graphed { graph: Arc::clone(graph), scan: Arc::new(scan), changed: Arc::new(changed) }
    }

    #[test]
    fn it_finds_what_the_scan_finds() {
        for topics in [None, Some(20)] {
            let vectors = vectors(3_000, topics);
            let scan = scan(&vectors);
            let graphed = graphed(&Arc::new(Graph::of(&scan)), scan.clone(), &[]);
            let (mut held, mut all) = (0, 0);
            for asked in vectors.iter().step_by(101) {
                let expect = scan.nearest(asked, 10, None);
                let found = graphed.nearest(asked, 10, None);
                held += expect.iter().filter(|expect| found.contains(expect)).count();
                all += expect.len();
            }
            assert!(held * 100 >= all * 95, "{held} of {all}, topics {topics:?}");
        }
    }

    #[test]
    fn there_may_be_nothing() {
        let empty = Scan::new(Vec::new(), Vec::new(), 32);
        let graphed = graphed(&Arc::new(Graph::of(&empty)), empty, &[]);
        assert!(graphed.nearest(&vectors(1, None)[0], 5, None).is_empty());
        assert!(graphed.nearest(&Vector::zero(32), 5, None).is_empty());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(32))]

        /// With so few, a graph that is searched widely overlooks nothing: whatever differs from the scan is a mistake.
        #[test]
        fn changes_and_filters_are_exact(
            steps in proptest::collection::vec((0_usize..60, proptest::option::of(0_usize..80)), 0..40),
            among in proptest::option::of(proptest::collection::hash_set(0_usize..60, 0..40)),
            limit in 1_usize..20,
        ) {
            let all = vectors(80, None);
            let mut now = scan(&all[..40]);
            let graph = Arc::new(Graph::of(&now));
            for (number, vector) in &steps {
                match vector {
                    Some(vector) => now.put(statement(*number), &quantize(&all[*vector])),
                    None => now.remove(statement(*number)),
                }
            }
            let changed: Vec<usize> = steps.iter().map(|(number, _)| *number).collect();
            let among: Option<HashSet<StatementId>> = among.map(|among| among.into_iter().map(statement).collect());
            let graphed = graphed(&graph, now.clone(), &changed);
            for asked in all.iter().step_by(9) {
                prop_assert_eq!(
                    graphed.nearest(asked, limit, among.as_ref()),
                    now.nearest(asked, limit, among.as_ref())
                );
            }
        }
    }
}
