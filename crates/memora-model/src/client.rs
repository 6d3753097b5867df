//! A client for one model: [`ModelClient`].
//!
//! Invariant: **what is shown is what is sent.** The bytes of a request are built in one place, for `--show-prompt` and
//! for the model alike.

use std::sync::atomic::AtomicBool;

use memora_redact::{Door, Prompt};
use reqwest::Url;
use reqwest::header::{HeaderName, HeaderValue};

use crate::completion::RequestPreview;
use crate::config::{ModelConfig, Provider};
use crate::failure::ModelError;
use crate::key::{ApiKey, KeyError};
use crate::locality::{ModelEndpoint, RemoteReason};
use crate::transport::{HttpCall, ModelLimits, Transport};
use crate::wire::{self, CompletionRequest, ModelLocation, ParsedReply, ReplyError};

/// The maximum size of a model description, with its licence and template.
const SHOW_BYTES_MAX: u64 = 8 << 20;

/// A client for a model of any kind. It would take any prompt, so it stays private to this crate.
#[derive(Clone)]
pub(crate) struct ModelClient {
    provider: Provider,
    name: String,
    tokens_max: u32,
    /// What all addresses at its server have in common.
    base: Url,
    /// Where completions are asked for.
    completions: Url,
    /// The line to the server, with the key.
    line: Transport,
}

impl ModelClient {
    /// Prepares a client for the configured model at this endpoint.
    pub(crate) fn new(
        config: &ModelConfig,
        limits: &ModelLimits,
        place: &ModelEndpoint,
        destination: String,
        key: Option<ApiKey>,
    ) -> Result<Self, ModelError> {
        let client = place.client_builder(&config.url, limits.connect).build();
        let client = client.map_err(|error| ModelError::Setup(error.into()))?;
        let mut headers = Transport::common_headers();
        for (name, value) in wire::provider_headers(config.provider) {
            headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        if let Some(key) = key {
            let (name, before) = wire::key_header(config.provider);
            let value = HeaderValue::from_str(&format!("{before}{}", key.reveal()));
            let mut value = value.map_err(|_| ModelError::Key {
                destination: destination.clone(),
                source: KeyError::NoKey { from: "the configuration".to_owned() },
            })?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        let base = base_url(&config.url);
        Ok(Self {
            provider: config.provider,
            name: config.name.clone(),
            tokens_max: config.tokens_max,
            completions: wire::completions_url(config.provider, &base),
            base,
            line: Transport { client, headers, destination, limits: *limits },
        })
    }

    /// The model's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Host and port, or the socket.
    pub(crate) fn destination(&self) -> &str {
        &self.line.destination
    }

    /// Builds the body of a completion request.
    fn request_body<D: Door>(&self, prompt: &Prompt<D>) -> Vec<u8> {
        let template = prompt.template();
        let ask = CompletionRequest {
            model: &self.name,
            system: prompt.system(),
            user: prompt.user(),
            schema: template.reply_schema().map(|schema| (template.name(), schema)),
            tokens_max: self.tokens_max,
            own_host: self.is_own_host(),
        };
        wire::request_body(self.provider, &ask)
    }

    fn is_own_host(&self) -> bool {
        let own = Url::parse(self.provider.default_url()).ok();
        own.is_some_and(|own| own.host_str() == self.completions.host_str())
    }

    /// Returns what would be sent for a prompt.
    pub(crate) fn preview_request<D: Door>(&self, prompt: &Prompt<D>) -> RequestPreview {
        let key = wire::key_header(self.provider);
        let shown = |value: &HeaderValue| match value.is_sensitive() {
            true => format!("{}…", key.1),
            false => String::from_utf8_lossy(value.as_bytes()).into_owned(),
        };
        RequestPreview {
            method: "POST",
            url: self.completions.to_string(),
            headers: self.line.headers.iter().map(|(name, value)| (name.to_string(), shown(value))).collect(),
            body: self.request_body(prompt),
        }
    }

    /// What the model replies, unread. `sending` is called before each try; see `Transport::send_with_retries`.
    pub(crate) fn send_prompt<D: Door>(
        &self,
        prompt: &Prompt<D>,
        sending: &mut dyn FnMut() -> bool,
        tells: fn(&[u8]) -> bool,
        stop: &AtomicBool,
    ) -> Result<RawReply, ModelError> {
        let call = HttpCall { url: &self.completions, body: self.request_body(prompt) };
        self.line.send_with_retries(&call, sending, tells, stop).map(RawReply)
    }

    /// Reads what the model replied.
    pub(crate) fn parse_reply(&self, reply: &RawReply) -> Result<ParsedReply, ModelError> {
        let destination = || self.line.destination.clone();
        wire::parse_reply(self.provider, &reply.0).map_err(|odd| match odd {
            ReplyError::NotUnderstood(what) => ModelError::NotUnderstood { destination: destination(), what },
            ReplyError::Refused => ModelError::Refused { destination: destination() },
        })
    }

    /// Asks the server whether it forwards prompts for this model; returns why it must be treated as remote, if so.
    ///
    /// Ollama also speaks the formats of other providers, behind any path and with a key in front of it. So all servers
    /// are asked at every possible path, and only a clear "it is here" or "unknown request" is believed.
    pub(crate) fn find_remote_reason(&self, stop: &AtomicBool) -> Result<Option<RemoteReason>, ModelError> {
        let limits =
            ModelLimits { answer: self.line.limits.connect, tries: 1, bytes_max: SHOW_BYTES_MAX, ..self.line.limits };
        let line = Transport { limits, ..self.line.clone() };
        let is_ollama = self.provider == Provider::Ollama;
        for url in wire::show_urls(self.provider, &self.base) {
            let call = HttpCall { url: &url, body: wire::show_request_body(&self.name) };
            let why = match line.send_with_retries(&call, &mut || true, |_| false, stop) {
                Err(ModelError::Stopped) => return Err(ModelError::Stopped),
                Ok(told) => match wire::parse_location(&told) {
                    ModelLocation::Here => None,
                    ModelLocation::NotKnown if !is_ollama => None,
                    ModelLocation::Elsewhere => Some(RemoteReason::RunsElsewhere),
                    ModelLocation::NotKnown | ModelLocation::NotUnderstood => Some(RemoteReason::NotSaid),
                },
                Err(ModelError::Status { status: 404 | 405 | 501, .. }) if !is_ollama => None,
                Err(ModelError::Status { status: 404, .. }) => Some(RemoteReason::NoSuchModel),
                Err(ModelError::Unreachable { .. }) => Some(RemoteReason::NotReached),
                Err(_) => Some(RemoteReason::NotSaid),
            };
            if why.is_some() {
                return Ok(why);
            }
        }
        Ok(None)
    }
}

/// A reply as received.
pub(crate) struct RawReply(Vec<u8>);

/// The base URL of requests. Over a socket a host is needed, which is never resolved.
fn base_url(url: &Url) -> Url {
    if url.scheme() != "unix" {
        return url.clone();
    }
    Url::parse("http://localhost").unwrap_or_else(|_| url.clone())
}
