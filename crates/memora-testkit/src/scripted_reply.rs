//! Scripted model replies, and their format for each provider: [`ScriptedReply`].

use serde_json::{Value, json};

use crate::recorded_request::RecordedRequest;

/// The model's reply to one request.
pub enum ScriptedReply {
    /// A complete reply with this text.
    Text(String),
    /// The reply that this function returns for the request; it may have side effects, such as editing a note.
    FromRequest(Box<dyn Fn(&RecordedRequest) -> Self + Send + Sync>),
    /// A reply that was cut off by the length limit.
    Truncated(String),
    /// A reply of this many bytes.
    Bytes(usize),
    /// The first half of a reply.
    HalfJson,
    /// A reply with invalid UTF-8.
    NotUtf8,
    /// A body that is not JSON.
    NotJson(String),
    /// JSON of an unexpected shape.
    WrongShape(Value),
    /// Status 200 with an empty body.
    Empty,
    /// The given status, with an error that repeats the request, as some servers do.
    EchoError(u16),
    /// The given status and JSON.
    ErrorJson(u16, Value),
    /// Only the first bytes of this JSON, although its full length was announced.
    CutShort(Value, usize),
    /// The given status with a `Retry-After` header.
    Busy {
        /// The HTTP status.
        status: u16,
        /// In seconds.
        retry_after: u64,
    },
    /// A redirect to another address.
    Redirect(String),
    /// No reply; the connection is closed.
    Closed,
    /// No reply, for as long as the server lives.
    Hang,
}

impl ScriptedReply {
    /// Creates a complete reply.
    pub fn text(words: impl Into<String>) -> Self {
        Self::Text(words.into())
    }

    /// Creates a reply that is computed from the request.
    pub fn from_request(reply: impl Fn(&RecordedRequest) -> Self + Send + Sync + 'static) -> Self {
        Self::FromRequest(Box::new(reply))
    }
}

/// The provider API of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProviderFormat {
    Ollama,
    OpenAi,
    Anthropic,
}

impl ProviderFormat {
    /// Returns the format of a completion request; `None` for other requests.
    /// Paths begin with `under`.
    pub(crate) fn from_request(request: &RecordedRequest, under: &str) -> Option<Self> {
        match (request.method.as_str(), request.path.strip_prefix(under)?) {
            ("POST", "/api/chat") => Some(Self::Ollama),
            ("POST", "/v1/chat/completions") => Some(Self::OpenAi),
            ("POST", "/v1/messages") => Some(Self::Anthropic),
            _ => None,
        }
    }

    /// Returns the status and message with which the provider would reject a request.
    pub(crate) fn find_objection(self, request: &RecordedRequest) -> Option<(u16, &'static str)> {
        let body = request.json();
        if body["model"].as_str().is_none_or(str::is_empty) || !body["messages"].is_array() {
            return Some((400, "model and messages are required"));
        }
        match self {
            // Ollama streams unless disabled; scripted replies do not stream.
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

    /// Formats a reply with this text.
    pub(crate) fn reply_json(self, model: &Value, words: &str, truncated: bool) -> Value {
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

    /// Formats an error as the provider does.
    pub(crate) fn error_json(self, message: &str) -> Value {
        match self {
            Self::Ollama => json!({"error": message}),
            Self::OpenAi => json!({"error": {"message": message, "type": "error", "param": null, "code": null}}),
            Self::Anthropic => json!({"type": "error", "error": {"type": "api_error", "message": message}}),
        }
    }
}
