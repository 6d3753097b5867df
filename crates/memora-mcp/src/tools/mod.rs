//! The tools: names, arguments and results.
//!
//! A tool is a file here and a line in [`tools!`] below. Its arguments are a type that implements [`AgentTool`]; its
//! result is a type of [`wire`](crate::wire). None depends on the vault or the door: doors change values, never shapes.

use std::fmt::Debug;

use memora_engine::{Door, MemoryAccess};
use memora_service::ReadContext;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::budget::truncate_text;
use crate::request::{AgentRequest, Caller, EgressItem, Response};
use crate::tool_error::ToolError;

mod args;
mod capture;
mod challenge;
mod claim;
mod contradictions;
mod entity;
mod lenient;
mod memory;
mod query;
mod search;
mod stale;
mod verify;

pub(crate) use challenge::ChallengeArgs;
pub(crate) use claim::ClaimArgs;

/// The arguments of a tool; calling the tool is a method on them.
pub(crate) trait AgentTool: Clone + Debug + DeserializeOwned + JsonSchema + Send + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// The tool's purpose and when to call it, for the client's model.
    const DESCRIPTION: &'static str;
    /// Whether it may take as long as a language model does.
    const IS_SLOW: bool = false;
    /// The type of the result.
    type Result: JsonSchema;

    /// Returns the annotations a client may rely on. A tool is read-only unless it overrides this.
    fn annotations() -> ToolAnnotations {
        reads(Self::TITLE)
    }

    /// Notes who calls. Most tools need not know.
    fn set_caller(&mut self, _caller: &Caller) {}

    /// Answers a call.
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError>;
}

/// The annotations of a tool that only reads.
fn reads(title: &'static str) -> ToolAnnotations {
    ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false)
}

/// Defines the enum of tool calls and the list of tools, in this order.
macro_rules! tools {
    ($($tool:ident($args:ty),)*) => {
        /// A tool call with its arguments.
        #[derive(Clone, Debug)]
        pub(crate) enum Call {
            $($tool($args),)*
        }

        /// Returns all tools, as `tools/list` lists them when every tool is allowed.
        #[must_use]
        pub fn tools() -> Vec<Tool> {
            vec![$(describe_tool::<$args>(),)*]
        }

        impl Call {
            /// Parses a call; `None` if there is no such tool.
            pub(crate) fn read(tool: &Tool, arguments: Option<JsonObject>) -> Option<Result<Self, ToolError>> {
                let arguments = lenient::read_leniently(arguments.unwrap_or_default(), &tool.input_schema);
                let arguments = Value::Object(arguments);
                match &*tool.name {
                    $(<$args as AgentTool>::NAME => Some(parse_arguments(arguments).map(Self::$tool)),)*
                    _ => None,
                }
            }
        }

        impl Call {
            /// Notes who calls.
            pub(crate) fn set_caller(&mut self, caller: &Caller) {
                match self {
                    $(Self::$tool(args) => AgentTool::set_caller(args, caller),)*
                }
            }
        }

        impl AgentRequest for Call {
            type Answer = CallToolResult;

            fn log_label(&self) -> &'static str {
                match self {
                    $(Self::$tool(_) => <$args as AgentTool>::NAME,)*
                }
            }

            fn is_slow(&self) -> bool {
                match self {
                    $(Self::$tool(_) => <$args as AgentTool>::IS_SLOW,)*
                }
            }

            fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
                match self {
                    $(Self::$tool(args) => AgentTool::answer(args, reading),)*
                }
            }
        }
    };
}

tools! {
    Query(query::QueryArgs),
    Verify(verify::VerifyArgs),
    Search(search::SearchArgs),
    Claim(claim::ClaimArgs),
    Entity(entity::EntityArgs),
    Contradictions(contradictions::ContradictionsArgs),
    Stale(stale::StaleArgs),
    Challenge(challenge::ChallengeArgs),
    Capture(capture::CaptureArgs),
    MemoryContext(memory::InProject<memory::ContextArgs>),
    MemorySave(memory::InProject<memory::SaveArgs>),
    MemoryWrite(memory::InProject<memory::WriteArgs>),
    MemorySearch(memory::InProject<memory::FindArgs>),
    MemoryRead(memory::InProject<memory::ReadArgs>),
    MemoryList(memory::InProject<memory::ListArgs>),
    MemoryUpdate(memory::InProject<memory::UpdateArgs>),
    MemoryForget(memory::InProject<memory::ForgetArgs>),
}

