//! Language models: [`LocalModel`], on this machine, and [`RemoteModel`], anywhere else.
//!
//! Invariant: **a model's type says which prompts it takes.** A local model takes any prompt:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use memora_model::{Completion, RemoteModel, LanguageModel, ModelError, LocalModel};
//! use memora_redact::{CloudPrompt, LocalPrompt};
//!
//! fn ask(model: &LocalModel, prompt: &LocalPrompt, stop: &AtomicBool) -> Result<Completion, ModelError> {
//!     model.complete(prompt, &mut || true, stop)
//! }
//! ```
//!
//! A remote model does not take a prompt for the user's own eyes:
//!
//! ```compile_fail,E0308
//! use std::sync::atomic::AtomicBool;
//! use memora_model::{Completion, RemoteModel, LanguageModel, ModelError, LocalModel};
//! use memora_redact::{CloudPrompt, LocalPrompt};
//!
//! fn ask(model: &RemoteModel, prompt: &LocalPrompt, stop: &AtomicBool) -> Result<Completion, ModelError> {
//!     model.complete(prompt, &mut || true, stop)
//! }
//! ```
//!
//! It takes a prompt for a cloud door:
//!
//! ```
//! use std::sync::atomic::AtomicBool;
//! use memora_model::{Completion, RemoteModel, LanguageModel, ModelError, LocalModel};
//! use memora_redact::{CloudPrompt, LocalPrompt};
//!
//! fn ask(model: &RemoteModel, prompt: &CloudPrompt, stop: &AtomicBool) -> Result<Completion, ModelError> {
//!     model.complete(prompt, &mut || true, stop)
//! }
//! ```
//!
//! Code that is generic over models cannot be given a remote one for local prompts:
//!
//! ```
//! use memora_model::{RemoteModel, LanguageModel, LocalModel};
//! use memora_redact::{CloudDoor, LocalDoor};
//!
//! fn takes_all<M: LanguageModel<LocalDoor>>() {}
//!
//! takes_all::<LocalModel>();
//! ```
//!
//! ```compile_fail,E0277
//! use memora_model::{RemoteModel, LanguageModel, LocalModel};
//! use memora_redact::{CloudDoor, LocalDoor};
//!
//! fn takes_all<M: LanguageModel<LocalDoor>>() {}
//!
//! takes_all::<RemoteModel>();
//! ```
//!
//! Code outside this crate cannot make a remote model local:
//!
//! ```
//! use memora_model::{RemoteModel, ConnectedModel, LocalModel};
//!
//! fn trust(model: LocalModel) -> ConnectedModel {
//!     ConnectedModel::Local(model)
//! }
//! ```
//!
//! ```compile_fail,E0308
//! use memora_model::{RemoteModel, ConnectedModel, LocalModel};
//!
//! fn trust(model: RemoteModel) -> ConnectedModel {
//!     ConnectedModel::Local(model)
//! }
//! ```
//!
//! It cannot forge a model's reply either, or remove its band:
//!
//! ```
//! use memora_model::Completion;
//! use memora_vault::Band;
//!
//! fn again(reply: &Completion) -> Completion {
//!     reply.clone()
//! }
//! ```
//!
//! ```compile_fail,E0451
//! use memora_model::Completion;
//! use memora_vault::Band;
//!
//! fn again(reply: &Completion) -> Completion {
//!     Completion { band: Band::Public, ..reply.clone() }
//! }
//! ```

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use memora_redact::{CloudDoor, Door, Prompt};

use crate::client::ModelClient;
use crate::completion::{Completion, RequestPreview};
use crate::config::ModelConfig;
use crate::failure::ModelError;
use crate::key::KeyError;
use crate::locality::{self, ModelEndpoint, RemoteReason};
use crate::retry::block_on;
use crate::transport::ModelLimits;
use crate::wire;

