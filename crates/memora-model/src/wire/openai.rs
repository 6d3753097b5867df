//! OpenAI's chat completions, which many other servers speak.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::exchange::{
    ChatMessage, CompletionRequest, ParsedReply, ReplyError, parse_json, parse_schema, to_json_bytes,
};

/// OpenAI itself has given up `max_tokens`, and the models that think turn down any temperature but their own: on its own
/// host the newer name is used and nothing is said of temperature. Others may know the older name alone, and take a
/// temperature.
#[derive(Serialize)]
struct OpenAiChat<'a> {
    model: &'a str,
    messages: [ChatMessage<'a>; 2],
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
    response_format: Option<OpenAiFormat>,
}

#[derive(Serialize)]
struct OpenAiFormat {
    r#type: &'static str,
    json_schema: NamedSchema,
}

#[derive(Serialize)]
struct NamedSchema {
    name: &'static str,
    strict: bool,
    schema: &'static RawValue,
}

pub(super) fn request_body(ask: &CompletionRequest<'_>) -> Vec<u8> {
    let format = |(name, text)| OpenAiFormat {
        r#type: "json_schema",
        json_schema: NamedSchema { name, strict: true, schema: parse_schema(text) },
    };
    to_json_bytes(&OpenAiChat {
        model: ask.model,
        messages: [ChatMessage::system(ask.system), ChatMessage::user(ask.user)],
        stream: false,
        temperature: (!ask.own_host).then_some(0),
        max_tokens: (!ask.own_host).then_some(ask.tokens_max),
        max_completion_tokens: ask.own_host.then_some(ask.tokens_max),
        store: ask.own_host.then_some(false),
        response_format: ask.schema.map(format),
    })
}

#[derive(Deserialize)]
struct OpenAiReply {
    choices: Vec<OpenAiChoice>,
    #[serde(default)]
    usage: Option<OpenAiUsage>,
}

#[derive(Deserialize)]
struct OpenAiChoice {
    message: OpenAiMessage,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct OpenAiMessage {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct OpenAiUsage {
    #[serde(default)]
    prompt_tokens: Option<u64>,
    #[serde(default)]
    completion_tokens: Option<u64>,
}

pub(super) fn parse_reply(text: &str) -> Result<ParsedReply, ReplyError> {
    let reply: OpenAiReply = parse_json(text)?;
    let choice = reply.choices.into_iter().next().ok_or(ReplyError::NotUnderstood("there is no choice in it"))?;
    let ended = choice.finish_reason.as_deref();
    if ended == Some("content_filter") || choice.message.refusal.is_some_and(|refusal| !refusal.is_empty()) {
        return Err(ReplyError::Refused);
    }
    let truncated = ended == Some("length");
    let text = match choice.message.content {
        Some(text) => text,
        // It thought for as long as it was given.
        None if truncated => String::new(),
        None => return Err(ReplyError::NotUnderstood("there are no words in it")),
    };
    let tokens = reply.usage.and_then(|usage| usage.prompt_tokens.zip(usage.completion_tokens));
    Ok(ParsedReply { text, tokens, truncated })
}
