//! Requests and responses, independent of the protocol's methods.

use std::sync::atomic::AtomicBool;

use memora_engine::report::Freshness;
use memora_engine::{Band, Door, Memora, MemorySession, ReadError, Session};
use serde::Serialize;

use crate::tool_error::ToolError;

/// A request to the vault: a tool call, a resource to read, or an argument to complete.
pub(crate) trait VaultRequest: Send + 'static {
    /// The protocol's type of the response.
    type Answer: Serialize + Send + 'static;

    /// The name of the request in the egress log.
    fn log_label(&self) -> &'static str;

    /// Whether it may take as long as a language model does.
    fn is_slow(&self) -> bool {
        false
    }

    /// Answers the request for a door.
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<Self::Answer>, ToolError>;
}

/// What a connection does with agents' memory.
pub(crate) struct MemoryConnection {
    pub(crate) session: MemorySession,
    /// The slug of the project that the client works on.
    pub(crate) project: Option<String>,
}

/// A vault that was just brought up to date, to be read for the door `D`.
pub(crate) struct ReadContext<'a, D: Door> {
    pub(crate) memora: &'a Memora,
    pub(crate) door: &'a D,
    pub(crate) freshness: Freshness,
    pub(crate) memory: &'a MemoryConnection,
    /// Raised when the answer is no longer awaited.
    pub(crate) stop: &'a AtomicBool,
}

/// An item of the egress log: a claim's id or a handle, and its band.
pub(crate) type EgressItem = (Option<String>, Band);

/// An outgoing answer, with the items of the vault in it.
pub(crate) struct Response<A> {
    pub(crate) answer: A,
    pub(crate) pieces: Vec<EgressItem>,
}

impl<'a, D: Door> ReadContext<'a, D> {
    /// Starts a reading session.
    pub(crate) fn session(&self) -> Result<Session<'a, D>, ReadError> {
        self.memora.session(self.door.clone())
    }

    /// Returns the status of an empty result: `due` while some notes are not indexed yet, else `none`.
    pub(crate) fn status_or_due<S>(&self, none: S, due: S) -> S {
        if self.freshness.fresh { none } else { due }
    }
}

/// Advice for the client while notes are being indexed.
pub(crate) const INDEXING_HINT: &str =
    "Notes are being indexed: say that the index is not ready, and ask again in a moment.";
