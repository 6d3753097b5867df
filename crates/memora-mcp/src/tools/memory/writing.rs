//! The tools that write memories: `memory_save`, `memory_write`, `memory_update` and `memory_forget`.

use memora_engine::report::{Band, ForgetReport, SaveReport, WriteReport};
use memora_engine::{
    CloudDoor, Domain, Door, ItemChange, Memories, MemoryKind, MemoryScope, MemoryTarget, SaveRequest, TaskOperation,
    WriteRequest,
};
use memora_service::ReadContext;
use rmcp::model::{CallToolResult, ToolAnnotations};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Dated, MemoryTool, check_size, dated, parse_id, writes};
use crate::request::Response;
use crate::tool_error::ToolError;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct SaveArgs {
    /// One fact in one to three sentences that another session will understand, up to 2000 bytes.
    content: String,
    /// profile: who the user is; behavior: how they want things done; knowledge; tool: how a tool behaves; skill: steps.
    #[serde(default)]
    kind: MemoryKind,
    /// The person or thing that it concerns; `self` for you.
    #[serde(default)]
    entity: Option<String>,
    /// Its domain of life.
    #[serde(default)]
    domain: Option<Domain>,
    /// Up to eight tags.
    #[serde(default)]
    tags: Vec<String>,
    /// `tool_output` for what a tool said; nothing else counts.
    #[serde(default)]
    source_type: Option<String>,
    /// How sure you are, 0 to 1; 0.8 without it, and under 0.6 nothing is saved.
    #[serde(default)]
    confidence: Option<f64>,
    /// `private` or `secret`, to guard it more than everything that you are shown.
    #[serde(default)]
    privacy: Option<String>,
    /// The id of a memory that this replaces.
    #[serde(default)]
    supersedes: Option<String>,
    /// `shared` for all projects.
    #[serde(default)]
    scope: Option<String>,
}

impl MemoryTool for SaveArgs {
    const NAME: &'static str = "memory_save";
    const TITLE: &'static str = "Remember a fact";
    const DESCRIPTION: &'static str = "Saves one thing that a different session needs: a preference, a decision, how a tool behaves. \
        Not what the notes or the code already say, nothing of this moment, no credentials. Ten a session. \
        The answer has `related` memories: memory_forget one that this replaces.";
    type Result = Dated<SaveReport<CloudDoor>>;

    fn annotations() -> ToolAnnotations {
        writes(Self::TITLE, false)
    }

    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<CallToolResult>, ToolError> {
        check_size([self.content.as_str()])?;
        if self.kind == MemoryKind::Event {
            return Err(ToolError::new("what happened goes into the day's log", "memory_write, target daily"));
        }
        let privacy = match &self.privacy {
            None => Band::Public,
            Some(word) => Band::parse(word)
                .map_err(|_| ToolError::new("`privacy` is public, private or secret", "leave it out if in doubt"))?,
        };
        let saving = SaveRequest {
            content: self.content.clone(),
            kind: self.kind,
            entity: self.entity.clone(),
            domain: self.domain,
            tags: self.tags.clone(),
            tool_output: self.source_type.as_deref() == Some("tool_output"),
            confidence: self.confidence,
            privacy,
            supersedes: self.supersedes.as_deref().map(parse_id).transpose()?,
            scope: (self.scope.as_deref() == Some("shared")).then_some(MemoryScope::Shared),
            must_be_confirmed: false,
        };
        let report = memories.save(&saving)?;
        memories.deliver();
        let pieces = report.shown().map(|(id, band)| (Some(id), band)).collect();
        dated(reading, report, pieces)
    }
}

/// What is written to.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    Daily,
    Scratchpad,
    Note,
    LongTerm,
}

/// What is done with tasks.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Operation {
    #[default]
    Append,
    Done,
    Undo,
    Remove,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct WriteArgs {
    /// daily: an entry of the day's log; scratchpad: tasks, one a line; note: a reference note; long_term: a memory a line.
    target: Target,
    /// The words, as markdown, up to 64 KiB.
    content: String,
    /// Of a scratchpad alone: append, or done, undo, remove for tasks with these words. Nothing is ever overwritten.
    #[serde(default)]
    op: Operation,
    /// The title of an entry or a note.
    #[serde(default)]
    title: Option<String>,
}

