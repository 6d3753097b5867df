//! What a language model is asked in a pass of consolidating: the facts of a session's note, a sentence for memories that become one.
//!
//! Invariant: **a session never outlives a call to the model**, as for answers: each prompt is built in a session of its own, which
//! re-reads the files. The same words are asked about once. A model that fails, or does not reply as asked, ends the questions and not
//! the pass.

use std::io;

use memora_model::ModelError;
use memora_redact::{DoorView, LocalDoor, Prompt, Viewer};
use memora_vault::Hint;

use crate::read::answer::drafted::DRAFT_CHARS_MAX;
use crate::read::answer::model_reply::Draft;
use crate::read::llm::model_questions::ModelQuestions;
use crate::read::llm::send::{Asking, PromptSender, SendError};
use crate::remember::error::MemoryError;
use crate::remember::memories::Memories;
use crate::remember::plan::ConsolidationCalls;
use crate::remember::session::{MemorySession, MemoryWriter};
use crate::state::memory_replies::MemoryReplies;

/// Why a pass of consolidating ended early.
#[derive(Debug, thiserror::Error)]
pub enum ConsolidateError {
    /// Memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The model: it was stopped, or a prompt may not leave.
    #[error(transparent)]
    Send(#[from] SendError),
    /// The replies could not be stored.
    #[error("cannot store what the model replies")]
    Store(#[source] io::Error),
}

impl Hint for ConsolidateError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Memory(error) => error.hint(),
            Self::Send(error) => error.hint(),
            Self::Store(_) => "check that the state folder can be written",
        }
    }
}

impl ModelQuestions<'_> {
    /// Asks a model about the notes of sessions that it was not asked about yet, and about memories that are to become one; of both,
    /// what is this door's. `plan_replies` of `remember/consolidate.rs` tells what follows from its replies.
    ///
    /// # Errors
    /// [`ConsolidateError`]. A failing model is not an error.
    pub(crate) fn ask_memory_questions(
        &self,
        of: &MemorySession,
        writer: &MemoryWriter,
        door: DoorView,
        asking: &Asking<'_>,
        asked: &mut ConsolidationCalls,
    ) -> Result<(), ConsolidateError> {
        let mut replies = MemoryReplies::load(&self.memora.state);
        replies.retain(|path| self.memora.vault.root().join(path).is_file()).map_err(ConsolidateError::Store)?;
        let mut files = self.with_memories(of, writer, door, |memories| memories.facts().session_files())?;
        files.retain(|file| replies.find(&file.subject()).is_none());
        for file in &files {
            if !asked.may_go_on() {
                asked.due += 1;
                continue;
            }
            let asks = |memories: &Memories<'_>| memories.facts().ask_about_session(file);
            let Some(prompt) = self.with_memories(of, writer, door, asks)? else {
                asked.due += 1;
                continue;
            };
            match self.ask_for_sentences(&prompt, "remember", asking, asked)? {
                Some(reply) => {
                    let stored = replies.store(&file.subject(), asking.model.name(), &reply);
                    stored.map_err(ConsolidateError::Store)?;
                }
                None => asked.due += 1,
            }
        }
        self.ask_about_merges(of, writer, door, asking, &mut replies, asked)
    }

    fn ask_about_merges(
        &self,
        of: &MemorySession,
        writer: &MemoryWriter,
        door: DoorView,
        asking: &Asking<'_>,
        replies: &mut MemoryReplies,
        asked: &mut ConsolidationCalls,
    ) -> Result<(), ConsolidateError> {
        let groups = self.with_memories(of, writer, LocalDoor.view(), |memories| {
            Ok(memories.facts().merge_groups(&memories.upkeep().plan_consolidation(false)?))
        })?;
        for group in &groups {
            if !asked.may_go_on() {
                break;
            }
            let (about, prompt) = self.with_memories(of, writer, door, |memories| {
                let about = memories.facts().subject_of_merge(group).filter(|about| replies.find(about).is_none());
                Ok((about, memories.facts().ask_about_merge(group)?))
            })?;
            let (Some(about), Some(prompt)) = (about, prompt) else { continue };
            if let Some(reply) = self.ask_for_sentences(&prompt, "merge", asking, asked)? {
                replies.store(&about, asking.model.name(), &reply).map_err(ConsolidateError::Store)?;
            }
        }
        Ok(())
    }

    /// Does something with memories in a session of its own.
    fn with_memories<T>(
        &self,
        of: &MemorySession,
        writer: &MemoryWriter,
        door: DoorView,
        act: impl FnOnce(&Memories<'_>) -> Result<T, MemoryError>,
    ) -> Result<T, MemoryError> {
        act(&Memories::new(&self.memora.session_for(door)?, of, writer)?)
    }

    /// Asks once; `None` for a failure, which is noted.
    fn ask_for_sentences(
        &self,
        prompt: &Prompt,
        what: &str,
        asking: &Asking<'_>,
        asked: &mut ConsolidationCalls,
    ) -> Result<Option<String>, SendError> {
        let Asking { model, leaves, stop, .. } = *asking;
        asked.calls += 1;
        let reply = match (PromptSender { memora: self.memora, model, leaves, stop }).send_for(prompt, what) {
            Ok(completion) => completion.text().chars().take(DRAFT_CHARS_MAX).collect::<String>(),
            Err(SendError::Model(error @ (ModelError::Stopped | ModelError::Elsewhere { .. }))) => {
                return Err(error.into());
            }
            Err(SendError::Model(error)) => {
                // It is about these words, and says nothing of the next.
                asked.is_over |= !matches!(error, ModelError::Refused { .. });
                asked.miss(error.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        if !Draft::is_as_asked(&reply) {
            asked.miss(format!("what {} replies is no list of sentences", model.name()));
            return Ok(None);
        }
        asked.misses = 0;
        Ok(Some(reply))
    }
}
