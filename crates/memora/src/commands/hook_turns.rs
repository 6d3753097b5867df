//! The hooks of a turn's end and of a compaction: checkpoints of a session, and the request to save.

use std::time::Duration;

use memora_engine::report::WriteStatus;
use memora_engine::{Door, FoundVault, LocalDoor, Memora, MemoryAccess, MemorySession, SessionTurns, Transcript};

use super::hook::{Answer, HookCall, log_answer};
use super::vault::{load_config, open_vault};
use crate::command_error::CommandError;

/// The time that a compaction waits for the end of a turn.
const COUNTS_TIMEOUT: Duration = Duration::from_secs(5);

/// What an agent is asked every so many turns. Between tags, so that it is no word of the user's in the transcript.
const SAVE_REQUEST: &str = "<memora-request>Before you stop: if another session will need something that this one came to (a \
    decision, a preference of the user's, a fact that took work to find), save each with memory_save, and open tasks too, with \
    kind task. If there is nothing, or you have no memory_* tools, just stop.</memora-request>";

impl HookCall<'_> {
    /// A turn ended: writes a checkpoint, and asks the agent to save, where that is due. Mostly nothing is, and then only the
    /// settings and the new lines of the transcript are read.
    pub(super) fn end_turn(&self) -> Result<Option<Answer>, CommandError> {
        let HookCall { global, event, ui, .. } = *self;
        let Some(transcript) = &event.transcript_path else { return Ok(None) };
        let found = FoundVault::find(global.vault.as_deref(), load_config(global)?)?;
        let memory = &found.config().memory;
        if memory.checkpoint_every == 0 && memory.ask_every == 0
            || memory.access_in(found.vault()) < MemoryAccess::Write
        {
            return Ok(None);
        }
        if !found.state_dir().is_dir() {
            found.open()?;
        }
        // Another process that has the counts does what is due.
        let turns = SessionTurns::open(found.state_dir(), event.session(), transcript, Duration::ZERO)?;
        let Some(mut turns) = turns else { return Ok(None) };
        turns.count_new()?;
        let saved = if turns.is_checkpoint_due(memory.checkpoint_every) {
            self.save_checkpoint(&open_vault(global, ui)?, &mut turns)
        } else {
            Ok(())
        };
        // A turn that a hook asked for, whoever's, ends without another request.
        let asks =
            saved.is_ok() && turns.is_request_due(memory.ask_every) && !event.is_continued() && !event.was_cut_off();
        if asks {
            turns.mark_request();
        }
        turns.store()?;
        saved?;
        if !asks {
            return Ok(None);
        }
        log_answer(found.state_dir(), "stop", SAVE_REQUEST, [])?;
        Ok(Some(Answer::Request(SAVE_REQUEST)))
    }

    /// A session is about to be compacted: writes a checkpoint of what no checkpoint has.
    pub(super) fn prepare_compaction(&self) -> Result<Option<Answer>, CommandError> {
        let Some(transcript) = &self.event.transcript_path else { return Ok(None) };
        let memora = open_vault(self.global, self.ui)?;
        if memora.config().memory.access_in(memora.vault()) < MemoryAccess::Write {
            return Ok(None);
        }
        if let Some(mut turns) =
            SessionTurns::open(memora.state_dir(), self.event.session(), transcript, COUNTS_TIMEOUT)?
        {
            self.save_checkpoint(&memora, &mut turns)?;
            turns.store()?;
        }
        Ok(None)
    }

    fn save_checkpoint(&self, memora: &Memora, turns: &mut SessionTurns) -> Result<(), CommandError> {
        let transcript = turns.read_since_checkpoint()?;
        if !transcript.is_empty() {
            match self.args.local {
                true => self.save_checkpoint_at(memora, &transcript, LocalDoor),
                false => self.save_checkpoint_at(memora, &transcript, memora.cloud_door()),
            }?;
        }
        turns.mark_checkpoint();
        Ok(())
    }

    fn save_checkpoint_at<D: Door>(
        &self,
        memora: &Memora,
        transcript: &Transcript,
        door: D,
    ) -> Result<(), CommandError> {
        let writer = self.writer(memora, Some(self.args.client));
        let of = MemorySession::named(self.event.session());
        let session = memora.session(door)?;
        let report = session.memories(&of, &writer)?.gate().save_checkpoint(transcript)?;
        // What is not kept is not marked as kept: it is tried again, with what comes.
        if matches!(report.status, WriteStatus::Refused | WriteStatus::NotOwned) {
            let hint = "what this session came to is in its transcript; memory_save keeps what matters of it";
            return Err(CommandError::failed("the checkpoint was not kept").with_hint(hint));
        }
        Ok(())
    }
}
