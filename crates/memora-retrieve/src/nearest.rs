//! Vector search for the statements nearest to a question: [`Nearest`], and a full scan that implements it, [`VectorScan`].
//!
//! Invariant: **a scan holds the vectors it was given and nothing else**, so that a door's results depend only on
//! vectors that the door may see. It compares every vector by one bit per dimension, then the candidates by one byte;
//! there is nothing to build, and a filter only makes it faster. The results are scored again with the
//! question's own values, as finely as codes allow. What the first pass overlooks, and what it saves, is in `docs/decisions/0009-nearest.md`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap, HashSet};

use memora_claim::StatementId;
use memora_embed::{BinaryCodes, Vector, cosine_to_code, dot, quantize};

/// The weight of the neighbouring sentences in a statement's vector; tuned on LoCoMo, development half.
const NEIGHBOUR_WEIGHT: f32 = 0.5;

/// The weight of title and headings; tuned on Cranfield.
const CONTEXT_WEIGHT: f32 = 0.8;

/// Candidates compared by their codes: a minimum, so that a small vault loses nothing, and a divisor of the total.
const CODE_CANDIDATES: (usize, usize) = (4_000, 200);

/// Candidates preselected by their sign bits: a minimum, and a divisor of the total.
const SIGN_CANDIDATES: (usize, usize) = (8_000, 32);

/// Returns the vector of a statement: that of its own words, plus a share of its neighbours and of its headings.
///
/// A change here needs a migration that drops the vectors in stores.
///
/// Zero if its own words have none: its neighbours' meaning is not its own.
#[must_use]
pub fn statement_vector(words: &Vector, around: &Vector, context: &Vector) -> Vector {
    if words.is_zero() {
        return words.clone();
    }
    let values = words.values().iter().zip(around.values()).zip(context.values());
    Vector::normalized(
        values.map(|((word, around), context)| word + NEIGHBOUR_WEIGHT * around + CONTEXT_WEIGHT * context).collect(),
    )
}

/// Finds the statements whose vectors are nearest to a given one.
pub trait Nearest: Send + Sync {
    /// Returns at most `limit` statements, of those in `among` if given, nearest first, each with its cosine;
    /// ties are ordered by id. A zero vector has no neighbours, and negative cosines are excluded.
    fn find_nearest(
        &self,
        vector: &Vector,
        limit: usize,
        among: Option<&HashSet<StatementId>>,
    ) -> Vec<(StatementId, f32)>;
}

/// The codes of some statements, in contiguous storage.
#[derive(Clone, Debug, Default)]
pub struct VectorScan {
    dimensions: usize,
    statements: Vec<StatementId>,
    /// The codes, one byte per dimension.
    codes: Vec<i8>,
    signs: BinaryCodes,
    /// The index of each statement in the other vectors.
    places: HashMap<StatementId, usize>,
}

impl VectorScan {
    /// Creates a scan from stored codes: `dimensions` bytes for each statement, in the same order.
    ///
    /// Entries beyond the shorter of the two are ignored; of duplicate statements, the last counts.
    #[must_use]
    pub fn new(mut statements: Vec<StatementId>, mut codes: Vec<i8>, dimensions: usize) -> Self {
        statements.truncate(codes.len().checked_div(dimensions).unwrap_or_default());
        codes.truncate(statements.len() * dimensions);
        let places: HashMap<_, _> =
            statements.iter().enumerate().map(|(place, statement)| (*statement, place)).collect();
        if places.len() < statements.len() {
            let mut scan = Self { dimensions, signs: BinaryCodes::from_codes(&[], dimensions), ..Self::default() };
            statements.iter().zip(codes.chunks_exact(dimensions)).for_each(|(id, code)| scan.insert(*id, code));
            return scan;
        }
        let signs = BinaryCodes::from_codes(&codes, dimensions);
        Self { dimensions, statements, codes, signs, places }
    }

    /// Inserts or replaces the code of a statement. A code of other dimensions is ignored.
    pub fn insert(&mut self, statement: StatementId, code: &[i8]) {
        if code.len() != self.dimensions || code.is_empty() {
            return;
        }
        if let Some(&place) = self.places.get(&statement) {
            if let Some(own) = self.codes.get_mut(place * self.dimensions..).and_then(|c| c.get_mut(..code.len())) {
                own.copy_from_slice(code);
            }
            self.signs.replace(place, code);
            return;
        }
        self.places.insert(statement, self.statements.len());
        self.statements.push(statement);
        self.codes.extend_from_slice(code);
        self.signs.push(code);
    }

