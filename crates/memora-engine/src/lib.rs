//! Opens a vault and joins the stages.
//!
//! [`Memora::open`] finds a vault and its state, [`Memora::sync`] brings the index up to date, and [`Memora::session`]
//! reads for one [door](memora_redact::Door): it searches, answers, verifies, lists, explains. The one rule to know:
//! **whatever a session shows was re-read in that session and sorted for its door.** The JSON shapes are in [`wire`].
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
pub use egress::{BandCounts, EgressLog, EgressEntry, EgressError, EgressEntries};
pub use embedder::{InstallError, Installation};
pub use embedders::EmbedderChoice;
pub use entity::{EntityEdge, EntityEdgeKind, Entity, EntityResolution};
pub use export::ExportOptions;
pub use extract::{ExtractionEnd, ExtractError, ExtractionOutcome, ExtractionOptions, ExtractionProgress};
pub use far::{ConnectError, RemoteModels, RemoteModelsError};
pub use find::{FoundClaim, SearchResults, SearchError, SearchOptions};
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
pub use sync::{SyncBound, SyncProgress, SyncStage, SyncError, SyncOutcome};
pub use watch::{CatchUpError, VaultWatch};

// What a caller says and hears in the words of the stages, so that it need not know which stage each comes from.
pub use memora_claim::{DecisionKind, ClaimId, STATES};
pub use memora_embed::RuntimeUnavailable;
pub use memora_model::{
    RemoteModel, FetchError, Fetcher, LanguageModel, FetchLimits, MissingFiles, ConnectedModel, ModelConfig, ModelError, ModelLimits, LocalModel,
    Origin, OriginError, PinTable, FetchProgress as FetchProgress, PinnedModel, RequestPreview, ModelTask, FetchObserver, RemoteReason,
};
pub use memora_redact::{CloudDoor, Door, LocalDoor, Prompt};
pub use memora_store::{NoteFilter, ReadError};
pub use memora_vault::{Band, WatchLimitation, DirtySet, ModelsAllowed, NotePath, PartialDate, Vault, Waker, closed_sets};
pub use memora_verify::strip_addresses;
