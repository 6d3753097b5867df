//! `memora_challenge`: what wants a person's eye. Nothing is written, and nothing decided.

use memora_engine::{CloudDoor, Door};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, told};
use crate::budget::{Budget, cursor, offset};
use crate::reading::{Piece, Reading, Told, WHILE_DUE};
use crate::trouble::Trouble;
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

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CallToolResult>, Trouble> {
        let (result, pieces) = self.review(reading)?;
        told(&result, pieces)
    }
}

impl ChallengeArgs {
    /// What wants an eye, and the pieces of the vault in it.
    pub(crate) fn review<D: Door>(
        &self,
        reading: &Reading<'_, D>,
    ) -> Result<(ChallengeResult<D>, Vec<Piece>), Trouble> {
        let offset = offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(10).clamp(1, 50);
        let report = reading.session()?.review().report_items(offset + limit, reading.freshness)?;
        let mut listed: Vec<_> = report.items.iter().skip(offset).map(ChallengeItem::of).collect();
        let status = if listed.is_empty() {
            reading.unless_due(ListStatus::None, ListStatus::NotIndexedYet)
        } else {
            ListStatus::Found
        };
        let next = match status {
            ListStatus::Found => {
                "Ask the user each question with the quotes that it is about, cited by [claim:ID]. Only the user decides: with \
                memora challenge --write and --apply, or memora keep CLAIM, in a terminal. cursor leads to more."
            }
            ListStatus::NotIndexedYet => WHILE_DUE,
            ListStatus::None => "Nothing that you may see wants an eye, or no more than was listed.",
        };
        let all: usize = report.found.iter().map(|kind| kind.count).sum();
        let mut result = ChallengeResult {
            status,
            found: report.found,
            items: Vec::new(),
            next,
            cursor: None,
            freshness: reading.freshness,
        };
        Budget::of(self.max_tokens).beside(&result).fit(&mut listed);
        let more = offset + listed.len() < all;
        result.cursor = cursor(offset + listed.len(), more && !listed.is_empty());
        result.items = listed;
        let pieces = result.items.iter().flat_map(|item| &item.claims).map(AgentClaim::piece).collect();
        Ok((result, pieces))
    }
}
