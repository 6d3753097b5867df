//! `memora_stale_claims`: lists sentences that rest on claims that no longer hold.

use memora_engine::{CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, next_cursor, parse_offset};
use crate::request::{INDEXING_HINT, Response, status_or_due};
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, ListStatus, StaleResult, StaleSentence};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct StaleArgs {
    /// How many at most, 1 to 50.
    #[serde(default)]
    limit: Option<usize>,
    /// Where to go on: the `cursor` of the result before.
    #[serde(default)]
    cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

impl AgentTool for StaleArgs {
    const NAME: &'static str = "memora_stale_claims";
    const TITLE: &'static str = "List what rests on what gave way";
    const DESCRIPTION: &'static str = "Lists sentences of the user's notes that cite claims of which one was superseded, taken back \
        or is gone, with what holds now. Call this before you rely on a summary in the notes, or to review them.";
    type Result = StaleResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let offset = parse_offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(10).clamp(1, 50);
        let report = reading.session()?.lifecycle_reports().list_stale(offset + limit, reading.freshness())?;
        let mut listed: Vec<_> = report.stale.iter().skip(offset).filter_map(StaleSentence::from_report).collect();
        let status = if listed.is_empty() {
            status_or_due(reading.freshness(), ListStatus::None, ListStatus::NotIndexedYet)
        } else {
            ListStatus::Found
        };
        let next = match status {
            ListStatus::Found => {
                "Show the user each sentence beside what gave way and what holds now. Only the user mends a note or decides. Cite \
                both by [claim:ID]. cursor leads to more."
            }
            ListStatus::NotIndexedYet => INDEXING_HINT,
            ListStatus::None => "No sentence that you may see rests on what gave way, or no more than were listed.",
        };
        let mut result = StaleResult { status, stale: Vec::new(), next, cursor: None, freshness: reading.freshness() };
        let more = ResultBudget::from_tokens(self.max_tokens).reserve_for(&result).fit_at_least_one(&mut listed)
            || report.more;
        result.cursor = next_cursor(offset + listed.len(), more && !listed.is_empty());
        result.stale = listed;
        let pieces = result.stale.iter().flat_map(StaleSentence::claims).map(AgentClaim::egress_item).collect();
        structured_response(&result, pieces)
    }
}
