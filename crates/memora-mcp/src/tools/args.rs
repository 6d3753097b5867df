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
        let parse = |text: &String| {
            PartialDate::parse(text)
                .ok_or_else(|| Trouble::say("`as_of` is not a date", "write YYYY, YYYY-MM or YYYY-MM-DD"))
        };
        self.as_of.as_ref().map(parse).transpose()
    }
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
