//! Opens a vault and joins the stages.
//!
//! [`Memora::open`] finds a vault and its state, [`Memora::sync`] brings the index up to date, and [`Memora::session`]
//! reads for one [door](memora_redact::Door): it searches, answers, verifies, lists, explains. Invariant:
//! **everything a session shows was re-read in that session and sorted for its door.** The JSON shapes are in [`wire`].
//!
//! Deliberately not here: what a stage does (each has its crate), and how things look on a terminal.

mod answer;
mod audit;
mod capture;
mod challenge;
mod choose;
mod clock;
mod compare;
mod config;
mod configured;
mod considered;
mod derive;
mod draft;
mod edit;
mod egress;
mod embedder;
mod embedders;
mod entity;
mod evidence;
mod export;
mod extract;
mod far;
mod find;
mod health;
mod judge;
mod links;
mod list;
mod loaded;
mod many;
mod meaning;
mod new_note;
mod number_edits;
mod of_time;
mod open;
mod owned;
mod page;
mod places;
mod prepare;
mod proposals;
mod reader;
mod related;
mod rerank;
mod send;
mod session;
mod settings;
mod standing;
mod submitted;
mod suggest;
mod sync;
mod vectorize;
#[cfg(test)]
mod vectorize_tests;
mod verify;
mod watch;
mod weigh;
pub mod wire;
mod wording;

pub use audit::AuditOptions;
pub use capture::{CAPTURE_FOLDER, CaptureError, CaptureRequest, NameFault};
pub use challenge::{ApplyReviewsError, KeepReviewError, ProposedRewordings, TickOutcome, WriteReviewError};
pub use config::{Config, ConfigError, NearestMethod};
pub use considered::CandidateFeatures;
pub use derive::DeriveError;
pub use draft::{AskError, ModelCall};
pub use edit::ConfigEditError;
pub use egress::{BandCounts, EgressEntries, EgressEntry, EgressError, EgressLog};
pub use embedder::{InstallError, Installation};
pub use embedders::EmbedderChoice;
pub use entity::{Entity, EntityEdge, EntityEdgeKind, EntityResolution};
pub use export::ExportOptions;
pub use extract::{ExtractError, ExtractionEnd, ExtractionOptions, ExtractionOutcome, ExtractionProgress};
pub use far::{ConnectError, RemoteModels, RemoteModelsError};
pub use find::{FoundClaim, SearchError, SearchOptions, SearchResults};
pub use many::pluralize;
pub use number_edits::NumberEdit;
pub use open::{EngineOpenError, FoundVault, Memora, Notice};
pub use reader::EntailmentChoice;
pub use rerank::TokenPrecompute;
pub use send::SendError;
pub use session::Session;
pub use settings::InitSettings;
pub use standing::{DecideError, DecisionRequest};
pub use submitted::{VerifyInput, VerifyInputError};
pub use suggest::Suggestion;
pub use sync::{SyncBound, SyncError, SyncOutcome, SyncProgress, SyncStage};
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
