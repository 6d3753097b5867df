//! A request and its reply, independent of the provider, and what the formats share.

use serde::Serialize;
use serde_json::value::RawValue;

/// A completion request, independent of the provider.
pub(crate) struct CompletionRequest<'a> {
    /// The model, as the provider knows it.
    pub(crate) model: &'a str,
    /// The instructions.
    pub(crate) system: &'static str,
    /// The message.
    pub(crate) user: &'a str,
    /// The name and the JSON schema of the reply, if it is to be JSON.
    pub(crate) schema: Option<(&'static str, &'static str)>,
    /// How many tokens the reply may have.
    pub(crate) tokens_max: u32,
    /// The provider's own server is asked, not one that speaks its format.
    pub(crate) own_host: bool,
}

/// A parsed reply.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ParsedReply {
    pub(crate) text: String,
    /// Sent and received.
    pub(crate) tokens: Option<(u64, u64)>,
    /// There was no room for more.
    pub(crate) truncated: bool,
}

/// Why a reply cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplyError {
    /// It is not what the provider replies. Says what it is instead.
    NotUnderstood(&'static str),
    /// The model will not answer.
    Refused,
}

/// Parses JSON of a known shape. The error is not passed on: serde repeats the offending values.
pub(super) fn parse_json<'t, T: serde::Deserialize<'t>>(text: &'t str) -> Result<T, ReplyError> {
    serde_json::from_str(text).map_err(|error| {
        ReplyError::NotUnderstood(match error.classify() {
            serde_json::error::Category::Data => "it is JSON of another shape",
            _ => "it is not JSON",
        })
    })
}

/// Writes JSON.
pub(super) fn to_json_bytes(body: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(body).expect("texts and numbers can be written as JSON")
}

/// A schema as written in its file: models fill in properties in that order.
pub(super) fn parse_schema(text: &'static str) -> &'static RawValue {
    serde_json::from_str(text).expect("the schemas of the templates are JSON, as a test says")
}

/// One message of a conversation.
#[derive(Serialize)]
pub(super) struct ChatMessage<'a> {
    role: &'static str,
    content: &'a str,
}

impl<'a> ChatMessage<'a> {
    pub(super) fn system(content: &'a str) -> Self {
        Self { role: "system", content }
    }

    pub(super) fn user(content: &'a str) -> Self {
        Self { role: "user", content }
    }
}
