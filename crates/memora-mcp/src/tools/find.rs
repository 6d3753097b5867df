//! `memora_find`: the passages of the notes that come nearest to a question.

use memora_engine::{Authors, CloudDoor, Door, FindRequest, SearchOptions};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;

use super::args::{self, NoteScope};
use super::tool::{AgentTool, reads};
use crate::request::{Response, status_or_due};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{AgentPassage, FindResult, ListStatus, WithheldSubject};

/// The bytes of passages for each that is wanted, and without a wish.
const PASSAGE_BYTES: usize = 560;
const BYTES: usize = 2_950;

/// The most wordings of a question.
const WORDINGS_MAX: usize = 5;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct FindArgs {
    /// The question, in the user's words. Dates count: "last week", "in the summer of 2019".
    question: String,
    /// Other wordings: synonyms, the words that a note would have.
    #[serde(default)]
    also: Vec<String>,
    /// Passages at most, 1 to 30; 5.
    #[serde(default)]
    limit: Option<usize>,
    #[serde(flatten)]
    within: NoteScope,
}

impl AgentTool for FindArgs {
    const NAME: &'static str = "memora_find";
    const TITLE: &'static str = "Find in the user's notes";
    const DESCRIPTION: &'static str = "Passages of the user's notes that come nearest to a question, best first, each line with the id to \
        cite it by. Call it first for whatever the notes may hold.";
    type Result = FindResult<CloudDoor>;

    fn annotations() -> ToolAnnotations {
        reads(Self::TITLE)
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
        let also = self.also.iter().filter(|wording| !wording.trim().is_empty()).take(WORDINGS_MAX - 1);
        let wordings = std::iter::once(&self.question).chain(also);
        let wordings = wordings.map(|wording| args::checked_query(wording).map(str::to_owned));
        let (since, until) = self.within.time_range()?;
        let options = SearchOptions {
            since,
            until,
            filter: self.within.note_filter(),
            authors: Authors::with_captured(self.within.captured),
            as_of: self.within.as_of()?,
            ..SearchOptions::default()
        };
        let bytes = self.limit.map_or(BYTES, |limit| limit.clamp(1, 30) * PASSAGE_BYTES);
        let asked = FindRequest { wordings: wordings.collect::<Result<_, _>>()?, options, bytes };
        let mut report = reading.session()?.answerer().find_passages(&asked, reading.freshness())?;
        report.passages.truncate(self.limit.unwrap_or(usize::MAX).max(1));
        let lines = || report.passages.iter().flat_map(|passage| &passage.lines);
        let remarked = |id: &str| lines().any(|line| line.claim == id);
        let against =
            report.remarks.iter().filter(|remark| remarked(&remark.claim)).flat_map(|remark| &remark.contested_by);
        let status = match report.passages.is_empty() {
            true => status_or_due(reading.freshness(), ListStatus::None, ListStatus::NotIndexedYet),
            false => ListStatus::Found,
        };
        let result = FindResult {
            status,
            certainty: report.certainty,
            passages: report
                .passages
                .iter()
                .map(|passage| AgentPassage::from_passage(passage, &report.remarks))
                .collect(),
            unknown: report.unknown.clone(),
            withheld: WithheldSubject::from_redacted(&report.redacted),
            by_meaning: report.by_meaning,
            freshness: report.freshness,
        };
        let pieces = lines().map(|line| (Some(line.claim.clone()), line.band));
        let pieces = pieces.chain(against.map(|claim| (Some(claim.id().to_owned()), claim.band())));
        ToolAnswer::respond(&result, pieces.chain(result.withheld.iter().map(WithheldSubject::egress_item)).collect())
    }
}