/// Whether a tool is there where agents may do this much with memory. Tools that are not about memory always are.
pub(crate) fn is_allowed_by_memory(tool: &Tool, access: MemoryAccess) -> bool {
    let reads = tool.annotations.as_ref().and_then(|told| told.read_only_hint).unwrap_or(false);
    !tool.name.starts_with("memory_") || access == MemoryAccess::Write || access == MemoryAccess::Read && reads
}

/// Whether a tool needs the user's permission to write.
pub(crate) fn is_write_tool(tool: &str) -> bool {
    tool == <capture::CaptureArgs as AgentTool>::NAME
}

fn describe_tool<T: AgentTool>() -> Tool {
    let mut input = inline_schema::<T>(SchemaSettings::draft2020_12().for_deserialize());
    input.insert("additionalProperties".to_owned(), Value::Bool(false));
    let output = inline_schema::<T::Result>(SchemaSettings::draft2020_12().for_serialize());
    Tool::new(T::NAME, T::DESCRIPTION, input)
        .with_title(T::TITLE)
        .with_raw_output_schema(output.into())
        .with_annotations(T::annotations())
}

/// Returns the tools as `tools/list` tells them to a client: the same, with an outline of each result's schema.
///
/// A client's model reads the list in every conversation, and four fifths of it were the fields of results and what each
/// means. The whole schemas are published in `schemas/mcp.json`.
#[must_use]
pub fn listed_tools() -> Vec<Tool> {
    let outlined = |tool: Tool| match tool.output_schema.as_deref().map(outline_schema) {
        Some(outline) => tool.with_raw_output_schema(outline.into()),
        None => tool,
    };
    tools().into_iter().map(outlined).collect()
}

/// Reduces the schema of an object to its fields, each with its type and, if it is one of a few words, with those.
fn outline_schema(schema: &JsonObject) -> JsonObject {
    let mut outline = JsonObject::new();
    for key in ["type", "required"] {
        outline.extend(schema.get(key).map(|value| (key.to_owned(), value.clone())));
    }
    if let Some(Value::Object(fields)) = schema.get("properties") {
        let fields: JsonObject =
            fields.iter().map(|(name, field)| (name.clone(), Value::Object(outline_field(field)))).collect();
        outline.insert("properties".to_owned(), Value::Object(fields));
    }
    outline
}

fn outline_field(field: &Value) -> JsonObject {
    ["type", "enum"].into_iter().filter_map(|key| Some((key.to_owned(), field.get(key)?.clone()))).collect()
}

/// Generates a schema without references, which some clients do not follow, and without the formats of numbers (`uint`),
/// which JSON Schema does not have and validators complain of. Their bounds remain.
fn inline_schema<T: JsonSchema>(settings: SchemaSettings) -> JsonObject {
    let remove_format = RecursiveTransform(|schema: &mut Schema| drop(schema.remove("format")));
    let settings = settings.with(|settings| settings.inline_subschemas = true).with_transform(remove_format);
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        // A schema may be `true` or `false`; that of a struct is an object.
        _ => JsonObject::new(),
    }
}

fn parse_arguments<A: DeserializeOwned>(arguments: Value) -> Result<A, ToolError> {
    serde_json::from_value(arguments).map_err(|error| {
        // The message may repeat the client's own input, and nothing else.
        ToolError::new(
            truncate_text(&format!("bad arguments: {error}"), 400),
            "the tool's input schema says what it takes",
        )
    })
}

/// Builds a response from a result and the items of the vault in it.
fn structured_response(
    result: &impl Serialize,
    pieces: Vec<EgressItem>,
) -> Result<Response<CallToolResult>, ToolError> {
    let value = serde_json::to_value(result)
        .map_err(|_| ToolError::new("the result could not be written down", "ask for something else"))?;
    // As text too, for clients that do not support structured results.
    Ok(Response { answer: CallToolResult::structured(value), pieces })
}
