//! Ranks statements for a question, across one index or several.
//!
//! BM25F: the fields' weighted term counts are added before they saturate, and a statement has one length. tantivy's own
//! scorers are not used, for three reasons: they count deleted documents, so that the past would reach a score; they
//! saturate each field apart; and they don't say which words were found.
//!
//! The one rule to know: scores depend on the live documents of the given indexes and on nothing else, neither on
//! segments nor on order. Equal content gives equal bits.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use memora_claim::StatementId;
use tantivy::columnar::Column;
use tantivy::fastfield::AliveBitSet;
use tantivy::postings::Postings;
use tantivy::query::{EnableScoring, FuzzyTermQuery, PhraseQuery, Query as _};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, InvertedIndexReader, Searcher, SegmentReader, TERMINATED, Term};

use crate::filters::Filters;
use crate::index::{Fields, TantivyIndex, Totals, number, statement, unpack};
use crate::lexical::{Filter, Hit, LexicalError, Match, Part};
use crate::postings::{Posting, Scratch, WEIGHTS};
use crate::query::{Query, Unit};

/// Saturation and length normalisation; tuned on LoCoMo and Cranfield.
const K1: f32 = 1.5;
const B: f32 = 0.75;

/// Where a word and its parts both count, they share.
const PART_OF_WHOLE: f32 = 0.6;
const WHOLE: f32 = 0.8;

/// What a misspelled word is worth, in score and in coverage.
const FUZZY: f32 = 0.6;

/// What a word is worth to coverage that only the sentence before has.
const ONLY_BEFORE: f32 = 0.5;

/// What the parts of a compound are worth to coverage that has not all of them.
const TORN: f32 = 0.5;

/// A word is rare when its weight reaches this share of the weight of a word that occurs nowhere.
const RARE: f32 = 0.55;

/// Pairs of dense characters that occur nowhere are mostly accidents of cutting.
const ABSENT_PAIR: f32 = 0.3;

/// Words that a misspelling may stand for.
const FUZZY_TERMS_MAX: usize = 32;

const PARTS: [Part; 5] = [Part::Words, Part::Subject, Part::Object, Part::Context, Part::Before];
const BEFORE_BIT: u8 = 1 << 4;

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
        let free = allowed.is_none() && filter.notes.is_none() && filter.dates.is_none();
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
        let mut found = Vec::new();
        for (number, (source, scores)) in self.corpus.sources.iter().zip(&self.scores).enumerate() {
            let mut keep = |doc: DocId, score: f32| found.push((score, number, doc));
            if self.query.is_empty() {
                let passes = |doc: &DocId| self.score(number, *doc) >= 0.0;
                source.reader.doc_ids_alive().filter(passes).for_each(|doc| keep(doc, 0.0));
            } else {
                (0..).zip(scores).filter(|(_, score)| **score > 0.0).for_each(|(doc, score)| keep(doc, *score));
            }
        }
        let best = self.corpus.best(found, limit);
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

/// A live segment of one of the indexes.
struct Source {
    reader: SegmentReader,
    inverted: [Arc<InvertedIndexReader>; 5],
    lengths: Column<u64>,
    ids: Column<u64>,
    alive: Option<AliveBitSet>,
    /// Which of the searchers it is of.
    index: usize,
}

impl Source {
    /// The live document of a statement.
    fn doc_of(&self, field: Field, id: u64) -> Result<Option<DocId>, LexicalError> {
        let term = Term::from_field_u64(field, id);
        let list = self.reader.inverted_index(field)?.read_postings(&term, IndexRecordOption::Basic)?;
        let Some(mut list) = list else { return Ok(None) };
        while list.doc() != TERMINATED {
            if self.alive.as_ref().is_none_or(|alive| alive.is_alive(list.doc())) {
                return Ok(Some(list.doc()));
            }
            list.advance();
        }
        Ok(None)
    }
}

/// A term of the question in all sources.
struct Found {
    postings: Vec<Vec<Posting>>,
    idf: f32,
    fuzzy: bool,
    /// What it adds to the score.
    weight: f32,
}

