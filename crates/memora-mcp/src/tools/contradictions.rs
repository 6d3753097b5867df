//! `memora_contradictions`: lists claims that cannot both hold.

use memora_engine::{CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, next_cursor, parse_offset};
use crate::request::{INDEXING_HINT, Response, status_or_due};
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, AgentContradiction, ContradictionsResult, ListStatus};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ContradictionsArgs {
    /// Whether to list those too of which one claim was superseded, so that only one of the two still holds.
    #[serde(default)]
    all: bool,
    /// How many at most, 1 to 50.
    #[serde(default)]
    limit: Option<usize>,
    /// Where to go on: the `cursor` of the result before, with the same `all`.
    #[serde(default)]
    cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

impl AgentTool for ContradictionsArgs {
    const NAME: &'static str = "memora_contradictions";
    const TITLE: &'static str = "List what contradicts itself";
    const DESCRIPTION: &'static str = "Lists pairs of claims in the user's notes that cannot both hold, with both quotes: what is \
        open first. Call this to review the notes with the user, or when an answer seems to say two things.";
    type Result = ContradictionsResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let offset = parse_offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(10).clamp(1, 50);
        let report = reading.session()?.lifecycle_reports().list_contradictions(
            self.all,
            offset + limit,
            reading.freshness(),
        )?;
        let mut listed: Vec<_> =
            report.contradictions.iter().skip(offset).filter_map(AgentContradiction::from_report).collect();
        let status = if listed.is_empty() {
            status_or_due(reading.freshness(), ListStatus::None, ListStatus::NotIndexedYet)
        } else {
            ListStatus::Found
        };
        let next = match status {
            ListStatus::Found => {
                "Show the user both quotes of each and ask which holds; only the user decides, with memora keep CLAIM in a \
                terminal. Cite both by [claim:ID]. cursor leads to more."
            }
            ListStatus::NotIndexedYet => INDEXING_HINT,
            ListStatus::None => "No two claims that you may see contradict each other, or no more than were listed.",
        };
        let mut result = ContradictionsResult {
            status,
            open: report.open,
            resolved: report.resolved,
            contradictions: Vec::new(),
            next,
            cursor: None,
            freshness: reading.freshness(),
        };
        let more = ResultBudget::from_tokens(self.max_tokens).reserve_for(&result).fit_at_least_one(&mut listed)
            || report.more;
        result.cursor = next_cursor(offset + listed.len(), more && !listed.is_empty());
        result.contradictions = listed;
        let claims = result.contradictions.iter().flat_map(|pair| [&pair.older, &pair.newer]);
        let pieces = claims.map(AgentClaim::egress_item).collect();
        structured_response(&result, pieces)
    }
}
