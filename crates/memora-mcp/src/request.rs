//! Requests of a client, whose answers are logged before they are sent.

use std::sync::Arc;

use memora_engine::report::Freshness;
use memora_engine::{Band, Door, EgressEntry, EgressError, EgressLog, Memora, MemoryAccess, MemorySession};
use memora_service::{ReadContext, VaultRequest};
use serde::Serialize;

use crate::tool_error::ToolError;

/// A request of a client: a tool call, a resource to read, or an argument to complete.
pub(crate) trait AgentRequest: Send + 'static {
    /// The protocol's type of the response.
    type Answer: Serialize + Send + 'static;

    /// The name of the request in the egress log.
    fn log_label(&self) -> &'static str;

    /// Answers the request for a door.
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<Self::Answer>, ToolError>;
}

/// What a connection does with agents' memory.
#[derive(Debug, Default)]
pub(crate) struct MemoryConnection {
    pub(crate) session: MemorySession,
    /// The slug of the project that the client works on.
    pub(crate) project: Option<String>,
    /// What the client may do with it.
    pub(crate) access: MemoryAccess,
}

/// Who calls a tool, for those that write it down.
#[derive(Clone, Debug, Default)]
pub(crate) struct Caller {
    /// The name that the client gave when it connected.
    pub(crate) name: Option<String>,
    pub(crate) memory: Arc<MemoryConnection>,
}

/// An item of the egress log: a claim's id or a handle, and its band.
pub(crate) type EgressItem = (Option<String>, Band);

/// An outgoing answer, with the items of the vault in it.
pub(crate) struct Response<A> {
    pub(crate) answer: A,
    pub(crate) pieces: Vec<EgressItem>,
}

/// A request whose answer is in the egress log before it leaves the worker thread: the only kind that a server submits.
pub(crate) struct LoggedRequest<R>(pub(crate) R);

impl<R: AgentRequest> VaultRequest for LoggedRequest<R> {
    type Answer = R::Answer;
    type Error = ToolError;

    fn label(&self) -> &'static str {
        self.0.log_label()
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<R::Answer, ToolError> {
        let response = self.0.answer(reading)?;
        // An answer that cannot be logged is not sent.
        log_egress(reading.memora(), self.0.log_label(), &response)?;
        Ok(response.answer)
    }
}

fn log_egress<A: Serialize>(memora: &Memora, label: &str, response: &Response<A>) -> Result<(), EgressError> {
    let bytes = serde_json::to_vec(&response.answer).map_or(0, |json| json.len());
    let entry = EgressEntry::now("mcp", None, label, u64::try_from(bytes).unwrap_or(u64::MAX));
    EgressLog::in_state_dir(memora.state_dir()).record(&entry.with_pieces(response.pieces.clone()))
}

/// Returns the status of an empty result: `due` while some notes are not indexed yet, else `none`.
pub(crate) fn status_or_due<S>(freshness: Freshness, none: S, due: S) -> S {
    if freshness.fresh { none } else { due }
}
