//! Finds the statements that may answer a question.
//!
//! Here is the lexical half: [`TantivyIndex`], what is indexed and how a question is cut ([`Query`]), which dates a
//! question names ([`dates_in`]), and whether a hit is evidence at all ([`Asked`]). The one rule to know: **a
//! search sees the indexes it is given and nothing else.** Clear and guarded statements live in indexes of their own; a
//! door that may not see the guarded ones is given the clear index alone, and then no word, count or length of the
//! others reaches its results. Scores are computed from live documents only, so that what was deleted, or has become
//! secret, leaves no trace either.
//!
//! Deliberately not here: the store (the engine feeds changes in, and joins hits with rows), and claims (a hit names a
//! statement).

mod corpus;
mod dates;
mod evidence;
mod filters;
mod fold;
mod fuse;
mod graph;
mod index;
mod lexical;
mod nearest;
mod postings;
mod query;
mod relevance;
mod scan;
mod search;
mod spread;
mod stop;
mod tokens;
mod wanted;
mod words;

pub use dates::{DateRange, find_dates, find_named_periods};
pub use evidence::{QueryIntent, HitContent, EvidenceStrength, WordVectorCache};
pub use fuse::{FusedHit, Fusion, RankedScore, fuse_rankings};
pub use graph::{HnswGraph, HnswIndex};
pub use index::{IndexOpenOutcome, TantivyIndex};
pub use lexical::{IndexChange, StatementDoc, SearchFilter, TermCoverage, LexicalHit, LexicalIndex, LexicalError, TermMatch, DocField, IndexPosition};
pub use nearest::{Nearest, VectorScan, statement_vector};
pub use query::Query;
pub use relevance::{EvidenceScore, FEATURE_NAMES, HitFeatures};
pub use search::{PreparedSearch, find_name_mentions, search_all};
pub use spread::{ActivationEdge, ActivationEdgeKind, SEEDS_MAX, boost_by_note, spread_activation};
