//! Ollama: `/api/chat`.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::exchange::{
    ChatMessage, CompletionRequest, ParsedReply, ReplyError, parse_json, parse_schema, to_json_bytes,
};

/// Ollama cuts off what does not fit, from the front and without a word, and has room for few tokens unless told. A token
/// is seldom less than this many bytes of a prompt.
const BYTES_A_TOKEN: usize = 3;

/// Room for tokens is asked for in powers of two from here to there: a model is loaded anew for each size.
const CONTEXT_TOKENS_RANGE: (usize, usize) = (8_192, 131_072);

#[derive(Serialize)]
struct OllamaChat<'a> {
    model: &'a str,
    messages: [ChatMessage<'a>; 2],
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static RawValue>,
    options: OllamaOptions,
}

#[derive(Serialize)]
struct OllamaOptions {
    temperature: u8,
    num_predict: u32,
    num_ctx: usize,
}

pub(super) fn request_body(ask: &CompletionRequest<'_>) -> Vec<u8> {
    to_json_bytes(&OllamaChat {
        model: ask.model,
        messages: [ChatMessage::system(ask.system), ChatMessage::user(ask.user)],
        stream: false,
        format: ask.schema.map(|(_, text)| parse_schema(text)),
        options: OllamaOptions { temperature: 0, num_predict: ask.tokens_max, num_ctx: context_tokens(ask) },
    })
}

fn context_tokens(ask: &CompletionRequest<'_>) -> usize {
    let prompt = (ask.system.len() + ask.user.len()) / BYTES_A_TOKEN;
    let tokens = prompt.saturating_add(usize::try_from(ask.tokens_max).unwrap_or(CONTEXT_TOKENS_RANGE.1));
    tokens.min(CONTEXT_TOKENS_RANGE.1).next_power_of_two().max(CONTEXT_TOKENS_RANGE.0)
}

#[derive(Deserialize)]
struct OllamaReply {
    message: OllamaMessage,
    #[serde(default)]
    done: Option<bool>,
    #[serde(default)]
    done_reason: Option<String>,
    #[serde(default)]
    prompt_eval_count: Option<u64>,
    #[serde(default)]
    eval_count: Option<u64>,
}

#[derive(Deserialize)]
struct OllamaMessage {
    content: String,
}

pub(super) fn parse_reply(text: &str) -> Result<ParsedReply, ReplyError> {
    let reply: OllamaReply = parse_json(text)?;
    if reply.done == Some(false) {
        return Err(ReplyError::NotUnderstood("it is not the whole reply"));
    }
    Ok(ParsedReply {
        text: reply.message.content,
        tokens: reply.prompt_eval_count.zip(reply.eval_count),
        truncated: reply.done_reason.as_deref() == Some("length"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_the_prompt_and_the_answer() {
        let room = |bytes: usize, tokens_max| {
            let user = "a".repeat(bytes);
            super::context_tokens(&CompletionRequest {
                model: "m",
                system: "",
                user: &user,
                schema: None,
                tokens_max,
                own_host: false,
            })
        };
        assert_eq!(room(100, 1_000), 8_192);
        assert_eq!(room(30_000, 1_000), 16_384);
        assert_eq!(room(30_000, 8_192), 32_768);
        assert_eq!(room(3_000_000, 8_192), 131_072);
        assert_eq!(room(100, u32::MAX), 131_072);
    }
}
