//! Reports of consolidating memory, of what is not known, and of files handed back.

use std::marker::PhantomData;

use memora_memory::Domain;
use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, ConsolidationAct, ConsolidationStatus, MemoryCount};

/// What consolidating proposes or did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ConsolidationReport")]
#[serde(bound = "")]
pub struct ConsolidationReport<D> {
    /// What became of it.
    pub status: ConsolidationStatus,
    /// The id with which it can be undone; `null` where nothing was done.
    pub pass: Option<String>,
    /// The steps.
    pub steps: Vec<ConsolidationStep>,
    /// The number of memories that were looked at.
    pub items: usize,
    /// The number of pairs of them that were compared.
    pub compared: usize,
    /// Scopes of which it archives more than a quarter, which needs `--force`.
    pub too_much: Vec<ScopeShare>,
    #[serde(skip)]
    pub(crate) door: PhantomData<D>,
}

/// A step of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConsolidationStep {
    /// What is done.
    pub act: ConsolidationAct,
    /// The memory or the entry of a log.
    pub id: String,
    /// Its file, relative to the vault.
    pub path: String,
    /// How it begins.
    pub gist: String,
    /// How guarded it is.
    pub band: Band,
    /// The memory that stays in its place, or that was made of it; `null` where there is none.
    pub into: Option<String>,
    /// The number of sessions that recalled an entry; 0 for a memory that goes.
    pub sessions: u32,
    /// Whether it was done.
    pub done: bool,
}

/// How much of a scope would be archived.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScopeShare {
    /// The scope's folder, below that of memory.
    pub scope: String,
    /// The number of its memories.
    pub items: usize,
    /// How many of them would be archived.
    pub archived: usize,
}

/// What undoing a pass did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct UndoReport {
    /// The pass.
    pub pass: String,
    /// The number of memories that came back from the archive.
    pub restored: usize,
    /// The number of memories that it had made, and that are gone.
    pub removed: usize,
    /// The ids of those that a person edited since; they stay as they are.
    pub left: Vec<String>,
}

/// What is not known of the user.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GapsReport {
    /// Domains of life of which little is known.
    pub gaps: Vec<DomainGap>,
    /// How many statements and memories there are of each domain.
    pub known: Vec<MemoryCount>,
}

/// A domain of life of which little is known.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DomainGap {
    /// The domain.
    pub domain: Domain,
    /// How many statements and memories there are of it.
    pub known: usize,
    /// What to ask the user.
    pub question: String,
}

/// What handing a file back did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ResealReport {
    /// The file, relative to the vault.
    pub path: String,
    /// Whether it is Memora's again.
    pub sealed: bool,
    /// How many files that continued it were joined with it.
    pub merged: usize,
}