    /// Removes a statement, if present. The last one takes its place.
    pub fn remove(&mut self, statement: StatementId) {
        let Some(place) = self.places.remove(&statement) else { return };
        self.statements.swap_remove(place);
        let last = self.codes.len().saturating_sub(self.dimensions);
        self.codes.copy_within(last.., place * self.dimensions);
        self.codes.truncate(last);
        self.signs.swap_remove(place);
        if let Some(moved) = self.statements.get(place) {
            self.places.insert(*moved, place);
        }
    }

    /// Returns the number of vectors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.statements.len()
    }

    /// Whether there are no vectors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.statements.is_empty()
    }

    /// Iterates over the statements with their codes.
    #[cfg(feature = "hnsw")]
    pub(crate) fn iter_codes(&self) -> impl Iterator<Item = (StatementId, &[i8])> {
        self.statements.iter().copied().zip(self.codes.chunks_exact(self.dimensions.max(1)))
    }

    /// Whether a search can find anything.
    pub(crate) fn can_search(&self, vector: &Vector, limit: usize) -> bool {
        limit > 0 && !vector.is_zero() && vector.values().len() == self.dimensions
    }

    /// Returns the nearest of some statements by their codes.
    pub(crate) fn find_nearest_of(
        &self,
        vector: &Vector,
        limit: usize,
        statements: impl Iterator<Item = StatementId>,
    ) -> Vec<(StatementId, f32)> {
        let places = statements.filter_map(|statement| self.places.get(&statement).copied());
        self.rank_by_code(vector, limit, places)
    }

    /// Returns the code at an index.
    fn code_at(&self, place: usize) -> &[i8] {
        let from = place * self.dimensions;
        self.codes.get(from..from + self.dimensions).unwrap_or_default()
    }

    /// Returns the indexes of the given statements, in order.
    fn find_places(&self, among: &HashSet<StatementId>) -> Vec<usize> {
        let mut places: Vec<usize> = among.iter().filter_map(|statement| self.places.get(statement).copied()).collect();
        places.sort_unstable();
        places
    }

    /// Selects the candidates to compare by their codes, from the given indexes or from all. The selection does not
    /// depend on their order.
    fn select_candidates(&self, asked: &[i8], wanted: usize, among: Option<Vec<usize>>) -> Vec<usize> {
        let weighed = SIGN_CANDIDATES.0.max(self.len() / SIGN_CANDIDATES.1).max(wanted);
        let near = match among {
            Some(places) => places,
            None => smallest_positions(&self.signs.hamming_distances(asked), weighed).collect(),
        };
        let weights = self.signs.weighted_distances_at(asked, &near);
        smallest_positions(&weights, wanted).filter_map(|at| near.get(at).copied()).collect()
    }

    /// Returns the best of some candidates: chosen by the products of codes, then scored by the question's own values.
    fn rank_by_code(
        &self,
        vector: &Vector,
        limit: usize,
        places: impl Iterator<Item = usize>,
    ) -> Vec<(StatementId, f32)> {
        let asked = quantize(vector);
        // The worst of the best is on top: most codes are compared with it and skipped.
        let mut best: BinaryHeap<Reverse<(i32, Reverse<StatementId>, usize)>> =
            BinaryHeap::with_capacity(limit.min(self.len()) + 1);
        // The product of the worst of the best; candidates with less are skipped.
        let mut least = 1;
        for place in places {
            let product = dot(&asked, self.code_at(place));
            if product < least {
                continue;
            }
            let Some(statement) = self.statements.get(place) else { continue };
            best.push(Reverse((product, Reverse(*statement), place)));
            if best.len() > limit {
                best.pop();
                least = best.peek().map_or(1, |Reverse((product, ..))| *product);
            }
        }
        let score = |Reverse((_, Reverse(statement), place)): Reverse<(i32, Reverse<StatementId>, usize)>| {
            (statement, cosine_to_code(vector, self.code_at(place)))
        };
        let mut nearest: Vec<(StatementId, f32)> = best.into_iter().map(score).collect();
        nearest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        nearest
    }
}

