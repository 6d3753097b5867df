//! What every tool is.

use std::fmt::Debug;

use memora_engine::Door;
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use crate::request::{Caller, Response};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;

/// The arguments of a tool; calling the tool is a method on them.
pub(crate) trait AgentTool: Clone + Debug + DeserializeOwned + JsonSchema + Send + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// The tool's purpose and when to call it, for the client's model.
    const DESCRIPTION: &'static str;
    /// The type of the result.
    type Result: JsonSchema;

    /// Returns the annotations a client may rely on, and by which read access is kept: whether it writes.
    fn annotations() -> ToolAnnotations;

    /// Notes who calls. Most tools need not know.
    fn set_caller(&mut self, _caller: &Caller) {}

    /// Answers a call.
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError>;
}

/// The annotations of a tool that only reads.
pub(super) fn reads(title: &'static str) -> ToolAnnotations {
    ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false)
}
