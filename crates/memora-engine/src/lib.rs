//! Opens a vault and joins the stages.
//!
//! [`Memora::open`] finds a vault and its state, [`Memora::sync`] brings the index up to date, and [`Memora::session`]
//! reads for one [door](memora_redact::Door): it searches, answers, verifies, lists, explains. Invariant:
//! **everything a session shows was re-read in that session and sorted for its door.** The JSON shapes are in [`report`].
//!
//! Deliberately not here: what a stage does (each has its crate), and how things look on a terminal.

mod at_door;
mod index;
mod oversee;
mod read;
mod remember;
pub mod report;
mod state;

pub use at_door::{AtDoor, Memories, ModelCall, Session};
pub use index::claim_changes::ClaimChanges;
pub use index::outcome::SyncOutcome;
pub use index::progress::{SyncProgress, SyncStage};
pub use index::sync::{SyncBound, SyncError};
pub use index::token_vectors::ReadAhead;
pub use index::watch::{CatchUpError, VaultWatch};
pub use oversee::audit::{AuditOptions, PrivacyAudit};
pub use oversee::doctor::Doctor;
pub use oversee::review::{
    ApplyReviewsError, KeepReviewError, ProposedRewordings, ReviewBuilder, ReviewHistory, TickOutcome, WriteReviewError,
};
pub use oversee::suggest::Suggestion;
pub use read::answer::drafted::AskError;
pub use read::answer::{Answerer, FindRequest};
pub use read::capture::{CaptureError, CaptureRequest, NameFault, NewNoteError, NoteCapture};
pub use read::catalog::export::ExportOptions;
pub use read::catalog::number_edits::NumberEdit;
pub use read::catalog::unknown_folders::UnknownFolder;
pub use read::catalog::{ClaimCatalog, ListOptions};
pub use read::entity::{
    Entity, EntityEdge, EntityEdgeKind, EntityQuery, EntityReports, EntityResolution, EntityResolver,
};
pub use read::lifecycle::{ChangesRequest, DecisionRequest, LifecycleReports};
pub use read::llm::extract::{ExtractError, ExtractionEnd, ExtractionOptions, ExtractionOutcome, ExtractionProgress};
pub use read::llm::remote_models::{ConnectError, RemoteModels, RemoteModelsError};
pub use read::llm::send::SendError;
pub use read::search::candidate_features::CandidateFeatures;
pub use read::search::{ClaimSearch, FoundClaim, SearchError, SearchOptions, SearchResults};
pub use read::verify::Verifier;
pub use read::verify::input::{VerifyInput, VerifyInputError};
pub use remember::{
    ConsolidateError, ConsolidationCalls, ConsolidationPlan, ContextBuilder, ContextRequest, ImportError,
    ImportRequest, ImportSource, ItemChange, MEMORY_NAMES_MAX, MemoryBridges, MemoryError, MemoryFinder, MemoryGate,
    MemoryName, MemoryQuery, MemoryReader, MemorySession, MemorySource, MemoryTarget, MemoryTransfer, MemoryUpkeep,
    MemoryWriter, NamedForget, NamedForgetStatus, SHELL_AGENT, SaveRequest, SessionTurns, TaskOperation, WriteRequest,
    find_project, open_transcript,
};
pub use report::pluralize;
pub use state::config::bridge::BridgeConfig;
pub use state::config::edit::ConfigEditError;
pub use state::config::memory::{CAPTURE_FOLDER, MemoryAccess, MemoryConfig, SessionExtraction};
pub use state::config::settings::InitSettings;
pub use state::config::{Config, ConfigError, NearestMethod};
pub use state::decisions_file::DecideError;
pub use state::egress::{BandCounts, EgressEntries, EgressEntry, EgressError, EgressLog};
pub use state::embedder::choice::EmbedderChoice;
pub use state::embedder::setup::{InstallError, Installation};
pub use state::lexical_indexes::DeriveError;
pub use state::open::{EngineOpenError, FoundVault, Memora, Notice};

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
