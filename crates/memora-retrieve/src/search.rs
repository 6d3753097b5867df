//! Ranks statements for a question, across one index or several.
//!
//! BM25F: the fields' weighted term counts are added before they saturate, and a statement has one length. tantivy's own
//! scorers are not used, for three reasons: they count deleted documents, so that the past would reach a score; they
//! saturate each field apart; and they don't say which words were found.
//!
//! The one rule to know: scores depend on the live documents of the given indexes and on nothing else, neither on
//! segments nor on order. Equal content gives equal bits.

use std::collections::HashSet;

use memora_claim::StatementId;
use tantivy::DocId;

use crate::corpus::{Corpus, FoundUnit, ONLY_AROUND, Source};
use crate::filters::Filters;
use crate::index::{TantivyIndex, number, statement, weighted};
use crate::lexical::{Filter, Held, Hit, LexicalError, Match, Part};
use crate::query::Query;

/// Saturation and length normalisation; tuned on LoCoMo and Cranfield.
const K1: f32 = 1.5;
const B: f32 = 0.75;

/// What the parts of a compound are worth to coverage that has not all of them.
const TORN: f32 = 0.5;

const PARTS: [Part; 5] = [Part::Words, Part::Subject, Part::Object, Part::Context, Part::Around];

/// Ranks the statements of several indexes together, with one statistic over all of them.
///
/// A door that may not see guarded statements is given the clear index alone.
///
/// # Errors
/// [`LexicalError`], when an index can't be read.
pub fn search_all(
    indexes: &[&TantivyIndex],
    query: &Query,
    filter: &Filter,
    limit: usize,
) -> Result<Vec<Hit>, LexicalError> {
    if limit == 0 || (query.is_empty() && query.phrases.is_empty() && filter.dates.is_none()) {
        return Ok(Vec::new());
    }
    Ok(Looked::up(indexes, query, filter)?.best(limit))
}

/// The statements that have all words of a name side by side, in their own words or in what stands above them, the best
/// `limit` first; equal scores in the order of their ids. Words are compared as the index has them: whether the name stands
/// there as it is written is for who asks to see.
///
/// # Errors
/// [`LexicalError`], when an index can't be read.
pub fn naming(indexes: &[&TantivyIndex], name: &str, limit: usize) -> Result<Vec<StatementId>, LexicalError> {
    let query = Query::of_name(name);
    if limit == 0 || query.is_empty() {
        return Ok(Vec::new());
    }
    let hits = Looked::up(indexes, &query, &Filter::default())?.best(limit);
    let own = |hit: &Hit| hit.matched.iter().all(|found| found.parts.contains(&Part::Words));
    // What says the name itself goes before what only stands below it.
    let (say, below): (Vec<&Hit>, Vec<&Hit>) = hits.iter().partition(|hit| own(hit));
    Ok(say.into_iter().chain(below).map(|hit| hit.statement).collect())
}

/// A question that was looked up in some indexes: every statement that passes the filter, with its score.
pub struct Looked<'q> {
    query: &'q Query,
    corpus: Corpus,
    terms: Vec<FoundUnit>,
    /// For each source the score of every document; less than zero where the filter or a phrase rules it out.
    scores: Vec<Vec<f32>>,
    /// Whether nothing is ruled out.
    free: bool,
}

/// The score of a document that is ruled out.
const RULED_OUT: f32 = -1.0;

impl<'q> Looked<'q> {
    /// Looks a question up. Scores are those of [`search_all`].
    ///
    /// # Errors
    /// [`LexicalError`], when an index can't be read.
    pub fn up(indexes: &[&TantivyIndex], query: &'q Query, filter: &Filter) -> Result<Self, LexicalError> {
        let corpus = Corpus::open(indexes)?;
        let terms = corpus.terms(query)?;
        let allowed = corpus.phrases(query)?;
        let free = allowed.is_none() && filter.is_empty();
        let mut scores = Vec::with_capacity(corpus.sources.len());
        for (number, source) in corpus.sources.iter().enumerate() {
            let mut of_source = corpus.score(number, source, &terms);
            if !free {
                let filters = Filters::open(&source.reader, filter)?;
                let allowed = allowed.as_ref().and_then(|allowed| allowed.get(number));
                for (doc, score) in (0..).zip(&mut of_source) {
                    if allowed.is_some_and(|allowed| !allowed.contains(&doc)) || !filters.pass(doc) {
                        *score = RULED_OUT;
                    }
                }
            }
            scores.push(of_source);
        }
        Ok(Self { query, corpus, terms, scores, free })
    }