/// A model that takes prompts for the door `D`.
pub trait LanguageModel<D: Door> {
    /// Sends a prompt and waits for the whole reply, within the model's [`ModelLimits`].
    ///
    /// A prompt may be sent several times. Before each, `sending` is called, which logs it; if it returns false,
    /// nothing is sent.
    ///
    /// # Errors
    /// [`ModelError`]; setting `stop` ends the call within a tenth of a second.
    fn complete(
        &self,
        prompt: &Prompt<D>,
        sending: &mut dyn FnMut() -> bool,
        stop: &AtomicBool,
    ) -> Result<Completion, ModelError>;

    /// Returns what [`complete`](Self::complete) would send.
    fn request(&self, prompt: &Prompt<D>) -> RequestPreview;

    /// Host and port, or the path of a socket, as in the egress log.
    fn destination(&self) -> &str;

    /// The model's name, as its provider knows it.
    fn name(&self) -> &str;
}

/// A model on this machine, which takes any prompt.
///
/// Proves: on connecting, the user's own configuration trusted it, all addresses of its host were loopback ones, and
/// its server said that the model does not run elsewhere. Connections go to those addresses only; no redirect is
/// followed and no proxy used. Only [`ConnectedModel::connect`] makes one.
#[derive(Clone)]
pub struct LocalModel {
    client: ModelClient,
    /// A reply said that it runs elsewhere after all: it takes no prompt any more.
    gone: Arc<AtomicBool>,
}

/// Any other model, which takes prompts that may leave the machine. Only [`ConnectedModel::connect`] makes one.
#[derive(Clone)]
pub struct RemoteModel(ModelClient, RemoteReason);

/// A model, local or remote.
#[derive(Clone, Debug)]
pub enum ConnectedModel {
    /// On this machine.
    Local(LocalModel),
    /// Anywhere else.
    Remote(RemoteModel),
}

impl ConnectedModel {
    /// Determines where a model runs and prepares to query it. No prompt is sent; step 4 sends the key.
    ///
    /// It is local if all of these hold, and remote otherwise:
    ///
    /// 1. `trusted_local` is set in `config`, which is the user's own.
    /// 2. The address is a socket, or a host all of whose addresses are loopback ones. They are looked up once.
    /// 3. The name is not one that Ollama runs elsewhere (`…:cloud`, `…-cloud`), for any configured provider.
    /// 4. The server, asked as Ollama is asked (`/api/show`, after each part of the address's path), says that the
    ///    model is there, and mentions no other place. For servers other than Ollama it is enough that they do not know
    ///    the question (404, 405, 501). Any other answer is inconclusive.
    ///
    /// # Errors
    /// [`ModelError`]: no key where one is named, no encryption to another machine, or stopped. A server that cannot be
    /// reached is not an error yet; it counts as remote.
    pub fn connect(config: &ModelConfig, limits: &ModelLimits, stop: &AtomicBool) -> Result<Self, ModelError> {
        let destination = locality::format_destination(&config.url);
        let setup = |error: std::io::Error| ModelError::Setup(error.into());
        let found = ModelEndpoint::resolve_url(&config.url, config.trusted_local, limits.connect, stop);
        let place = block_on(found).map_err(setup)??;
        if !place.is_local() && config.url.scheme() != "https" {
            return Err(ModelError::NotEncrypted { destination });
        }
        let key = match config.key.read_key(stop) {
            Err(KeyError::Stopped) => return Err(ModelError::Stopped),
            key => key.map_err(|source| ModelError::Key { destination: destination.clone(), source })?,
        };
        let client = ModelClient::new(config, limits, &place, destination, key)?;
        let why = match (config.trusted_local, place.is_local()) {
            (false, _) => Some(RemoteReason::NotTrusted),
            (true, false) => Some(RemoteReason::NotLoopback),
            (true, true) if locality::is_named_cloud(&config.name) => Some(RemoteReason::NamedCloud),
            (true, true) => client.find_remote_reason(stop)?,
        };
        Ok(match why {
            None => Self::Local(LocalModel { client, gone: Arc::default() }),
            Some(why) => Self::Remote(RemoteModel(client, why)),
        })
    }

