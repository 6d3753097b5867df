//! A cache of each band's vector codes, kept in step with the store: the user's statements, and those that only machines wrote;
//! with a graph where the user asked for one.
//!
//! Invariant: **the scan is always available and always exact.** A graph is built in the background, on a thread
//! of its own, while the scan answers; it is not stored, and is rebuilt when much has changed.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use memora_claim::StatementId;
use memora_retrieve::{HnswGraph, HnswIndex, Nearest, VectorScan};

use memora_store::{Authors, VectorCodes, VectorSet};

use crate::state::config::NearestMethod;

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
    /// The statements of the user's text.
    own: CachedScan,
    /// Those that only machines wrote: apart, since which codes a scan compares depends on how many there are.
    captured: CachedScan,
}

/// The codes of some statements.
#[derive(Default)]
struct CachedScan {
    scan: Arc<VectorScan>,
    graph: Option<GraphBuild>,
}

/// A graph, built or being built, and what has changed since it was begun.
struct GraphBuild {
    built: GraphSlot,
    changed: Arc<HashSet<StatementId>>,
}

impl CachedVectors {
    /// Takes over codes, of which some are of statements that only machines wrote.
    pub(crate) fn new(
        version: VectorSetVersion,
        due: Vec<StatementId>,
        codes: VectorCodes,
        dimensions: usize,
        captured_only: &HashSet<StatementId>,
    ) -> Self {
        let (mut own, mut captured) = (VectorCodes::default(), VectorCodes::default());
        if captured_only.is_empty() {
            own = codes;
        } else {
            for (id, code) in codes.statements.into_iter().zip(codes.bytes.chunks_exact(dimensions.max(1))) {
                let part = if captured_only.contains(&id) { &mut captured } else { &mut own };
                part.statements.push(id);
                part.bytes.extend_from_slice(code);
            }
        }
        let cached = |codes: VectorCodes| CachedScan::new(VectorScan::new(codes.statements, codes.bytes, dimensions));
        Self { version, due, own: cached(own), captured: cached(captured) }
    }

    /// Applies the changes up to a batch: new codes, and removed ones; `is_own` says whether a statement is the user's.
    pub(crate) fn apply_changes(
        &mut self,
        version: VectorSetVersion,
        due: Vec<StatementId>,
        changes: impl Iterator<Item = (StatementId, Option<Vec<i8>>)>,
        is_own: impl Fn(StatementId) -> bool,
    ) {
        let (mut own, mut captured) = (Vec::new(), Vec::new());
        for (id, code) in changes {
            let (here, there) = if is_own(id) { (&mut own, &mut captured) } else { (&mut captured, &mut own) };
            here.push((id, code));
            there.push((id, None));
        }
        self.own.apply_changes(own);
        self.captured.apply_changes(captured);
        (self.version, self.due) = (version, due);
    }

    /// Returns the searchers to use now for some authors' text.
    pub(crate) fn searchers(&mut self, by: NearestMethod, graph_min: usize, authors: Authors) -> Vec<Arc<dyn Nearest>> {
        let own = self.own.searcher(by, graph_min);
        // A statement of machines may be the user's as well.
        if authors == Authors::User { vec![own] } else { vec![own, self.captured.searcher(by, graph_min)] }
    }
}

impl CachedScan {
    fn new(scan: VectorScan) -> Self {
        Self { scan: Arc::new(scan), graph: None }
    }

    fn apply_changes(&mut self, changes: Vec<(StatementId, Option<Vec<i8>>)>) {
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
    }

    /// Returns the searcher to use now: the graph once it is built, else the scan.
    fn searcher(&mut self, by: NearestMethod, graph_min: usize) -> Arc<dyn Nearest> {
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

    fn loaded(count: usize) -> CachedScan {
        let codes = (0..count).flat_map(|number| quantize(&vector(number))).collect();
        CachedScan::new(VectorScan::new((0..count).map(id).collect(), codes, 64))
    }

    /// Waits for the thread by doing its work again: no sleeping.
    fn built(loaded: &mut CachedScan) {
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
        loaded.apply_changes(vec![(first, None), (id(900), Some(quantize(&vector(7))))]);
        let found = loaded.searcher(NearestMethod::Hnsw, 0).find_nearest(&vector(7), 5, None);
        assert_eq!(found, loaded.scan.find_nearest(&vector(7), 5, None));
        assert!(found.iter().any(|(found, _)| *found == id(900)) && found.iter().all(|(found, _)| *found != first));
    }

    #[test]
    fn a_graph_is_built_anew_when_much_has_changed() {
        let mut loaded = loaded(100);
        loaded.searcher(NearestMethod::Hnsw, 0);
        built(&mut loaded);
        loaded.apply_changes((0..20).map(|number| (id(number), None)).collect());
        let found = loaded.searcher(NearestMethod::Hnsw, 0).find_nearest(&vector(3), 5, None);
        assert_eq!(found, loaded.scan.find_nearest(&vector(3), 5, None));
        assert!(loaded.graph.as_ref().is_some_and(|above| above.changed.is_empty()), "begun anew");
    }

    /// Those that a search for some authors finds.
    fn found(loaded: &mut CachedVectors, authors: Authors) -> HashSet<StatementId> {
        let searchers = loaded.searchers(NearestMethod::Scan, 0, authors);
        searchers.iter().flat_map(|searcher| searcher.find_nearest(&vector(7), 100, None)).map(|hit| hit.0).collect()
    }

    #[test]
    fn what_only_machines_wrote_is_apart_and_moves_when_the_user_writes_it() {
        let codes = (0..60).flat_map(|number| quantize(&vector(number))).collect();
        let codes = VectorCodes { statements: (0..60).map(id).collect(), bytes: codes };
        let captured = HashSet::from([id(7), id(8)]);
        let mut loaded = CachedVectors::new(VectorSetVersion::default(), Vec::new(), codes, 64, &captured);
        let both = |found: HashSet<StatementId>| (found.contains(&id(7)), found.contains(&id(900)));
        assert_eq!(both(found(&mut loaded, Authors::User)), (false, false));
        assert_eq!(both(found(&mut loaded, Authors::All)), (true, false));
        let near = || Some(quantize(&vector(7)));
        let change = |loaded: &mut CachedVectors, id, is_own: bool| {
            loaded.apply_changes(VectorSetVersion::default(), Vec::new(), [(id, near())].into_iter(), |_| is_own);
        };
        change(&mut loaded, id(7), true);
        change(&mut loaded, id(900), false);
        assert_eq!(both(found(&mut loaded, Authors::User)), (true, false));
        change(&mut loaded, id(7), false);
        assert_eq!(both(found(&mut loaded, Authors::User)), (false, false));
        assert_eq!(both(found(&mut loaded, Authors::All)), (true, true));
    }
}
