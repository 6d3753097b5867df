//! Reports of consolidating memory, of what is not known, and of files handed back.

use memora_memory::{Domain, MemoryId};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, ConsolidationAct, ConsolidationStatus, MemoryCount};
use crate::report::typed::{door_report, kept_for_doors};

kept_for_doors! { ConsolidationModelReport, ConsolidationStatus, ConsolidationStep, ScopeShare }

door_report! {
    /// What consolidating proposes or did.
    #[schemars(bound = "", rename = "ConsolidationReport")]
    ConsolidationReport {
        /// What became of it.
        status: ConsolidationStatus,
        /// The id with which it can be undone; `null` where nothing was done.
        pass: Option<String>,
        /// The steps.
        steps: Vec<ConsolidationStep>,
        /// The number of memories that were looked at.
        items: usize,
        /// The number of pairs of them that were compared.
        compared: usize,
        /// The number of notes of sessions and of weeks that are due for a digest and wait for a later pass, since one archives a
        /// quarter of a scope at most.
        waiting: usize,
        /// Scopes of which it archives more than a quarter, which needs `--force`.
        too_much: Vec<ScopeShare>,
        /// What a language model took part in; `null` where none may: `memory.extract`.
        model: Option<ConsolidationModelReport>,
    }
}

/// What a language model took part in.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct ConsolidationModelReport {
    /// The model; `null` where none is configured or none can be reached.
    pub name: Option<String>,
    /// How often it was asked now. What it replied before about the same words is not asked again.
    pub calls: usize,
    /// The number of notes of sessions that it was not asked about yet.
    pub due: usize,
    /// What of its replies was dropped, by reason.
    pub dropped: Vec<MemoryCount>,
    /// Why it was asked no more; `null` where nothing failed.
    pub failure: Option<String>,
}

/// A step of it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ConsolidationStep {
    /// What is done.
    pub act: ConsolidationAct,
    /// The memory, the entry of a log, the note of a session, or the digest.
    pub id: String,
    /// Its file, relative to the vault.
    pub path: String,
    /// How it begins.
    pub gist: String,
    /// How guarded it is.
    pub band: Band,
    /// The memory that stays in its place, or that was made of it; `null` where there is none.
    pub into: Option<String>,
    /// The number of sessions that recalled an entry; 0 for anything else.
    pub sessions: u32,
    /// The words of a session's note that a fact rests on; `null` for anything else.
    pub quote: Option<String>,
    /// The sentence that replaces merged memories, if a language model worded one; `null` otherwise.
    pub wording: Option<String>,
    /// Whether it was done.
    pub done: bool,
}

impl ConsolidationStep {
    /// A step that is proposed.
    pub(crate) fn new(act: ConsolidationAct, id: &MemoryId, path: &str, gist: String, band: Band) -> Self {
        let (id, path) = (id.to_string(), path.to_owned());
        Self { act, id, path, gist, band, into: None, sessions: 0, quote: None, wording: None, done: false }
    }
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
