//! Chat completions as OpenAI has them, and as many others do.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Ask, Message, Odd, Said, bytes, json, schema};

/// OpenAI itself has given up `max_tokens`, and the models that think turn down any temperature but their own: on its own
/// host the newer name is used and nothing is said of temperature. Others may know the older name alone, and take a
/// temperature.
#[derive(Serialize)]
struct Chat<'a> {
    model: &'a str,
    messages: [Message<'a>; 2],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    /// Not to be kept, where it might be.
    #[serde(skip_serializing_if = "Option::is_none")]
    store: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format>,
}

#[derive(Serialize)]
struct Format {
    r#type: &'static str,
    json_schema: Schema,
}

#[derive(Serialize)]
struct Schema {
    name: &'static str,
    strict: bool,
    schema: &'static RawValue,
}

pub(super) fn body(ask: &Ask<'_>) -> Vec<u8> {
    let format = |(name, text)| Format {
        r#type: "json_schema",
        json_schema: Schema { name, strict: true, schema: schema(text) },
    };
    bytes(&Chat {
        model: ask.model,
        messages: [Message::system(ask.system), Message::user(ask.user)],
        stream: false,
        temperature: (!ask.own_host).then_some(0),
        max_tokens: (!ask.own_host).then_some(ask.tokens_max),
        max_completion_tokens: ask.own_host.then_some(ask.tokens_max),
        store: ask.own_host.then_some(false),
        response_format: ask.schema.map(format),
    })
}

#[derive(Deserialize)]
struct Reply {
    choices: Vec<Choice>,
    #[serde(default)]
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Choice {
    message: Words,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Words {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Usage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

pub(super) fn read(text: &str) -> Result<Said, Odd> {
    let reply: Reply = json(text)?;
    let choice = reply.choices.into_iter().next().ok_or(Odd::NotUnderstood("there is no choice in it"))?;
    let ended = choice.finish_reason.as_deref();
    if ended == Some("content_filter") || choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(Odd::Refused);
    }
    let truncated = ended == Some("length");
    let text = match choice.message.content {
        Some(text) => text,
        // It thought for as long as it was given.
        None if truncated => String::new(),
        None => return Err(Odd::NotUnderstood("there are no words in it")),
    };
    let tokens = reply.usage.and_then(|usage| usage.prompt_tokens.zip(usage.completion_tokens));
    Ok(Said { text, tokens, truncated })
}
