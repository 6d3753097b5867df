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
pub use capture::{CAPTURE_FOLDER, CaptureError, Capturing, NameFault};
pub use challenge::{ApplyError, KeepError, Proposals, Ticked, WriteReviewError};
pub use config::{Config, ConfigError, NearestBy};
pub use considered::Considered;
pub use derive::DeriveError;
pub use draft::{AskError, Asking};
pub use edit::EditError;
pub use egress::{BandCounts, Egress, EgressEntry, EgressError, Logged};
pub use embedder::{InstallError, Installation};
pub use embedders::EmbedderChoice;
pub use entity::{Edge, EdgeKind, Entity, Meant};
pub use export::ExportOptions;
pub use extract::{Ended, ExtractError, Extracted, Extracting, Reading};
pub use far::{ConnectError, FarModels, FarModelsError};
pub use find::{FoundClaim, Search, SearchError, SearchOptions};
pub use many::many;
pub use number_edits::NumberEdit;
pub use open::{EngineOpenError, FoundVault, Memora, Notice};
pub use reader::EntailmentChoice;
pub use rerank::ReadAhead;
pub use send::SendError;
pub use session::Session;
pub use settings::Settings;
pub use standing::{DecideError, Deciding};
pub use submitted::{Submitted, SubmittedError};
pub use suggest::Suggestion;
pub use sync::{Bound, Progress, Stage, SyncError, Synced};
pub use watch::{CatchUpError, Watching};

// What a caller says and hears in the words of the stages, so that it need not know which stage each comes from.
pub use memora_claim::{Act, ClaimId, STATES};
pub use memora_embed::Absent;
pub use memora_model::{
    Far, FetchError, Fetcher, LanguageModel, Limits, Missing, Model, ModelConfig, ModelError, ModelLimits, Near,
    Origin, OriginError, Pins, Progress as FetchProgress, Published, Request, Task, Watch, WhyFar,
};
pub use memora_redact::{CloudDoor, Door, LocalDoor, Prompt};
pub use memora_store::{NoteFilter, ReadError};
pub use memora_vault::{Band, Blind, Dirty, ModelsAllowed, NotePath, PartialDate, Vault, Waker, closed_sets};
pub use memora_verify::without_addresses;
