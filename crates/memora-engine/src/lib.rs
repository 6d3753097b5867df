//! Opens a vault and joins the stages.
//!
//! [`Memora::open`] finds a vault and its state, [`Memora::sync`] brings the index up to date, and [`Memora::session`]
//! reads for one [door](memora_redact::Door): it searches, answers, verifies, lists, explains. Invariant:
//! **everything a session shows was re-read in that session and sorted for its door.** The JSON shapes are in [`wire`].
//!
//! Deliberately not here: what a stage does (each has its crate), and how things look on a terminal.

mod answer;
mod answer_selection;
mod audit;
mod candidate_features;
mod capture;
mod claim_list;
mod config;
mod config_edit;
mod doctor;
mod draft;
mod egress;
mod embedder_choice;
mod embedder_setup;
mod entailment_model;
mod entity;
mod export;
mod extract;
mod lexical_sync;
mod lifecycle;
mod links;
mod model_status;
mod new_note;
mod note_evidence;
mod note_page;
mod number_edits;
mod open;
mod pair_judge;
mod plural;
mod prepare;
mod private_file;
mod proposals;
mod quote_match;
mod related;
mod remote_models;
pub mod report;
mod rerank;
mod resolve;
mod review;
mod scoring;
mod search;
mod semantic;
mod send;
mod sentence_judge;
mod session;
mod settings;
mod suggest;
mod sync;
mod time_filter;
mod timing;
mod vector_cache;
mod vectorize;
#[cfg(test)]
mod vectorize_tests;
mod verify;
mod verify_input;
mod watch;

pub use audit::AuditOptions;
pub use candidate_features::CandidateFeatures;
pub use capture::{CAPTURE_FOLDER, CaptureError, CaptureRequest, NameFault};
pub use config::{Config, ConfigError, NearestMethod};
pub use config_edit::ConfigEditError;
pub use draft::{AskError, ModelCall};
pub use egress::{BandCounts, EgressEntries, EgressEntry, EgressError, EgressLog};
pub use embedder_choice::EmbedderChoice;
pub use embedder_setup::{InstallError, Installation};
pub use entailment_model::EntailmentChoice;
pub use entity::{Entity, EntityEdge, EntityEdgeKind, EntityResolution};
pub use export::ExportOptions;
pub use extract::{ExtractError, ExtractionEnd, ExtractionOptions, ExtractionOutcome, ExtractionProgress};
pub use lexical_sync::DeriveError;
pub use lifecycle::{DecideError, DecisionRequest};
pub use number_edits::NumberEdit;
pub use open::{EngineOpenError, FoundVault, Memora, Notice};
pub use plural::pluralize;
pub use remote_models::{ConnectError, RemoteModels, RemoteModelsError};
pub use rerank::TokenPrecompute;
pub use review::{ApplyReviewsError, KeepReviewError, ProposedRewordings, TickOutcome, WriteReviewError};
pub use search::{FoundClaim, SearchError, SearchOptions, SearchResults};
pub use send::SendError;
pub use session::Session;
pub use settings::InitSettings;
pub use suggest::Suggestion;
pub use sync::{SyncBound, SyncError, SyncOutcome, SyncProgress, SyncStage};
pub use verify_input::{VerifyInput, VerifyInputError};
pub use watch::{CatchUpError, VaultWatch};

// Types of the stages that callers need, re-exported so that they need not know which stage each comes from.
pub use memora_claim::{ClaimId, DecisionKind, STATES};
pub use memora_embed::RuntimeUnavailable;
pub use memora_model::{
    ConnectedModel, FetchError, FetchLimits, FetchObserver, FetchProgress, Fetcher, LanguageModel, LocalModel,
    MissingFiles, ModelConfig, ModelError, ModelLimits, ModelTask, Origin, OriginError, PinTable, PinnedModel,
    RemoteModel, RemoteReason, RequestPreview,
};
pub use memora_redact::{CloudDoor, Door, LocalDoor, Prompt};
pub use memora_store::{NoteFilter, ReadError};
pub use memora_vault::{
    Band, DirtySet, ModelsAllowed, NotePath, PartialDate, Vault, Waker, WatchLimitation, closed_sets,
};
pub use memora_verify::strip_addresses;
