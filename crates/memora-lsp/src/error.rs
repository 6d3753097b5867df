//! Errors as an editor shows them: fixed text and a hint, never words or paths of the vault.

use lsp_server::{ErrorCode, ResponseError};
use memora_engine::{EgressError, Hint, ReadError, SearchError};
use memora_service::{ServiceError, ServiceErrorKind};

/// The reason why a request failed, and a hint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EditorError {
    code: i32,
    message: &'static str,
    hint: &'static str,
}

const DOCTOR_HINT: &str = "run `memora doctor` in a terminal";

impl EditorError {
    /// Parameters that cannot be read, or name what is not there.
    pub(crate) fn params(message: &'static str, hint: &'static str) -> Self {
        Self { code: ErrorCode::InvalidParams as i32, message, hint }
    }

    fn internal(message: &'static str, hint: &'static str) -> Self {
        Self { code: ErrorCode::RequestFailed as i32, message, hint }
    }

    /// Whether the service is ending, which is no error to tell.
    pub(crate) fn is_stopped(&self) -> bool {
        self.code == ErrorCode::ServerCancelled as i32
    }

    /// Converts it for a response.
    pub(crate) fn to_response(&self) -> ResponseError {
        ResponseError { code: self.code, message: self.render(), data: None }
    }

    /// It in one line.
    pub(crate) fn render(&self) -> String {
        format!("{}; hint: {}", self.message, self.hint)
    }
}

impl From<ServiceError> for EditorError {
    fn from(error: ServiceError) -> Self {
        match error.kind() {
            ServiceErrorKind::Configuration => Self::internal("config.toml cannot be read", DOCTOR_HINT),
            ServiceErrorKind::Vault => {
                Self::internal("the vault cannot be read", "see whether its folder was moved or is not mounted")
            }
            ServiceErrorKind::State => Self::internal("the vault cannot be opened", DOCTOR_HINT),
            ServiceErrorKind::Index => Self::internal("the index cannot be brought up to date", DOCTOR_HINT),
            ServiceErrorKind::Panicked => {
                Self::internal("this met a fault of memora's", "please report it, with what you did")
            }
            ServiceErrorKind::Stopped => Self {
                code: ErrorCode::ServerCancelled as i32,
                message: "the server is ending",
                hint: "start it again",
            },
        }
    }
}

impl From<ReadError> for EditorError {
    fn from(_: ReadError) -> Self {
        Self::internal("the index cannot be read", DOCTOR_HINT)
    }
}

impl From<SearchError> for EditorError {
    fn from(_: SearchError) -> Self {
        Self::internal("the index cannot be read", DOCTOR_HINT)
    }
}

impl From<EgressError> for EditorError {
    fn from(error: EgressError) -> Self {
        Self::internal("what cannot be logged is not sent, and the log cannot be written", error.hint())
    }
}
