//! Anthropic's Messages API.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::exchange::{
    ChatMessage, CompletionRequest, ParsedReply, ReplyError, parse_json, parse_schema, to_json_bytes,
};

/// Nothing is said of temperature: the models since Opus 4.7 turn down requests that do. A schema goes into
/// `output_config`, not into a tool that must be used: the models since Opus 5.5 turn that down.
#[derive(Serialize)]
struct MessagesRequest<'a> {
    model: &'a str,
    max_tokens: u32,
    system: &'static str,
    messages: [ChatMessage<'a>; 1],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig>,
}

#[derive(Serialize)]
struct OutputConfig {
    format: AnthropicFormat,
}

#[derive(Serialize)]
struct AnthropicFormat {
    r#type: &'static str,
    schema: &'static RawValue,
}

pub(super) fn request_body(ask: &CompletionRequest<'_>) -> Vec<u8> {
    let output =
        |(_, text)| OutputConfig { format: AnthropicFormat { r#type: "json_schema", schema: parse_schema(text) } };
    to_json_bytes(&MessagesRequest {
        model: ask.model,
        max_tokens: ask.tokens_max,
        system: ask.system,
        messages: [ChatMessage::user(ask.user)],
        stream: false,
        output_config: ask.schema.map(output),
    })
}

#[derive(Deserialize)]
struct AnthropicReply {
    content: Vec<ContentBlock>,
    stop_reason: Option<String>,
    #[serde(default)]
    usage: Option<AnthropicUsage>,
}

/// A piece of a reply: words, or thoughts, which are passed over.
#[derive(Deserialize)]
struct ContentBlock {
    r#type: String,
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct AnthropicUsage {
    #[serde(default)]
    input_tokens: Option<u64>,
    #[serde(default)]
    output_tokens: Option<u64>,
}

pub(super) fn parse_reply(text: &str) -> Result<ParsedReply, ReplyError> {
    let reply: AnthropicReply = parse_json(text)?;
    let ended = reply.stop_reason.as_deref();
    if ended == Some("refusal") {
        return Err(ReplyError::Refused);
    }
    let words = reply.content.into_iter().filter(|block| block.r#type == "text").filter_map(|block| block.text);
    Ok(ParsedReply {
        text: words.collect(),
        tokens: reply.usage.and_then(|usage| usage.input_tokens.zip(usage.output_tokens)),
        truncated: matches!(ended, Some("max_tokens" | "model_context_window_exceeded")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thoughts_are_no_words() {
        let text = r#"{"content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "a"},
            {"type": "text", "text": "b"}], "stop_reason": "end_turn", "usage": {"input_tokens": 3, "output_tokens": 4}}"#;
        let said = parse_reply(text).unwrap_or_default();
        assert_eq!((said.text.as_str(), said.tokens, said.truncated), ("ab", Some((3, 4)), false));
        let text = r#"{"content": [], "stop_reason": "refusal"}"#;
        assert_eq!(parse_reply(text).err(), Some(ReplyError::Refused));
    }
}
