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
use crate::state::memory_replies::{MemoryReplies, ReplySubject};
use crate::state::open::Memora;

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
        let mut pass = AskingPass { memora: self.memora, of, writer, door, asking, asked, replies };
        pass.ask_about_sessions()?;
        pass.ask_about_merges()
    }
}

/// A pass at one door: who asks which model about whose memories, and what it replied so far.
struct AskingPass<'a> {
    memora: &'a Memora,
    of: &'a MemorySession,
    writer: &'a MemoryWriter,
    door: DoorView,
    asking: &'a Asking<'a>,
    asked: &'a mut ConsolidationCalls,
    replies: MemoryReplies,
}

impl AskingPass<'_> {
    fn ask_about_sessions(&mut self) -> Result<(), ConsolidateError> {
        let mut files = self.with_memories(self.door, |memories| memories.facts().session_files())?;
        files.retain(|file| self.replies.find(&file.subject()).is_none());
        for file in &files {
            let is_replied = self.asked.may_go_on() && {
                let prompt = self.with_memories(self.door, |memories| memories.facts().ask_about_session(file))?;
                self.ask_about(&file.subject(), prompt, "remember")?
            };
            self.asked.report.due += usize::from(!is_replied);
        }
        Ok(())
    }

    fn ask_about_merges(&mut self) -> Result<(), ConsolidateError> {
        let groups = self.with_memories(LocalDoor.view(), |memories| {
            Ok(memories.facts().merge_groups(&memories.upkeep().plan_consolidation(false)?))
        })?;
        for group in &groups {
            if !self.asked.may_go_on() {
                break;
            }
            let (about, prompt) = self.with_memories(self.door, |memories| {
                Ok((memories.facts().subject_of_merge(group), memories.facts().ask_about_merge(group)?))
            })?;
            if let Some(about) = about.filter(|about| self.replies.find(about).is_none()) {
                self.ask_about(&about, prompt, "merge")?;
            }
        }
        Ok(())
    }

    /// Does something with memories in a session of its own.
    fn with_memories<T>(
        &self,
        door: DoorView,
        act: impl FnOnce(&Memories<'_>) -> Result<T, MemoryError>,
    ) -> Result<T, MemoryError> {
        act(&Memories::new(&self.memora.session_for(door)?, self.of, self.writer)?)
    }

    /// Asks what there is to ask, and stores the reply; whether there is one.
    fn ask_about(
        &mut self,
        about: &ReplySubject,
        prompt: Option<Prompt>,
        what: &str,
    ) -> Result<bool, ConsolidateError> {
        let Some(prompt) = prompt else { return Ok(false) };
        let Some(reply) = self.ask_for_sentences(&prompt, what)? else { return Ok(false) };
        self.replies.store(about, self.asking.model.name(), &reply).map_err(ConsolidateError::Store)?;
        Ok(true)
    }

    /// Asks once; `None` for a failure, which is noted.
    fn ask_for_sentences(&mut self, prompt: &Prompt, what: &str) -> Result<Option<String>, SendError> {
        let Asking { model, leaves, stop, .. } = *self.asking;
        self.asked.report.calls += 1;
        let reply = match (PromptSender { memora: self.memora, model, leaves, stop }).send_for(prompt, what) {
            Ok(completion) => completion.text().chars().take(DRAFT_CHARS_MAX).collect::<String>(),
            Err(SendError::Model(error @ (ModelError::Stopped | ModelError::Elsewhere { .. }))) => {
                return Err(error.into());
            }
            Err(SendError::Model(error)) => {
                // It is about these words, and says nothing of the next.
                self.asked.is_over |= !matches!(error, ModelError::Refused { .. });
                self.asked.miss(error.to_string());
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        if !Draft::is_as_asked(&reply) {
            self.asked.miss(format!("what {} replies is no list of sentences", model.name()));
            return Ok(None);
        }
        self.asked.misses = 0;
        Ok(Some(reply))
    }
}