impl Found {
    fn docs(&self) -> usize {
        self.postings.iter().map(Vec::len).sum()
    }

    fn at(&self, source: usize, doc: DocId) -> Option<Posting> {
        let postings = self.postings.get(source)?;
        postings.get(postings.binary_search_by_key(&doc, |posting| posting.doc).ok()?).copied()
    }

    fn credit(&self, source: usize, doc: DocId) -> f32 {
        let Some(posting) = self.at(source, doc) else { return 0.0 };
        let near = if posting.parts == BEFORE_BIT { ONLY_BEFORE } else { 1.0 };
        if self.fuzzy { near * FUZZY } else { near }
    }
}

/// The terms of one unit of the question.
struct FoundUnit {
    parts: Vec<Found>,
    whole: Option<Found>,
    /// What it weighs in coverage.
    weight: f32,
    distinctive: bool,
    /// Whether its spelling says that it names something: capitals, a number, several words in one.
    names: bool,
}

struct Corpus {
    searchers: Vec<Searcher>,
    sources: Vec<Source>,
    fields: Fields,
    totals: Totals,
}

impl Corpus {
    fn open(indexes: &[&TantivyIndex]) -> Result<Self, LexicalError> {
        let Some(fields) = indexes.first().map(|index| *index.fields()) else { return Err(LexicalError::Damaged) };
        let searchers: Vec<Searcher> = indexes.iter().map(|index| index.searcher()).collect();
        let mut sources = Vec::new();
        let mut totals = Totals::default();
        for (number, (index, searcher)) in indexes.iter().zip(&searchers).enumerate() {
            for reader in searcher.segment_readers() {
                let own = index.totals(reader)?;
                totals.docs += own.docs;
                totals.tokens.iter_mut().zip(own.tokens).for_each(|(sum, own)| *sum += own);
                let [a, b, c, d, e] = fields.text.map(|field| reader.inverted_index(field));
                sources.push(Source {
                    inverted: [a?, b?, c?, d?, e?],
                    lengths: reader.fast_fields().u64("lengths")?,
                    ids: reader.fast_fields().u64("id")?,
                    alive: reader.alive_bitset().cloned(),
                    reader: reader.clone(),
                    index: number,
                });
            }
        }
        Ok(Self { searchers, sources, fields, totals })
    }

    #[expect(clippy::cast_precision_loss, reason = "a weight needs no more than 24 bits of a count")]
    fn idf(&self, docs: usize) -> f32 {
        let (all, docs) = (self.totals.docs as f32, docs as f32);
        (1.0 + (all - docs + 0.5).max(0.0) / (docs + 0.5)).ln()
    }

    /// Looks every term up.
    fn terms(&self, query: &Query) -> Result<Vec<FoundUnit>, LexicalError> {
        let mut scratch = Scratch::default();
        query.units.iter().map(|unit| self.unit(unit, &mut scratch)).collect()
    }

    fn unit(&self, unit: &Unit, scratch: &mut Scratch) -> Result<FoundUnit, LexicalError> {
        let absent = self.idf(0);
        let mut parts = Vec::new();
        if unit.prefix {
            let keys = self.keys_from(&unit.shown)?;
            parts.push(self.find(&keys, 1.0, scratch)?);
        }
        for part in &unit.parts {
            let weight = if unit.whole.is_some() { PART_OF_WHOLE } else { 1.0 };
            let mut found = self.find(std::slice::from_ref(part), weight, scratch)?;
            if found.docs() == 0 && unit.whole.is_none() && !unit.dense {
                let keys = self.spelled_like(part, &unit.shown, scratch)?;
                if !keys.is_empty() {
                    found = self.find(&keys, weight * FUZZY, scratch)?;
                    found.fuzzy = true;
                }
            }
            parts.push(found);
        }
        let whole = match &unit.whole {
            Some(whole) => Some(self.find(std::slice::from_ref(whole), WHOLE, scratch)?),
            None => None,
        };
        let idf = match &whole {
            Some(whole) if parts.is_empty() || parts.iter().any(|part| part.docs() == 0) => whole.idf,
            _ => parts.iter().map(|part| part.idf).fold(0.0, f32::max),
        };
        let known = parts.iter().chain(&whole).any(|found| found.docs() > 0);
        let weight = if unit.dense && !known { absent * ABSENT_PAIR } else { idf };
        // A word made of several is somebody's name for something.
        let compound = whole.is_some() && parts.len() > 1;
        let distinctive = unit.name || compound || (!unit.dense && (!known || idf >= RARE * absent));
        Ok(FoundUnit { parts, whole, weight, distinctive, names: unit.name || compound })
    }

