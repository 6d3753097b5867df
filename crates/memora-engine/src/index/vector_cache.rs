//! A cache of each band's vector codes, kept in step with the store; with a graph where the user asked for one.
//!
//! Invariant: **the scan is always available and always exact.** A graph is built in the background, on a thread
//! of its own, while the scan answers; it is not stored, and is rebuilt when much has changed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use memora_claim::StatementId;
use memora_retrieve::{HnswGraph, HnswIndex, Nearest, VectorScan};

use memora_store::VectorSet;

use crate::config::NearestMethod;

/// Below this size a scan is fast enough not to need a graph.
pub(crate) const GRAPH_MIN: usize = 50_000;

/// A graph is rebuilt when more than one in so many codes has changed.
const CHANGED_SHARE: usize = 20;

/// The slot in which the building thread leaves the graph.
type GraphSlot = Arc<Mutex<Option<Arc<HnswGraph>>>>;

/// The version of a set's codes: one batch of one index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct VectorSetVersion {
    pub(crate) uuid: String,
    pub(crate) embedder: String,
    pub(crate) sequence: u64,
    pub(crate) revision: i64,
}

impl VectorSetVersion {
    pub(crate) fn from_set(uuid: &str, set: &VectorSet) -> Self {
        let embedder = set.embedder.clone();
        Self { uuid: uuid.to_owned(), embedder, sequence: set.sequence, revision: set.revision }
    }

    /// Whether this is an earlier version of the same set.
    pub(crate) fn is_older_than(&self, other: &Self) -> bool {
        let same = self.uuid == other.uuid && self.embedder == other.embedder;
        same && self.sequence <= other.sequence && self != other
    }
}

/// The codes of a band's set.
pub(crate) struct CachedVectors {
    pub(crate) version: VectorSetVersion,
    /// The statements that had no code yet.
    pub(crate) due: Vec<StatementId>,
    scan: Arc<VectorScan>,
    graph: Option<GraphBuild>,
}

/// A graph, built or being built, and what has changed since it was begun.
struct GraphBuild {
    built: GraphSlot,
    changed: Arc<HashSet<StatementId>>,
}

impl CachedVectors {
    pub(crate) fn new(version: VectorSetVersion, due: Vec<StatementId>, scan: VectorScan) -> Self {
        Self { version, due, scan: Arc::new(scan), graph: None }
    }

    /// Applies the changes up to a batch: new codes, and removed ones.
    pub(crate) fn apply_changes(
        &mut self,
        version: VectorSetVersion,
        due: Vec<StatementId>,
        changes: impl Iterator<Item = (StatementId, Option<Vec<i8>>)>,
    ) {
        let scan = Arc::make_mut(&mut self.scan);
        let mut changed = self.graph.as_mut().map(|above| Arc::make_mut(&mut above.changed));
        for (id, code) in changes {
            match code {
                Some(code) => scan.insert(id, &code),
                None => scan.remove(id),
            }
            if let Some(changed) = &mut changed {
                changed.insert(id);
            }
        }
        (self.version, self.due) = (version, due);
    }

    /// Returns the searcher to use now: the graph once it is built, else the scan.
    pub(crate) fn searcher(&mut self, by: NearestMethod, graph_min: usize) -> Arc<dyn Nearest> {
        if by == NearestMethod::Scan || self.scan.len() < graph_min {
            return Arc::clone(&self.scan) as Arc<dyn Nearest>;
        }
        let above = self.graph.get_or_insert_with(|| start_graph_build(&self.scan));
        let built = above.built.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(graph) = built else { return Arc::clone(&self.scan) as Arc<dyn Nearest> };
        let changed = Arc::clone(&above.changed);
        if changed.len() > graph.len() / CHANGED_SHARE {
            *above = start_graph_build(&self.scan);
        }
        Arc::new(HnswIndex { graph, scan: Arc::clone(&self.scan), changed })
    }
}

/// Starts building a graph in the background.
fn start_graph_build(scan: &Arc<VectorScan>) -> GraphBuild {
    let (scan, built) = (Arc::clone(scan), GraphSlot::default());
    let left = Arc::clone(&built);
    // Where no thread can be started, the scan goes on answering.
    drop(std::thread::Builder::new().name("memora-graph".to_owned()).spawn(move || {
        let graph = Arc::new(HnswGraph::build(&scan));
        *left.lock().unwrap_or_else(PoisonError::into_inner) = Some(graph);
    }));
    GraphBuild { built, changed: Arc::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use memora_embed::{Vector, quantize};

    /// A direction that no other number has, nor one near it.
    fn vector(number: usize) -> Vector {
        let mut state = (number as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut value = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        Vector::normalized((0..64).map(|_| value()).collect())
    }

    fn id(number: usize) -> StatementId {
        StatementId::from_words(&number.to_string(), &[])
    }

    fn loaded(count: usize) -> CachedVectors {
        let codes = (0..count).flat_map(|number| quantize(&vector(number))).collect();
        CachedVectors::new(
            VectorSetVersion::default(),
            Vec::new(),
            VectorScan::new((0..count).map(id).collect(), codes, 64),
        )
    }

    /// Waits for the thread by doing its work again: no sleeping.
    fn built(loaded: &mut CachedVectors) {
        let above = loaded.graph.as_ref().expect("it was begun");
        let graph = Arc::new(HnswGraph::build(&loaded.scan));
        *above.built.lock().expect("a lock") = Some(graph);
    }

    #[test]
    fn a_scan_answers_until_a_graph_does_and_changes_count_at_once() {
        let mut loaded = loaded(200);
        let expect = loaded.scan.find_nearest(&vector(7), 5, None);
        assert_eq!(loaded.searcher(NearestMethod::Scan, 0).find_nearest(&vector(7), 5, None), expect);
        assert!(loaded.graph.is_none(), "nobody asked for a graph");
        assert_eq!(loaded.searcher(NearestMethod::Hnsw, 201).find_nearest(&vector(7), 5, None), expect);
        assert!(loaded.graph.is_none(), "too few for a graph");
        assert_eq!(loaded.searcher(NearestMethod::Hnsw, 0).find_nearest(&vector(7), 5, None), expect);
        built(&mut loaded);
        assert_eq!(loaded.searcher(NearestMethod::Hnsw, 0).find_nearest(&vector(7), 5, None), expect);
        let (first, _) = expect.first().copied().expect("it has a vector");
        loaded.apply_changes(
            VectorSetVersion::default(),
            Vec::new(),
            [(first, None), (id(900), Some(quantize(&vector(7))))].into_iter(),
        );
        let found = loaded.searcher(NearestMethod::Hnsw, 0).find_nearest(&vector(7), 5, None);
        assert_eq!(found, loaded.scan.find_nearest(&vector(7), 5, None));
        assert!(found.iter().any(|(found, _)| *found == id(900)) && found.iter().all(|(found, _)| *found != first));
    }

    #[test]
    fn a_graph_is_built_anew_when_much_has_changed() {
        let mut loaded = loaded(100);
        loaded.searcher(NearestMethod::Hnsw, 0);
        built(&mut loaded);
        loaded.apply_changes(VectorSetVersion::default(), Vec::new(), (0..20).map(|number| (id(number), None)));
        let found = loaded.searcher(NearestMethod::Hnsw, 0).find_nearest(&vector(3), 5, None);
        assert_eq!(found, loaded.scan.find_nearest(&vector(3), 5, None));
        assert!(loaded.graph.as_ref().is_some_and(|above| above.changed.is_empty()), "begun anew");
    }
}
