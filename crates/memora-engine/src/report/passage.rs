//! Passages: what stands around a hit.

use std::fmt;
use std::marker::PhantomData;

use memora_redact::{Door, DoorView, sanitize_for_model};
use memora_vault::Band;
use schemars::JsonSchema;
use serde::Serialize;

use crate::at_door::for_door;

/// A run of lines of a note under the same headings, around a hit: enough to be understood alone.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "Passage")]
#[serde(bound = "D: Door")]
pub struct Passage<D = DoorView> {
    /// The note, relative to the vault, `/`-separated.
    pub path: String,
    /// What it is to be read under, outermost first: the note's title, the headings above.
    pub context: Vec<String>,
    /// Its sentences, items and rows, in order.
    pub lines: Vec<PassageLine>,
    #[serde(skip)]
    pub(crate) door: PhantomData<D>,
}

for_door!(Passage { door } keeping { path, context, lines });

impl<D> Passage<D> {
    /// Where it stands: the note's path, and the headings above, without look-alikes of citations.
    fn own_place(&self) -> String {
        // Most notes have their title for a file name.
        let is_named = self.context.first().is_some_and(|title| self.path.contains(title.as_str()));
        let headings = self.context.iter().skip(usize::from(is_named)).map(String::as_str);
        sanitize_for_model(&std::iter::once(self.path.as_str()).chain(headings).collect::<Vec<_>>().join(" › "))
    }

    /// How many bytes it has as it is written.
    pub(crate) fn written_bytes(&self) -> usize {
        self.own_place().len() + self.written_lines().map(|line| line.len()).sum::<usize>()
    }

    /// Its lines as they are written. Sentences on one line of the file share its number.
    fn written_lines(&self) -> impl Iterator<Item = String> {
        let mut before: Option<&PassageLine> = None;
        self.lines.iter().map(move |line| {
            let is_continued = before.replace(line).is_some_and(|before| line.continues(before));
            line.written(is_continued)
        })
    }
}

impl<D: Door> Passage<D> {
    /// Returns where it stands: the note's path, and the headings above, without look-alikes of citations.
    #[must_use]
    pub fn place(&self) -> String {
        self.own_place()
    }
}

/// The longest line that is written whole, in characters; of a longer one the beginning is.
const LINE_CHARS_MAX: usize = 900;

/// Writes where it stands, and its lines with the ids to cite, a star behind the number of those that were found:
///
/// ```text
/// town/shops/needle.md › The Needle and Thread
///   14  Owner: Orla Fenn, since 2021 [claim:8ja75j3qa6r6]
///   20* A cabinet behind the counter is full of thimbles. [claim:xk4h8gzeqrvf]
/// ```
impl<D: Door> fmt::Display for Passage<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.place())?;
        self.written_lines().try_for_each(|line| f.write_str(&line))
    }
}

/// A statement of a passage: a sentence, an item or a row.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PassageLine {
    /// Line of its first byte, from 1; `null` where guarded text stands before it in the note.
    pub line: Option<usize>,
    /// How deep it is nested: of an item of a list how many items it is below, as far as its indentation says.
    pub depth: usize,
    /// Its words, without markup.
    pub text: String,
    /// The id to cite it by.
    pub claim: String,
    /// Whether it was found, and does not only stand around what was.
    pub hit: bool,
    /// How guarded it is.
    pub band: Band,
}

impl PassageLine {
    /// Whether it stands on the same line of the file as the statement before it, and neither was found by itself.
    #[must_use]
    pub fn continues(&self, before: &Self) -> bool {
        self.line.is_some() && self.line == before.line && !self.hit && !before.hit
    }

    /// Its line number, words and id, behind a line feed; words and id where it continues a line.
    fn written(&self, is_continued: bool) -> String {
        let cut = self.text.char_indices().nth(LINE_CHARS_MAX).map(|(at, _)| at);
        let shown = cut.and_then(|at| self.text.get(..at)).unwrap_or(&self.text);
        let more = if cut.is_some() { " …" } else { "" };
        let words = format!(" {shown}{more} [claim:{}]", self.claim);
        if is_continued {
            return words;
        }
        let number = self.line.map_or_else(String::new, |line| line.to_string());
        let star = if self.hit { '*' } else { ' ' };
        format!("\n{number:>4}{star}{}{words}", "  ".repeat(self.depth))
    }
}
