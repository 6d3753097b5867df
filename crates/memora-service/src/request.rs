//! Requests to the vault, and what they are answered from.

use std::sync::atomic::{AtomicBool, Ordering};

use memora_engine::report::Freshness;
use memora_engine::{Door, Memora, ReadError, Session};

use crate::error::ServiceError;

/// A request to the vault, answered on a worker thread.
pub trait VaultRequest: Send + 'static {
    /// The answer.
    type Answer: Send + 'static;
    /// The error, which includes those of the service itself.
    type Error: From<ServiceError> + Send + 'static;

    /// The name of the request in logs: a fixed word, nothing of the vault.
    fn label(&self) -> &'static str;

    /// Whether it may take as long as a language model does. Such requests have a thread of their own.
    fn is_slow(&self) -> bool {
        false
    }

    /// Answers the request for a door.
    ///
    /// # Errors
    /// The request failed.
    fn answer<D: Door>(&self, context: &ReadContext<'_, D>) -> Result<Self::Answer, Self::Error>;
}

/// A vault that was just brought up to date, to be read for the door `D`.
pub struct ReadContext<'a, D: Door> {
    pub(crate) memora: &'a Memora,
    pub(crate) door: &'a D,
    pub(crate) freshness: Freshness,
    pub(crate) stop: &'a AtomicBool,
}

impl<'a, D: Door> ReadContext<'a, D> {
    /// Returns the opened vault.
    #[must_use]
    pub fn memora(&self) -> &'a Memora {
        self.memora
    }

    /// Returns the door of the audience.
    #[must_use]
    pub fn door(&self) -> &'a D {
        self.door
    }

    /// Returns whether the index has everything that is in the vault.
    #[must_use]
    pub fn freshness(&self) -> Freshness {
        self.freshness
    }

    /// Returns the flag that is raised when the answer is no longer awaited.
    #[must_use]
    pub fn stop_flag(&self) -> &'a AtomicBool {
        self.stop
    }

    /// Returns whether the answer is no longer awaited.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Starts a reading session.
    ///
    /// # Errors
    /// [`ReadError`], when the index cannot be read.
    pub fn session(&self) -> Result<Session<'a, D>, ReadError> {
        self.memora.session(self.door.clone())
    }
}
