//! The tools: how each is called, what it takes, what it answers.
//!
//! A tool is a file here and a line in [`tools!`] below. Its arguments are a type that is an [`AgentTool`]; its result is a
//! type of [`wire`](crate::wire). None depends on the vault, nor on the door: doors differ in values, never in shape.

use std::fmt::Debug;

use memora_engine::Door;
use rmcp::model::{CallToolResult, JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::budget::cut;
use crate::reading::{Ask, Piece, Reading, Told};
use crate::trouble::Trouble;

mod args;
mod capture;
mod challenge;
mod claim;
mod contradictions;
mod entity;
mod query;
mod search;
mod stale;
mod verify;

pub(crate) use challenge::ChallengeArgs;
pub(crate) use claim::ClaimArgs;

/// The arguments of a tool, which can be called with them.
pub(crate) trait AgentTool: Clone + Debug + DeserializeOwned + JsonSchema + Send + 'static {
    const NAME: &'static str;
    const TITLE: &'static str;
    /// What it is for and when to call it, for the client's model.
    const DESCRIPTION: &'static str;
    /// Whether it may take as long as a language model does.
    const IS_SLOW: bool = false;
    /// What it answers.
    type Result: JsonSchema;

    /// What a client may rely on. No tool writes, unless it says so here.
    fn annotations() -> ToolAnnotations {
        ToolAnnotations::with_title(Self::TITLE).read_only(true).destructive(false).idempotent(true).open_world(false)
    }

    /// Notes who calls, by the name that the client gave itself.
    fn said_by(&mut self, _client: &str) {}

    /// Answers a call.
    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CallToolResult>, Trouble>;
}

/// Makes a call one of these tools, and the list of them, in this order.
macro_rules! tools {
    ($($tool:ident($args:ty),)*) => {
        /// A tool that is called, with its arguments.
        #[derive(Clone, Debug)]
        pub(crate) enum Call {
            $($tool($args),)*
        }

        /// The tools, as `tools/list` gives them where all are allowed.
        #[must_use]
        pub fn tools() -> Vec<Tool> {
            vec![$(published::<$args>(),)*]
        }

        impl Call {
            /// Reads a call; nothing for a tool that there is not.
            pub(crate) fn read(tool: &str, arguments: Option<JsonObject>) -> Option<Result<Self, Trouble>> {
                let arguments = Value::Object(arguments.unwrap_or_default());
                match tool {
                    $(<$args as AgentTool>::NAME => Some(parse(arguments).map(Self::$tool)),)*
                    _ => None,
                }
            }
        }

        impl Call {
            /// Notes who calls, by the name that the client gave itself.
            pub(crate) fn said_by(&mut self, client: &str) {
                match self {
                    $(Self::$tool(args) => AgentTool::said_by(args, client),)*
                }
            }
        }

        impl Ask for Call {
            type Answer = CallToolResult;

            fn what(&self) -> &'static str {
                match self {
                    $(Self::$tool(_) => <$args as AgentTool>::NAME,)*
                }
            }

            fn is_slow(&self) -> bool {
                match self {
                    $(Self::$tool(_) => <$args as AgentTool>::IS_SLOW,)*
                }
            }

            fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CallToolResult>, Trouble> {
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
}

/// Whether a tool is there only where the user allowed it.
pub(crate) fn writes(tool: &str) -> bool {
    tool == <capture::CaptureArgs as AgentTool>::NAME
}

fn published<T: AgentTool>() -> Tool {
    let mut input = schema::<T>(SchemaSettings::draft2020_12().for_deserialize());
    input.insert("additionalProperties".to_owned(), Value::Bool(false));
    let output = schema::<T::Result>(SchemaSettings::draft2020_12().for_serialize());
    Tool::new(T::NAME, T::DESCRIPTION, input)
        .with_title(T::TITLE)
        .with_raw_output_schema(output.into())
        .with_annotations(T::annotations())
}

/// A schema without references, which some clients do not follow.
fn schema<T: JsonSchema>(settings: SchemaSettings) -> JsonObject {
    let settings = settings.with(|settings| settings.inline_subschemas = true);
    match settings.into_generator().into_root_schema_for::<T>().to_value() {
        Value::Object(schema) => schema,
        // A schema may be `true` or `false`; that of a struct is an object.
        _ => JsonObject::new(),
    }
}

fn parse<A: DeserializeOwned>(arguments: Value) -> Result<A, Trouble> {
    serde_json::from_value(arguments).map_err(|error| {
        // It may repeat what the client said, and never more than that.
        Trouble::say(cut(&format!("bad arguments: {error}"), 400), "the tool's input schema says what it takes")
    })
}

/// A result, and the pieces of the vault in it.
fn told(result: &impl Serialize, pieces: Vec<Piece>) -> Result<Told<CallToolResult>, Trouble> {
    let value = serde_json::to_value(result)
        .map_err(|_| Trouble::say("the result could not be written down", "ask for something else"))?;
    // As text too, for clients that know no structured results.
    Ok(Told { answer: CallToolResult::structured(value), pieces })
}
