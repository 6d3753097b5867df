//! `memora_claim`: one claim by its id.

use memora_engine::{ClaimId, CloudDoor, Door};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, told};
use crate::budget::{Budget, cursor, cut, offset};
use crate::reading::{Piece, Reading, Told};
use crate::trouble::Trouble;
use crate::wire::{AgentClaim, ClaimEdge, ClaimLookup, ClaimResult, Decided, Detail};
use memora_engine::report::ClaimState;

/// How many decisions about a claim are told.
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

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CallToolResult>, Trouble> {
        let (result, pieces) = self.look_up(reading)?;
        told(&result, pieces)
    }
}

impl ClaimArgs {
    /// A claim by its id, as long as results are.
    pub(crate) fn of(claim: &str) -> Self {
        Self { claim: claim.to_owned(), cursor: None, max_tokens: None }
    }

    /// What is told of the claim, and the pieces of the vault in it.
    pub(crate) fn look_up<D: Door>(&self, reading: &Reading<'_, D>) -> Result<(ClaimResult<D>, Vec<Piece>), Trouble> {
        let typed = ClaimId::strip_citation(&self.claim);
        if typed.starts_with('~') {
            return Err(Trouble::say(
                "this is the handle of a withheld claim",
                "tell the user that it is withheld from you",
            ));
        }
        let id = ClaimId::parse(typed).map_err(|_| {
            Trouble::say(
                "this is no claim's id",
                "an id has twelve letters and digits, as in the results of memora_search",
            )
        })?;
        let offset = offset(self.cursor.as_deref())?;
        let report = reading.session()?.catalog().explain_claim(&id)?;
        let listed = report.claims.iter().filter_map(|claim| AgentClaim::of(claim, Detail::Full));
        let (all, budget) = (listed.clone().count(), Budget::of(self.max_tokens));
        // One list for the cursor: the words that were asked for, then what they are to others.
        let mut claims: Vec<_> = listed.skip(offset).collect();
        let mut edges: Vec<_> =
            report.edges.iter().filter_map(ClaimEdge::of).skip(offset.saturating_sub(all)).collect();
        let decided = report.decisions.iter().rev().take(DECISIONS_MAX).rev().map(Decided::of);
        let status = match report.status {
            ClaimState::Unknown => reading.unless_due(ClaimLookup::Unknown, ClaimLookup::NotIndexedYet),
            state => state.into(),
        };
        let mut result = ClaimResult {
            asked: report.asked,
            status,
            explanation: cut(&report.explanation, 1_200),
            claims: Vec::new(),
            edges: Vec::new(),
            decisions: decided.collect(),
            first_seen: report.first_seen,
            extractors: report.extractors,
            models: report.models.iter().take(5).map(|model| cut(model, 100)).collect(),
            cursor: None,
            freshness: reading.freshness,
        };
        let mut more = budget.beside(&result).fit(&mut claims);
        result.claims = claims;
        if more {
            edges.clear();
        } else if result.claims.is_empty() {
            more = budget.beside(&result).fit(&mut edges);
        } else {
            more = budget.beside(&result).fit_some(&mut edges);
        }
        result.edges = edges;
        result.cursor = cursor(offset + result.claims.len() + result.edges.len(), more);
        let others = result.edges.iter().map(|edge| &edge.other);
        let pieces = result.claims.iter().chain(others).map(AgentClaim::piece).collect();
        Ok((result, pieces))
    }
}
