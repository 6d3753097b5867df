//! `memory_save` and `memory_forget`.

use memora_engine::report::{Band, ForgetReport};
use memora_engine::{
    CloudDoor, Door, ItemChange, Memories, MemoryId, MemoryKind, MemoryScope, MemoryTarget, SaveRequest, TaskOperation,
    WriteRequest,
};
use memora_service::ReadContext;
use schemars::JsonSchema;
use serde::Deserialize;

use super::tool::{MemoryTool, check_size, parse_id, respond_dated};
use crate::request::Response;
use crate::tool_answer::ToolAnswer;
use crate::tool_error::ToolError;
use crate::wire::{Dated, SaveResult};

/// What is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SavedKind {
    Profile,
    Behavior,
    Knowledge,
    Tool,
    Skill,
    Event,
    Task,
    Note,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Ok,
    Failed,
}

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct SaveArgs {
    /// One fact that another session will understand.
    #[serde(default)]
    content: String,
    /// profile: who the user is; behavior: how they want things done; event: for the day's log; task: one a line; note: a reference text.
    #[serde(default)]
    kind: Option<SavedKind>,
    /// The id of the memory that this corrects.
    #[serde(default)]
    replaces: Option<String>,
    /// Only these words of it, which stand there once.
    #[serde(default)]
    old: Option<String>,
    /// Or how it went to do what it says.
    #[serde(default)]
    outcome: Option<Outcome>,
    /// Of tasks: true if these are done, false if they are open again.
    #[serde(default)]
    done: Option<bool>,
    /// Of an event or a note.
    #[serde(default)]
    title: Option<String>,
    /// Whom or what it concerns.
    #[serde(default)]
    entity: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
    /// `tool_output` for what a tool said.
    #[serde(default)]
    source_type: Option<String>,
    /// 0 to 1; under 0.6 nothing is saved.
    #[serde(default)]
    confidence: Option<f64>,
    /// `private` or `secret`, to guard it.
    #[serde(default)]
    privacy: Option<String>,
    /// `shared` for all projects.
    #[serde(default)]
    scope: Option<String>,
}

impl MemoryTool for SaveArgs {
    const NAME: &'static str = "memory_save";
    const TITLE: &'static str = "Remember";
    const DESCRIPTION: &'static str = "Saves what a different session needs: a preference, a decision, how a tool behaves; or corrects a memory. \
        Not what notes or code already say, nothing of this moment, no credentials.";
    const WRITES: bool = true;
    type Result = Dated<SaveResult<CloudDoor>>;

    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<ToolAnswer>, ToolError> {
        check_size([&self.content].into_iter().chain(&self.old).map(String::as_str))?;
        let replaces = self.replaces.as_deref().map(parse_id).transpose()?;
        let (report, pieces) = match (self.kind, replaces) {
            (Some(SavedKind::Event | SavedKind::Task | SavedKind::Note), _) => {
                (memories.gate().write(&self.write_request()?)?.into(), Vec::new())
            }
            (None, Some(id)) => (memories.gate().update(&id, &self.change()?)?.into(), Vec::new()),
            (kind, replaces) => {
                let report = memories.gate().save(&self.save_request(kind, replaces)?)?;
                let pieces = report.shown().map(|(id, band)| (Some(id), band)).collect();
                (SaveResult::from(report), pieces)
            }
        };
        memories.bridges().deliver();
        respond_dated(reading, report, pieces)
    }
}

