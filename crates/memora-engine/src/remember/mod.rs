//! Agents' memory: markdown in one folder of the vault, saved through gates, searched with everything else.
//!
//! Invariants: **a memory is at least as guarded as anything its writer could have been shown; what the writer is told about
//! other memories is what its door shows; nothing that a person wrote or edited is written to** (`folder.rs`). Reading
//! writes nothing into the vault: use is recorded in the journal.

mod audit;
mod bridge;
mod change;
mod consolidate;
mod context;
mod counter;
mod differing;
mod digests;
mod duplicates;
mod error;
mod export;
mod folder;
mod forget;
mod gaps;
mod held;
mod import;
mod init;
mod items;
mod keep;
mod list;
mod memories;
mod naming;
mod objections;
mod owners;
mod passage;
mod plan;
mod project;
mod questions;
mod read;
mod recalls;
mod save;
mod search;
mod session;
mod session_facts;
mod session_note;
mod sessions;
mod tasks;
mod trust;
mod turns;
mod unindexed;
mod worded_merges;
mod write;

pub use change::ItemChange;
pub use context::ContextRequest;
pub use error::{ImportError, MemoryError};
pub use forget::{NamedForget, NamedForgetStatus};
pub use import::{ImportRequest, ImportSource};
pub use memora_memory::TaskOperation;
pub(crate) use memories::Memories;
pub(crate) use objections::{MemoryDoubt, MemoryQuestion, citing_files};
pub use owners::{ContextBuilder, MemoryBridges, MemoryFinder, MemoryGate, MemoryReader, MemoryTransfer, MemoryUpkeep};
pub use passage::MemoryName;
pub use plan::{ConsolidationCalls, ConsolidationPlan};
pub use project::find_project;
pub use questions::ConsolidateError;
pub use read::{MEMORY_NAMES_MAX, MemorySource};
pub use save::SaveRequest;
pub use search::MemoryQuery;
pub use session::{MemorySession, MemoryWriter, SHELL_AGENT};
pub use turns::{SessionTurns, open_transcript};
pub use write::{MemoryTarget, WriteRequest};
