//! Errors as a client sees them: fixed text and a hint, never text or paths of the vault.
//!
//! An engine error may name folders and notes, and the client keeps the log on standard error. So both receive
//! nothing but the name of the operation.

use memora_engine::{CaptureError, EgressError, Hint, MemoryError, NewNoteError, ReadError, SearchError};
use memora_service::{ServiceError, ServiceErrorKind};
use rmcp::model::{CallToolResult, ContentBlock, ErrorData};

/// The reason why a call failed, and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ToolError {
    kind: ToolErrorKind,
    message: String,
    hint: &'static str,
}

/// The side that an error is of, which decides its code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ToolErrorKind {
    /// The client's input.
    Input,
    /// The client's input names an item that does not exist, or that this client may not see.
    NotFound,
    /// The vault, the index or the system.
    Internal,
}

const DOCTOR_HINT: &str = "ask the user to run `memora doctor` in a terminal";

impl ToolError {
    /// Creates an error from a message, which may repeat only the client's own input.
    pub(crate) fn new(message: impl Into<String>, hint: &'static str) -> Self {
        Self { kind: ToolErrorKind::Input, message: message.into(), hint }
    }

    /// Creates an error for an item that does not exist, or that this client may not see.
    pub(crate) fn not_found(message: impl Into<String>, hint: &'static str) -> Self {
        Self { kind: ToolErrorKind::NotFound, ..Self::new(message, hint) }
    }

    /// Creates an error that the client's input is not the reason of.
    fn internal(message: &'static str, hint: &'static str) -> Self {
        Self { kind: ToolErrorKind::Internal, ..Self::new(message, hint) }
    }

    /// Converts the error of a tool into a failed call rather than a failed request, so that the model sees the hint.
    pub(crate) fn to_call_result(&self) -> CallToolResult {
        CallToolResult::error(vec![ContentBlock::text(self.render_text())])
    }

    /// Converts the error of any other request.
    pub(crate) fn to_error_data(&self) -> ErrorData {
        match self.kind {
            ToolErrorKind::Input => ErrorData::invalid_params(self.render_text(), None),
            ToolErrorKind::NotFound => ErrorData::resource_not_found(self.render_text(), None),
            ToolErrorKind::Internal => ErrorData::internal_error(self.render_text(), None),
        }
    }

    fn render_text(&self) -> String {
        format!("error: {}\nhint: {}", self.message, self.hint)
    }
}

impl From<ServiceError> for ToolError {
    fn from(error: ServiceError) -> Self {
        match error.kind() {
            ServiceErrorKind::Configuration => Self::internal("the user's config.toml cannot be read", DOCTOR_HINT),
            ServiceErrorKind::Vault => Self::internal(
                "the vault cannot be read",
                "ask the user whether its folder was moved or is not mounted",
            ),
            ServiceErrorKind::State => Self::internal("the vault cannot be opened", DOCTOR_HINT),
            ServiceErrorKind::Index => Self::internal("the index cannot be brought up to date", DOCTOR_HINT),
            ServiceErrorKind::Panicked => Self::internal(
                "this call met a fault of memora's",
                "call again with other words; ask the user to report it, with what you asked",
            ),
            ServiceErrorKind::Stopped => Self::internal("the server is ending", "start it again"),
        }
    }
}

impl From<ReadError> for ToolError {
    fn from(_: ReadError) -> Self {
        Self::internal("the index cannot be read", DOCTOR_HINT)
    }
}

impl From<SearchError> for ToolError {
    fn from(_: SearchError) -> Self {
        Self::internal("the index cannot be read", DOCTOR_HINT)
    }
}

impl From<EgressError> for ToolError {
    fn from(error: EgressError) -> Self {
        Self::internal("what cannot be logged is not sent, and the log cannot be written", error.hint())
    }
}

impl From<CaptureError> for ToolError {
    fn from(error: CaptureError) -> Self {
        match error {
            CaptureError::Search(error) => error.into(),
            CaptureError::Note(NewNoteError::Io(_)) => {
                Self::internal("the note could not be written", "ask the user to look at the vault's folder")
            }
            // These messages name only the client's own input, and a path that contains a timestamp.
            error => Self::new(error.to_string(), error.hint()),
        }
    }
}

impl From<MemoryError> for ToolError {
    fn from(error: MemoryError) -> Self {
        let (message, hint) = match error {
            MemoryError::Search(error) => return error.into(),
            MemoryError::Busy => ("another process is writing memories", error.hint()),
            MemoryError::Outside | MemoryError::Excluded(_) => {
                ("the memory folder cannot be used", "ask the user to run `memora memory stats` in a terminal")
            }
            MemoryError::Io(_)
            | MemoryError::Config(_)
            | MemoryError::Random
            | MemoryError::Decide(_)
            | MemoryError::Name => ("the memory could not be read or written", DOCTOR_HINT),
        };
        Self::internal(message, hint)
    }
}
