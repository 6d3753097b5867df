//! Local and remote language models; the only crate that opens outgoing connections.
//!
//! A [`ConnectedModel`] is what the user's own configuration names ([`ModelConfig`]), connected as [`LocalModel`] or [`RemoteModel`]. It is
//! sent a [`Prompt`](memora_redact::Prompt), which was sorted for a door, and replies with a [`Completion`], as guarded
//! as the prompt. Invariant: **a remote model takes only prompts for a cloud door**, and any model that is not provably
//! local is remote. The types enforce that; see [`LanguageModel`].
//!
//! It also fetches the files of models that run here: [`PinTable`] say what each file must be, [`Origin`] where it comes
//! from, and [`install_files`] puts missing ones into a folder. Invariant: **a file is trusted by its hash, never by its
//! source.** A mirror, a proxy or a broken disk can make an installation fail, and nothing else.
//!
//! Out of scope: asking the user, prompt wording, whether a reply is true, the egress log, which folder files go to,
//! and what they are used for.

mod client;
mod completion;
mod config;
mod download;
mod failure;
mod fetch;
mod fetch_error;
mod http;
mod install;
mod key;
mod locality;
mod model;
mod origin;
mod pins;
mod retry;
mod transport;
mod unpack;
mod wire;

pub use completion::{Completion, RequestPreview, TokenUsage};
pub use config::{ModelConfig, ModelConfigError, Provider};
pub use failure::ModelError;
pub use fetch::{FetchLimits, FetchObserver, FetchProgress, Fetcher};
pub use fetch_error::FetchError;
pub use install::{MissingFiles, find_missing, install_files};
pub use key::{KeyError, KeySource};
pub use locality::RemoteReason;
pub use model::{ConnectedModel, LanguageModel, LocalModel, RemoteModel};
pub use origin::{Origin, OriginError};
pub use pins::{ArchiveMember, PinTable, PinTableError, PinnedFile, current_platform};
/// The address type of a [`ModelConfig`].
pub use reqwest::Url;
pub use transport::ModelLimits;
