//! A request to a model and its reply: [`RequestPreview`], [`Completion`].

use std::fmt;

use memora_vault::Band;

use crate::wire::ParsedReply;

/// The exact bytes that would be sent to a model, except the key: for `--show-prompt`.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestPreview {
    /// `POST`.
    pub method: &'static str,
    /// The whole address; over a socket, the one that stands in the request.
    pub url: String,
    /// The headers, with `…` for the key. `Host` and `Content-Length` follow from the rest.
    pub headers: Vec<(String, String)>,
    /// Exactly the bytes that would be sent.
    pub body: Vec<u8>,
}

/// Shows the destination and the size, never the text.
impl fmt::Debug for RequestPreview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({} {}, {} bytes)", self.method, self.url, self.body.len())
    }
}

/// Token counts of prompt and reply, as the provider reports them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TokenUsage {
    /// Of the prompt.
    pub sent: u64,
    /// Of the reply.
    pub received: u64,
}

/// What a model replied.
///
/// Proves: a model was called, and the band is that of its prompt. Only a model call makes one. Its text is
/// unverified.
#[derive(Clone)]
pub struct Completion {
    text: String,
    band: Band,
    tokens: Option<TokenUsage>,
    truncated: bool,
}

impl Completion {
    /// Makes a completion from a reply to a prompt of this band.
    pub(crate) fn from_reply(said: ParsedReply, band: Band) -> Self {
        let tokens = said.tokens.map(|(sent, received)| TokenUsage { sent, received });
        Self { text: said.text, band, tokens, truncated: said.truncated }
    }

    /// The words.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The band of the prompt: what was made of guarded text is as guarded.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// The token counts, if the provider reports them.
    #[must_use]
    pub fn tokens(&self) -> Option<TokenUsage> {
        self.tokens
    }

    /// Whether it was cut off at the token limit.
    #[must_use]
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }
}

/// Shows the size, never the text.
impl fmt::Debug for Completion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = if self.truncated { ", truncated" } else { "" };
        write!(f, "Completion({} bytes, {}{end})", self.text.len(), self.band)
    }
}