impl MemoryTool for WriteArgs {
    const NAME: &'static str = "memory_write";
    const TITLE: &'static str = "Write to the log, the tasks or a note";
    const DESCRIPTION: &'static str = "Appends to the day's log or the open tasks of the project, or writes a reference note. What \
        happened, what was decided and how it went belongs into the log; what every later session needs is for memory_save.";
    type Result = Dated<WriteReport<CloudDoor>>;

    fn annotations() -> ToolAnnotations {
        writes(Self::TITLE, false)
    }

    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<CallToolResult>, ToolError> {
        check_size([self.content.as_str()])?;
        if !matches!(self.op, Operation::Append) && !matches!(self.target, Target::Scratchpad) {
            return Err(ToolError::new("only tasks can be done, undone or removed", "leave `op` out"));
        }
        let writing = WriteRequest {
            target: match self.target {
                Target::Daily => MemoryTarget::Daily,
                Target::Scratchpad => MemoryTarget::Scratchpad,
                Target::Note => MemoryTarget::Note,
                Target::LongTerm => MemoryTarget::LongTerm,
            },
            content: self.content.clone(),
            operation: match self.op {
                Operation::Append => TaskOperation::Append,
                Operation::Done => TaskOperation::Done,
                Operation::Undo => TaskOperation::Undo,
                Operation::Remove => TaskOperation::Remove,
            },
            title: self.title.clone(),
        };
        let report = memories.write(&writing)?;
        memories.deliver();
        dated(reading, report, Vec::new())
    }
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    Ok,
    Failed,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct UpdateArgs {
    /// The id of the memory.
    id: String,
    /// What it says from now on, in a new memory that supersedes it.
    #[serde(default)]
    content: Option<String>,
    /// Or words that stand in it once …
    #[serde(default)]
    old: Option<String>,
    /// … and the words in their place.
    #[serde(default)]
    new: Option<String>,
    /// Or how it went to do what it says.
    #[serde(default)]
    outcome: Option<Outcome>,
}

impl MemoryTool for UpdateArgs {
    const NAME: &'static str = "memory_update";
    const TITLE: &'static str = "Correct a memory";
    const DESCRIPTION: &'static str = "Replaces a memory by a new one that supersedes it, or changes words within it. One that the user \
        edited is theirs: `content` puts a new one beside it, and `old` and `new` answer not_owned.";
    type Result = Dated<WriteReport<CloudDoor>>;

    fn annotations() -> ToolAnnotations {
        writes(Self::TITLE, true)
    }

    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<CallToolResult>, ToolError> {
        let change = match (&self.content, &self.old, &self.new, self.outcome) {
            (Some(content), None, None, None) => ItemChange::Content(content.clone()),
            (None, Some(old), Some(new), None) => ItemChange::Replace { old: old.clone(), new: new.clone() },
            (None, None, None, Some(outcome)) => ItemChange::Outcome(matches!(outcome, Outcome::Ok)),
            _ => {
                let hint = "memory_read shows what it says";
                return Err(ToolError::new("give `content`, or `old` and `new`, or `outcome`", hint));
            }
        };
        check_size([&self.content, &self.old, &self.new].into_iter().flatten().map(String::as_str))?;
        let report = memories.update(&parse_id(&self.id)?, &change)?;
        memories.deliver();
        dated(reading, report, Vec::new())
    }
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub(crate) struct ForgetArgs {
    /// The id of the memory.
    id: String,
    /// Why it is forgotten.
    #[serde(default)]
    reason: Option<String>,
}

impl MemoryTool for ForgetArgs {
    const NAME: &'static str = "memory_forget";
    const TITLE: &'static str = "Forget a memory";
    const DESCRIPTION: &'static str = "Moves a memory to the archive, where no search looks unless asked to. The user can bring it back. \
        One that the user edited answers not_owned.";
    type Result = Dated<ForgetReport<CloudDoor>>;

    fn annotations() -> ToolAnnotations {
        writes(Self::TITLE, true)
    }

    fn answer<D: Door>(
        &self,
        reading: &ReadContext<'_, D>,
        memories: &Memories<'_, D>,
    ) -> Result<Response<CallToolResult>, ToolError> {
        check_size(self.reason.as_deref())?;
        let report = memories.forget(&parse_id(&self.id)?, self.reason.as_deref())?;
        dated(reading, report, Vec::new())
    }
}
