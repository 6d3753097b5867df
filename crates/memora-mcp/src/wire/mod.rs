//! The results of the tools: as text, by [`Display`](std::fmt::Display), and as JSON with a schema for each.
//!
//! Claims are built from [`WireClaim`](memora_engine::report::WireClaim)s, which were authorized for the door `D`, and
//! are shorter: long texts are truncated with an ellipsis. A missing field is `null`.

use std::fmt;

mod claim;
mod lookup;
mod memory;
mod note_text;
mod passage;
mod review;
mod status;
mod verdict;

pub(crate) use claim::ClaimDetail;
pub(crate) use memory::write_memory_results;
pub(crate) use note_text::{decode_note_path, note_path, note_text, percent_decode, sanitize_strings};

pub use claim::{AgentClaim, WithheldSubject};
pub use lookup::{
    AboutResult, AgentDecision, AgentEntity, AgentNeighbour, ClaimEdge, ClaimResult, EntityClaim, NoteResult,
    ReadResult,
};
pub use memory::{Dated, MemoryPage, SaveResult};
pub use passage::{AgentPassage, AgentPassageLine, FindResult};
pub use review::{AgentChange, AgentContradiction, AgentReviewItem, BrokenGround, ReviewResult, StaleSentence};
pub use status::{ClaimLookup, EntityLookup, EntityRole, ListStatus};
pub use verdict::{CaptureResult, FailedCitation, ProblemSentence, QuotedEvidence, VerdictCounts, VerifyResult};

/// Says where a list goes on, if it does.
fn write_next(f: &mut fmt::Formatter<'_>, next: Option<usize>) -> fmt::Result {
    next.map_or(Ok(()), |next| write!(f, "\nmore: from {next}"))
}
