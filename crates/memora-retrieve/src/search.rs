//! Ranks statements for a query, across one index or several.
//!
//! BM25F: the weighted term counts of the fields are summed before they saturate, and a statement has one length.
//! tantivy's own scorers are not used, for three reasons: they count deleted documents, so that the past would affect a
//! score; they saturate each field separately; and they don't report which words were found.
//!
//! Invariant: scores depend on the live documents of the given indexes and on nothing else, neither on
//! segments nor on order. Equal content gives equal bits.

use std::collections::HashSet;

use memora_claim::StatementId;
use tantivy::DocId;

use crate::collection_stats::{LiveSegment, NEIGHBOUR_CREDIT, SearchCollection, UnitPostings};
use crate::document::{decode_statement_id, encode_statement_id, weighted_length};
use crate::filters::SegmentFilter;
use crate::index::TantivyIndex;
use crate::lexical::{DocField, LexicalError, LexicalHit, SearchFilter, TermCoverage, TermMatch};
use crate::query::Query;

/// Saturation and length normalisation; tuned on LoCoMo and Cranfield.
const K1: f32 = 1.5;
const B: f32 = 0.75;

/// The coverage credit of a compound whose parts are not all present.
const PARTIAL_COMPOUND_WEIGHT: f32 = 0.5;

const DOC_FIELDS: [DocField; 5] =
    [DocField::Words, DocField::Subject, DocField::Object, DocField::Context, DocField::Neighbours];

/// Ranks the statements of several indexes together, with common statistics.
///
/// A door that may not see guarded statements is given the clear index alone.
///
/// # Errors
/// [`LexicalError`] if an index can't be read.
pub fn search_all(
    indexes: &[&TantivyIndex],
    query: &Query,
    filter: &SearchFilter,
    limit: usize,
) -> Result<Vec<LexicalHit>, LexicalError> {
    if limit == 0 || (query.is_empty() && query.phrases.is_empty() && filter.dates.is_none()) {
        return Ok(Vec::new());
    }
    Ok(PreparedSearch::run(indexes, query, filter)?.top_hits(limit))
}

/// Finds the statements that contain all words of a name side by side, in their own words or in the context above
/// them, the best `limit` first; ties are ordered by id. Words are compared in their indexed form: the caller checks
/// whether the name occurs as written.
///
/// # Errors
/// [`LexicalError`] if an index can't be read.
pub fn find_name_mentions(
    indexes: &[&TantivyIndex],
    name: &str,
    limit: usize,
) -> Result<Vec<StatementId>, LexicalError> {
    let query = Query::from_name(name);
    if limit == 0 || query.is_empty() {
        return Ok(Vec::new());
    }
    let hits = PreparedSearch::run(indexes, &query, &SearchFilter::default())?.top_hits(limit);
    let own = |hit: &LexicalHit| hit.matched.iter().all(|found| found.parts.contains(&DocField::Words));
    // Statements that contain the name come before those that are only below it.
    let (say, below): (Vec<&LexicalHit>, Vec<&LexicalHit>) = hits.iter().partition(|hit| own(hit));
    Ok(say.into_iter().chain(below).map(|hit| hit.statement).collect())
}

/// A query that was run on some indexes: every statement that passes the filter, with its score.
pub struct PreparedSearch<'q> {
    query: &'q Query,
    corpus: SearchCollection,
    terms: Vec<UnitPostings>,
    /// The score of every document, by segment; negative if the filter or a phrase excludes it.
    scores: Vec<Vec<f32>>,
    /// Whether no document is excluded.
    free: bool,
}

/// The score of an excluded document.
const RULED_OUT: f32 = -1.0;

impl<'q> PreparedSearch<'q> {
    /// Runs a query. Scores are those of [`search_all`].
    ///
    /// # Errors
    /// [`LexicalError`] if an index can't be read.
    pub fn run(indexes: &[&TantivyIndex], query: &'q Query, filter: &SearchFilter) -> Result<Self, LexicalError> {
        // Reading a damaged file may end in a panic within the library.
        let read = std::panic::AssertUnwindSafe(|| Self::read(indexes, query, filter));
        std::panic::catch_unwind(read).unwrap_or(Err(LexicalError::Damaged))
    }

