//! Looks up the terms of a query in the indexes, with statistics over all of them.
//!
//! Invariant: **deleted documents do not count**, neither as hits nor in document frequencies.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use memora_embed::StaticEmbedder;
use tantivy::columnar::Column;
use tantivy::fastfield::AliveBitSet;
use tantivy::postings::Postings;
use tantivy::query::{EnableScoring, FuzzyTermQuery, PhraseQuery, Query as _};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, DocSet, InvertedIndexReader, Searcher, SegmentReader, TERMINATED, Term};

use crate::document::{IndexFields, find_live_doc};
use crate::index::{DocLengths, TantivyIndex, TokenTotals};
use crate::lexical::LexicalError;
use crate::postings::{Posting, PostingAccumulator};
use crate::query::{Query, QueryUnit};
use crate::stop_words::is_light_verb;

/// Weights of a word's parts and of the whole word, if both match.
const PART_WEIGHT: f32 = 0.6;
const WHOLE_WEIGHT: f32 = 0.8;

/// The weight of a fuzzy match, in score and in coverage.
const FUZZY_WEIGHT: f32 = 0.6;

/// The coverage credit of a term found only in the neighbouring sentences.
pub(crate) const NEIGHBOUR_CREDIT: f32 = 0.5;

/// A term is rare if its weight reaches this share of the weight of a term that occurs nowhere.
const RARE_IDF_SHARE: f32 = 0.55;

/// Character bigrams of unspaced scripts that occur nowhere are often artefacts of segmentation.
const ABSENT_PAIR_WEIGHT: f32 = 0.6;

/// A single character of an unspaced script is ambiguous: "看", "做".
const SINGLE_CHAR_WEIGHT: f32 = 0.3;

/// The maximum number of terms that a misspelling expands to.
const FUZZY_TERMS_MAX: usize = 32;

/// The bit of the words around.
const NEIGHBOURS_BIT: u8 = 1 << 4;

/// A live segment of one of the indexes.
pub(crate) struct LiveSegment {
    pub(crate) reader: SegmentReader,
    pub(crate) inverted: [Arc<InvertedIndexReader>; 5],
    pub(crate) lengths: Arc<DocLengths>,
    pub(crate) ids: Column<u64>,
    pub(crate) alive: Option<AliveBitSet>,
    /// The number of the searcher that owns it.
    pub(crate) index: usize,
}

impl LiveSegment {
    /// Finds the live document of a statement.
    pub(crate) fn find_doc(&self, field: Field, id: u64) -> Result<Option<DocId>, LexicalError> {
        find_live_doc(&self.reader, field, id)
    }
}

/// The postings of a query term in all segments.
pub(crate) struct TermPostings {
    pub(crate) postings: Vec<Vec<Posting>>,
    pub(crate) idf: f32,
    pub(crate) fuzzy: bool,
    /// The weight of the term in the score.
    pub(crate) weight: f32,
}

impl TermPostings {
    pub(crate) fn doc_count(&self) -> usize {
        self.postings.iter().map(Vec::len).sum()
    }

    pub(crate) fn find_posting(&self, source: usize, doc: DocId) -> Option<Posting> {
        let postings = self.postings.get(source)?;
        postings.get(postings.binary_search_by_key(&doc, |posting| posting.doc).ok()?).copied()
    }

    pub(crate) fn match_credit(&self, source: usize, doc: DocId) -> f32 {
        let Some(posting) = self.find_posting(source, doc) else { return 0.0 };
        let near = if posting.parts == NEIGHBOURS_BIT { NEIGHBOUR_CREDIT } else { 1.0 };
        if self.fuzzy { near * FUZZY_WEIGHT } else { near }
    }
}

/// The postings of one unit of the query.
pub(crate) struct UnitPostings {
    pub(crate) parts: Vec<TermPostings>,
    pub(crate) whole: Option<TermPostings>,
    /// Its weight in coverage.
    pub(crate) weight: f32,
    pub(crate) distinctive: bool,
    /// Whether its spelling marks it as a name: capitals, a number, a compound.
    pub(crate) names: bool,
}

pub(crate) struct SearchCollection {
    pub(crate) searchers: Vec<Searcher>,
    pub(crate) sources: Vec<LiveSegment>,
    pub(crate) fields: IndexFields,
    pub(crate) totals: TokenTotals,
}

/// Whether a word is in the vocabulary, so that a similar spelling is not meant: "invented" is not "intent".
fn is_known_word(word: &str) -> bool {
    StaticEmbedder::embedded().pieces(word).len() == 1
}

