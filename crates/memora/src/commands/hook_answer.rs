//! What an event of a program is answered with, who writes for it, and its line in the egress log.

use std::path::Path;

use memora_engine::{Band, EgressEntry, EgressLog, Memora, MemoryWriter, find_project};

use crate::clients::hooks::HookProgram;
use crate::clients::payload::HookEvent;
use crate::command_error::CommandError;

/// What an event is answered with.
pub(super) enum Answer {
    /// A text for the context of the session, by the program's name of the event.
    Context(&'static str, String),
    /// Why a tool may not do what it is about to.
    Denial(&'static str),
    /// What the agent is asked to do before it stops.
    Request(&'static str),
}

/// Who writes for an event: a program's agent, or the user.
pub(super) fn writer_of(memora: &Memora, event: &HookEvent, agent: Option<HookProgram>) -> MemoryWriter {
    let folder = event.folder().or_else(|| std::env::current_dir().ok());
    MemoryWriter {
        agent: agent.map(|program| program.agent().to_owned()),
        project: folder.and_then(|folder| find_project(&folder)),
        at: memora.config().today.to_datetime(jiff::Zoned::now().time()),
    }
}

/// Writes an answer into the egress log. What cannot be logged is not given.
pub(super) fn log_answer(
    state: &Path,
    what: &str,
    text: &str,
    pieces: impl IntoIterator<Item = (Option<String>, Band)>,
) -> Result<(), CommandError> {
    let entry = EgressEntry::now("hook", None, what, u64::try_from(text.len()).unwrap_or(u64::MAX));
    Ok(EgressLog::in_state_dir(state).record(&entry.with_pieces(pieces))?)
}
