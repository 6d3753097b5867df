//! `memora_verify`: verifies a draft of the client.

use memora_engine::{Door, VerifyInput, strip_addresses};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, parse_position, truncate_text};
use crate::request::Response;
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, ProblemSentence, VerdictCounts, VerifyResult};
use memora_engine::report::ReportStatus;

/// The maximum size of a text to verify, in bytes.
const TEXT_BYTES_MAX: usize = 32 << 10;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyArgs {
    /// The text: sentences with `[claim:id]` behind each, or with links to notes or quotations from them; up to 32 KiB.
    text: String,
    /// Where to go on in the list of what is wrong: the `cursor` of the result before, with the same text.
    #[serde(default)]
    cursor: Option<String>,
    /// Whether sentences that only paraphrase the notes are taken out, too.
    #[serde(default)]
    strict: bool,
    /// How long the result may be, in tokens of three bytes of JSON each, the clean text not counted; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

impl AgentTool for VerifyArgs {
    const NAME: &'static str = "memora_verify";
    const TITLE: &'static str = "Verify a draft against the notes";
    const DESCRIPTION: &'static str = "Judges a text that cites the user's notes by [claim:ID], sentence by sentence, and gives \
        it back without what does not hold. Call this with every draft before the user sees it.";
    type Result = VerifyResult;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let text = self.checked_text()?;
        let offset = parse_position(self.cursor.as_deref())?;
        let strict = self.strict || reading.memora().config().strict;
        let submitted = VerifyInput::from_draft(text).with_strict(strict);
        let session = reading.session()?;
        let report = session.verifier().verify_text(&submitted, reading.freshness())?;
        let mut problems: Vec<_> = report
            .sentences
            .iter()
            .filter_map(|sentence| ProblemSentence::from_problem(sentence, &report.claims))
            .skip(offset)
            .collect();
        let next = match report.status {
            ReportStatus::Verified => "Every sentence is proven: give clean_text to the user, with its citations.",
            ReportStatus::Supported => {
                "No fact disagrees with the notes, and some wording is not proven: give clean_text to the user with its \
                citations, and with each sentence under problems the words of the notes beside it."
            }
            ReportStatus::NoEvidence => {
                "The text asserts nothing that could be verified. Put [claim:ID] behind each sentence."
            }
            _ if !reading.freshness().fresh => {
                "Some of it does not hold, or is not indexed yet: verify it again in a moment."
            }
            _ => {
                "Give the user clean_text, or mend the sentences under problems from claims that say them and verify again. Do \
                not give the user a sentence that does not hold."
            }
        };
        let mut result = VerifyResult {
            status: report.status,
            clean_text: strip_addresses(&session.verifier().fix_text(&submitted)?),
            sentences: VerdictCounts::count_sentences(&report.sentences),
            read_by: report.read.as_ref().map(|by| truncate_text(&by.model, 100)),
            problems: Vec::new(),
            next,
            cursor: None,
            freshness: reading.freshness(),
        };
        let rest = VerifyResult { clean_text: String::new(), ..result.clone() };
        let more = ResultBudget::from_tokens(self.max_tokens).reserve_for(&rest).fit_at_least_one(&mut problems);
        result.cursor = more.then(|| (offset + problems.len()).to_string());
        result.problems = problems;
        let pieces = AgentClaim::iter_brief(&report.claims).map(|claim| claim.egress_item()).collect();
        structured_response(&result, pieces)
    }
}

impl VerifyArgs {
    /// Returns the text, if it is neither empty nor too long.
    fn checked_text(&self) -> Result<&str, ToolError> {
        if self.text.trim().is_empty() {
            return Err(ToolError::new(
                "there is no text to verify",
                "give the draft, with [claim:id] behind each sentence",
            ));
        }
        if self.text.len() > TEXT_BYTES_MAX {
            return Err(ToolError::new("the text is longer than 32 KiB", "verify it in parts, cut between paragraphs"));
        }
        Ok(&self.text)
    }
}
