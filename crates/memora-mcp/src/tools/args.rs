//! What several tools take: which notes count, words to look for.

use memora_engine::{NoteFilter, NotePath, PartialDate};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::trouble::Trouble;

/// Questions and names are read up to this size, in bytes.
const WORDS_MAX: usize = 4_000;

#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct Within {
    /// Only what may have held on this day, month or year: YYYY, YYYY-MM or YYYY-MM-DD.
    #[serde(default)]
    pub(crate) as_of: Option<String>,
    /// Only what is of this day, month or year, or of a later one, by its heading, its note's name or date: YYYY, YYYY-MM or
    /// YYYY-MM-DD.
    #[serde(default)]
    pub(crate) since: Option<String>,
    /// Only what is of this day, month or year, or of an earlier one.
    #[serde(default)]
    pub(crate) until: Option<String>,
    /// Only notes with all of these tags, nested ones included.
    #[serde(default)]
    pub(crate) tags: Vec<String>,
    /// Only notes below one of these folders, from the vault's root.
    #[serde(default)]
    pub(crate) folders: Vec<String>,
    /// Only these notes, from the vault's root: `people/Anna.md`.
    #[serde(default)]
    pub(crate) notes: Vec<String>,
    /// Whether captured notes count too, which machines wrote.
    #[serde(default)]
    pub(crate) captured: bool,
}

impl Within {
    pub(crate) fn filter(&self) -> Result<NoteFilter, Trouble> {
        let notes = self.notes.iter().map(|note| {
            NotePath::new(note.as_str()).map_err(|_| {
                Trouble::say(
                    "`notes` holds what is no path of a note",
                    "give paths from the vault's root, as results have them",
                )
            })
        });
        Ok(NoteFilter {
            tags: self.tags.iter().map(|tag| tag.trim_start_matches('#').to_owned()).collect(),
            folders: self.folders.iter().map(|folder| folder.trim_matches('/').to_owned()).collect(),
            notes: notes.collect::<Result<_, _>>()?,
            ..NoteFilter::default()
        })
    }

    pub(crate) fn as_of(&self) -> Result<Option<PartialDate>, Trouble> {
        date(self.as_of.as_deref(), "`as_of` is not a date")
    }

    /// Since when, and until when.
    pub(crate) fn time(&self) -> Result<(Option<PartialDate>, Option<PartialDate>), Trouble> {
        let since = date(self.since.as_deref(), "`since` is not a date")?;
        let until = date(self.until.as_deref(), "`until` is not a date")?;
        match (since, until) {
            (Some(since), Some(until)) if until.first_and_last_day().1 < since.first_and_last_day().0 => {
                Err(Trouble::say("`until` lies before `since`", "give the earlier day as `since`"))
            }
            both => Ok(both),
        }
    }
}

fn date(text: Option<&str>, wrong: &'static str) -> Result<Option<PartialDate>, Trouble> {
    let parse = |text| PartialDate::parse(text).ok_or_else(|| Trouble::say(wrong, "write YYYY, YYYY-MM or YYYY-MM-DD"));
    text.map(parse).transpose()
}

/// Words to look for: some, and not too many.
pub(crate) fn words(text: &str) -> Result<&str, Trouble> {
    if text.trim().is_empty() {
        return Err(Trouble::say("there is nothing to look for", "give the words to look for"));
    }
    if text.len() > WORDS_MAX {
        return Err(Trouble::say(
            "that is longer than 4000 bytes",
            "ask in a sentence; memora_verify takes longer texts",
        ));
    }
    Ok(text)
}