    fn read(indexes: &[&TantivyIndex], query: &'q Query, filter: &SearchFilter) -> Result<Self, LexicalError> {
        let corpus = SearchCollection::open(indexes)?;
        let terms = corpus.look_up_units(query)?;
        let allowed = corpus.find_phrase_docs(query)?;
        let free = allowed.is_none() && filter.is_empty();
        let mut scores = Vec::with_capacity(corpus.sources.len());
        for (number, source) in corpus.sources.iter().enumerate() {
            let mut of_source = corpus.score_segment(number, source, &terms);
            if !free {
                let filters = SegmentFilter::open(&source.reader, filter)?;
                let allowed = allowed.as_ref().and_then(|allowed| allowed.get(number));
                for (doc, score) in (0..).zip(&mut of_source) {
                    if allowed.is_some_and(|allowed| !allowed.contains(&doc)) || !filters.matches_doc(doc) {
                        *score = RULED_OUT;
                    }
                }
            }
            scores.push(of_source);
        }
        Ok(Self { query, corpus, terms, scores, free })
    }

    /// Returns the best `limit` statements that contain a term of the query, best first; for a query without terms,
    /// those that pass the filter. Ties are ordered by id.
    #[must_use]
    pub fn top_hits(&self, limit: usize) -> Vec<LexicalHit> {
        let mut found = TopDocs::new(limit.saturating_mul(self.corpus.searchers.len()));
        for (number, (source, scores)) in self.corpus.sources.iter().zip(&self.scores).enumerate() {
            let mut keep = |doc: DocId, score: f32| found.push((score, number, doc));
            if self.query.is_empty() {
                let passes = |doc: &DocId| self.score_at(number, *doc) >= 0.0;
                source.reader.doc_ids_alive().filter(passes).for_each(|doc| keep(doc, 0.0));
            } else {
                (0..).zip(scores).filter(|(_, score)| **score > 0.0).for_each(|(doc, score)| keep(doc, *score));
            }
        }
        let best = self.corpus.rank_candidates(found.into_top(), limit);
        best.into_iter().map(|found| self.corpus.build_hit(found, self.query, &self.terms)).collect()
    }

    /// Returns the hits for the given statements, whether their terms match or not; omits those that are absent or fail
    /// the filter.
    ///
    /// # Errors
    /// [`LexicalError`] if an index can't be read.
    pub fn find_hits(&self, statements: &[StatementId]) -> Result<Vec<LexicalHit>, LexicalError> {
        let mut hits = Vec::new();
        for statement in statements {
            let id = encode_statement_id(*statement);
            let mut best: Option<(f32, usize, DocId, u64)> = None;
            for (number, source) in self.corpus.sources.iter().enumerate() {
                let Some(doc) = source.find_doc(self.corpus.fields.id, id)? else { continue };
                let score = self.score_at(number, doc);
                if score >= 0.0 && best.is_none_or(|(before, ..)| before < score) {
                    best = Some((score, number, doc, id));
                }
            }
            hits.extend(best.map(|found| self.corpus.build_hit(found, self.query, &self.terms)));
        }
        Ok(hits)
    }

    /// Returns the statements that pass the filter; `None` if all do.
    #[must_use]
    pub fn passing_statements(&self) -> Option<HashSet<StatementId>> {
        if self.free {
            return None;
        }
        let mut passing = HashSet::new();
        for (number, source) in self.corpus.sources.iter().enumerate() {
            let passes = |doc: &DocId| self.score_at(number, *doc) >= 0.0;
            let ids = source.reader.doc_ids_alive().filter(passes).filter_map(|doc| source.ids.first(doc));
            passing.extend(ids.filter_map(decode_statement_id));
        }
        Some(passing)
    }

    fn score_at(&self, source: usize, doc: DocId) -> f32 {
        let of_source = self.scores.get(source).map_or(&[][..], Vec::as_slice);
        usize::try_from(doc).ok().and_then(|doc| of_source.get(doc)).copied().unwrap_or(RULED_OUT)
    }
}

/// A score, with a document of a segment.
type ScoredDoc = (f32, usize, DocId);

/// Keeps the best of many documents that arrive in any order.
struct TopDocs {
    found: Vec<ScoredDoc>,
    wanted: usize,
    /// Documents with a lower score are not among the best.
    least: f32,
}

impl TopDocs {
    fn new(wanted: usize) -> Self {
        Self { found: Vec::new(), wanted, least: f32::NEG_INFINITY }
    }

    #[inline]
    fn push(&mut self, scored: ScoredDoc) {
        if scored.0 < self.least {
            return;
        }
        self.found.push(scored);
        // Rare enough to cost little, frequent enough that few are kept in vain.
        if self.found.len() >= self.wanted.saturating_mul(4).max(1024) && self.found.len() == self.found.capacity() {
            self.prune();
        }
    }

    /// Drops all but the best; ties with the last stay until their ids decide.
    fn prune(&mut self) {
        if self.found.len() > self.wanted && self.wanted > 0 {
            let (_, &mut (last, ..), _) =
                self.found.select_nth_unstable_by(self.wanted - 1, |a, b| b.0.total_cmp(&a.0));
            self.found.retain(|&(score, ..)| score >= last);
            self.least = last;
        }
    }