    /// The best `limit` statements that hold a word of the question, best first; of a question without words, those that
    /// pass the filter. Equal scores stand in the order of their ids.
    #[must_use]
    pub fn best(&self, limit: usize) -> Vec<Hit> {
        let mut found = Candidates::new(limit.saturating_mul(self.corpus.searchers.len()));
        for (number, (source, scores)) in self.corpus.sources.iter().zip(&self.scores).enumerate() {
            let mut keep = |doc: DocId, score: f32| found.push((score, number, doc));
            if self.query.is_empty() {
                let passes = |doc: &DocId| self.score(number, *doc) >= 0.0;
                source.reader.doc_ids_alive().filter(passes).for_each(|doc| keep(doc, 0.0));
            } else {
                (0..).zip(scores).filter(|(_, score)| **score > 0.0).for_each(|(doc, score)| keep(doc, *score));
            }
        }
        let best = self.corpus.best(found.best(), limit);
        best.into_iter().map(|found| self.corpus.hit(found, self.query, &self.terms)).collect()
    }

    /// The hits that given statements are, found by words or not; without those that are not there or don't pass the
    /// filter.
    ///
    /// # Errors
    /// [`LexicalError`], when an index can't be read.
    pub fn of(&self, statements: &[StatementId]) -> Result<Vec<Hit>, LexicalError> {
        let mut hits = Vec::new();
        for statement in statements {
            let id = number(*statement);
            let mut best: Option<(f32, usize, DocId, u64)> = None;
            for (number, source) in self.corpus.sources.iter().enumerate() {
                let Some(doc) = source.doc_of(self.corpus.fields.id, id)? else { continue };
                let score = self.score(number, doc);
                if score >= 0.0 && best.is_none_or(|(before, ..)| before < score) {
                    best = Some((score, number, doc, id));
                }
            }
            hits.extend(best.map(|found| self.corpus.hit(found, self.query, &self.terms)));
        }
        Ok(hits)
    }

    /// The statements that pass the filter; nothing when all do.
    #[must_use]
    pub fn passing(&self) -> Option<HashSet<StatementId>> {
        if self.free {
            return None;
        }
        let mut passing = HashSet::new();
        for (number, source) in self.corpus.sources.iter().enumerate() {
            let passes = |doc: &DocId| self.score(number, *doc) >= 0.0;
            let ids = source.reader.doc_ids_alive().filter(passes).filter_map(|doc| source.ids.first(doc));
            passing.extend(ids.filter_map(statement));
        }
        Some(passing)
    }

    fn score(&self, source: usize, doc: DocId) -> f32 {
        let of_source = self.scores.get(source).map_or(&[][..], Vec::as_slice);
        usize::try_from(doc).ok().and_then(|doc| of_source.get(doc)).copied().unwrap_or(RULED_OUT)
    }
}

/// The score of a document of a source.
type Scored = (f32, usize, DocId);

/// Keeps the best of many that come in any order.
struct Candidates {
    found: Vec<Scored>,
    wanted: usize,
    /// What has less is not among the best.
    least: f32,
}

impl Candidates {
    fn new(wanted: usize) -> Self {
        Self { found: Vec::new(), wanted, least: f32::NEG_INFINITY }
    }

    #[inline]
    fn push(&mut self, scored: Scored) {
        if scored.0 < self.least {
            return;
        }
        self.found.push(scored);
        // Seldom enough to cost little, often enough that few are kept in vain.
        if self.found.len() >= self.wanted.saturating_mul(4).max(1024) && self.found.len() == self.found.capacity() {
            self.cut();
        }
    }