impl SearchCollection {
    pub(crate) fn open(indexes: &[&TantivyIndex]) -> Result<Self, LexicalError> {
        let Some(fields) = indexes.first().map(|index| *index.fields()) else { return Err(LexicalError::Damaged) };
        let searchers: Vec<Searcher> = indexes.iter().map(|index| index.searcher()).collect();
        let mut sources = Vec::new();
        let mut totals = TokenTotals::default();
        for (number, (index, searcher)) in indexes.iter().zip(&searchers).enumerate() {
            for reader in searcher.segment_readers() {
                let own = index.segment_totals(reader)?;
                totals.docs += own.docs;
                totals.tokens.iter_mut().zip(own.tokens).for_each(|(sum, own)| *sum += own);
                let [a, b, c, d, e] = fields.text.map(|field| reader.inverted_index(field));
                sources.push(LiveSegment {
                    inverted: [a?, b?, c?, d?, e?],
                    lengths: index.segment_lengths(reader)?,
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
    pub(crate) fn idf(&self, docs: usize) -> f32 {
        let (all, docs) = (self.totals.docs as f32, docs as f32);
        (1.0 + (all - docs + 0.5).max(0.0) / (docs + 0.5)).ln()
    }

    /// Looks up all units of a query.
    pub(crate) fn look_up_units(&self, query: &Query) -> Result<Vec<UnitPostings>, LexicalError> {
        let mut scratch = PostingAccumulator::default();
        query.units.iter().map(|unit| self.look_up_unit(unit, &mut scratch)).collect()
    }

    pub(crate) fn look_up_unit(
        &self,
        unit: &QueryUnit,
        scratch: &mut PostingAccumulator,
    ) -> Result<UnitPostings, LexicalError> {
        let absent = self.idf(0);
        let mut parts = Vec::new();
        if unit.prefix {
            let keys = self.find_prefix_keys(&unit.shown)?;
            parts.push(self.find_postings(&keys, 1.0, scratch)?);
        }
        for part in &unit.parts {
            let weight = if unit.whole.is_some() { PART_WEIGHT } else { 1.0 };
            let mut found = self.find_postings(std::slice::from_ref(part), weight, scratch)?;
            if found.doc_count() == 0 && unit.german && unit.whole.is_none() {
                let keys = self.find_compound_keys(part, scratch)?;
                if !keys.is_empty() {
                    found = self.find_postings(&keys, weight, scratch)?;
                }
            }
            if found.doc_count() == 0 && unit.whole.is_none() && !unit.dense && !is_known_word(&unit.shown) {
                let keys = self.find_fuzzy_keys(part, &unit.shown, scratch)?;
                if !keys.is_empty() {
                    found = self.find_postings(&keys, weight * FUZZY_WEIGHT, scratch)?;
                    found.fuzzy = true;
                }
            }
            parts.push(found);
        }
        let whole = match &unit.whole {
            Some(whole) => Some(self.find_postings(std::slice::from_ref(whole), WHOLE_WEIGHT, scratch)?),
            None => None,
        };
        let idf = match &whole {
            Some(whole) if parts.is_empty() || parts.iter().any(|part| part.doc_count() == 0) => whole.idf,
            _ => parts.iter().map(|part| part.idf).fold(0.0, f32::max),
        };
        let known = parts.iter().chain(&whole).any(|found| found.doc_count() > 0);
        let mut weight = if unit.dense && !known { absent * ABSENT_PAIR_WEIGHT } else { idf };
        if unit.dense {
            // "量子计算机" is one thing to look for, and "价格" another.
            let pairs = u16::try_from(unit.run).unwrap_or(u16::MAX).max(1);
            weight *= if unit.prefix { SINGLE_CHAR_WEIGHT } else { 1.0 / f32::from(pairs) };
        }
        // A compound is usually a name.
        let compound = whole.is_some() && parts.len() > 1;
        let distinctive = !is_light_verb(&unit.shown)
            && (unit.name || compound || (!unit.dense && (!known || idf >= RARE_IDF_SHARE * absent)));
        Ok(UnitPostings { parts, whole, weight, distinctive, names: unit.name || compound })
    }

    /// Finds the live documents that contain any of the keys, in any field.
    pub(crate) fn find_postings(
        &self,
        keys: &[String],
        weight: f32,
        scratch: &mut PostingAccumulator,
    ) -> Result<TermPostings, LexicalError> {
        let mut postings = Vec::with_capacity(self.sources.len());
        for source in &self.sources {
            for (part, (inverted, field)) in source.inverted.iter().zip(self.fields.text).enumerate() {
                for key in keys {
                    let term = Term::from_field_text(field, key);
                    let Some(mut list) = inverted.read_postings(&term, IndexRecordOption::WithFreqs)? else { continue };
                    scratch.ensure_capacity(source.reader.max_doc());
                    let mut doc = list.doc();
                    while doc != TERMINATED {
                        if source.alive.as_ref().is_none_or(|alive| alive.is_alive(doc)) {
                            scratch.add_count(doc, part, list.term_freq());
                        }
                        doc = list.advance();
                    }
                }
            }
            postings.push(scratch.drain_postings());
        }
        let docs = postings.iter().map(Vec::len).sum();
        Ok(TermPostings { postings, idf: self.idf(docs), fuzzy: false, weight })
    }

    /// Finds every key that begins with `prefix`.
    pub(crate) fn find_prefix_keys(&self, prefix: &str) -> Result<Vec<String>, LexicalError> {
        let mut keys = BTreeSet::new();
        for inverted in self.sources.iter().flat_map(|source| &source.inverted) {
            let mut stream = inverted.terms().range().ge(prefix.as_bytes()).into_stream()?;
            while stream.advance() && stream.key().starts_with(prefix.as_bytes()) {
                keys.extend(std::str::from_utf8(stream.key()).ok().map(str::to_owned));
            }
        }
        Ok(keys.into_iter().collect())
    }

    /// Finds the live keys of compounds that end with a word: "Roggenmehl" is a "Mehl".
    pub(crate) fn find_compound_keys(
        &self,
        word: &str,
        scratch: &mut PostingAccumulator,
    ) -> Result<Vec<String>, LexicalError> {
        /// Letters of a word that others end with, and of what stands in front of it there.
        const WORD_MIN: usize = 4;
        const FRONT_MIN: usize = 3;
        if word.chars().count() < WORD_MIN || !word.chars().all(char::is_alphabetic) {
            return Ok(Vec::new());
        }
        let is_compound = |key: &str| {
            let front = key.strip_suffix(word).unwrap_or_default();
            front.chars().count() >= FRONT_MIN && front.chars().all(char::is_alphabetic)
        };
        let mut keys = BTreeSet::new();
        // Neighbouring sentences are other statements' words: they are found there.
        for inverted in self.sources.iter().flat_map(|source| source.inverted.iter().take(4)) {
            let mut stream = inverted.terms().stream()?;
            while stream.advance() {
                keys.extend(std::str::from_utf8(stream.key()).ok().filter(|key| is_compound(key)).map(str::to_owned));
            }
        }
        let mut live = Vec::new();
        for key in keys {
            if live.len() < FUZZY_TERMS_MAX
                && self.find_postings(std::slice::from_ref(&key), 1.0, scratch)?.doc_count() > 0
            {
                live.push(key);
            }
        }
        Ok(live)
    }

    /// Finds the live keys closest to a word that no statement has: edit distance 1, or 2 for a long word.
    pub(crate) fn find_fuzzy_keys(
        &self,
        stem: &str,
        word: &str,
        scratch: &mut PostingAccumulator,
    ) -> Result<Vec<String>, LexicalError> {
        let letters = word.chars().count();
        if letters < 5 || !stem.chars().all(char::is_alphabetic) {
            return Ok(Vec::new());
        }
        for distance in 1..=(if letters < 9 { 1 } else { 2 }) {
            let mut keys = BTreeSet::new();
            for source in &self.sources {
                // Neighbouring sentences are other statements' words: they are found there.
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
                if live.len() < FUZZY_TERMS_MAX
                    && self.find_postings(std::slice::from_ref(&key), 1.0, scratch)?.doc_count() > 0
                {
                    live.push(key);
                }
            }
            if !live.is_empty() {
                return Ok(live);
            }
        }
        Ok(Vec::new())
    }

    /// Returns for each segment the documents that contain all phrases; `None` if there are no phrases.
    pub(crate) fn find_phrase_docs(&self, query: &Query) -> Result<Option<Vec<HashSet<DocId>>>, LexicalError> {
        let mut allowed: Option<Vec<HashSet<DocId>>> = None;
        for phrase in &query.phrases {
            let mut holding = Vec::with_capacity(self.sources.len());
            for source in &self.sources {
                holding.push(self.match_phrase(source, phrase)?);
            }
            allowed = Some(match allowed {
                None => holding,
                Some(before) => before.iter().zip(&holding).map(|(a, b)| a & b).collect(),
            });
        }
        Ok(allowed)
    }

    pub(crate) fn match_phrase(&self, source: &LiveSegment, phrase: &[String]) -> Result<HashSet<DocId>, LexicalError> {
        let mut docs = HashSet::new();
        let Some(searcher) = self.searchers.get(source.index) else { return Ok(docs) };
        for part in [0, 3] {
            let field = self.fields.text[part];
            let terms: Vec<Term> = phrase.iter().map(|stem| Term::from_field_text(field, stem)).collect();
            if let [term] = terms.as_slice() {
                let list = source.inverted[part].read_postings(term, IndexRecordOption::Basic)?;
                list.into_iter().for_each(|mut list| collect_docs(&mut list, &mut docs));
            } else {
                let weight = PhraseQuery::new(terms).weight(EnableScoring::disabled_from_searcher(searcher))?;
                collect_docs(weight.scorer(&source.reader, 1.0)?.as_mut(), &mut docs);
            }
        }
        Ok(docs)
    }
}

fn collect_docs(list: &mut (impl DocSet + ?Sized), docs: &mut HashSet<DocId>) {
    while list.doc() != TERMINATED {
        docs.insert(list.doc());
        list.advance();
    }
}
