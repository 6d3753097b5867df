//! Language models near and far; the only crate that opens an outgoing connection.
//!
//! A [`Model`] is what the user's own configuration names ([`ModelConfig`]), found to be [`Near`] or [`Far`]. What it is
//! sent is a [`Prompt`](memora_redact::Prompt), which was sorted for a door; what it replies is a [`Completion`], as
//! guarded as the prompt. The one rule to know: **a far model takes no prompt but one for a cloud door**, and whoever
//! is not plainly near is far. That is a property of the types; see [`LanguageModel`].
//!
//! It also fetches the files of models that run here: [`Pins`] say what each file must be, [`Origin`] where it may be had,
//! [`install`] puts what is missing into a folder. There the rule is: **a file is taken for what it hashes to, never
//! for where it comes from.** A mirror, a proxy, a broken disk can make an installation fail, and nothing else.
//!
//! Deliberately not here: asking the user, what a prompt says, whether a reply is true, the log of what left, which folder
//! files go to, and what they are used for.

mod completion;
mod config;
mod failure;
mod fetch;
mod http;
mod install;
mod key;
mod land;
mod line;
mod model;
mod origin;
mod pins;
mod place;
mod talk;
mod unpack;
mod wait;
mod wire;

pub use completion::{Completion, RequestPreview, TokenUsage};
pub use config::{ModelConfig, ModelConfigError, Provider};
pub use failure::ModelError;
pub use fetch::{FetchError, Fetcher, FetchLimits, FetchProgress, FetchObserver};
pub use install::{MissingFiles, install_files, find_missing};
pub use key::{KeyError, KeySource};
pub use line::ModelLimits;
pub use model::{RemoteModel, LanguageModel, ConnectedModel, LocalModel};
pub use origin::{Origin, OriginError};
pub use pins::{ArchiveMember, PinnedFile, PinTable, PinTableError, PinnedModel, ModelTask, current_platform};
pub use place::RemoteReason;
/// An address, as a [`ModelConfig`] has it.
pub use reqwest::Url;