    /// All that equal the last wanted stay until their ids decide.
    fn cut(&mut self) {
        if self.found.len() > self.wanted && self.wanted > 0 {
            let (_, &mut (last, ..), _) =
                self.found.select_nth_unstable_by(self.wanted - 1, |a, b| b.0.total_cmp(&a.0));
            self.found.retain(|&(score, ..)| score >= last);
            self.least = last;
        }
    }

    fn best(mut self) -> Vec<Scored> {
        self.cut();
        self.found
    }
}

impl Corpus {
    /// The score of every document of a source, 0 where nothing matches.
    #[expect(clippy::cast_precision_loss, reason = "an average needs no more than 24 bits")]
    fn score(&self, number: usize, source: &Source, units: &[FoundUnit]) -> Vec<f32> {
        let average = weighted(self.totals.tokens.map(|sum| sum as f32)) / (self.totals.docs.max(1) as f32);
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

    /// The best, ordered; a statement that stands in two indexes counts once.
    fn best(&self, found: Vec<Scored>, limit: usize) -> Vec<(f32, usize, DocId, u64)> {
        let id = |source: usize, doc: DocId| self.sources.get(source).and_then(|source| source.ids.first(doc));
        let mut best: Vec<_> =
            found.into_iter().filter_map(|(score, source, doc)| Some((score, source, doc, id(source, doc)?))).collect();
        best.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.3.cmp(&b.3)).then(a.1.cmp(&b.1)));
        let mut seen = HashSet::new();
        best.retain(|&(.., id)| seen.len() < limit && seen.insert(id));
        best
    }

    /// What a hit has of the question.
    fn hit(&self, (score, source, doc, id): (f32, usize, DocId, u64), query: &Query, units: &[FoundUnit]) -> Hit {
        let (mut terms, mut matched, mut missed, mut lacks_name) = (Vec::new(), Vec::new(), Vec::new(), false);
        let (mut all, mut held, mut distinctive, mut distinctive_held) = (0.0, 0.0, 0.0, 0.0);
        for (unit, found) in query.units.iter().zip(units) {
            let whole = found.whole.as_ref().map_or(0.0, |whole| whole.credit(source, doc));
            let sum: f32 = found.parts.iter().map(|part| part.idf).sum();
            let shares = found.parts.iter().map(|part| part.credit(source, doc) * part.idf).sum::<f32>();
            // "drift-bench" is not found where "drift" is, and "bench" in the sentence before or nowhere.
            let torn = found.parts.len() > 1 && found.parts.iter().any(|part| part.credit(source, doc) < 1.0);
            let shares = if torn { shares * TORN } else { shares };
            let credit = if sum > 0.0 { whole.max(shares / sum) } else { whole };
            let (term, names) = (unit.shown.clone(), found.names);
            terms.push(Held { term, weight: found.weight, credit, names });
            all += found.weight;
            held += found.weight * credit;
            if found.distinctive {
                distinctive += found.weight;
                distinctive_held += found.weight * credit;
                if credit < ONLY_AROUND {
                    missed.push(unit.shown.clone());
                    lacks_name |= found.names;
                }
            }
            let here = || found.parts.iter().chain(&found.whole).filter_map(|found| found.at(source, doc));
            let bits = here().fold(0, |bits, posting| bits | posting.parts);
            if bits != 0 {
                let parts = PARTS.iter().enumerate().filter(|(bit, _)| bits >> bit & 1 == 1).map(|(_, &part)| part);
                let fuzzy = found.parts.iter().any(|part| part.fuzzy);
                matched.push(Match { term: unit.shown.clone(), parts: parts.collect(), fuzzy });
            }
        }
        let share = |held: f32, all: f32| if all > 0.0 { (held / all).min(1.0) } else { 1.0 };
        Hit {
            // Sixty bits always are an id.
            statement: statement(id).unwrap_or_else(|| memora_claim::StatementId::of("", &[])),
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
