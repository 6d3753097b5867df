//! What a client is told that it can call: names, what each is for, schemas, annotations.

use memora_engine::CloudDoor;
use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::args::{ClaimArgs, EntityArgs, QueryArgs, SearchArgs, VerifyArgs};
use crate::wire::{ClaimResult, EntityResult, QueryResult, SearchResult, VerifyResult};

/// The tools, as `tools/list` gives them. None depends on the vault, nor on the door: doors differ in values, never in shape.
#[must_use]
pub fn tools() -> Vec<Tool> {
    vec![
        tool::<QueryArgs, QueryResult<CloudDoor>>(
            "memora_query_cited",
            "Answer from the user's notes, with citations",
            "Finds what the user's notes say to a question, each claim re-read in its note a moment ago, with how to cite it. \
             Call this first when a question may be answered by the user's own notes. Where the user configured a model for \
             Memora, the result holds a drafted and verified answer.",
        ),
        tool::<VerifyArgs, VerifyResult>(
            "memora_verify",
            "Verify a draft against the notes",
            "Judges a text that cites the user's notes by [claim:ID], sentence by sentence, and gives it back without what \
             does not hold. Call this with every draft before the user sees it.",
        ),
        tool::<SearchArgs, SearchResult<CloudDoor>>(
            "memora_search",
            "Search the notes",
            "Lists claims of the user's notes that match some words, best first, to look for more than \
             memora_query_cited gave, or for something other than an answer.",
        ),
        tool::<ClaimArgs, ClaimResult<CloudDoor>>(
            "memora_claim",
            "Look at one claim",
            "Tells of a claim by its id: its full words, every place where it stands, a link to each, and what became of it.",
        ),
        tool::<EntityArgs, EntityResult<CloudDoor>>(
            "memora_entity",
            "Look up a person or thing",
            "Lists what the user's notes claim about somebody or something, under all its names, and what it occurs with.",
        ),
    ]
}

fn tool<A: JsonSchema, R: JsonSchema>(name: &'static str, title: &str, description: &'static str) -> Tool {
    let mut input = schema::<A>(SchemaSettings::draft2020_12().for_deserialize());
    input.insert("additionalProperties".to_owned(), Value::Bool(false));
    let output = schema::<R>(SchemaSettings::draft2020_12().for_serialize());
    let annotations =
        ToolAnnotations::with_title(title).read_only(true).destructive(false).idempotent(true).open_world(false);
    Tool::new(name, description, input)
        .with_title(title)
        .with_raw_output_schema(output.into())
        .with_annotations(annotations)
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
