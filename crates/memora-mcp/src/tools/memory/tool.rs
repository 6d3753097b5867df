//! What the memory tools share: the project and the caller, and how results are told.

use std::fmt::{Debug, Display};

use memora_engine::{Door, Memories, MemoryId, MemoryWriter, project_slug};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::request::{Caller, EgressItem, Response};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::tools::tool::{AgentTool, reads};
use crate::wire::{Dated, sanitize_strings};

/// The maximum size of one argument, in bytes.
const ARGUMENT_BYTES_MAX: usize = 1 << 20;

/// The arguments of a memory tool, without those that all of them take.
pub(crate) trait MemoryTool: Clone + Debug + DeserializeOwned + JsonSchema + Send + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    const DESCRIPTION: &'static str;
    /// Whether it changes what is remembered.
    const WRITES: bool;
    type Result: JsonSchema;

    /// Answers a call from the memories of the caller's project.
    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<ToolAnswer>, ToolError>;
}

// A memory tool in a project, and who calls it. No doc comment: a client would read it with each of them.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "{T}")]
pub(crate) struct InProject<T> {
    #[serde(flatten)]
    asked: T,
    /// Another project than this folder's.
    #[serde(default)]
    project: Option<String>,
    #[serde(skip)]
    caller: Caller,
}

impl<T: MemoryTool> AgentTool for InProject<T> {
    const NAME: &'static str = T::NAME;
    const TITLE: &'static str = T::TITLE;
    const DESCRIPTION: &'static str = T::DESCRIPTION;
    type Result = T::Result;

    fn annotations() -> ToolAnnotations {
        let is_of_reading = reads(T::TITLE);
        if T::WRITES { is_of_reading.read_only(false).destructive(true).idempotent(false) } else { is_of_reading }
    }

    fn set_caller(&mut self, caller: &Caller) {
        self.caller = caller.clone();
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
        let writer = writer_of(&self.caller, self.project.as_deref(), reading);
        let session = reading.session()?;
        let memories = session.memories(&self.caller.memory.session, &writer)?;
        self.asked.answer(reading, &memories)
    }
}

/// Who writes or reads, and for which project.
pub(super) fn writer_of<D: Door>(caller: &Caller, project: Option<&str>, reading: &ReadContext<'_, D>) -> MemoryWriter {
    MemoryWriter {
        agent: Some(caller.name.clone().unwrap_or_else(|| "agent".to_owned())),
        project: project.map(project_slug).or_else(|| caller.memory.project.clone()),
        at: reading.memora().config().today.to_datetime(jiff::Zoned::now().time()),
    }
}

pub(super) fn parse_id(id: &str) -> Result<MemoryId, ToolError> {
    MemoryId::parse(id.trim_matches(['[', ']']))
        .ok_or_else(|| ToolError::new("this is no id of a memory", "ids begin with mem-; memory_search shows them"))
}

pub(super) fn check_size<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<(), ToolError> {
    match texts.into_iter().map(str::len).sum::<usize>() > ARGUMENT_BYTES_MAX {
        true => Err(ToolError::new("that is longer than 1 MiB", "write it in parts of 64 KiB")),
        false => Ok(()),
    }
}

/// The result as JSON, where the engine tells words of notes as they stand.
fn sanitized(result: &impl Serialize) -> Result<Value, ToolError> {
    let mut told = serde_json::to_value(result)
        .map_err(|_| ToolError::new("the result could not be written down", "ask for something else"))?;
    for list in ["notes", "related_notes", "hits"] {
        if let Some(listed) = told.get_mut(list) {
            sanitize_strings(listed);
        }
    }
    for part in ["read", "list"] {
        for list in ["items", "passages"] {
            let listed = told.get_mut(part).and_then(|part| part.get_mut(list)).and_then(Value::as_array_mut);
            for one in listed.into_iter().flatten().filter_map(Value::as_object_mut) {
                let names = one.iter_mut().filter(|(field, _)| matches!(field.as_str(), "path" | "title"));
                names.for_each(|(_, name)| sanitize_strings(name));
            }
        }
    }
    Ok(told)
}

/// Responds with a report, and whether it rests on the vault as it is.
pub(super) fn respond_dated<D: Door, R>(
    reading: &ReadContext<'_, D>,
    report: R,
    pieces: Vec<EgressItem>,
) -> Result<Response<ToolAnswer>, ToolError>
where
    Dated<R>: Display + Serialize,
{
    let result = Dated { report, freshness: reading.freshness() };
    respond(result.to_string(), &result, pieces)
}

pub(super) fn respond(
    text: String,
    result: &impl Serialize,
    pieces: Vec<EgressItem>,
) -> Result<Response<ToolAnswer>, ToolError> {
    ToolAnswer::respond_in(text, &sanitized(result)?, pieces)
}
