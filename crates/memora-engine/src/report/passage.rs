//! Passages: what stands around a hit.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use memora_redact::{Door, DoorView, sanitize_for_model};
use memora_vault::{Band, Note};
use schemars::JsonSchema;
use serde::Serialize;

use crate::report::typed::for_door;

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

impl Passage {
    /// A passage of a note, to be read under a title and headings.
    pub(crate) fn new(note: &Note, context: Vec<&str>, lines: Vec<PassageLine>) -> Self {
        let context = context.into_iter().map(sanitize_for_model).collect();
        Self { path: note.path().as_str().to_owned(), context, lines, door: PhantomData }
    }
}

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
        self.own_place().len() + self.written_lines().len()
    }

    fn written_lines(&self) -> String {
        write_passage_lines(self.lines.iter().map(PassageLine::layout))
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
        f.write_str(&self.written_lines())
    }
}

/// A statement of a passage: a sentence, an item or a row.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PassageLine {
    /// Line of its first byte, from 1; `null` where guarded text stands before it in the note.
    pub line: Option<usize>,
    /// How deep it is nested: of an item of a list how many items it is below, as far as its indentation says.
    pub depth: usize,
    /// The names of the columns of a table's row; absent for anything else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
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
    /// How it is written.
    fn layout(&self) -> LineLayout<'_> {
        let cut = self.text.char_indices().nth(LINE_CHARS_MAX).and_then(|(at, _)| self.text.get(..at));
        let words = cut.map_or(Cow::Borrowed(self.text.as_str()), |shown| Cow::Owned(format!("{shown} …")));
        let columns = self.columns.as_deref();
        LineLayout {
            line: self.line,
            depth: self.depth,
            columns,
            found: self.hit,
            words,
            claim: &self.claim,
            remark: None,
        }
    }
}

/// What is written of a statement of a passage.
#[derive(Clone, Debug)]
pub struct LineLayout<'l> {
    /// Its line in the file, where that may be told.
    pub line: Option<usize>,
    /// How deep it is nested in a list.
    pub depth: usize,
    /// The names of the columns of a table's row.
    pub columns: Option<&'l str>,
    /// Whether it was found by itself.
    pub found: bool,
    /// Its words.
    pub words: Cow<'l, str>,
    /// The id to cite it by.
    pub claim: &'l str,
    /// What is to be said of it.
    pub remark: Option<&'l str>,
}

/// Writes statements, each behind a line feed and its number. Those on one line of the file share its number, unless one was found by itself.
/// The columns of a table stand above its first row.
#[must_use]
pub fn write_passage_lines<'l>(lines: impl IntoIterator<Item = LineLayout<'l>>) -> String {
    let mut out = String::new();
    let mut before: Option<LineLayout<'l>> = None;
    for line in lines {
        let above = before.as_ref().and_then(|before| before.columns);
        if let Some(columns) = line.columns.filter(|columns| above != Some(*columns)) {
            out.push_str(&format!("\n      {columns}"));
        }
        let continues =
            |before: &LineLayout<'_>| line.line.is_some() && line.line == before.line && !line.found && !before.found;
        if !before.as_ref().is_some_and(continues) {
            let number = line.line.map_or_else(String::new, |line| line.to_string());
            let star = if line.found { '*' } else { ' ' };
            out.push_str(&format!("\n{number:>4}{star}{}", "  ".repeat(line.depth)));
        }
        out.push_str(&format!(" {} [claim:{}]", line.words, line.claim));
        out.extend(line.remark.map(|remark| format!(" ({remark})")));
        before = Some(line);
    }
    out
}
