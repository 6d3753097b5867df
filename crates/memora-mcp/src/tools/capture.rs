//! `memora_capture`: creates a note for the client if its citations support it. It is absent unless the
//! user allowed it.

use memora_engine::{Band, CAPTURE_FOLDER, CaptureRequest, CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::AgentTool;
use crate::budget::fit_written;
use crate::request::{Caller, Response};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, CaptureResult, ProblemSentence, VerdictCounts};

/// The maximum size of a text to capture, in bytes.
const TEXT_BYTES_MAX: usize = 32 << 10;

/// The bytes of what it was refused for, and of the claims that it cites.
const PAGE_BYTES: usize = 5_600;

#[allow(rustdoc::broken_intra_doc_links, reason = "an agent reads it, in a schema")]
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CaptureArgs {
    /// Its name.
    title: String,
    /// Markdown up to 32 KiB, with [claim:ID] behind each sentence that rests on the notes.
    text: String,
    /// Its folder; `Memora`.
    #[serde(default)]
    folder: Option<String>,
    /// Who says so: the client, by the name that it gave when it connected.
    #[serde(skip)]
    by: Option<String>,
}

impl AgentTool for CaptureArgs {
    const NAME: &'static str = "memora_capture";
    const TITLE: &'static str = "Capture a new note";
    const DESCRIPTION: &'static str = "Makes a new note, marked as captured and by whom, if every citation in it stands. Never changes a note. \
        Call it only when the user asks to have something written down.";
    type Result = CaptureResult<CloudDoor>;

    fn annotations() -> ToolAnnotations {
        ToolAnnotations::with_title(Self::TITLE).read_only(false).destructive(false).idempotent(false).open_world(false)
    }

    fn set_caller(&mut self, caller: &Caller) {
        self.by.clone_from(&caller.name);
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
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
        let mut result = CaptureResult {
            status: report.status,
            path: report.path.clone(),
            sentences: VerdictCounts::count_sentences(&sentences),
            problems: Vec::new(),
            claims: Vec::new(),
            freshness: reading.freshness(),
        };
        fit_written(PAGE_BYTES, &mut problems);
        result.problems = problems;
        let mut claims: Vec<_> = AgentClaim::iter_brief(&report.claims).collect();
        fit_written(PAGE_BYTES, &mut claims);
        result.claims = claims;
        let pieces = result.claims.iter().map(AgentClaim::egress_item).collect();
        ToolAnswer::respond(&result, pieces)
    }
}
