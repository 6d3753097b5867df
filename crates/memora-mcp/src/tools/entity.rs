//! `memora_entity`: who or what something is.

use memora_engine::report::{CoOccurrence, EntityStatus, NamedEntity};
use memora_engine::{CloudDoor, Door};
use rmcp::model::CallToolResult;
use schemars::JsonSchema;
use serde::Deserialize;

use super::{AgentTool, args, told};
use crate::budget::{Budget, cursor, cut, offset};
use crate::reading::{Reading, Told, WHILE_DUE};
use crate::trouble::Trouble;
use crate::wire::{AgentClaim, EntityClaim, EntityLookup, EntityResult, EntityRole, Named, Neighbour};

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

    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<CallToolResult>, Trouble> {
        let name = args::words(&self.name)?;
        let offset = offset(self.cursor.as_deref())?;
        let limit = self.limit.unwrap_or(20).clamp(1, 50);
        let report = reading.session()?.entity_reports().report_entity(
            name,
            offset + limit,
            false,
            self.captured,
            reading.freshness,
        )?;
        let about = AgentClaim::brief(&report.claims).map(|claim| EntityClaim { role: EntityRole::Subject, claim });
        let naming = AgentClaim::brief(&report.mentions).map(|claim| EntityClaim { role: EntityRole::Mention, claim });
        let mut claims: Vec<_> = about.chain(naming).skip(offset).collect();
        let status = match report.status {
            EntityStatus::Unknown => reading.unless_due(EntityLookup::Unknown, EntityLookup::NotIndexedYet),
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
            EntityLookup::NotIndexedYet => WHILE_DUE,
            EntityLookup::Unknown => {
                "Nobody and nothing in the notes that you may see has this name. One of nearest may be meant; memora_search looks \
                for words rather than names."
            }
        };
        let mut result = EntityResult {
            status,
            meant: report.entity.iter().chain(&report.candidates).take(5).map(named).collect(),
            nearest: report.nearest.iter().take(5).map(|name| cut(name, 100)).collect(),
            mentioned: report.mentioned,
            claims: Vec::new(),
            co_occurs: report.co_occurs.iter().take(10).map(neighbour).collect(),
            next,
            cursor: None,
            freshness: reading.freshness,
        };
        let more = Budget::of(self.max_tokens).beside(&result).fit(&mut claims) || report.more;
        result.cursor = cursor(offset + claims.len(), more && !claims.is_empty());
        result.claims = claims;
        let pieces = result.claims.iter().map(|claim| claim.claim.piece()).collect();
        told(&result, pieces)
    }
}

fn named(entity: &NamedEntity) -> Named {
    Named {
        name: cut(&entity.name, 100),
        names: entity.names.iter().take(5).map(|name| cut(name, 60)).collect(),
        path: entity.path.as_deref().map(|path| cut(path, 300)),
    }
}

fn neighbour(neighbour: &CoOccurrence) -> Neighbour {
    Neighbour { name: cut(&neighbour.name, 60), count: neighbour.count }
}
