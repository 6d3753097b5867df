//! Statements: the user's own words, with the context that gives them their meaning.

use std::ops::Range;

use memora_vault::{Band, Span, Zone};

use crate::{ClaimId, StatementId};

/// The form a statement has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Lines of code.
    Code,
}

impl StatementKind {
    const ALL: [Self; 7] = [Self::Property, Self::Field, Self::Row, Self::Item, Self::Task, Self::Sentence, Self::Code];

    /// Returns its stable name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Property => "property",
            Self::Field => "field",
            Self::Row => "row",
            Self::Item => "item",
            Self::Task => "task",
            Self::Sentence => "sentence",
            Self::Code => "code",
        }
    }

    /// Parses a [name](Self::as_str).
    #[must_use]
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// The user's own words: a sentence, list item, table row, inline field or property, or lines of code.
#[derive(Clone, PartialEq, Eq)]
pub struct Statement {
    /// The id of the statement.
    pub id: StatementId,
    /// The kind of the statement.
    pub kind: StatementKind,
    /// The words: no markup, white space folded.
    pub words: String,
    /// The subject borrowed from the context, outermost first (the note, the headings, the parent); empty if the
    /// statement has its own.
    pub borrowed: Vec<String>,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The words of the list item or text it belongs to; for a table row, the column names.
    pub parent: Option<String>,
    /// Span of its bytes.
    pub span: Span,
    /// The kind of text that contains it.
    pub zone: Zone,
    /// The strictest band of its span, its note, and its context.
    pub band: Band,
    /// Index of its segment in [`Note::segments`](memora_vault::Note::segments); for a property, in [`Note::properties`](memora_vault::Note::properties).
    pub part: usize,
    /// Range in the segment's plain text; empty for a property.
    pub plain: Range<usize>,
    /// Whether it is under a heading such as "Rejected".
    pub rejected: bool,
    /// The claims that it cites, `[claim:…]`, without duplicates and in order: its premises.
    pub cites: Vec<ClaimId>,
    /// Ids of the pieces that a sentence was cut into before code and the texts of links were kept whole: people have written
    /// them down, so they lead to the sentence.
    pub former: Vec<StatementId>,
}

impl Statement {
    /// The names of the columns of a table's row.
    #[must_use]
    pub fn columns(&self) -> Option<&str> {
        self.parent.as_deref().filter(|_| self.kind == StatementKind::Row)
    }
}

/// Prints id and place, never the words.
impl std::fmt::Debug for Statement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Statement({}, {:?}, {:?}, {})", self.id, self.kind, self.span, self.band)
    }
}

/// Properties about the file itself rather than about the world.
const FILE_PROPERTIES: &[&str] = &[
    "alias",
    "aliases",
    "banner",
    "cssclass",
    "cssclasses",
    "id",
    "memora",
    "obsidianuimode",
    "permalink",
    "position",
    "privacy",
    "publish",
    "tag",
    "tags",
    "uid",
];

/// Whether a property is about the file itself, by its name in any case.
#[must_use]
pub fn is_file_property(name: &str) -> bool {
    FILE_PROPERTIES.contains(&name.to_lowercase().as_str())
}

/// Returns the text of a quoted wikilink in a property: `[[Note|shown]]` gives `shown`. Other values are unchanged.
#[must_use]
pub fn wikilink_text(value: &str) -> &str {
    let Some(inside) = value.strip_prefix("[[").and_then(|v| v.strip_suffix("]]")) else { return value };
    inside.rsplit('|').next().unwrap_or(inside)
}