    fn into_top(mut self) -> Vec<ScoredDoc> {
        self.prune();
        self.found
    }
}

impl SearchCollection {
    /// Computes the score of every document of a segment, 0 if nothing matches.
    #[expect(clippy::cast_precision_loss, reason = "an average needs no more than 24 bits")]
    fn score_segment(&self, number: usize, source: &LiveSegment, units: &[UnitPostings]) -> Vec<f32> {
        let average = weighted_length(self.totals.tokens.map(|sum| sum as f32)) / (self.totals.docs.max(1) as f32);
        let mut scores = vec![0.0; usize::try_from(source.reader.max_doc()).unwrap_or_default()];
        for found in units.iter().flat_map(|unit| unit.parts.iter().chain(&unit.whole)) {
            for posting in found.postings.get(number).into_iter().flatten() {
                let Ok(doc) = usize::try_from(posting.doc) else { continue };
                let (Some(own), Some(score)) = (source.lengths.get(doc), scores.get_mut(doc)) else { continue };
                let norm = K1 * (1.0 - B + B * own / average.max(f32::MIN_POSITIVE));
                *score += found.weight * found.idf * posting.weighted * (K1 + 1.0) / (posting.weighted + norm);
            }
        }
        scores
    }

    /// Returns the best, ordered; a statement in two indexes counts once.
    fn rank_candidates(&self, found: Vec<ScoredDoc>, limit: usize) -> Vec<(f32, usize, DocId, u64)> {
        let id = |source: usize, doc: DocId| self.sources.get(source).and_then(|source| source.ids.first(doc));
        let mut best: Vec<_> =
            found.into_iter().filter_map(|(score, source, doc)| Some((score, source, doc, id(source, doc)?))).collect();
        best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.3.cmp(&b.3)).then(a.1.cmp(&b.1)));
        let mut seen = HashSet::new();
        best.retain(|&(.., id)| seen.len() < limit && seen.insert(id));
        best
    }

    /// Builds the hit of a document, with its terms.
    fn build_hit(
        &self,
        (score, source, doc, id): (f32, usize, DocId, u64),
        query: &Query,
        units: &[UnitPostings],
    ) -> LexicalHit {
        let (mut terms, mut matched, mut missed, mut lacks_name) = (Vec::new(), Vec::new(), Vec::new(), false);
        let (mut all, mut held, mut distinctive, mut distinctive_held) = (0.0, 0.0, 0.0, 0.0);
        for (unit, found) in query.units.iter().zip(units) {
            let whole = found.whole.as_ref().map_or(0.0, |whole| whole.match_credit(source, doc));
            let sum: f32 = found.parts.iter().map(|part| part.idf).sum();
            let shares = found.parts.iter().map(|part| part.match_credit(source, doc) * part.idf).sum::<f32>();
            // "drift-bench" does not match where "drift" occurs, and "bench" in the sentence before or nowhere.
            let torn = found.parts.len() > 1 && found.parts.iter().any(|part| part.match_credit(source, doc) < 1.0);
            let shares = if torn { shares * PARTIAL_COMPOUND_WEIGHT } else { shares };
            let credit = if sum > 0.0 { whole.max(shares / sum) } else { whole };
            let (term, names) = (unit.shown.clone(), found.names);
            terms.push(TermCoverage { term, weight: found.weight, credit, names });
            all += found.weight;
            held += found.weight * credit;
            if found.distinctive {
                distinctive += found.weight;
                distinctive_held += found.weight * credit;
                if credit < NEIGHBOUR_CREDIT {
                    missed.push(unit.shown.clone());
                    lacks_name |= found.names;
                }
            }
            let here = || found.parts.iter().chain(&found.whole).filter_map(|found| found.find_posting(source, doc));
            let bits = here().fold(0, |bits, posting| bits | posting.parts);
            if bits != 0 {
                let parts =
                    DOC_FIELDS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, &part)| part);
                let fuzzy = found.parts.iter().any(|part| part.fuzzy);
                matched.push(TermMatch { term: unit.shown.clone(), parts: parts.collect(), fuzzy });
            }
        }
        let share = |held: f32, all: f32| if all > 0.0 { (held / all).min(1.0) } else { 1.0 };
        LexicalHit {
            // Sixty bits always are an id.
            statement: decode_statement_id(id).unwrap_or_else(|| memora_claim::StatementId::from_words("", &[])),
            score,
            terms,
            matched,
            coverage: share(held, all),
            distinctive: share(distinctive_held, distinctive),
            missed,
            lacks_name,
        }
    }
}
