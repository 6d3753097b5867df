//! Reports about language models: the configured one, and the first request to it.

use memora_model::RequestPreview;
use schemars::JsonSchema;
use serde::Serialize;

/// A language model, as the configuration names it. It is not contacted: `doctor` does that.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelReport {
    /// Its name.
    pub name: String,
    /// `ollama`, `openai` or `anthropic`.
    pub provider: &'static str,
    /// Host and port, or the path of a socket.
    pub address: String,
    /// `elsewhere`, `here_if_confirmed` where only its server can say that it is on this machine, or `not_allowed` by
    /// `privacy.models`.
    pub place: &'static str,
    /// Why, in words.
    pub why: String,
}

/// What `ask --show-prompt` prints: the first request that would be sent.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PromptReport {
    /// The request; `null` where nothing would be sent.
    pub request: Option<RequestReport>,
}

/// A request to a model, as it would be sent but for the key.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RequestReport {
    /// The HTTP method.
    pub method: &'static str,
    /// Where it goes.
    pub url: String,
    /// Names and values; of the key only how it begins.
    pub headers: Vec<(String, String)>,
    /// The body, byte for byte: JSON.
    pub body: String,
}

impl From<RequestPreview> for RequestReport {
    fn from(request: RequestPreview) -> Self {
        let RequestPreview { method, url, headers, body } = request;
        Self { method, url, headers, body: String::from_utf8_lossy(&body).into_owned() }
    }
}
