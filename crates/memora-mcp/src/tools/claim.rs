//! `memora_claim`: one claim by its id.

use memora_engine::{ClaimId, CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, next_cursor, parse_offset, truncate_text};
use crate::request::{EgressItem, Response, status_or_due};
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, AgentDecision, ClaimDetail, ClaimEdge, ClaimLookup, ClaimResult, note_text};
use memora_engine::report::ClaimState;

/// The maximum number of decisions listed for a claim.
const DECISIONS_MAX: usize = 10;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimArgs {
    /// The claim's id, as in [claim:id], with or without the brackets.
    claim: String,
    /// Where to go on: the `cursor` of the result before.
    #[serde(default)]
    cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

impl AgentTool for ClaimArgs {
    const NAME: &'static str = "memora_claim";
    const TITLE: &'static str = "Look at one claim";
    const DESCRIPTION: &'static str = "Tells of a claim by its id: its full words, every place where it stands, a link to each, \
        what became of it, and what it is to other claims.";
    type Result = ClaimResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let (result, pieces) = self.look_up(reading)?;
        structured_response(&result, pieces)
    }
}

impl ClaimArgs {
    /// Looks up a claim by its id, within the default budget.
    pub(crate) fn from_id(claim: &str) -> Self {
        Self { claim: claim.to_owned(), cursor: None, max_tokens: None }
    }

    /// Returns the claim, and the items of the vault in the result.
    pub(crate) fn look_up<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
    ) -> Result<(ClaimResult<D>, Vec<EgressItem>), ToolError> {
        let typed = ClaimId::strip_citation(&self.claim);
        if typed.starts_with('~') {
            return Err(ToolError::new(
                "this is the handle of a withheld claim",
                "tell the user that it is withheld from you",
            ));
        }
        let id = ClaimId::parse(typed).map_err(|_| {
            ToolError::new(
                "this is not a claim id",
                "an id has twelve letters and digits, as in the results of memora_search",
            )
        })?;
        let offset = parse_offset(self.cursor.as_deref())?;
        let report = reading.session()?.catalog().explain_claim(&id)?;
        let listed = report.claims.iter().filter_map(|claim| AgentClaim::from_wire(claim, ClaimDetail::Full));
        let (all, budget) = (listed.clone().count(), ResultBudget::from_tokens(self.max_tokens));
        // One list for the cursor: the claims that were asked for, then their edges.
        let mut claims: Vec<_> = listed.skip(offset).collect();
        let mut edges: Vec<_> =
            report.edges.iter().filter_map(ClaimEdge::from_report).skip(offset.saturating_sub(all)).collect();
        let decided = report.decisions.iter().rev().take(DECISIONS_MAX).rev().map(AgentDecision::from_report);
        let status = match report.status {
            ClaimState::Unknown => status_or_due(reading.freshness(), ClaimLookup::Unknown, ClaimLookup::NotIndexedYet),
            state => state.into(),
        };
        let mut result = ClaimResult {
            asked: report.asked,
            status,
            explanation: note_text(&report.explanation, 1_200),
            claims: Vec::new(),
            edges: Vec::new(),
            decisions: decided.collect(),
            first_seen: report.first_seen,
            extractors: report.extractors,
            models: report.models.iter().take(5).map(|model| truncate_text(model, 100)).collect(),
            cursor: None,
            freshness: reading.freshness(),
        };
        let mut more = budget.reserve_for(&result).fit_at_least_one(&mut claims);
        result.claims = claims;
        if more {
            edges.clear();
        } else if result.claims.is_empty() {
            more = budget.reserve_for(&result).fit_at_least_one(&mut edges);
        } else {
            more = budget.reserve_for(&result).fit_any(&mut edges);
        }
        result.edges = edges;
        result.cursor = next_cursor(offset + result.claims.len() + result.edges.len(), more);
        let others = result.edges.iter().map(|edge| &edge.other);
        let pieces = result.claims.iter().chain(others).map(AgentClaim::egress_item).collect();
        Ok((result, pieces))
    }
}
