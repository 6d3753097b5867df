//! What the tools answer, as JSON: the output schemas that a client is given.
//!
//! Claims are made of [`WireClaim`](memora_engine::report::WireClaim)s, which were sorted for the door `D`, and are shorter: long words are cut, and end with
//! an ellipsis. A field that may be missing is `null`.

mod about;
mod claim;
mod closed;
mod found;
mod review;
mod verdict;

pub(crate) use claim::Detail;

pub use about::{ClaimEdge, ClaimResult, Decided, EntityClaim, EntityResult, Named, Neighbour};
pub use claim::{AgentClaim, Withheld};
pub use closed::{ClaimLookup, EntityLookup, EntityRole, ListStatus, QueryStatus, SearchStatus};
pub use found::{Hit, QueryResult, SearchResult};
pub use review::{ChallengeItem, ChallengeResult, Contradiction, ContradictionsResult, Ground, Stale, StaleResult};
pub use verdict::{CaptureResult, ComparedSentence, FailedCitation, ProblemSentence, Verdicts, VerifyResult};
