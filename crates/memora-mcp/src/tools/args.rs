//! Arguments shared by several tools: filters on notes, and queries.

use memora_engine::{NoteFilter, PartialDate};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::tool_error::ToolError;

/// The maximum size of questions and names, in bytes.
const QUERY_BYTES_MAX: usize = 4_000;

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct NoteScope {
    /// Only below these folders.
    #[serde(default)]
    pub(crate) folder: Vec<String>,
    /// Only notes with all of these tags.
    #[serde(default)]
    pub(crate) tag: Vec<String>,
    /// Only what is of this day, month or year, or later: YYYY[-MM[-DD]].
    #[serde(default)]
    pub(crate) since: Option<String>,
    /// The same, or earlier.
    #[serde(default)]
    pub(crate) until: Option<String>,
    /// Only what may have held then.
    #[serde(default)]
    pub(crate) as_of: Option<String>,
    /// Also notes that machines wrote.
    #[serde(default)]
    pub(crate) captured: bool,
}

impl NoteScope {
    pub(crate) fn note_filter(&self) -> NoteFilter {
        NoteFilter {
            tags: self.tag.iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
            folders: self.folder.iter().map(|folder| folder.trim_matches('/').to_owned()).collect(),
            ..NoteFilter::default()
        }
    }

    pub(crate) fn as_of(&self) -> Result<Option<PartialDate>, ToolError> {
        parse_date(self.as_of.as_deref(), "`as_of` is not a date")
    }

    /// Returns the start and the end of the time range.
    pub(crate) fn time_range(&self) -> Result<(Option<PartialDate>, Option<PartialDate>), ToolError> {
        let since = parse_date(self.since.as_deref(), "`since` is not a date")?;
        let until = parse_date(self.until.as_deref(), "`until` is not a date")?;
        match (since, until) {
            (Some(since), Some(until)) if until.first_and_last_day().1 < since.first_and_last_day().0 => {
                Err(ToolError::new("`until` lies before `since`", "give the earlier day as `since`"))
            }
            both => Ok(both),
        }
    }
}

fn parse_date(text: Option<&str>, wrong: &'static str) -> Result<Option<PartialDate>, ToolError> {
    let parse =
        |text| PartialDate::parse(text).ok_or_else(|| ToolError::new(wrong, "write YYYY, YYYY-MM or YYYY-MM-DD"));
    text.map(parse).transpose()
}

/// Checks that a query is neither empty nor too long.
pub(crate) fn checked_query(text: &str) -> Result<&str, ToolError> {
    if text.trim().is_empty() {
        return Err(ToolError::new("there is nothing to look for", "give the words to look for"));
    }
    if text.len() > QUERY_BYTES_MAX {
        return Err(ToolError::new(
            "that is longer than 4000 bytes",
            "ask in a sentence; memora_verify takes longer texts",
        ));
    }
    Ok(text)
}
