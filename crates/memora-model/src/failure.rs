//! Why a model gave no answer: [`ModelError`].

use std::error::Error;
use std::time::Duration;

use crate::key::KeyError;
use crate::retry::Stopped;

use memora_vault::Hint;

/// Why a model gave no answer.
///
/// Never contains text of the prompt, of a reply, or of a server's error message, which may be either; and no key. The
/// [`source`](Error::source) is about connections only.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Networking could not be set up.
    #[error("connections cannot be opened")]
    Setup(#[source] Box<dyn Error + Send + Sync>),
    /// There is no key.
    #[error("there is no key for {destination}")]
    Key {
        /// Where it would have gone.
        destination: String,
        /// Why.
        source: KeyError,
    },
    /// What is sent would be readable on its way.
    #[error("{destination} is not on this machine, and the connection to it is not encrypted")]
    NotEncrypted {
        /// Where it would have gone.
        destination: String,
    },
    /// The server could not be reached, or went away without a word, each time.
    #[error("cannot reach {destination}, tried {tries} times")]
    Unreachable {
        /// Host and port.
        destination: String,
        /// How often.
        tries: u32,
        /// What happened the last time.
        source: Box<dyn Error + Send + Sync>,
    },
    /// There was no whole answer in time.
    #[error("{destination} gave no answer within {} seconds", after.as_secs_f32())]
    Timeout {
        /// Host and port.
        destination: String,
        /// How long was waited.
        after: Duration,
    },
    /// The server answers something else.
    #[error("{destination} {}", answers(*status, *tries))]
    Status {
        /// Host and port.
        destination: String,
        /// The HTTP status.
        status: u16,
        /// How often.
        tries: u32,
    },
    /// The server sends elsewhere. Nothing was sent there.
    #[error("{destination} sends to another address, which is not followed")]
    Redirect {
        /// Host and port.
        destination: String,
    },
    /// The reply is longer than it may be. The rest of it was not read.
    #[error("the reply of {destination} is larger than {bytes_max} bytes")]
    TooLarge {
        /// Host and port.
        destination: String,
        /// How many bytes it may have.
        bytes_max: u64,
    },
    /// The reply is not what this provider replies.
    #[error("the reply of {destination} is not understood: {what}")]
    NotUnderstood {
        /// Host and port.
        destination: String,
        /// What is wrong, in words of ours.
        what: &'static str,
    },
    /// The model will not answer this.
    #[error("the model at {destination} refuses to answer")]
    Refused {
        /// Host and port.
        destination: String,
    },
    /// The model was taken for one on this machine, and its reply says that it runs elsewhere.
    #[error("{destination} passed the prompt on to a model that runs elsewhere")]
    Elsewhere {
        /// Host and port.
        destination: String,
    },
    /// The request could not be logged, so it was not sent, or not sent again.
    #[error("what cannot be logged is not sent to {destination}")]
    NotLogged {
        /// Host and port.
        destination: String,
    },
    /// The caller asked to stop.
    #[error("stopped")]
    Stopped,
}

impl ModelError {
    /// A stable name for machines.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Setup(_) => "setup",
            Self::Key { .. } => "key",
            Self::NotEncrypted { .. } => "not_encrypted",
            Self::Unreachable { .. } => "unreachable",
            Self::Timeout { .. } => "timeout",
            Self::Status { status: 429 | 503 | 529, .. } => "busy",
            Self::Status { .. } => "status",
            Self::Redirect { .. } => "redirect",
            Self::TooLarge { .. } => "too_large",
            Self::NotUnderstood { .. } => "not_understood",
            Self::Refused { .. } => "refused",
            Self::Elsewhere { .. } => "elsewhere",
            Self::NotLogged { .. } => "not_logged",
            Self::Stopped => "stopped",
        }
    }
}

impl Hint for ModelError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Setup(_) => "check the certificates of this system",
            Self::Key { .. } => {
                "set that variable, or name another with model.key_env, or a program that prints the key with model.key_command"
            }
            Self::NotEncrypted { .. } => "use https; plain http is for a model on this machine: http://127.0.0.1:PORT",
            Self::Unreachable { .. } => "check that it runs and that model.url is its address",
            Self::Timeout { .. } => "raise model.timeout_seconds, or name a smaller model",
            Self::Status { status: 401 | 403, .. } => {
                "the key is not accepted; check model.key_env or model.key_command"
            }
            Self::Status { status: 404, .. } => {
                "check model.name and model.url; for Ollama, fetch the model: ollama pull NAME"
            }
            Self::Status { status: 429 | 500..=599, .. } => "try again later",
            Self::Status { .. } => "the request was turned down; check model.name, or name another model",
            Self::Redirect { .. } => "write the address that answers itself into model.url",
            Self::TooLarge { .. } | Self::NotUnderstood { .. } => {
                "check model.provider and model.url, or name another model"
            }
            Self::Refused { .. } => "ask in other words, or name another model",
            Self::Elsewhere { .. } => "the model was replaced while it was in use; set trusted_local = false for it",
            Self::NotLogged { .. } => "check that the state folder can be written",
            Self::Stopped => "nothing was kept of it; run it again",
        }
    }
}

/// Describes a server's status, and the number of tries.
fn answers(status: u16, tries: u32) -> String {
    let times = if tries > 1 { format!(", tried {tries} times") } else { String::new() };
    match status {
        404 => format!("knows no such model or address (404){times}"),
        _ => format!("answers {status}{times}"),
    }
}

impl From<Stopped> for ModelError {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}
