//! Measures how much of a question a hit covers, and whether it names something of the type that is asked for.
//!
//! BM25 orders hits and does not say how much of the question each covers: names literally, other words literally or
//! by similar words. `relevance` decides what that is worth. Invariant: **a hit is
//! judged by its own text.** Terms in its neighbours or its title make it easier to find, but do not make it an answer.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use memora_embed::{Embedder, StaticEmbedder, Vector};

use crate::answer_type::AnswerType;
use crate::chunker::split_chunks;
use crate::lexical::{DocField, LexicalHit};
use crate::lists::WHICH_FORMS;
use crate::normalize::fold_word;
use crate::query::Query;
use crate::relevance::{EvidenceStrength, HitFeatures};
use crate::stop_words::{is_light_verb, is_stop_word};

/// The minimum share of a question's words, besides names, that evidence must cover, if only words are known of it.
const SAID_SHARE_MIN: f32 = 0.55;

/// The minimum coverage of strong evidence in that case, if no distinctive word is missed.
const COVERAGE_MIN: f32 = 0.6;

/// The credit of a term in title or headings, compared with the hit's own text.
const CONTEXT_CREDIT: f32 = 0.75;

/// The credit of a term found only in neighbouring sentences, for the attribute: half of that for coverage.
const NEIGHBOUR_ATTRIBUTE_CREDIT: f32 = 0.5;

/// The weight of a light verb in the attribute.
const LIGHT_VERB_WEIGHT: f32 = 0.3;

/// The weight of the class of the answer in the attribute.
const ANSWER_CLASS_WEIGHT: f32 = 0.5;

/// The fields of the hit itself, without its surroundings.
const OWN_FIELDS: [DocField; 3] = [DocField::Words, DocField::Subject, DocField::Object];

/// The text of a hit, without its surroundings.
#[derive(Clone, Copy, Debug)]
pub struct HitContent<'s> {
    /// Its words, and their speaker.
    pub words: &'s str,
    /// The subjects of its claims, and the rest of the claims.
    pub claims: &'s str,
    /// Whether it is a line of a conversation: it is about its speaker, not about the name in the title.
    pub spoken: bool,
    /// Whether its time is known, by its claims or its note.
    pub dated: bool,
}

/// The shares of a question that a hit's own text covers, each from 0 to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct QueryCoverage {
    /// The share of the whole question.
    itself: f32,
    /// The share of the question besides names: the attribute of the named thing.
    attribute: f32,
}

/// A share of a sum of weights.
#[derive(Default)]
struct WeightedShare {
    held: f32,
    all: f32,
}

impl WeightedShare {
    fn add_weighted(&mut self, weight: f32, credit: f32) {
        self.held += weight * credit;
        self.all += weight;
    }

    fn ratio_or(&self, nothing: f32) -> f32 {
        if self.all > 0.0 { (self.held / self.all).min(1.0) } else { nothing }
    }
}

/// A question, prepared for comparison with hits.
pub struct QueryIntent<'w> {
    wanted: Option<AnswerType>,
    words: HashSet<String>,
    /// The class of the answer, which an answer seldom states: "company" in "which company".
    class: Option<String>,
    vectors: &'w WordVectorCache,
}

/// A cache of word vectors for a long-running process: notes use the same words over and over.
#[derive(Default)]
pub struct WordVectorCache(Mutex<HashMap<String, Option<Arc<Vector>>>>);

impl WordVectorCache {
    /// A word and its vector take a kilobyte.
    const VECTORS_MAX: usize = 16_384;

    /// Returns the vector of a word; `None` for one that the model does not know.
    fn vector_of(&self, word: &str) -> Option<Arc<Vector>> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(word) {
            return known.clone();
        }
        if kept.len() >= Self::VECTORS_MAX {
            kept.clear();
        }
        let vector = StaticEmbedder::embedded().embed_one(word).ok().filter(|vector| !vector.is_zero()).map(Arc::new);
        kept.insert(word.to_owned(), vector.clone());
        vector
    }
}

impl<'w> QueryIntent<'w> {
    /// Prepares a question.
    #[must_use]
    pub fn from_query(query: &Query, vectors: &'w WordVectorCache) -> Self {
        let words = split_chunks(query.text()).map(|chunk| fold_word(chunk.text)).collect();
        // A date became a filter, so every hit has it.
        let wanted = AnswerType::from_question(query.text())
            .filter(|wanted| *wanted != AnswerType::Time || query.dates().is_empty());
        Self { wanted, words, class: find_answer_class(query.text()), vectors }
    }

