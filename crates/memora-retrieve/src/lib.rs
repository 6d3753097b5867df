//! Retrieves the statements that may answer a question.
//!
//! This crate contains lexical search ([`TantivyIndex`]), query parsing ([`Query`]), the dates in a
//! question ([`find_dates`]), and the decision whether a hit is evidence ([`QueryIntent`]). Invariant: **a
//! search sees the indexes it is given and nothing else.** Clear and guarded statements are in separate indexes; a
//! door that may not see the guarded ones is given the clear index alone, and then no word, count or length of the
//! others affects its results. Scores are computed from live documents only, so that deleted statements, and those that
//! became secret, leave no trace either.
//!
//! Out of scope: the store (the engine feeds changes in, and joins hits with rows), and claims (a hit names a
//! statement).

mod answer_type;
mod chunker;
mod collection_stats;
mod dates;
mod document;
mod filters;
mod fusion;
#[cfg(feature = "hnsw")]
mod hnsw_graph;
mod hnsw_index;
mod index;
mod lexical;
mod lexical_index;
mod lists;
mod nearest;
mod normalize;
mod postings;
mod query;
mod query_coverage;
mod relevance;
mod search;
mod soundness;
mod spreading_activation;
mod stop_words;
mod tokenizer;
#[cfg(not(feature = "hnsw"))]
mod without_hnsw;
mod word_forms;

pub use dates::{DateRange, find_dates, find_named_periods};
pub use fusion::{FusedHit, Fusion, RankedScore, fuse_rankings};
#[cfg(feature = "hnsw")]
pub use hnsw_graph::HnswGraph;
pub use hnsw_index::HnswIndex;
pub use index::{IndexOpenOutcome, TantivyIndex};
pub use lexical::{
    DocField, IndexChange, IndexPosition, LexicalError, LexicalHit, LexicalIndex, SearchFilter, StatementDoc,
    TermCoverage, TermMatch,
};
pub use nearest::{Nearest, VectorScan, statement_vector};
pub use query::Query;
pub use query_coverage::{HitContent, QueryIntent, WordVectorCache};
pub use relevance::{EvidenceScore, EvidenceStrength, FEATURE_NAMES, HitFeatures};
pub use search::{PreparedSearch, find_name_mentions, search_all};
pub use spreading_activation::{ActivationEdge, ActivationEdgeKind, SEEDS_MAX, boost_by_note, spread_activation};
#[cfg(not(feature = "hnsw"))]
pub use without_hnsw::HnswGraph;