impl Nearest for VectorScan {
    fn find_nearest(
        &self,
        vector: &Vector,
        limit: usize,
        among: Option<&HashSet<StatementId>>,
    ) -> Vec<(StatementId, f32)> {
        if !self.can_search(vector, limit) {
            return Vec::new();
        }
        let among = among.map(|among| self.find_places(among));
        let count = among.as_ref().map_or(self.len(), Vec::len);
        let wanted = CODE_CANDIDATES.0.max(count / CODE_CANDIDATES.1).max(limit);
        match among {
            among if count > wanted => {
                let candidates = self.select_candidates(&quantize(vector), wanted, among);
                self.rank_by_code(vector, limit, candidates.into_iter())
            }
            Some(among) => self.rank_by_code(vector, limit, among.into_iter()),
            None => self.rank_by_code(vector, limit, 0..count),
        }
    }
}

/// Returns the positions of the smallest values, in order: at least `wanted`, and all ties with the last.
fn smallest_positions(values: &[u16], wanted: usize) -> impl Iterator<Item = usize> + '_ {
    let most = values.iter().max().copied().unwrap_or_default();
    let mut counts = vec![0_usize; usize::from(most) + 1];
    for value in values {
        if let Some(count) = counts.get_mut(usize::from(*value)) {
            *count += 1;
        }
    }
    let mut so_far = 0;
    let last = counts.iter().position(|count| {
        so_far += count;
        so_far >= wanted
    });
    let last = last.and_then(|last| u16::try_from(last).ok()).unwrap_or(u16::MAX);
    values.iter().enumerate().filter(move |(_, value)| **value <= last).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn statement(number: usize) -> StatementId {
        StatementId::from_words(&format!("statement {number}"), &[])
    }

    fn scan(vectors: &[Vec<f32>], dimensions: usize) -> VectorScan {
        let codes = vectors.iter().flat_map(|vector| quantize(&Vector::normalized(vector.clone()))).collect();
        VectorScan::new((0..vectors.len()).map(statement).collect(), codes, dimensions)
    }

    fn found(scan: &VectorScan, vector: &[f32], limit: usize) -> Vec<StatementId> {
        let vector = Vector::normalized(vector.to_vec());
        scan.find_nearest(&vector, limit, None).into_iter().map(|(id, _)| id).collect()
    }

    #[test]
    fn nearest_come_first_and_the_filter_holds() {
        let scan = scan(&[vec![1.0, 0.0], vec![0.8, 0.6], vec![0.0, 1.0], vec![-1.0, 0.0]], 2);
        assert_eq!(found(&scan, &[1.0, 0.1], 9), [statement(0), statement(1), statement(2)]);
        assert_eq!(found(&scan, &[1.0, 0.1], 1), [statement(0)]);
        let vector = Vector::normalized(vec![1.0, 0.1]);
        let others: HashSet<StatementId> = (1..9).map(statement).collect();
        let kept = scan.find_nearest(&vector, 1, Some(&others));
        assert_eq!(kept.first().map(|(id, _)| *id), Some(statement(1)));
    }

    #[test]
    fn nothing_is_near_to_nothing() {
        let scan = scan(&[vec![1.0, 0.0]], 2);
        assert!(found(&scan, &[0.0, 0.0], 5).is_empty());
        assert!(found(&scan, &[1.0, 0.0, 0.0], 5).is_empty(), "of another embedder");
        assert!(found(&scan, &[1.0, 0.0], 0).is_empty());
        assert!(found(&VectorScan::default(), &[1.0], 5).is_empty());
    }

    /// Statements of a few topics, as vaults have: a topic and something of one's own.
    fn topics(count: usize, dimensions: usize) -> Vec<Vec<f32>> {
        let mut state = 7_u64;
        let mut value = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 40) as f32 / (1 << 23) as f32 - 1.0
        };
        let topics: Vec<Vec<f32>> = (0..50).map(|_| (0..dimensions).map(|_| value()).collect()).collect();
        (0..count).map(|number| topics[number % 50].iter().map(|part| part + value()).collect()).collect()
    }

    #[test]
    fn among_many_the_nearest_are_found_in_whatever_order_they_stand() {
        let vectors = topics(30_000, 128);
        let scan = scan(&vectors, 128);
        let mut turned = VectorScan::new(Vec::new(), Vec::new(), 128);
        for (number, vector) in vectors.iter().enumerate().rev() {
            turned.insert(statement(number), &quantize(&Vector::normalized(vector.clone())));
        }
        let (mut held, mut all) = (0, 0);
        for number in (0..30_000).step_by(997) {
            let asked = Vector::normalized(vectors[number].clone());
            let coded = scan.rank_by_code(&asked, 10, 0..scan.len());
            let found = scan.find_nearest(&asked, 10, None);
            assert_eq!(found, turned.find_nearest(&asked, 10, None));
            held += found.iter().filter(|found| coded.contains(found)).count();
            all += coded.len();
        }
        assert!(held * 100 >= all * 99, "{held} of {all}");
    }

    #[test]
    fn a_filter_is_exact_where_few_pass_it() {
        let vectors = topics(20_000, 64);
        let scan = scan(&vectors, 64);
        let few: HashSet<StatementId> = (0..20_000).step_by(7).map(statement).collect();
        let asked = Vector::normalized(vectors[3].clone());
        let expect = scan.rank_by_code(&asked, 20, (0..20_000).filter(|place| place % 7 == 0));
        assert_eq!(scan.find_nearest(&asked, 20, Some(&few)), expect);
        let most: HashSet<StatementId> = (0..20_000).skip(1).map(statement).collect();
        let found = scan.find_nearest(&asked, 20, Some(&most));
        assert!(found.len() == 20 && found.iter().all(|(id, _)| *id != statement(0)));
        assert!(scan.find_nearest(&asked, 20, Some(&HashSet::new())).is_empty());
    }

    proptest! {
        #[test]
        fn a_scan_that_followed_changes_is_one_made_anew(
            steps in proptest::collection::vec((0_usize..20, proptest::option::of(proptest::collection::vec(any::<i8>(), 8))), 0..60),
        ) {
            let mut followed = VectorScan::new(vec![statement(0)], vec![1; 8], 8);
            let mut kept = std::collections::BTreeMap::from([(0, vec![1; 8])]);
            for (number, code) in steps {
                match code {
                    Some(code) => {
                        followed.insert(statement(number), &code);
                        kept.insert(number, code);
                    }
                    None => {
                        followed.remove(statement(number));
                        kept.remove(&number);
                    }
                }
            }
            let anew = VectorScan::new(kept.keys().copied().map(statement).collect(), kept.into_values().flatten().collect(), 8);
            prop_assert_eq!(followed.len(), anew.len());
            for asked in [vec![1.0; 8], vec![-1.0, 1.0, 0.5, 0.0, 0.0, -0.3, 0.2, 1.0]] {
                let asked = Vector::normalized(asked);
                prop_assert_eq!(followed.find_nearest(&asked, 9, None), anew.find_nearest(&asked, 9, None));
                prop_assert_eq!(followed.signs.hamming_distances(&quantize(&asked)).len(), anew.len());
            }
        }

        #[test]
        fn a_scan_finds_what_sorting_finds(
            vectors in proptest::collection::vec(proptest::collection::vec(-1.0_f32..1.0, 16), 1..60),
            asked in proptest::collection::vec(-1.0_f32..1.0, 16),
            limit in 1_usize..20,
        ) {
            let scan = scan(&vectors, 16);
            let asked = Vector::normalized(asked);
            let code = quantize(&asked);
            let mut all: Vec<(i32, StatementId)> = vectors
                .iter()
                .enumerate()
                .map(|(i, vector)| (dot(&code, &quantize(&Vector::normalized(vector.clone()))), statement(i)))
                .filter(|(product, _)| *product > 0)
                .collect();
            all.sort_by_key(|(product, id)| (Reverse(*product), *id));
            all.truncate(limit);
            let found = scan.find_nearest(&asked, limit, None);
            prop_assert!(found.is_sorted_by(|a, b| a.1 >= b.1));
            let expect: HashSet<StatementId> = all.into_iter().map(|(_, id)| id).collect();
            prop_assert_eq!(found.into_iter().map(|(id, _)| id).collect::<HashSet<_>>(), expect);
        }
    }
}