impl SaveArgs {
    /// The request to write into the log, the tasks or a note.
    fn write_request(&self) -> Result<WriteRequest, ToolError> {
        if self.replaces.is_some() {
            return Err(ToolError::new("logs, tasks and notes are only added to", "leave `replaces` out"));
        }
        if self.old.is_some() || self.outcome.is_some() {
            return Err(ToolError::new("`old` and `outcome` are about a memory", "leave them out"));
        }
        if self.is_guarded_or_shared() {
            let message = "logs, tasks and notes are of the project, and no more guarded than what you are shown";
            return Err(ToolError::new(message, "leave `privacy` and `scope` out, or save a memory"));
        }
        let target = match self.kind {
            Some(SavedKind::Event) => MemoryTarget::Daily,
            Some(SavedKind::Task) => MemoryTarget::Scratchpad,
            _ => MemoryTarget::Note,
        };
        if self.done.is_some() && target != MemoryTarget::Scratchpad {
            return Err(ToolError::new("only tasks can be done", "leave `done` out"));
        }
        let operation = match self.done {
            None => TaskOperation::Append,
            Some(true) => TaskOperation::Done,
            Some(false) => TaskOperation::Undo,
        };
        Ok(WriteRequest { target, content: self.content.clone(), operation, title: self.title.clone() })
    }

    /// The change of a memory.
    fn change(&self) -> Result<ItemChange, ToolError> {
        if self.is_guarded_or_shared() || self.source_type.is_some() || self.done.is_some() {
            let message = "a memory keeps its guard, its place and its source";
            return Err(ToolError::new(message, "give `kind` too, to save a new one in its place"));
        }
        match (self.outcome, &self.old, self.content.as_str()) {
            (Some(outcome), None, "") => Ok(ItemChange::Outcome(matches!(outcome, Outcome::Ok))),
            (None, None, content) if !content.trim().is_empty() => Ok(ItemChange::Content(content.to_owned())),
            (None, Some(old), new) if !new.is_empty() => {
                Ok(ItemChange::Replace { old: old.clone(), new: new.to_owned() })
            }
            _ => Err(ToolError::new(
                "give `content`, or `old` and `content`, or `outcome`",
                "memora_read shows what it says",
            )),
        }
    }

    /// Whether it is to be guarded, or for all projects.
    fn is_guarded_or_shared(&self) -> bool {
        let is_guarded = self.privacy.as_deref().is_some_and(|band| band != Band::Public.as_str());
        is_guarded || self.scope.as_deref() == Some("shared")
    }

    /// The request to save a memory.
    fn save_request(&self, kind: Option<SavedKind>, replaces: Option<MemoryId>) -> Result<SaveRequest, ToolError> {
        if self.old.is_some() || self.outcome.is_some() || self.done.is_some() {
            return Err(ToolError::new(
                "`old`, `outcome` and `done` change what is there",
                "give `replaces` without `kind`",
            ));
        }
        let privacy = match &self.privacy {
            None => Band::Public,
            Some(word) => Band::parse(word)
                .map_err(|_| ToolError::new("`privacy` is public, private or secret", "leave it out if in doubt"))?,
        };
        Ok(SaveRequest {
            content: self.content.clone(),
            kind: match kind {
                Some(SavedKind::Profile) => MemoryKind::Profile,
                Some(SavedKind::Behavior) => MemoryKind::Behavior,
                Some(SavedKind::Tool) => MemoryKind::Tool,
                Some(SavedKind::Skill) => MemoryKind::Skill,
                _ => MemoryKind::Knowledge,
            },
            entity: self.entity.clone(),
            domain: None,
            tags: self.tags.clone(),
            tool_output: self.source_type.as_deref() == Some("tool_output"),
            confidence: self.confidence,
            privacy,
            supersedes: replaces,
            scope: (self.scope.as_deref() == Some("shared")).then_some(MemoryScope::Shared),
            must_be_confirmed: false,
        })
    }
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct ForgetArgs {
    /// The id of the memory.
    id: String,
    /// Why.
    #[serde(default)]
    reason: Option<String>,
}

impl MemoryTool for ForgetArgs {
    const NAME: &'static str = "memory_forget";
    const TITLE: &'static str = "Forget a memory";
    const DESCRIPTION: &'static str = "Moves a memory to the archive, from where the user can bring it back.";
    const WRITES: bool = true;
    type Result = Dated<ForgetReport<CloudDoor>>;

    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<ToolAnswer>, ToolError> {
        check_size(self.reason.as_deref())?;
        let report = memories.upkeep().forget(&parse_id(&self.id)?, self.reason.as_deref())?;
        respond_dated(reading, report, Vec::new())
    }
}
