//! The tools: names, arguments and results.
//!
//! A tool is a type here and a line in `tools!` below. Its arguments are a type that implements [`AgentTool`]; its
//! result is a type of [`wire`](crate::wire). None depends on the vault or the door: doors change values, never shapes.

use std::sync::Arc;

use memora_engine::{Door, MemoryAccess};
use memora_service::ReadContext;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::budget::truncate_text;
use crate::request::{AgentRequest, Caller, Response};
use crate::tool_answer::{AnswerForm, ToolAnswer};
use crate::tool_error::ToolError;

mod about;
mod args;
mod capture;
mod find;
mod lenient;
mod memory;
mod read;
mod review;
mod tool;
mod verify;

pub(crate) use read::look_up_claim;
pub(crate) use review::ReviewArgs;
use tool::AgentTool;

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

        impl Call {
            fn name(&self) -> &'static str {
                match self {
                    $(Self::$tool(_) => <$args as AgentTool>::NAME,)*
                }
            }

            fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
                match self {
                    $(Self::$tool(args) => AgentTool::answer(args, reading),)*
                }
            }
        }
    };
}

tools! {
    Find(find::FindArgs),
    Read(read::ReadArgs),
    About(about::AboutArgs),
    Verify(verify::VerifyArgs),
    Review(review::ReviewArgs),
    Capture(capture::CaptureArgs),
    MemoryContext(memory::InProject<memory::ContextArgs>),
    MemorySave(memory::InProject<memory::SaveArgs>),
    MemorySearch(memory::InProject<memory::SearchArgs>),
    MemoryForget(memory::InProject<memory::ForgetArgs>),
}

/// A call, and the form of its answer.
#[derive(Clone, Debug)]
pub(crate) struct ToolCall {
    pub(crate) call: Call,
    pub(crate) form: AnswerForm,
}

impl AgentRequest for ToolCall {
    type Answer = CallToolResult;

    fn log_label(&self) -> &'static str {
        self.call.name()
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let Response { answer, pieces } = self.call.answer(reading)?;
        Ok(Response { answer: answer.into_result(self.form), pieces })
    }
}

/// Whether a tool is there where agents may do this much with memory. Tools that are not about memory always are.
pub(crate) fn is_allowed_by_memory(tool: &Tool, access: MemoryAccess) -> bool {
    !is_of_memory(tool) || access == MemoryAccess::Write || access == MemoryAccess::Read && only_reads(tool)
}

/// Whether a tool needs the user's permission: it does more than read, and is not about memory, which has a permission of its own.
pub(crate) fn needs_permission(tool: &Tool) -> bool {
    !is_of_memory(tool) && !only_reads(tool)
}

fn is_of_memory(tool: &Tool) -> bool {
    tool.name.starts_with("memory_")
}

fn only_reads(tool: &Tool) -> bool {
    tool.annotations.as_ref().and_then(|told| told.read_only_hint) == Some(true)
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

/// Returns the tools as `tools/list` tells them to a client: without what a model reads in every conversation and has no use for, and with
/// the schemas of results only where it gets those.
#[must_use]
pub fn listed_tools(form: AnswerForm) -> Vec<Tool> {
    let listed = |mut tool: Tool| {
        if form == AnswerForm::Text {
            tool.output_schema = None;
            tool.annotations = tool.annotations.map(shorten_annotations);
            tool.input_schema = Arc::new(shorten_schema(&tool.input_schema));
        }
        tool
    };
    tools().into_iter().map(listed).collect()
}

/// Leaves of annotations what is not so by default.
fn shorten_annotations(mut told: ToolAnnotations) -> ToolAnnotations {
    told.title = None;
    told.idempotent_hint = told.idempotent_hint.filter(|is_so| *is_so && told.read_only_hint != Some(true));
    told.destructive_hint = told.destructive_hint.filter(|is_so| !*is_so && told.read_only_hint != Some(true));
    told.read_only_hint = told.read_only_hint.filter(|is_so| *is_so);
    told
}

/// Reduces the schema of arguments to what says how to fill them in.
fn shorten_schema(schema: &JsonObject) -> JsonObject {
    let mut short: JsonObject = schema.clone();
    short.remove("$schema");
    short.remove("title");
    short.remove("additionalProperties");
    for field in short.get_mut("properties").and_then(Value::as_object_mut).into_iter().flat_map(JsonObject::values_mut)
    {
        let Some(field) = field.as_object_mut() else { continue };
        // What may be left out is not in `required`.
        field.remove("default");
        field.remove("minimum");
        if let Some(Value::Array(types)) = field.get("type") {
            let first = types.iter().find(|kind| **kind != "null").cloned();
            field.extend(first.map(|first| ("type".to_owned(), first)));
        }
        if let Some(Value::Array(choices)) = field.remove("anyOf") {
            let choice = choices.into_iter().find(|choice| choice.get("type").is_none_or(|kind| *kind != "null"));
            if let Some(Value::Object(choice)) = choice {
                for (key, value) in choice {
                    field.entry(key).or_insert(value);
                }
            }
        }
        if let Some(Value::Array(words)) = field.get("enum") {
            let words: Vec<Value> = words.iter().filter(|word| !word.is_null()).cloned().collect();
            field.insert("enum".to_owned(), words.into());
        }
    }
    short
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
