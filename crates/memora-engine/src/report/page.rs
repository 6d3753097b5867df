//! Whole notes, for MCP resources and for the page; no command prints them.

use std::marker::PhantomData;

use memora_redact::{ClearPage, ClearSource, DoorView};
use memora_vault::{Band, Note};

use super::{GuardReason, Passage};
use crate::report::typed::for_door;

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

/// A freshly re-read note byte for byte, for a door from which nothing of it is withheld.
#[derive(Clone, Debug)]
pub struct NoteSource<D = DoorView> {
    path: String,
    title: String,
    text: String,
    band: Band,
    is_captured: bool,
    lines: Vec<SourceLine>,
    statements: Vec<SourceStatement>,
    reasons: Vec<GuardReason>,
    door: PhantomData<D>,
}

for_door!(NoteSource { door } keeping { path, title, text, band, is_captured, lines, statements, reasons });

/// A line of a note's file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// Offset of its first byte.
    pub start: usize,
    /// Offset behind its last byte, before the line feed.
    pub end: usize,
    /// How guarded the strictest of it is, its surroundings considered.
    pub band: Band,
}

/// A statement of a note, where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceStatement {
    /// The id to cite it by.
    pub claim: String,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset behind its last byte.
    pub end: usize,
    /// How guarded it is.
    pub band: Band,
}

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

impl NoteSource {
    /// Made of a clear source, with the reasons why parts of it are guarded, where the door may know them.
    pub(crate) fn from_clear_source(source: &ClearSource<'_>, is_captured: bool, reasons: Vec<GuardReason>) -> Self {
        let (fresh, note) = (source.fresh(), source.fresh().note());
        let mut lines = Vec::new();
        let mut start = 0;
        for line in source.text().split_inclusive('\n') {
            let end = start + line.trim_end_matches('\n').len();
            let of_statements = fresh.statements_touching(start..end).map(|statement| statement.band);
            let band = of_statements.fold(note.band_of_range(start..end.max(start)), Band::join);
            lines.push(SourceLine { start, end, band: band.join(note.band()) });
            start += line.len();
        }
        let statements = fresh.statements().iter().map(|statement| SourceStatement {
            claim: statement.id.to_string(),
            start: statement.span.start(),
            end: statement.span.end(),
            band: statement.band,
        });
        Self {
            path: note.path().as_str().to_owned(),
            title: note.title().to_owned(),
            text: source.text().to_owned(),
            band: note.band(),
            is_captured,
            lines,
            statements: statements.collect(),
            reasons,
            door: PhantomData,
        }
    }
}

impl<D> NoteSource<D> {
    /// Where it lies, from the vault's root.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its name in Obsidian.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its bytes, as they stand in the file.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The band of the note as a whole.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// Returns whether a machine wrote the note.
    #[must_use]
    pub fn is_captured(&self) -> bool {
        self.is_captured
    }

    /// Its lines, in order.
    #[must_use]
    pub fn lines(&self) -> &[SourceLine] {
        &self.lines
    }

    /// Its statements, in order.
    #[must_use]
    pub fn statements(&self) -> &[SourceStatement] {
        &self.statements
    }

    /// Why parts of it are guarded; empty at a cloud door.
    #[must_use]
    pub fn reasons(&self) -> &[GuardReason] {
        &self.reasons
    }
}

impl NotePage {
    pub(crate) fn from_clear_page(page: &ClearPage<'_>, is_captured: bool) -> Self {
        Self {
            path: page.note().path().as_str().to_owned(),
            text: page.text().to_owned(),
            is_whole: page.is_whole(),
            is_captured,
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
