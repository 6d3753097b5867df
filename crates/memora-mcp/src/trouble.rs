//! What a client is told when a call fails: fixed words and a hint, never words or paths of the vault.
//!
//! An error of the engine may name folders and notes, and the log on standard error is kept by the client. So neither gets
//! more than which operation it was.

use memora_engine::{
    AskError, CaptureError, CatchUpError, ConnectError, EgressError, EngineOpenError, ReadError, SearchError,
};
use rmcp::model::{CallToolResult, ContentBlock, ErrorData};

/// Why a call has no result, and what to try.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trouble {
    message: String,
    hint: &'static str,
    is_missing: bool,
}

const DOCTOR: &str = "ask the user to run `memora doctor` in a terminal";

impl Trouble {
    /// Some words, which hold nothing but what the client itself said.
    pub(crate) fn say(message: impl Into<String>, hint: &'static str) -> Self {
        Self { message: message.into(), hint, is_missing: false }
    }

    /// That what was asked for is not there, or is not for this client.
    pub(crate) fn missing(message: impl Into<String>, hint: &'static str) -> Self {
        Self { is_missing: true, ..Self::say(message, hint) }
    }

    /// What the client is told of a tool: a failed call rather than a failed request, so that its model sees the hint.
    pub(crate) fn result(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.text())])
    }

    /// What the client is told of anything else.
    pub(crate) fn error(&self) -> ErrorData {
        match self.is_missing {
            true => ErrorData::resource_not_found(self.text(), None),
            false => ErrorData::invalid_params(self.text(), None),
        }
    }

    fn text(&self) -> String {
        format!("error: {}\nhint: {}", self.message, self.hint)
    }
}

impl From<CatchUpError> for Trouble {
    fn from(error: CatchUpError) -> Self {
        match error {
            CatchUpError::Config(_) | CatchUpError::Open(EngineOpenError::Config(_)) => {
                Self::say("the user's config.toml cannot be read", DOCTOR)
            }
            CatchUpError::Vault(_) | CatchUpError::Open(EngineOpenError::Vault(_)) => {
                Self::say("the vault cannot be read", "ask the user whether its folder was moved or is not mounted")
            }
            CatchUpError::Open(_) => Self::say("the vault cannot be opened", DOCTOR),
            CatchUpError::Sync(_) => Self::say("the index cannot be brought up to date", DOCTOR),
        }
    }
}

impl From<EngineOpenError> for Trouble {
    fn from(error: EngineOpenError) -> Self {
        CatchUpError::from(error).into()
    }
}

impl From<ReadError> for Trouble {
    fn from(_: ReadError) -> Self {
        Self::say("the index cannot be read", DOCTOR)
    }
}

impl From<SearchError> for Trouble {
    fn from(_: SearchError) -> Self {
        Self::say("the index cannot be read", DOCTOR)
    }
}

impl From<EgressError> for Trouble {
    fn from(error: EgressError) -> Self {
        Self::say("what cannot be logged is not sent, and the log cannot be written", error.hint())
    }
}

impl From<CaptureError> for Trouble {
    fn from(error: CaptureError) -> Self {
        match error {
            CaptureError::Search(error) => error.into(),
            CaptureError::Io(_) => {
                Self::say("the note could not be written", "ask the user to look at the vault's folder")
            }
            // Of what the client itself named, and of what lies at a place that bears a time of its own.
            error => Self::say(error.to_string(), error.hint()),
        }
    }
}

impl From<ConnectError> for Trouble {
    fn from(error: ConnectError) -> Self {
        Self::say("the configured language model cannot be reached", error.hint())
    }
}

impl From<AskError> for Trouble {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Search(error) => error.into(),
            AskError::Read(error) => error.into(),
            error @ (AskError::Send(_) | AskError::EmptyReply { .. }) => {
                Self::say("the configured language model did not answer", error.hint())
            }
        }
    }
}
