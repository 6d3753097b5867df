//! `memora_review`: what contradicts, what is stale, what else wants a person's eye. Writes nothing and decides nothing.

use memora_engine::{ChangesRequest, CloudDoor, Door};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::{AgentTool, reads};
use crate::budget::{OFFSET_MAX, fit_written, next_offset};
use crate::request::{EgressItem, Response, status_or_due};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{
    AgentChange, AgentClaim, AgentContradiction, AgentReviewItem, ListStatus, ReviewResult, StaleSentence,
};

/// The bytes of a page's items.
const PAGE_BYTES: usize = 5_600;

/// How many newer statements are read for each item of a page: most have nothing older near them.
const READ_PER_ITEM: usize = 3;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReviewedThing {
    Contradictions,
    Stale,
    Changes,
    #[default]
    Everything,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReviewArgs {
    /// changes: new lines beside older ones, judge whether those still hold; stale: sentences that cite what gave way; everything: also
    /// what ages.
    #[serde(default)]
    what: ReviewedThing,
    /// At most, 1 to 50; 10.
    #[serde(default)]
    limit: Option<usize>,
    /// Go on from here: the number that the page before ended with.
    #[serde(default)]
    from: usize,
}

impl AgentTool for ReviewArgs {
    const NAME: &'static str = "memora_review";
    const TITLE: &'static str = "Review the notes";
    const DESCRIPTION: &'static str = "What in the notes wants the user's eye. Ask the user which of two claims holds; only the user decides, \
        with `memora keep CLAIM` in a terminal.";
    type Result = ReviewResult<CloudDoor>;

    fn annotations() -> ToolAnnotations {
        reads(Self::TITLE)
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
        let (result, pieces) = self.build_review(reading)?;
        ToolAnswer::respond(&result, pieces)
    }
}

impl ReviewArgs {
    /// Returns the review, and the items of the vault in it.
    pub(crate) fn build_review<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
    ) -> Result<(ReviewResult<D>, Vec<EgressItem>), ToolError> {
        let (session, fresh) = (reading.session()?, reading.freshness());
        let from = self.from.min(OFFSET_MAX);
        let wanted = from + self.limit.unwrap_or(10).clamp(1, 50);
        let mut result = ReviewResult {
            status: status_or_due(fresh, ListStatus::None, ListStatus::NotIndexedYet),
            contradictions: Vec::new(),
            stale: Vec::new(),
            changes: Vec::new(),
            items: Vec::new(),
            found: Vec::new(),
            next: None,
            freshness: fresh,
        };
        let (shown, more) = match self.what {
            ReviewedThing::Contradictions => {
                let report = session.lifecycle_reports().list_contradictions(false, wanted, fresh)?;
                let pairs = report.contradictions.iter().skip(from);
                result.contradictions = pairs.filter_map(AgentContradiction::from_report).collect();
                let is_cut = fit_written(PAGE_BYTES, &mut result.contradictions);
                (result.contradictions.len(), is_cut || report.more)
            }
            ReviewedThing::Stale => {
                let report = session.lifecycle_reports().list_stale(wanted, fresh)?;
                result.stale = report.stale.iter().skip(from).filter_map(StaleSentence::from_report).collect();
                let is_cut = fit_written(PAGE_BYTES, &mut result.stale);
                (result.stale.len(), is_cut || report.more)
            }
            ReviewedThing::Changes => {
                let read = self.limit.unwrap_or(10).clamp(1, 50) * READ_PER_ITEM;
                let request = ChangesRequest { since: None, limit: read, from, ended_only: false };
                let report = session.lifecycle_reports().list_changes(&request, fresh)?;
                let shown: Vec<_> =
                    report.pairs.iter().filter_map(|pair| Some((pair.at, AgentChange::from_pair(pair)?))).collect();
                let begins: Vec<usize> = shown.iter().map(|(at, _)| *at).collect();
                result.changes = shown.into_iter().map(|(_, change)| change).collect();
                let is_cut = fit_written(PAGE_BYTES, &mut result.changes);
                let next = begins.get(result.changes.len()).copied().filter(|_| is_cut).or(report.next);
                (next.map_or(0, |next| next - from), next.is_some())
            }
            ReviewedThing::Everything => {
                let report = session.review().report_items(wanted, fresh)?;
                result.items = report.items.iter().skip(from).map(AgentReviewItem::from_item).collect();
                fit_written(PAGE_BYTES, &mut result.items);
                let all: usize = report.found.iter().map(|kind| kind.count).sum();
                result.found = report.found;
                (result.items.len(), from + result.items.len() < all)
            }
        };
        if shown > 0 || !result.changes.is_empty() {
            result.status = ListStatus::Found;
        }
        result.next = next_offset(from + shown, more && shown > 0);
        let pairs = result.contradictions.iter().flat_map(|pair| [&pair.older, &pair.newer]);
        let stale = result.stale.iter().flat_map(StaleSentence::claims);
        let changed = result.changes.iter().flat_map(AgentChange::claims);
        let asked = result.items.iter().flat_map(|item| &item.claims);
        let pieces = pairs.chain(stale).chain(changed).chain(asked).map(AgentClaim::egress_item).collect();
        Ok((result, pieces))
    }
}
