//! The user's own words, one statement at a time.

use std::ops::Range;

use memora_vault::{Band, Note, Span, Zone};

use crate::StatementId;

/// The form a statement has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StatementKind {
    /// A property of the front matter.
    Property,
    /// An inline field.
    Field,
    /// A table row.
    Row,
    /// A list item, or a sentence of one.
    Item,
    /// A task.
    Task,
    /// A sentence of a paragraph.
    Sentence,
}

/// The user's own words: a sentence, list item, table row, inline field or property.
#[derive(Clone, PartialEq, Eq)]
pub struct Statement {
    /// Its name.
    pub id: StatementId,
    /// Its form.
    pub kind: StatementKind,
    /// Its words: no markup, white space folded.
    pub words: String,
    /// The subject it takes from its surroundings, outermost first (the note, the heading, the parent); empty when it
    /// names its own.
    pub borrowed: Vec<String>,
    /// Its bytes.
    pub span: Span,
    /// What kind of text it stands in.
    pub zone: Zone,
    /// The strictest band of its span, its note, and what it takes words from.
    pub band: Band,
    /// Index of the segment it is cut from, in [`Note::segments`]; for a property, in [`Note::properties`].
    pub part: usize,
    /// Its range in the segment's plain text; empty for a property.
    pub plain: Range<usize>,
}

/// Cuts a note into statements, in order of the file.
#[must_use]
pub fn statements(_note: &Note) -> Vec<Statement> {
    Vec::new()
}
