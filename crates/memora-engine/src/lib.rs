//! Opens a vault and joins the stages.
//!
//! [`Memora::open`] finds a vault and its state, [`Memora::sync`] brings the index up to date, and [`Memora::session`]
//! reads for one [door](memora_redact::Door): it searches, answers, verifies, lists, explains. Invariant:
//! **everything a session shows was re-read in that session and sorted for its door.** The JSON shapes are in [`report`].
//!
//! Deliberately not here: what a stage does (each has its crate), and how things look on a terminal.

mod answer;
mod at_door;
mod bridges;
mod capture;
mod catalog;
mod commit_cache;
mod config;
mod doctor;
mod embedder;
mod entity;
mod error_chain;
mod index;
mod lifecycle;
mod lists;
mod llm;
mod memory;
mod note_cache;
mod open;
mod plural;
mod privacy;
pub mod report;
mod review;
mod search;
mod session;
mod sources;
mod stages;
mod suggest;
mod timing;
mod verify;

pub use answer::drafted::AskError;
pub use answer::{Answerer, FindRequest};
pub use at_door::{AtDoor, Memories, ModelCall, Session};
pub use capture::{CAPTURE_FOLDER, CaptureError, CaptureRequest, NameFault, NoteCapture};
pub use catalog::export::ExportOptions;
pub use catalog::number_edits::NumberEdit;
pub use catalog::unknown_folders::UnknownFolder;
pub use catalog::{ClaimCatalog, ListOptions};
pub use config::bridge::BridgeConfig;
pub use config::edit::ConfigEditError;
pub use config::memory::{MemoryAccess, MemoryConfig, SessionExtraction};
pub use config::settings::InitSettings;
pub use config::{Config, ConfigError, NearestMethod};
pub use doctor::Doctor;
pub use embedder::choice::EmbedderChoice;
pub use embedder::setup::{InstallError, Installation};
pub use entity::{Entity, EntityEdge, EntityEdgeKind, EntityQuery, EntityReports, EntityResolution, EntityResolver};
pub use index::claim_changes::ClaimChanges;
pub use index::lexical_sync::DeriveError;
pub use index::progress::{SyncProgress, SyncStage};
pub use index::sync::{SyncBound, SyncError, SyncOutcome};
pub use index::watch::{CatchUpError, VaultWatch};
pub use lifecycle::{ChangesRequest, DecideError, DecisionRequest, LifecycleReports};
pub use llm::extract::{ExtractError, ExtractionEnd, ExtractionOptions, ExtractionOutcome, ExtractionProgress};
pub use llm::memory_questions::{ConsolidateError, ConsolidationCalls};
pub use llm::remote_models::{ConnectError, RemoteModels, RemoteModelsError};
pub use llm::send::SendError;
pub use memory::{
    ConsolidationPlan, ContextRequest, ImportError, ImportRequest, ImportSource, ItemChange, MEMORY_NAMES_MAX,
    MemoryError, MemoryName, MemoryQuery, MemorySession, MemorySource, MemoryTarget, MemoryWriter, NamedForget,
    NamedForgetStatus, SHELL_AGENT, SaveRequest, SessionTurns, TaskOperation, WriteRequest, find_project,
    open_transcript,
};
pub use open::{EngineOpenError, FoundVault, Memora, Notice};
pub use plural::pluralize;
pub use privacy::audit::{AuditOptions, PrivacyAudit};
pub use privacy::egress::{BandCounts, EgressEntries, EgressEntry, EgressError, EgressLog};
pub use review::{
    ApplyReviewsError, KeepReviewError, ProposedRewordings, ReviewBuilder, TickOutcome, WriteReviewError,
};
pub use search::candidate_features::CandidateFeatures;
pub use search::rerank::ReadAhead;
pub use search::{ClaimSearch, FoundClaim, SearchError, SearchOptions, SearchResults};
pub use suggest::Suggestion;
pub use verify::Verifier;
pub use verify::input::{VerifyInput, VerifyInputError};

// Types of the stages that callers need, re-exported so that they need not know which stage each comes from.
pub use memora_bridge::{is_like_memory_server, kill_servers, terminate_servers};
pub use memora_claim::{ClaimId, DecisionKind, STATES};
pub use memora_embed::RuntimeUnavailable;
pub use memora_memory::{
    Domain, ImportFormat, Kind as MemoryKind, MemoryId, Origin as MemoryOrigin, RecordFault, Refusal as MemoryRefusal,
    RequestedMemory, Scope as MemoryScope, Transcript, may_request, project_slug, read_json, requested_memories,
};
pub use memora_model::{
    ConnectedModel, FetchError, FetchLimits, FetchObserver, FetchProgress, Fetcher, LanguageModel, LocalModel,
    MissingFiles, ModelConfig, ModelError, ModelLimits, Origin, OriginError, PinTable, RemoteModel, RemoteReason,
    RequestPreview,
};
pub use memora_redact::{CloudDoor, Door, LocalDoor, Prompt, Viewer};
pub use memora_store::{Authors, NoteFilter, ReadError};
pub use memora_vault::{
    Band, DirtySet, Hint, ModelsAllowed, NotePath, PartialDate, PlaceRules, VainRule, Vault, Waker, WatchLimitation,
    closed_sets,
};
pub use memora_verify::strip_addresses;
