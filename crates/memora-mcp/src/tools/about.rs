//! `memora_about`: who or what somebody or something is.

use std::collections::HashSet;

use memora_engine::report::{CoOccurrence, EntityStatus, NamedEntity};
use memora_engine::{Authors, CloudDoor, Door, EntityQuery};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;

use super::args;
use super::tool::{AgentTool, reads};
use crate::budget::{fit_written, next_offset};
use crate::request::{Response, status_or_due};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{
    AboutResult, AgentClaim, AgentEntity, AgentNeighbour, EntityClaim, EntityLookup, EntityRole, decode_note_path,
    note_path, note_text,
};

/// The bytes of a page's claims.
const PAGE_BYTES: usize = 2_400;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct AboutArgs {
    /// A person, a thing, a note: a name, an alias or a path.
    name: String,
    /// Go on from here: the number that the page before ended with.
    #[serde(default)]
    from: usize,
    /// Whether captured notes count too, which machines wrote.
    #[serde(default)]
    captured: bool,
}

impl AgentTool for AboutArgs {
    const NAME: &'static str = "memora_about";
    const TITLE: &'static str = "Who or what it is";
    const DESCRIPTION: &'static str = "What the notes say about somebody or something, under all its names: what is dated in time order, then \
        the rest; what it occurs with.";
    type Result = AboutResult<CloudDoor>;

    fn annotations() -> ToolAnnotations {
        reads(Self::TITLE)
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
        let name = args::checked_query(&self.name)?;
        let path = decode_note_path(name);
        let name = path.as_deref().unwrap_or(name);
        let listed = self.from.min(1_000) + 30;
        let query = EntityQuery { name, limit: listed, timeline: false };
        let authors = Authors::with_captured(self.captured);
        let report = reading.session()?.entity_reports(authors).report_entity(&query, reading.freshness())?;
        let about =
            AgentClaim::iter_brief(&report.claims).map(|claim| EntityClaim { role: EntityRole::Subject, claim });
        let naming =
            AgentClaim::iter_brief(&report.mentions).map(|claim| EntityClaim { role: EntityRole::Mention, claim });
        // A statement once, however many claims it makes.
        let mut seen = HashSet::new();
        let mut claims: Vec<_> =
            about.chain(naming).filter(|listed| seen.insert(listed.claim.statement().to_owned())).collect();
        // Stable: what has no date stays in its order, fields behind sentences.
        claims.sort_by_key(|listed| {
            let day = listed.claim.since().map(str::to_owned);
            (listed.claim.is_field(), day.is_none(), day)
        });
        let mut claims: Vec<_> = claims.into_iter().skip(self.from).collect();
        let status = match report.status {
            EntityStatus::Unknown => {
                status_or_due(reading.freshness(), EntityLookup::Unknown, EntityLookup::NotIndexedYet)
            }
            status => status.into(),
        };
        let is_cut = fit_written(PAGE_BYTES, &mut claims);
        let result = AboutResult {
            status,
            meant: report.entity.iter().chain(&report.candidates).take(5).map(agent_entity).collect(),
            nearest: report.nearest.iter().take(5).map(|name| note_text(name, 100)).collect(),
            only_captured: report.only_captured,
            next: next_offset(self.from + claims.len(), (is_cut || report.more) && !claims.is_empty()),
            claims,
            co_occurs: report.co_occurs.iter().take(10).map(agent_neighbour).collect(),
            freshness: reading.freshness(),
        };
        let pieces = result.claims.iter().map(|claim| claim.claim.egress_item()).collect();
        ToolAnswer::respond(&result, pieces)
    }
}

fn agent_entity(entity: &NamedEntity) -> AgentEntity {
    AgentEntity {
        name: note_text(&entity.name, 100),
        names: entity.names.iter().take(5).map(|name| note_text(name, 60)).collect(),
        path: entity.path.as_deref().map(|path| note_path(path, 300)),
    }
}

fn agent_neighbour(neighbour: &CoOccurrence) -> AgentNeighbour {
    AgentNeighbour { name: note_text(&neighbour.name, 60), count: neighbour.count }
}
