//! `memora_entity`: looks up a person or a thing.

use memora_engine::report::{CoOccurrence, EntityStatus, NamedEntity};
use memora_engine::{Authors, CloudDoor, Door, EntityQuery};
use memora_service::ReadContext;
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, args, structured_response};
use crate::budget::{ResultBudget, next_cursor, parse_offset};
use crate::request::{INDEXING_HINT, Response, status_or_due};
use crate::tool_error::ToolError;
use crate::wire::{
    AgentClaim, AgentEntity, AgentNeighbour, EntityClaim, EntityLookup, EntityResult, EntityRole, decode_note_path,
    note_path, note_text,
};

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntityArgs {
    /// A note's title or alias, the words of a link to it, a name without a note, or a note's path.
    name: String,
    /// How many claims at most, 1 to 50.
    #[serde(default)]
    limit: Option<usize>,
    /// Whether captured notes count too, which machines wrote.
    #[serde(default)]
    captured: bool,
    /// Where to go on: the `cursor` of the result before, with the same name.
    #[serde(default)]
    cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    max_tokens: Option<usize>,
}

impl AgentTool for EntityArgs {
    const NAME: &'static str = "memora_entity";
    const TITLE: &'static str = "Look up a person or thing";
    const DESCRIPTION: &'static str = "Lists what the user's notes claim about somebody or something, under all its names, and \
        what it occurs with.";
    type Result = EntityResult<CloudDoor>;

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<CallToolResult>, ToolError> {
        let name = args::checked_query(&self.name)?;
        let offset = parse_offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(20).clamp(1, 50);
        let path = decode_note_path(name);
        let name = path.as_deref().unwrap_or(name);
        let query = EntityQuery { name, limit: offset + limit, timeline: false };
        let authors = Authors::with_captured(self.captured);
        let report = reading.session()?.entity_reports(authors).report_entity(&query, reading.freshness())?;
        let about =
            AgentClaim::iter_brief(&report.claims).map(|claim| EntityClaim { role: EntityRole::Subject, claim });
        let naming =
            AgentClaim::iter_brief(&report.mentions).map(|claim| EntityClaim { role: EntityRole::Mention, claim });
        let mut claims: Vec<_> = about.chain(naming).skip(offset).collect();
        let status = match report.status {
            EntityStatus::Unknown => {
                status_or_due(reading.freshness(), EntityLookup::Unknown, EntityLookup::NotIndexedYet)
            }
            status => status.into(),
        };
        let next = match status {
            EntityLookup::Found if report.claims.is_empty() => {
                "No claim is about it: what the notes say where they mention it is listed. Cite each by [claim:ID]."
            }
            EntityLookup::Found => "Answer from these claims alone and cite each by [claim:ID]; cursor leads to more.",
            EntityLookup::Ambiguous => {
                "Several notes have this name: ask the user which is meant, and call again with its path."
            }
            EntityLookup::NotIndexedYet => INDEXING_HINT,
            EntityLookup::Unknown if report.only_captured => {
                "The user's own notes do not have this name, and notes that machines wrote do: call again with captured: true, \
                and say whose words these are."
            }
            EntityLookup::Unknown => {
                "Nobody and nothing in the notes that you may see has this name. One of nearest may be meant; memora_search looks \
                for words rather than names."
            }
        };
        let mut result = EntityResult {
            status,
            meant: report.entity.iter().chain(&report.candidates).take(5).map(agent_entity).collect(),
            nearest: report.nearest.iter().take(5).map(|name| note_text(name, 100)).collect(),
            mentioned: report.mentioned,
            claims: Vec::new(),
            co_occurs: report.co_occurs.iter().take(10).map(agent_neighbour).collect(),
            next,
            cursor: None,
            freshness: reading.freshness(),
        };
        let more = ResultBudget::from_tokens(self.max_tokens).reserve_for(&result).fit_at_least_one(&mut claims)
            || report.more;
        result.cursor = next_cursor(offset + claims.len(), more && !claims.is_empty());
        result.claims = claims;
        let pieces = result.claims.iter().map(|claim| claim.claim.egress_item()).collect();
        structured_response(&result, pieces)
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