    /// Compares the text of a hit with the question.
    fn measure_coverage(&self, hit: &LexicalHit, said: &HitContent<'_>) -> QueryCoverage {
        // Computed only if a term has no literal match, which is rare for the best hits.
        let spoken: OnceCell<Vec<Arc<Vector>>> = OnceCell::new();
        let spoken = || {
            let words = || split_chunks(said.words).chain(split_chunks(said.claims));
            spoken.get_or_init(|| words().filter_map(|chunk| self.vectors.vector_of(&fold_word(chunk.text))).collect())
        };
        let (mut itself, mut attribute) = (WeightedShare::default(), WeightedShare::default());
        for term in &hit.terms {
            let parts = hit.matched_fields(&term.term);
            let (of_own, of_context) =
                (parts.iter().any(|part| OWN_FIELDS.contains(part)), parts.contains(&DocField::Context));
            // A name is not matched by a similar word.
            let alike = if term.credit >= 1.0 || term.names { 0.0 } else { self.max_similarity(&term.term, spoken()) };
            let own = if of_own {
                term.credit
            } else if of_context {
                CONTEXT_CREDIT * term.credit
            } else {
                0.0
            };
            itself.add_weighted(term.weight, own.max(alike));
            if !term.names {
                let said = if of_own || of_context { term.credit } else { NEIGHBOUR_ATTRIBUTE_CREDIT * term.credit };
                attribute.add_weighted(self.attribute_weight(&term.term) * term.weight, said.max(alike));
            }
        }
        QueryCoverage { itself: itself.ratio_or(0.0), attribute: attribute.ratio_or(hit.coverage) }
    }

    /// Returns the weight of a term within the attribute.
    fn attribute_weight(&self, term: &str) -> f32 {
        if is_light_verb(term) {
            LIGHT_VERB_WEIGHT
        } else if self.class.as_deref() == Some(term) {
            ANSWER_CLASS_WEIGHT
        } else {
            1.0
        }
    }

    /// Computes the features of a hit from its text; the caller adds the first stage's scores.
    #[must_use]
    pub fn hit_features(&self, hit: &LexicalHit, said: &HitContent<'_>) -> HitFeatures {
        let heard = self.measure_coverage(hit, said);
        let (mut asked, mut above) = (0.0, 0.0);
        for term in &hit.terms {
            asked += term.weight;
            above += if hit.matched_fields(&term.term).contains(&DocField::Context) {
                term.weight * term.credit
            } else {
                0.0
            };
        }
        let missed = hit.terms.iter().filter(|term| term.names && term.credit == 0.0).count();
        let words = said.words.trim_end();
        HitFeatures {
            itself: heard.itself,
            attribute: heard.attribute,
            coverage: hit.coverage,
            lacks_name: hit.lacks_name,
            misses_a_word: !hit.missed.is_empty(),
            other_kind: self.has_wrong_answer_type(said),
            spoken: said.spoken,
            of_others: said.spoken && has_name_only_nearby(hit),
            keyword: is_keyword_match(hit),
            by_words: grade_by_words(hit, heard),
            names_missed: f32::from(u8::try_from(missed).unwrap_or(u8::MAX)),
            in_context: if asked > 0.0 { above / asked } else { 0.0 },
            words: words.split_whitespace().count(),
            introduces: words.ends_with([':', '：']),
            links: words.contains("http"),
            ..HitFeatures::default()
        }
    }

    fn has_wrong_answer_type(&self, said: &HitContent<'_>) -> bool {
        self.wanted.is_some_and(|wanted| {
            let known = wanted == AnswerType::Time && said.dated;
            !known && !wanted.is_named_in(said.words, &self.words)
        })
    }

    /// Returns the highest similarity between a term of the question and any of some words, 0 to 1.
    fn max_similarity(&self, term: &str, spoken: &[Arc<Vector>]) -> f32 {
        let Some(asked) = self.vectors.vector_of(term) else { return 0.0 };
        spoken.iter().map(|word| word.cosine(&asked)).fold(0.0, f32::max)
    }
}

/// Grades a hit only by the words that it shares with the question.
fn grade_by_words(hit: &LexicalHit, heard: QueryCoverage) -> EvidenceStrength {
    if hit.lacks_name {
        EvidenceStrength::Nearest
    } else if hit.coverage >= COVERAGE_MIN && heard.itself >= SAID_SHARE_MIN && hit.missed.is_empty() {
        EvidenceStrength::Likely
    } else if heard.attribute >= SAID_SHARE_MIN {
        EvidenceStrength::Possible
    } else {
        EvidenceStrength::Nearest
    }
}

/// Whether the question is one word, which the hit's own text contains.
fn is_keyword_match(hit: &LexicalHit) -> bool {
    match &hit.terms[..] {
        [asked] => asked.credit >= 1.0 && has_own_term(hit, &asked.term) && !is_stop_word(&asked.term),
        _ => false,
    }
}

/// Whether a name of the question occurs only in the title or in the neighbouring lines.
fn has_name_only_nearby(hit: &LexicalHit) -> bool {
    let mut names = hit.terms.iter().filter(|term| term.names);
    names.any(|name| !has_own_term(hit, &name.term))
}

/// Whether a hit's own text contains a term.
fn has_own_term(hit: &LexicalHit, term: &str) -> bool {
    hit.matched_fields(term).iter().any(|part| OWN_FIELDS.contains(part))
}

/// Returns the noun directly after "which".
fn find_answer_class(question: &str) -> Option<String> {
    let mut words = split_chunks(question).map(|chunk| fold_word(chunk.text));
    words.find(|word| WHICH_FORMS.contains(word.as_str()))?;
    words.next()
}
