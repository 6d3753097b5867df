//! `memora_capture`: creates a note for the client if its citations support it. The only tool that writes; it is
//! absent unless the user allowed it.

use memora_engine::{Band, CAPTURE_FOLDER, CaptureRequest, CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::{CallToolResult, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, structured_response};
use crate::budget::ResultBudget;
use crate::request::{Caller, Response};
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, CaptureResult, ProblemSentence, VerdictCounts};

/// The maximum size of a text to capture, in bytes.
const TEXT_BYTES_MAX: usize = 32 << 10;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaptureArgs {
    /// What the note is called.
    title: String,
    /// What it says, as markdown, up to 32 KiB: sentences with `[claim:id]` behind each that rests on the notes.
    text: String,
    /// The folder that it comes into, relative to the vault, `/`-separated; `Memora` without it.
    #[serde(default)]
    folder: Option<String>,
    /// Who says so: the client, by the name that it gave when it connected.
    #[serde(skip)]
    by: Option<String>,
}

impl AgentTool for CaptureArgs {
    const NAME: &'static str = "memora_capture";
    const TITLE: &'static str = "Capture a new note";
    const DESCRIPTION: &'static str = "Makes a new note in the user's vault, marked as captured and by whom, if every citation in it \
        stands and every sentence that has one is borne out. Never changes a note. Call this only when the user asks to have \
        something written down.";
    type Result = CaptureResult<CloudDoor>;

    fn annotations() -> ToolAnnotations {
        ToolAnnotations::with_title(Self::TITLE).read_only(false).destructive(false).idempotent(false).open_world(false)
    }

    fn set_caller(&mut self, caller: &Caller) {
        self.by.clone_from(&caller.name);
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        if self.text.len() > TEXT_BYTES_MAX {
            return Err(ToolError::new("the text is longer than 32 KiB", "capture it in parts"));
        }
        let capturing = CaptureRequest {
            title: self.title.clone(),
            text: self.text.clone(),
            folder: self.folder.clone().unwrap_or_else(|| CAPTURE_FOLDER.to_owned()),
            by: self.by.clone().unwrap_or_else(|| "an agent".to_owned()),
            // The text may contain anything that was shown to the client at this door.
            band: if reading.door().is_local() { Band::Secret } else { Band::Public },
            at: reading.memora().config().today.to_datetime(jiff::Zoned::now().time()),
        };
        let report = reading.session()?.captures().capture_text(&capturing, reading.freshness())?;
        let sentences: Vec<_> = report.sentences.iter().map(|captured| captured.sentence.clone()).collect();
        let refused = report.sentences.iter().filter(|captured| captured.refused.is_some());
        let mut problems: Vec<_> =
            refused.filter_map(|captured| ProblemSentence::from_problem::<D>(&captured.sentence, &[])).collect();
        let next = match report.path {
            Some(_) => {
                "Tell the user that the note was made, and its path. It is the client's word and not the user's: it bears \
                nothing out, and is not among the answers unless the user asks for captured notes."
            }
            None if !reading.freshness().fresh => {
                "Nothing was written: some of it does not hold, or is not indexed yet. Try again in a moment."
            }
            None => {
                "Nothing was written. Mend the sentences under problems from claims that say them, or leave out what the notes do \
                not bear out, and capture it again."
            }
        };
        let mut result = CaptureResult {
            status: report.status,
            path: report.path.clone(),
            sentences: VerdictCounts::count_sentences(&sentences),
            problems: Vec::new(),
            claims: Vec::new(),
            next,
            freshness: reading.freshness(),
        };
        let budget = ResultBudget::from_tokens(None);
        budget.reserve_for(&result).fit_at_least_one(&mut problems);
        result.problems = problems;
        let mut claims: Vec<_> = AgentClaim::iter_brief(&report.claims).collect();
        budget.reserve_for(&result).fit_any(&mut claims);
        result.claims = claims;
        let pieces = result.claims.iter().map(AgentClaim::egress_item).collect();
        structured_response(&result, pieces)
    }
}
