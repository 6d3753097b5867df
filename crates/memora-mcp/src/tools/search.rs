//! `memora_search`: lists claims that match a query.

use memora_engine::{Authors, CloudDoor, Door, SearchOptions};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::args::{self, NoteScope};
use super::{AgentTool, structured_response};
use crate::budget::{ResultBudget, next_cursor, parse_offset};
use crate::request::{INDEXING_HINT, Response, status_or_due};
use crate::tool_error::ToolError;
use crate::wire::{AgentClaim, AgentHit, ClaimDetail, SearchResult, SearchStatus, WithheldSubject};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchArgs {
    /// The words to look for, as the notes would have them; "quoted ones" must stand together. Dates count: "in March 2024".
    query: String,
    /// How many claims at most, 1 to 50.
    #[serde(default)]
    limit: Option<usize>,
    /// Where to go on: the `cursor` of the result before, with the same query.
    #[serde(default)]
    cursor: Option<String>,
    #[serde(flatten)]
    within: NoteScope,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

impl AgentTool for SearchArgs {
    const NAME: &'static str = "memora_search";
    const TITLE: &'static str = "Search the notes";
    const DESCRIPTION: &'static str = "Lists claims of the user's notes that match some words, best first, to look for more than \
        memora_query_cited gave, or for something other than an answer.";
    type Result = SearchResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let query = args::checked_query(&self.query)?;
        let offset = parse_offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(10).clamp(1, 50);
        let (since, until) = self.within.time_range()?;
        let options = SearchOptions {
            since,
            until,
            limit: offset + limit + 1,
            filter: self.within.note_filter(reading)?,
            authors: Authors::with_captured(self.within.captured),
            as_of: self.within.as_of()?,
            ..SearchOptions::default()
        };
        let report = reading.session()?.search().report_claims(query, &options, reading.freshness())?;
        let hits = report.hits.iter().skip(offset).filter_map(|hit| {
            let claim = AgentClaim::from_wire(&hit.claim, ClaimDetail::Brief)?;
            Some(AgentHit { claim, relevance: hit.relevance, days: hit.days.clone() })
        });
        let mut claims: Vec<AgentHit<D>> = hits.collect();
        let mut more = claims.len() > limit;
        claims.truncate(limit);
        if report.of_time {
            // Sort the page rather than the list: the next page starts where this one ends.
            claims.sort_by_key(|hit| (hit.days.is_none(), hit.days.clone()));
        }
        let withheld = if offset == 0 { WithheldSubject::from_redacted(&report.redacted) } else { Vec::new() };
        let status = if claims.is_empty() {
            status_or_due(reading.freshness(), SearchStatus::NothingFound, SearchStatus::NotIndexedYet)
        } else {
            SearchStatus::Found
        };
        let next = match status {
            SearchStatus::Found => {
                "Answer from these claims alone and cite each by [claim:ID]; memora_claim tells more of one, and cursor \
                leads to more. Pass the draft to memora_verify. A claim of relevance none is most likely about something else."
            }
            SearchStatus::NotIndexedYet => INDEXING_HINT,
            SearchStatus::NothingFound => {
                "Nothing in the notes that you may see has these words. Ask in words that the note would have, or tell the user \
                that the notes do not say."
            }
        };
        let mut result =
            SearchResult { status, claims: Vec::new(), withheld, next, cursor: None, freshness: reading.freshness() };
        more |= ResultBudget::from_tokens(self.max_tokens).reserve_for(&result).fit_at_least_one(&mut claims);
        result.cursor = next_cursor(offset + claims.len(), more && !claims.is_empty());
        result.claims = claims;
        let pieces = result
            .claims
            .iter()
            .map(|hit| hit.claim.egress_item())
            .chain(result.withheld.iter().map(WithheldSubject::egress_item));
        let pieces = pieces.collect();
        structured_response(&result, pieces)
    }
}