    /// The live documents that have any of the keys, in any part.
    fn find(&self, keys: &[String], weight: f32, scratch: &mut Scratch) -> Result<Found, LexicalError> {
        let mut postings = Vec::with_capacity(self.sources.len());
        for source in &self.sources {
            for (part, (inverted, field)) in source.inverted.iter().zip(self.fields.text).enumerate() {
                for key in keys {
                    let term = Term::from_field_text(field, key);
                    let Some(mut list) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else { continue };
                    scratch.reach(source.reader.max_doc());
                    let mut doc = list.doc();
                    while doc != TERMINATED {
                        if source.alive.as_ref().is_none_or(|alive| alive.is_alive(doc)) {
                            scratch.add(doc, part, list.term_freq());
                        }
                        doc = list.advance();
                    }
                }
            }
            postings.push(scratch.drain());
        }
        let docs = postings.iter().map(Vec::len).sum();
        Ok(Found { postings, idf: self.idf(docs), fuzzy: false, weight })
    }

    /// Every key that begins with `prefix`.
    fn keys_from(&self, prefix: &str) -> Result<Vec<String>, LexicalError> {
        let mut keys = BTreeSet::new();
        for inverted in self.sources.iter().flat_map(|source| &source.inverted) {
            let mut stream = inverted.terms().range().ge(prefix.as_bytes()).into_stream()?;
            while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
                keys.extend(std::str::from_utf8(stream.key()).ok().map(str::to_owned));
            }
        }
        Ok(keys.into_iter().collect())
    }

    /// The live keys nearest to a word that no statement has: one letter off, two in a long word.
    fn spelled_like(&self, stem: &str, word: &str, scratch: &mut Scratch) -> Result<Vec<String>, LexicalError> {
        let letters = word.chars().count();
        if letters < 5 || !stem.chars().all(char::is_alphabetic) {
            return Ok(Vec::new());
        }
        for distance in 1..=(if letters < 9 { 1 } else { 2 }) {
            let mut keys = BTreeSet::new();
            for source in &self.sources {
                // The sentence before is another statement's words: they are found there.
                for (inverted, field) in source.inverted.iter().zip(self.fields.text).take(4) {
                    let near = FuzzyTermQuery::new(Term::from_field_text(field, stem), distance, true).automaton()?;
                    let mut stream = inverted.terms().search(near).into_stream()?;
                    while stream.advance() {
                        keys.extend(std::str::from_utf8(stream.key()).ok().map(str::to_owned));
                    }
                }
            }
            let mut live = Vec::new();
            for key in keys {
                if live.len() < FUZZY_TERMS_MAX && self.find(std::slice::from_ref(&key), 1.0, scratch)?.docs() > 0 {
                    live.push(key);
                }
            }
            if !live.is_empty() {
                return Ok(live);
            }
        }
        Ok(Vec::new())
    }

    /// For each source the documents that hold all phrases, or nothing when there are none to hold.
    fn phrases(&self, query: &Query) -> Result<Option<Vec<HashSet<DocId>>>, LexicalError> {
        let mut allowed: Option<Vec<HashSet<DocId>>> = None;
        for phrase in &query.phrases {
            let mut holding = Vec::with_capacity(self.sources.len());
            for source in &self.sources {
                holding.push(self.phrase(source, phrase)?);
            }
            allowed = Some(match allowed {
                None => holding,
                Some(before) => before.iter().zip(&holding).map(|(a, b)| a & b).collect(),
            });
        }
        Ok(allowed)
    }

    fn phrase(&self, source: &Source, phrase: &[String]) -> Result<HashSet<DocId>, LexicalError> {
        let mut docs = HashSet::new();
        let Some(searcher) = self.searchers.get(source.index) else { return Ok(docs) };
        for part in [0, 3] {
            let field = self.fields.text[part];
            let terms: Vec<Term> = phrase.iter().map(|stem| Term::from_field_text(field, stem)).collect();
            if let [term] = terms.as_slice() {
                let list = source.inverted[part].read_postings(term, IndexRecordOption::Basic)?;
                list.into_iter().for_each(|mut list| collect(&mut list, &mut docs));
            } else {
                let weight = PhraseQuery::new(terms).weight(EnableScoring::disabled_from_searcher(searcher))?;
                collect(weight.scorer(&source.reader, 1.0)?.as_mut(), &mut docs);
            }
        }
        Ok(docs)
    }

    /// The score of every document of a source, 0 where nothing matches.
    #[expect(clippy::cast_precision_loss, reason = "an average needs no more than 24 bits")]
    fn score(&self, number: usize, source: &Source, units: &[FoundUnit]) -> Vec<f32> {
        let length = |[own, context, before]: [f32; 3]| own + WEIGHTS[3] * context + WEIGHTS[4] * before;
        let average = length(self.totals.tokens.map(|sum| sum as f32)) / (self.totals.docs.max(1) as f32);
        let mut scores = vec![0.0; usize::try_from(source.reader.max_doc()).unwrap_or_default()];
        for found in units.iter().flat_map(|unit| unit.parts.iter().chain(&unit.whole)) {
            for posting in found.postings.get(number).into_iter().flatten() {
                let own = length(unpack(source.lengths.first(posting.doc).unwrap_or_default()).map(f32::from));
                let norm = K1 * (1.0 - B + B * own / average.max(f32::MIN_POSITIVE));
                let Some(score) = usize::try_from(posting.doc).ok().and_then(|doc| scores.get_mut(doc)) else {
                    continue;
                };
                *score += found.weight * found.idf * posting.weighted * (K1 + 1.0) / (posting.weighted + norm);
            }
        }
        scores
    }

    /// The best, ordered; a statement that stands in two indexes counts once.
    fn best(&self, mut found: Vec<(f32, usize, DocId)>, limit: usize) -> Vec<(f32, usize, DocId, u64)> {
        let wanted = limit.saturating_mul(self.searchers.len());
        if found.len() > wanted {
            // All that equal the last wanted stay until their ids decide.
            let (_, &mut (last, _, _), _) = found.select_nth_unstable_by(wanted - 1, |a, b| b.0.total_cmp(&a.0));
            found.retain(|&(score, ..)| score >= last);
        }
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
        let (mut matched, mut missed, mut lacks_name) = (Vec::new(), Vec::new(), false);
        let (mut all, mut held, mut distinctive, mut distinctive_held) = (0.0, 0.0, 0.0, 0.0);
        for (unit, found) in query.units.iter().zip(units) {
            let whole = found.whole.as_ref().map_or(0.0, |whole| whole.credit(source, doc));
            let sum: f32 = found.parts.iter().map(|part| part.idf).sum();
            let shares = found.parts.iter().map(|part| part.credit(source, doc) * part.idf).sum::<f32>();
            // "drift-bench" is not found where "drift" is, and "bench" in the sentence before or nowhere.
            let torn = found.parts.len() > 1 && found.parts.iter().any(|part| part.credit(source, doc) < 1.0);
            let shares = if torn { shares * TORN } else { shares };
            let credit = if sum > 0.0 { whole.max(shares / sum) } else { whole };
            all += found.weight;
            held += found.weight * credit;
            if found.distinctive {
                distinctive += found.weight;
                distinctive_held += found.weight * credit;
                if credit < ONLY_BEFORE {
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
            matched,
            coverage: share(held, all),
            distinctive: share(distinctive_held, distinctive),
            missed,
            lacks_name,
        }
    }
}

fn collect(list: &mut (impl DocSet + ?Sized), docs: &mut HashSet<DocId>) {
    while list.doc() != TERMINATED {
        docs.insert(list.doc());
        list.advance();
    }
}
