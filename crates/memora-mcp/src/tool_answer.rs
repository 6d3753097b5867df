//! What a tool answers: text, made to be read by a model that pays by the token; and, for programs that ask for it, the same as JSON.

use std::fmt::Display;

use rmcp::model::{CallToolResult, ContentBlock};
use serde::Serialize;
use serde_json::Value;

use crate::request::{EgressItem, Response};
use crate::tool_error::ToolError;

/// The form in which tools answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerForm {
    /// Text alone.
    #[default]
    Text,
    /// Text, and the same as JSON by a published schema.
    Structured,
}

/// The answer of a tool in both forms.
pub(crate) struct ToolAnswer {
    text: String,
    value: Value,
}

impl ToolAnswer {
    /// Builds an answer from a result and the items of the vault in it.
    pub(crate) fn respond(
        result: &(impl Serialize + Display),
        pieces: Vec<EgressItem>,
    ) -> Result<Response<Self>, ToolError> {
        Self::respond_in(result.to_string(), result, pieces)
    }

    /// The same, with the text beside the result.
    pub(crate) fn respond_in(
        text: String,
        result: &impl Serialize,
        pieces: Vec<EgressItem>,
    ) -> Result<Response<Self>, ToolError> {
        let value = serde_json::to_value(result)
            .map_err(|_| ToolError::new("the result could not be written down", "ask for something else"))?;
        Ok(Response { answer: Self { text, value }, pieces })
    }

    /// Returns what is sent.
    pub(crate) fn into_result(self, form: AnswerForm) -> CallToolResult {
        let mut result = CallToolResult::success(vec![ContentBlock::text(self.text)]);
        result.structured_content = (form == AnswerForm::Structured).then_some(self.value);
        result
    }
}
