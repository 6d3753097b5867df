//! Whole notes, for MCP resources; no command prints them.

use std::marker::PhantomData;

use memora_redact::{ClearPage, DoorView};
use memora_vault::{Band, Note};

use super::Passage;
use crate::at_door::for_door;
use crate::index::note_kind::is_captured;

/// A freshly re-read note, as the door `D` may see it.
#[derive(Clone, Debug)]
pub struct NotePage<D = DoorView> {
    path: String,
    text: String,
    is_whole: bool,
    is_captured: bool,
    pieces: Vec<(String, Band)>,
    door: PhantomData<D>,
}

for_door!(NotePage { door } keeping { path, text, is_whole, is_captured, pieces });

/// The statements of a freshly re-read note, as the door `D` may see them.
#[derive(Clone, Debug)]
pub struct NoteReading<D = DoorView> {
    /// Where it lies, from the vault's root.
    pub path: String,
    /// Its statements, a passage for each run of blocks under the same headings.
    pub passages: Vec<Passage<D>>,
    /// Whether nothing of the note is withheld.
    pub is_whole: bool,
    /// Whether a machine wrote it.
    pub is_captured: bool,
}

for_door!(NoteReading { passages } keeping { path, is_whole, is_captured });

/// The notes that the door `D` may see, by path.
#[derive(Clone, Debug)]
pub struct NoteList<D = DoorView> {
    notes: Vec<ListedNote>,
    next: Option<usize>,
    door: PhantomData<D>,
}

for_door!(NoteList { door } keeping { notes, next });

/// A note in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedNote {
    /// Its path, relative to the vault's root.
    pub path: String,
    /// Its name in Obsidian.
    pub title: String,
    /// The band of the whole note.
    pub band: Band,
}

impl NotePage {
    pub(crate) fn from_clear_page(page: &ClearPage<'_>) -> Self {
        Self {
            path: page.note().path().as_str().to_owned(),
            text: page.text().to_owned(),
            is_whole: page.is_whole(),
            is_captured: is_captured(page.note()),
            pieces: page.statement_bands().iter().map(|(id, band)| (id.to_string(), *band)).collect(),
            door: PhantomData,
        }
    }
}

impl<D> NotePage<D> {
    /// Returns whether the note was captured, rather than written by the user.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        self.is_captured
    }

    /// Where it lies, from the vault's root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the visible text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the visible text is the whole note, verbatim.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the ids of its statements, with their bands.
    #[must_use]
    pub fn statement_bands(&self) -> &[(String, Band)] {
        &self.pieces
    }
}

impl NoteList {
    pub(crate) fn empty() -> Self {
        Self { notes: Vec::new(), next: None, door: PhantomData }
    }
}

impl<D> NoteList<D> {
    pub(crate) fn len(&self) -> usize {
        self.notes.len()
    }

    pub(crate) fn push(&mut self, note: &Note) {
        let (path, title) = (note.path().as_str().to_owned(), note.title().to_owned());
        self.notes.push(ListedNote { path, title, band: note.band() });
    }

    pub(crate) fn with_next_offset(self, offset: usize) -> Self {
        Self { next: Some(offset), ..self }
    }

    /// The notes.
    #[must_use]
    pub fn notes(&self) -> &[ListedNote] {
        &self.notes
    }

    /// Returns the offset of the next page; `None` at the end.
    #[must_use]
    pub fn next_offset(&self) -> Option<usize> {
        self.next
    }
}
