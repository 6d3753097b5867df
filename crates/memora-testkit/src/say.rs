//! What a scripted model says, and how each provider wraps it: [`Say`].

use serde_json::{Value, json};

use crate::recorded::Recorded;

/// What the model replies to one request.
pub enum Say {
    /// These words, and that is the end of them.
    Text(String),
    /// Whatever this makes of the request; it may do something else first, such as edit a note.
    With(Box<dyn Fn(&Recorded) -> Self + Send + Sync>),
    /// Words that break off, because there was no room for more.
    Truncated(String),
    /// So many bytes of words.
    Bytes(usize),
    /// The first half of a reply.
    HalfJson,
    /// A reply with bytes that are no text.
    NotUtf8,
    /// A reply that is no JSON.
    NotJson(String),
    /// JSON of another shape.
    WrongShape(Value),
    /// No word of a reply: status 200 and nothing.
    Empty,
    /// This status, and an error that repeats what was asked, as some servers do.
    Status(u16),
    /// This status, and this JSON.
    Failing(u16, Value),
    /// The first so many bytes of this JSON, though more were announced.
    BreaksOff(Value, usize),
    /// This status, and to come back after so many seconds.
    Busy {
        /// The status.
        status: u16,
        /// In seconds.
        retry_after: u64,
    },
    /// Go to another address.
    Redirect(String),
    /// Nothing, and the connection is closed.
    Closed,
    /// Nothing, for as long as the server lives.
    Hang,
}

impl Say {
    /// Words.
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// What this makes of the request.
    pub fn with(reply: impl Fn(&Recorded) -> Self + Send + Sync + 'static) -> Self {
        Self::With(Box::new(reply))
    }
}

/// Whose format a request is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Ollama,
    OpenAi,
    Anthropic,
}

impl Format {
    /// The format of a request for a completion; of others, nothing.
    /// Paths begin with `under`.
    pub(crate) fn of(request: &Recorded, under: &str) -> Option<Self> {
        match (request.method.as_str(), request.path.strip_prefix(under)?) {
            ("POST", "/api/chat") => Some(Self::Ollama),
            ("POST", "/v1/chat/completions") => Some(Self::OpenAi),
            ("POST", "/v1/messages") => Some(Self::Anthropic),
            _ => None,
        }
    }

    /// What is wrong with a request, as the provider would find: a status and a message.
    pub(crate) fn objection(self, request: &Recorded) -> Option<(u16, &'static str)> {
        let body = request.json();
        if body["model"].as_str().is_none_or(str::is_empty) || !body["messages"].is_array() {
            return Some((400, "model and messages are required"));
        }
        match self {
            // Ollama streams unless told not to; a script is told in one piece.
            Self::Ollama if body["stream"] != json!(false) => Some((400, "the script does not stream")),
            Self::OpenAi | Self::Anthropic if body["stream"] == json!(true) => {
                Some((400, "the script does not stream"))
            }
            Self::Anthropic if request.header("x-api-key").is_none_or(str::is_empty) => {
                Some((401, "x-api-key header is required"))
            }
            Self::Anthropic if request.header("anthropic-version").is_none() => {
                Some((400, "anthropic-version: header is required"))
            }
            Self::Anthropic if !body["max_tokens"].is_u64() => Some((400, "max_tokens: Field required")),
            _ => None,
        }
    }

    /// A reply of these words.
    pub(crate) fn reply(self, model: &Value, words: &str, truncated: bool) -> Value {
        match self {
            Self::Ollama => json!({
                "model": model,
                "created_at": "2025-12-31T12:00:00.000000000Z",
                "message": {"role": "assistant", "content": words},
                "done": true,
                "done_reason": if truncated { "length" } else { "stop" },
                "total_duration": 1_000_000,
                "load_duration": 1_000,
                "prompt_eval_count": 17,
                "prompt_eval_duration": 1_000,
                "eval_count": 5,
                "eval_duration": 1_000,
            }),
            Self::OpenAi => json!({
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1_767_182_400,
                "model": model,
                "choices": [{
                    "index": 0,
                    "message": {"role": "assistant", "content": words, "refusal": null},
                    "logprobs": null,
                    "finish_reason": if truncated { "length" } else { "stop" },
                }],
                "usage": {"prompt_tokens": 17, "completion_tokens": 5, "total_tokens": 22},
            }),
            Self::Anthropic => json!({
                "id": "msg_1",
                "type": "message",
                "role": "assistant",
                "model": model,
                "content": [{"type": "text", "text": words}],
                "stop_reason": if truncated { "max_tokens" } else { "end_turn" },
                "stop_sequence": null,
                "usage": {"input_tokens": 17, "output_tokens": 5},
            }),
        }
    }

    /// An error, as the provider words it.
    pub(crate) fn error(self, message: &str) -> Value {
        match self {
            Self::Ollama => json!({"error": message}),
            Self::OpenAi => json!({"error": {"message": message, "type": "error", "param": null, "code": null}}),
            Self::Anthropic => json!({"type": "error", "error": {"type": "api_error", "message": message}}),
        }
    }
}
