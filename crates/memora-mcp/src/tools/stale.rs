//! `memora_stale_claims`: sentences that rest on what no longer holds.

use memora_engine::{CloudDoor, Door};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, told};
use crate::budget::{Budget, cursor, offset};
use crate::reading::{Reading, Told, WHILE_DUE};
use crate::trouble::Trouble;
use crate::wire::{AgentClaim, ListStatus, Stale, StaleResult};

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

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CallToolResult>, Trouble> {
        let offset = offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(10).clamp(1, 50);
        let report = reading.session()?.lifecycle_reports().list_stale(offset + limit, reading.freshness)?;
        let mut listed: Vec<_> = report.stale.iter().skip(offset).filter_map(Stale::of).collect();
        let status = if listed.is_empty() {
            reading.unless_due(ListStatus::None, ListStatus::NotIndexedYet)
        } else {
            ListStatus::Found
        };
        let next = match status {
            ListStatus::Found => {
                "Show the user each sentence beside what gave way and what holds now. Only the user mends a note or decides. Cite \
                both by [claim:ID]. cursor leads to more."
            }
            ListStatus::NotIndexedYet => WHILE_DUE,
            ListStatus::None => "No sentence that you may see rests on what gave way, or no more than were listed.",
        };
        let mut result = StaleResult { status, stale: Vec::new(), next, cursor: None, freshness: reading.freshness };
        let more = Budget::of(self.max_tokens).beside(&result).fit(&mut listed) || report.more;
        result.cursor = cursor(offset + listed.len(), more && !listed.is_empty());
        result.stale = listed;
        let pieces = result.stale.iter().flat_map(Stale::claims).map(AgentClaim::piece).collect();
        told(&result, pieces)
    }
}
