//! What a client may ask: the arguments of each tool, which are its input schema.

use memora_engine::{NoteFilter, NotePath, PartialDate};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::trouble::Trouble;

/// Questions and names are read up to this size, in bytes.
const WORDS_MAX: usize = 4_000;

/// Texts to verify are read up to this size, in bytes.
const TEXT_MAX: usize = 32 << 10;

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchArgs {
    /// The words to look for, as the notes would have them; "quoted ones" must stand together. Dates count: "in March 2024".
    pub(crate) query: String,
    /// How many claims at most, 1 to 50.
    #[serde(default)]
    pub(crate) limit: Option<usize>,
    /// Where to go on: the `cursor` of the result before, with the same query.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
    #[serde(flatten)]
    pub(crate) within: Within,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    pub(crate) max_tokens: Option<usize>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryArgs {
    /// The question, in the user's words. Dates count: "in March 2024".
    pub(crate) question: String,
    /// How many claims at most, 1 to 20.
    #[serde(default)]
    pub(crate) limit: Option<usize>,
    /// Where the user configured a language model of Memora's own: `repair` takes out of its draft what the notes do not bear
    /// out and asks again; `strict` takes a draft in which everything holds, or none. Without such a model it is of no effect.
    #[serde(default)]
    pub(crate) mode: Mode,
    #[serde(flatten)]
    pub(crate) within: Within,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    pub(crate) max_tokens: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Mode {
    #[default]
    Repair,
    Strict,
}

/// Which notes count.
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

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerifyArgs {
    /// The text: sentences with `[claim:id]` behind each, or with links to notes or quotations from them; up to 32 KiB.
    pub(crate) text: String,
    /// Where to go on in the list of what is wrong: the `cursor` of the result before, with the same text.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each, the clean text not counted; 3000 to 25000.
    #[serde(default)]
    pub(crate) max_tokens: Option<usize>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClaimArgs {
    /// The claim's id, as in [claim:id], with or without the brackets.
    pub(crate) claim: String,
    /// Where to go on: the `cursor` of the result before.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    pub(crate) max_tokens: Option<usize>,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EntityArgs {
    /// A note's title or alias, the words of a link to it, a name without a note, or a note's path.
    pub(crate) name: String,
    /// How many claims at most, 1 to 50.
    #[serde(default)]
    pub(crate) limit: Option<usize>,
    /// Where to go on: the `cursor` of the result before, with the same name.
    #[serde(default)]
    pub(crate) cursor: Option<String>,
    /// How long the result may be, in tokens of three bytes of JSON each; 3000 to 25000.
    #[serde(default)]
    pub(crate) max_tokens: Option<usize>,
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

/// A text to verify: some, and not too much.
pub(crate) fn text(text: &str) -> Result<&str, Trouble> {
    if text.trim().is_empty() {
        return Err(Trouble::say("there is no text to verify", "give the draft, with [claim:id] behind each sentence"));
    }
    if text.len() > TEXT_MAX {
        return Err(Trouble::say("the text is longer than 32 KiB", "verify it in parts, cut between paragraphs"));
    }
    Ok(text)
}
