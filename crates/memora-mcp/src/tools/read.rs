//! `memora_read`: a note, or what there is to say of one line of it.

use memora_engine::report::{ClaimState, NoteReading};
use memora_engine::{Authors, ClaimId, CloudDoor, Door, EntityQuery, MemoryAccess, NotePath};
use memora_service::ReadContext;
use rmcp::model::ToolAnnotations;
use schemars::JsonSchema;
use serde::Deserialize;

use super::args;
use super::memory::{MemoryPageRequest, read_memory};
use super::tool::{AgentTool, reads};
use crate::request::{Caller, EgressItem, Response, status_or_due};
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{
    AgentClaim, AgentDecision, AgentPassage, ClaimDetail, ClaimEdge, ClaimLookup, ClaimResult, NoteResult, ReadResult,
    decode_note_path, note_path, note_text,
};

/// The bytes of a page.
const PAGE_BYTES: usize = 5_600;

/// The most that is listed of a claim's places, of its edges, and of decisions about it.
const LISTED_MAX: usize = 10;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadArgs {
    /// A note: its path, title or alias. Of memory: an id, or memory:list, memory:tasks, memory:log, memory:log/DAY.
    #[serde(default)]
    note: Option<String>,
    /// Begin at this heading of it.
    #[serde(default)]
    heading: Option<String>,
    /// Go on from here: the number that the page before ended with.
    #[serde(default)]
    from: usize,
    /// Or a claim's id: its places, what became of it, what it is to others.
    #[serde(default)]
    claim: Option<String>,
    /// Of memory: another project.
    #[serde(default)]
    project: Option<String>,
    #[serde(skip)]
    caller: Caller,
}

impl AgentTool for ReadArgs {
    const NAME: &'static str = "memora_read";
    const TITLE: &'static str = "Read a note";
    const DESCRIPTION: &'static str =
        "A note as you may see it, a statement a line with its id, in pages; or all about one claim.";
    type Result = ReadResult<CloudDoor>;

    fn annotations() -> ToolAnnotations {
        reads(Self::TITLE)
    }

    fn set_caller(&mut self, caller: &Caller) {
        self.caller = caller.clone();
    }

    fn answer<D: Door>(&self, reading: &ReadContext<'_, D>) -> Result<Response<ToolAnswer>, ToolError> {
        let (result, pieces) = match (&self.note, &self.claim) {
            (Some(note), None) => {
                if let Some(read) = self.read_memory(note, reading)? {
                    return Ok(read);
                }
                let (note, pieces) = self.read_note(note, reading)?;
                (ReadResult { note: Some(note), ..ReadResult::default() }, pieces)
            }
            (None, Some(claim)) => {
                let (claim, pieces) = look_up_claim(claim, reading)?;
                (ReadResult { claim: Some(claim), ..ReadResult::default() }, pieces)
            }
            _ => return Err(ToolError::new("give `note` or `claim`, one of them", "memora_find shows paths and ids")),
        };
        ToolAnswer::respond(&result, pieces)
    }
}

impl ReadArgs {
    /// Reads what is remembered, where the name is one of memory and the client may know of it.
    fn read_memory<D: Door>(
        &self,
        name: &str,
        reading: &ReadContext<'_, D>,
    ) -> Result<Option<Response<ToolAnswer>>, ToolError> {
        if self.caller.memory.access == MemoryAccess::Off {
            return Ok(None);
        }
        let asked = MemoryPageRequest { name: name.trim(), from: self.from, project: self.project.as_deref() };
        read_memory(&asked, &self.caller, reading)
    }

    /// Reads a page of a note.
    fn read_note<D: Door>(
        &self,
        name: &str,
        reading: &ReadContext<'_, D>,
    ) -> Result<(NoteResult<D>, Vec<EgressItem>), ToolError> {
        let path = find_note(args::checked_query(name)?, reading)?;
        let Some(read) = reading.session()?.catalog().read_statements(&path)? else { return Err(no_note(reading)) };
        let heading = self.heading.as_deref().map(str::trim).filter(|heading| !heading.is_empty());
        let start = match heading {
            Some(heading) => self.from.max(line_of_heading(&read, heading)?),
            None => self.from,
        };
        let (mut left, mut number, mut next) = (PAGE_BYTES, 0, None);
        let (mut passages, mut pieces) = (Vec::<AgentPassage<D>>::new(), Vec::new());
        for passage in &read.passages {
            let mut shown = AgentPassage::from_passage(passage, &[]);
            let lines = std::mem::take(&mut shown.lines);
            // Its place is told with its first line.
            let mut place = shown.place.len() + 1;
            for (line, source) in lines.into_iter().zip(&passage.lines) {
                number += 1;
                if number <= start || next.is_some() {
                    continue;
                }
                let size = place + line.written_bytes();
                if size > left && !pieces.is_empty() {
                    next = Some(number - 1);
                    continue;
                }
                (left, place) = (left.saturating_sub(size), 0);
                pieces.push((Some(source.claim.clone()), source.band));
                shown.lines.push(line);
            }
            passages.extend(Some(shown).filter(|shown| !shown.lines.is_empty()));
        }
        let result = NoteResult {
            path: note_path(&read.path, usize::MAX),
            passages,
            next,
            is_whole: read.is_whole,
            captured: read.is_captured,
            freshness: reading.freshness(),
        };
        Ok((result, pieces))
    }
}

