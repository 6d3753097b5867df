//! The JSON results of the tools; their output schemas are published to clients.
//!
//! Claims are built from [`WireClaim`](memora_engine::report::WireClaim)s, which were authorized for the door `D`, and
//! are shorter: long texts are truncated with an ellipsis. A missing field is `null`.

mod claim;
mod lookup;
mod note_text;
mod review;
mod search;
mod status;
mod verdict;

pub(crate) use claim::ClaimDetail;
pub(crate) use note_text::{decode_note_path, note_path, note_text, percent_decode, sanitize_strings};

pub use claim::{AgentClaim, WithheldSubject};
pub use lookup::{AgentDecision, AgentEntity, AgentNeighbour, ClaimEdge, ClaimResult, EntityClaim, EntityResult};
pub use review::{
    AgentContradiction, BrokenGround, ChallengeItem, ChallengeResult, ContradictionsResult, StaleResult, StaleSentence,
};
pub use search::{AgentHit, AgentPassage, AgentPassageLine, ContestedClaim, QueryResult, SearchResult};
pub use status::{ClaimLookup, EntityLookup, EntityRole, ListStatus, QueryStatus, SearchStatus};
pub use verdict::{CaptureResult, ComparedSentence, FailedCitation, ProblemSentence, VerdictCounts, VerifyResult};
