//! `/fresh`: whether the index is that of the vault, in a few words, for the script that asks from time to time.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use crate::app::{SharedApp, fresh_words};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;

struct AskFreshness;

impl PageRequest for AskFreshness {
    type Answer = ();
    const LABEL: &'static str = "fresh";

    fn read(&self, _: &Reading<'_>) -> Result<(), PageError> {
        Ok(())
    }
}

pub(super) async fn show(State(app): State<SharedApp>) -> Response {
    let plain = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
    match app.read(AskFreshness).await {
        Ok(((), freshness)) => (plain, fresh_words(&freshness)).into_response(),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, plain, "the vault cannot be read").into_response(),
    }
}