/// Finds the note that a path or a name means, as Obsidian resolves links.
fn find_note<D: Door>(name: &str, reading: &ReadContext<'_, D>) -> Result<NotePath, ToolError> {
    let named = decode_note_path(name).unwrap_or_else(|| name.trim().to_owned());
    let named = named.trim_start_matches("[[").trim_end_matches("]]").trim();
    let mut found = reading.session()?.catalog().find_notes_named(named)?;
    found.sort();
    match found.len() {
        // Its own path leads to a note that no name does.
        0 => match NotePath::new(named) {
            Ok(path) if named.ends_with(".md") => Ok(path),
            _ => Err(no_note_named(named, reading)?),
        },
        1 => Ok(found.remove(0)),
        _ => {
            let paths: Vec<String> = found.iter().take(5).map(|path| note_path(path.as_str(), 200)).collect();
            Err(ToolError::not_found(
                format!("several notes have this name: {}", paths.join(", ")),
                "call again with a path",
            ))
        }
    }
}

/// Says that no note has a name, and which names are like it.
fn no_note_named<D: Door>(name: &str, reading: &ReadContext<'_, D>) -> Result<ToolError, ToolError> {
    let query = EntityQuery { name, limit: 1, timeline: false };
    let report = reading.session()?.entity_reports(Authors::All).report_entity(&query, reading.freshness())?;
    let like: Vec<String> = report.nearest.iter().take(5).map(|name| note_text(name, 100)).collect();
    Ok(match like.is_empty() {
        true => no_note(reading),
        false => ToolError::not_found(
            format!("there is no such note; names like it: {}", like.join(", ")),
            "memora_find shows the paths of notes",
        ),
    })
}

fn no_note<D: Door>(reading: &ReadContext<'_, D>) -> ToolError {
    let hint = match reading.freshness().fresh {
        true => "memora_find shows the paths of notes",
        false => "notes are being indexed: ask again in a moment",
    };
    ToolError::not_found("there is no such note", hint)
}

/// How many statements stand before a heading.
fn line_of_heading<D: Door>(read: &NoteReading<D>, heading: &str) -> Result<usize, ToolError> {
    let wanted = heading.trim_start_matches('#').trim().to_lowercase();
    let mut before = 0;
    for passage in &read.passages {
        if passage.context.iter().any(|above| above.to_lowercase() == wanted) {
            return Ok(before);
        }
        before += passage.lines.len();
    }
    Err(ToolError::not_found("the note has no such heading, or nothing below it", "read it without `heading`"))
}

/// Looks up a claim by its id.
pub(crate) fn look_up_claim<D: Door>(
    typed: &str,
    reading: &ReadContext<'_, D>,
) -> Result<(ClaimResult<D>, Vec<EgressItem>), ToolError> {
    let typed = ClaimId::strip_citation(typed);
    if typed.starts_with('~') {
        let hint = "tell the user that it is withheld from you";
        return Err(ToolError::new("this is the handle of a withheld claim", hint));
    }
    let hint = "an id has twelve letters and digits, as memora_find shows them";
    let id = ClaimId::parse(typed).map_err(|_| ToolError::new("this is not a claim id", hint))?;
    let report = reading.session()?.catalog().explain_claim(&id)?;
    let claims = report.claims.iter().filter_map(|claim| AgentClaim::from_wire(claim, ClaimDetail::Full));
    let decided = report.decisions.iter().rev().take(LISTED_MAX).rev().map(AgentDecision::from_report);
    let status = match report.status {
        ClaimState::Unknown => status_or_due(reading.freshness(), ClaimLookup::Unknown, ClaimLookup::NotIndexedYet),
        state => state.into(),
    };
    let result = ClaimResult {
        asked: report.asked.clone(),
        status,
        explanation: note_text(&report.explanation, 1_200),
        claims: claims.take(LISTED_MAX).collect(),
        edges: report.edges.iter().filter_map(ClaimEdge::from_report).take(LISTED_MAX).collect(),
        decisions: decided.collect(),
        freshness: reading.freshness(),
    };
    let others = result.edges.iter().map(|edge| &edge.other);
    let pieces = result.claims.iter().chain(others).map(AgentClaim::egress_item).collect();
    Ok((result, pieces))
}
