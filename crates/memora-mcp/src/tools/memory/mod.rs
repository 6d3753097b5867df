//! The `memory_*` tools: what agents remember, apart from the user's notes. They are absent unless the server was started
//! with `--memory`.

mod reading;
mod writing;

use memora_engine::report::Freshness;
use memora_engine::{Door, MemoryId, MemorySession, MemoryWriter, project_slug};
use memora_service::ReadContext;
use rmcp::model::{CallToolResult, ToolAnnotations};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::request::{Caller, EgressItem, Response};
use crate::tool_error::ToolError;
use crate::tools::structured_response;
use crate::wire::sanitize_strings;

pub(crate) use reading::{ContextArgs, FindArgs, ListArgs, ReadArgs};
pub(crate) use writing::{ForgetArgs, SaveArgs, UpdateArgs, WriteArgs};

/// The maximum size of one argument, in bytes.
const ARGUMENT_BYTES_MAX: usize = 1 << 20;

/// A report, and whether it rests on the vault as it is.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Dated<R> {
    #[serde(flatten)]
    report: R,
    #[serde(flatten)]
    freshness: Freshness,
}

/// The words that every memory tool takes.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Whereabouts {
    /// The project, by any name; without it, that of the folder that the server was started in.
    #[serde(default)]
    project: Option<String>,
    #[serde(skip)]
    caller: Caller,
}

impl Whereabouts {
    fn session(&self) -> &MemorySession {
        &self.caller.memory.session
    }

    fn writer<D: Door>(&self, reading: &ReadContext<'_, D>) -> MemoryWriter {
        MemoryWriter {
            agent: Some(self.caller.name.clone().unwrap_or_else(|| "agent".to_owned())),
            project: self.project.as_deref().map(project_slug).or_else(|| self.caller.memory.project.clone()),
            at: reading.memora().config().today.to_datetime(jiff::Zoned::now().time()),
        }
    }
}

fn parse_id(id: &str) -> Result<MemoryId, ToolError> {
    MemoryId::parse(id.trim_matches(['[', ']'])).ok_or_else(no_id)
}

fn no_id() -> ToolError {
    ToolError::new("this is no id of a memory", "ids begin with mem-; memory_search shows them")
}

fn check_size<'t>(texts: impl IntoIterator<Item = &'t str>) -> Result<(), ToolError> {
    match texts.into_iter().map(str::len).sum::<usize>() > ARGUMENT_BYTES_MAX {
        true => Err(ToolError::new("that is longer than 1 MiB", "write it in parts of 64 KiB")),
        false => Ok(()),
    }
}

fn dated<D: Door, R: Serialize>(
    reading: &ReadContext<'_, D>,
    report: R,
    pieces: Vec<EgressItem>,
) -> Result<Response<CallToolResult>, ToolError> {
    let mut told = serde_json::to_value(Dated { report, freshness: reading.freshness() })
        .map_err(|_| ToolError::new("the result could not be written down", "ask for something else"))?;
    // Words of notes, as the engine tells them.
    for list in ["notes", "related_notes", "hits"] {
        if let Some(listed) = told.get_mut(list) {
            sanitize_strings(listed);
        }
    }
    for list in ["items", "passages"] {
        let listed = told.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten();
        for one in listed.filter_map(Value::as_object_mut) {
            one.iter_mut()
                .filter(|(field, _)| matches!(field.as_str(), "path" | "title"))
                .for_each(|(_, name)| sanitize_strings(name));
        }
    }
    structured_response(&told, pieces)
}

fn writes(title: &'static str, destructive: bool) -> ToolAnnotations {
    ToolAnnotations::with_title(title).read_only(false).destructive(destructive).idempotent(false).open_world(false)
}
