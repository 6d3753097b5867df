//! What the list of the agent's tools costs: a client's model reads it in every conversation.

use std::collections::BTreeMap;

use anyhow::Result;
use memora_mcp::{AnswerForm, listed_tools};
use serde::Serialize;

/// Bytes of JSON.
#[derive(Debug, Default, Serialize)]
pub(crate) struct ToolFigures {
    /// Of the tools for notes, and of those with the tools for memory.
    list: usize,
    list_with_memory: usize,
    /// The same for a client that gets results by a schema.
    structured: usize,
    structured_with_memory: usize,
    /// Of each tool.
    tools: BTreeMap<String, usize>,
}

pub(crate) fn measure() -> Result<ToolFigures> {
    let mut figures = ToolFigures::default();
    for tool in listed_tools(AnswerForm::Text) {
        figures.tools.insert(tool.name.to_string(), serde_json::to_string(&tool)?.len());
    }
    let sum = |form: AnswerForm, memory: bool| -> Result<usize> {
        let listed = listed_tools(form).into_iter().filter(|tool| memory || !tool.name.starts_with("memory_"));
        Ok(serde_json::to_string(&listed.collect::<Vec<_>>())?.len())
    };
    figures.list = sum(AnswerForm::Text, false)?;
    figures.list_with_memory = sum(AnswerForm::Text, true)?;
    figures.structured = sum(AnswerForm::Structured, false)?;
    figures.structured_with_memory = sum(AnswerForm::Structured, true)?;
    Ok(figures)
}