    /// Returns the same model as a remote one, once it is known to run elsewhere. This cannot be undone.
    #[must_use]
    pub fn into_remote(self) -> Self {
        match self {
            Self::Local(near) => Self::Remote(RemoteModel(near.client, RemoteReason::RunsElsewhere)),
            far @ Self::Remote(_) => far,
        }
    }

    /// The model's name, as its provider knows it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.client().name()
    }

    /// Host and port, or the path of a socket.
    #[must_use]
    pub fn destination(&self) -> &str {
        self.client().destination()
    }

    /// Whether it may see guarded text.
    #[must_use]
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Local(_))
    }

    /// Returns why it is remote, if it is.
    #[must_use]
    pub fn remote_reason(&self) -> Option<RemoteReason> {
        match self {
            Self::Local(_) => None,
            Self::Remote(far) => Some(far.1),
        }
    }

    fn client(&self) -> &ModelClient {
        match self {
            Self::Local(near) => &near.client,
            Self::Remote(far) => &far.0,
        }
    }
}

// Beside the trait's, which leave open for which door they are asked.
impl LocalModel {
    /// Host and port, or the path of a socket.
    #[must_use]
    pub fn destination(&self) -> &str {
        self.client.destination()
    }

    /// The model's name, as its provider knows it.
    #[must_use]
    pub fn name(&self) -> &str {
        self.client.name()
    }
}

impl RemoteModel {
    /// Returns why it is remote.
    #[must_use]
    pub fn remote_reason(&self) -> RemoteReason {
        self.1
    }
}

impl<D: Door> LanguageModel<D> for LocalModel {
    fn complete(
        &self,
        prompt: &Prompt<D>,
        sending: &mut dyn FnMut() -> bool,
        stop: &AtomicBool,
    ) -> Result<Completion, ModelError> {
        let elsewhere = || ModelError::Elsewhere { destination: self.destination().to_owned() };
        if self.gone.load(Ordering::Relaxed) {
            return Err(elsewhere());
        }
        let reply = self.client.send_prompt(prompt, sending, wire::is_remote_reply, stop).inspect_err(|error| {
            // Too late for this prompt; the next one stays here.
            if matches!(error, ModelError::Elsewhere { .. }) {
                self.gone.store(true, Ordering::Relaxed);
            }
        })?;
        Ok(Completion::from_reply(self.client.parse_reply(&reply)?, prompt.band()))
    }

    fn request(&self, prompt: &Prompt<D>) -> RequestPreview {
        self.client.preview_request(prompt)
    }

    fn destination(&self) -> &str {
        self.client.destination()
    }

    fn name(&self) -> &str {
        self.client.name()
    }
}

impl LanguageModel<CloudDoor> for RemoteModel {
    fn complete(
        &self,
        prompt: &Prompt<CloudDoor>,
        sending: &mut dyn FnMut() -> bool,
        stop: &AtomicBool,
    ) -> Result<Completion, ModelError> {
        let reply = self.0.send_prompt(prompt, sending, |_| false, stop)?;
        Ok(Completion::from_reply(self.0.parse_reply(&reply)?, prompt.band()))
    }

    fn request(&self, prompt: &Prompt<CloudDoor>) -> RequestPreview {
        self.0.preview_request(prompt)
    }

    fn destination(&self) -> &str {
        self.0.destination()
    }

    fn name(&self) -> &str {
        self.0.name()
    }
}

impl fmt::Debug for LocalModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Near({} at {})", self.client.name(), self.client.destination())
    }
}

impl fmt::Debug for RemoteModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Far({} at {}: {})", self.0.name(), self.0.destination(), self.1)
    }
}
