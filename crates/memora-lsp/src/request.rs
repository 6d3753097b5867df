//! A request of an editor, and its answer with what of the vault is in it.

use memora_engine::report::WireClaim;
use memora_engine::{Band, Door};
use memora_service::ReadContext;
use serde::Serialize;
use serde_json::Value;

use crate::error::EditorError;

/// An item of the egress log: a claim's id or a handle, and its band.
pub(crate) type EgressItem = (Option<String>, Band);

/// The items of claims.
pub(crate) fn items_of<'c, D: 'c>(claims: impl IntoIterator<Item = &'c WireClaim<D>>) -> Vec<EgressItem> {
    claims.into_iter().map(|claim| (Some(claim.id().to_owned()), claim.band())).collect()
}

/// An outgoing answer, with the items of the vault in it.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) value: Value,
    pub(crate) pieces: Vec<EgressItem>,
}

impl Response {
    /// An answer that says nothing.
    pub(crate) fn nothing() -> Self {
        Self { value: Value::Null, pieces: Vec::new() }
    }

    /// Builds an answer.
    pub(crate) fn new(answer: &impl Serialize, pieces: Vec<EgressItem>) -> Result<Self, EditorError> {
        // By way of text: a number has the digits that `--json` prints, not those of its nearest of twice the length.
        let value = serde_json::to_string(answer)
            .and_then(|text| serde_json::from_str(&text))
            .map_err(|_| EditorError::params("the answer cannot be written down", "ask for something else"))?;
        Ok(Self { value, pieces })
    }
}

/// One kind of request.
pub(crate) trait EditorRequest {
    /// Answers it for a door.
    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response, EditorError>;
}
