//! What went wrong, as a page tells it: in words without any of a note, with a hint.

use std::error::Error;

use axum::http::StatusCode;
use memora_engine::Hint;

/// An error with what to try.
#[derive(Debug)]
pub(crate) struct PageError {
    pub(crate) status: StatusCode,
    pub(crate) message: String,
    pub(crate) hint: String,
}

impl PageError {
    /// Something that was asked for and is not there.
    pub(crate) fn not_found(message: &str, hint: &str) -> Self {
        Self { status: StatusCode::NOT_FOUND, message: message.to_owned(), hint: hint.to_owned() }
    }

    /// Something that cannot be asked so.
    pub(crate) fn refused(message: impl Into<String>, hint: &str) -> Self {
        Self { status: StatusCode::BAD_REQUEST, message: message.into(), hint: hint.to_owned() }
    }
}

/// Every error that knows its hint can be told.
impl<E: Error + Hint> From<E> for PageError {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut cause = error.source();
        while let Some(because) = cause {
            message.push_str(&format!(": {because}"));
            cause = because.source();
        }
        Self { status: StatusCode::INTERNAL_SERVER_ERROR, message, hint: error.hint().to_owned() }
    }
}
