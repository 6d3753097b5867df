//! Questions to the vault, whose answers are logged before they are sent.
//!
//! Invariant: **at a cloud door, what is not in the egress log is not sent.** An answer leaves the worker thread in the log's line
//! first. At the local door nothing leaves this machine, and nothing is logged.

use memora_engine::{Door, EgressEntry, EgressLog};
use memora_service::{ReadContext, VaultRequest};
use serde_json::Value;

use crate::completion::Complete;
use crate::cursor::{Define, Hover, Refer};
use crate::error::EditorError;
use crate::fixes::FindFixes;
use crate::judge::Judge;
use crate::own::OwnRequest;
use crate::request::EditorRequest;
use crate::workspace::ListStale;

/// A request to the vault: the only kind that the server submits.
pub(crate) enum Question {
    Judge(Judge),
    Hover(Hover),
    Define(Define),
    Refer(Refer),
    Complete(Complete),
    Fix(FindFixes),
    Stale(ListStale),
    Own(OwnRequest),
}

impl VaultRequest for Question {
    type Answer = Value;
    type Error = EditorError;

    fn label(&self) -> &'static str {
        match self {
            Self::Judge(_) => "diagnostics",
            Self::Hover(_) => "hover",
            Self::Define(_) => "definition",
            Self::Refer(_) => "references",
            Self::Complete(_) => "completion",
            Self::Fix(_) => "code_action",
            Self::Stale(_) => "workspace_diagnostics",
            Self::Own(own) => own.label(),
        }
    }

    fn is_slow(&self) -> bool {
        // These may read the whole vault; what the user waits for while writing does not wait for them.
        matches!(self, Self::Stale(_)) || matches!(self, Self::Own(own) if own.is_slow())
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Value, EditorError> {
        let response = match self {
            Self::Judge(judge) => judge.answer(reading),
            Self::Hover(hover) => hover.answer(reading),
            Self::Define(define) => define.answer(reading),
            Self::Refer(refer) => refer.answer(reading),
            Self::Complete(complete) => complete.answer(reading),
            Self::Fix(fix) => fix.answer(reading),
            Self::Stale(list) => list.answer(reading),
            Self::Own(own) => own.answer(reading),
        }?;
        // An answer that cannot be logged is not sent.
        if !reading.door().is_local() && has_words(&response.value) {
            let bytes = serde_json::to_vec(&response.value).map_or(0, |json| json.len());
            let entry = EgressEntry::now("lsp", None, self.label(), u64::try_from(bytes).unwrap_or(u64::MAX));
            EgressLog::in_state_dir(reading.memora().state_dir()).record(&entry.with_pieces(response.pieces))?;
        }
        Ok(response.value)
    }
}

/// Whether an answer says anything.
fn has_words(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => false,
        Value::Array(list) => !list.is_empty(),
        _ => true,
    }
}
