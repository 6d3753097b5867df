//! `memora_challenge`: lists items for review. Writes nothing and decides nothing.

use memora_engine::{CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, next_cursor, parse_offset};
use crate::request::{EgressItem, INDEXING_HINT, Response, status_or_due};
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, ChallengeItem, ChallengeResult, ListStatus};

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ChallengeArgs {
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

impl AgentTool for ChallengeArgs {
    const NAME: &'static str = "memora_challenge";
    const TITLE: &'static str = "Review the notes";
    const DESCRIPTION: &'static str = "Lists what in the user's notes wants a person's eye: contradictions, stale summaries, facts that \
        age or have one source, problems of notes. Call this to review the notes with the user. Nothing is written.";
    type Result = ChallengeResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let (result, pieces) = self.build_review(reading)?;
        structured_response(&result, pieces)
    }
}

impl ChallengeArgs {
    /// Returns the review, and the items of the vault in it.
    pub(crate) fn build_review<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
    ) -> Result<(ChallengeResult<D>, Vec<EgressItem>), ToolError> {
        let offset = parse_offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(10).clamp(1, 50);
        let report = reading.session()?.review().report_items(offset + limit, reading.freshness())?;
        let mut listed: Vec<_> = report.items.iter().skip(offset).map(ChallengeItem::from_item).collect();
        let status = if listed.is_empty() {
            status_or_due(reading.freshness(), ListStatus::None, ListStatus::NotIndexedYet)
        } else {
            ListStatus::Found
        };
        let next = match status {
            ListStatus::Found => {
                "Ask the user each question with the quotes that it is about, cited by [claim:ID]. Only the user decides: with \
                memora challenge --write and --apply, or memora keep CLAIM, in a terminal. cursor leads to more."
            }
            ListStatus::NotIndexedYet => INDEXING_HINT,
            ListStatus::None => "Nothing that you may see wants an eye, or no more than was listed.",
        };
        let all: usize = report.found.iter().map(|kind| kind.count).sum();
        let mut result = ChallengeResult {
            status,
            found: report.found,
            items: Vec::new(),
            next,
            cursor: None,
            freshness: reading.freshness(),
        };
        ResultBudget::from_tokens(self.max_tokens).reserve_for(&result).fit_at_least_one(&mut listed);
        let more = offset + listed.len() < all;
        result.cursor = next_cursor(offset + listed.len(), more && !listed.is_empty());
        result.items = listed;
        let pieces = result.items.iter().flat_map(|item| &item.claims).map(AgentClaim::egress_item).collect();
        Ok((result, pieces))
    }
}
