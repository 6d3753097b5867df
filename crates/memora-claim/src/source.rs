//! A place where a statement stands.

use std::sync::Arc;

use memora_vault::{Band, Fingerprint, Note, NotePath, Span, Zone};

use crate::{ParsedNote, StatementId};

/// A place where a statement stands: note, bytes, fingerprint, band, and the surroundings that give it its meaning.
///
/// Made by [`anchor`] from a note in hand, when span and fingerprint agree by construction, or by [`Source::from_row`]
/// from what the store kept. Either way it speaks of the past: only [`Source::recheck`] says what holds now.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    row: SourceRow,
}

/// The parts of a [`Source`], as a store keeps them.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceRow {
    /// The statement's name.
    pub statement: StatementId,
    /// The note.
    pub note: NotePath,
    /// First byte.
    pub start: usize,
    /// Behind the last byte.
    pub end: usize,
    /// blake3 of those bytes.
    pub fingerprint: Fingerprint,
    /// The strictest band of the span, its note, and what it takes words from.
    pub band: Band,
    /// What kind of text it stands in.
    pub zone: Zone,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The words of the list item, text or table header that it belongs to.
    pub parent: Option<String>,
    /// Every heading of the note, in order, shared by the note's sources: with it, a renamed heading can be told from a
    /// sentence that went to another one.
    pub outline: Arc<[String]>,
}

/// Takes the place of a span in the note, as it is now.
///
/// Any span can be anchored, code and comments too; whether claims are drawn there is the caller's question. The band
/// is the join over the span, the note, the headings above, and the parent.
#[must_use]
pub fn anchor_span(fresh: &ParsedNote, span: Span) -> Source {
    let note = fresh.note();
    let surroundings = fresh.surroundings(span);
    Source {
        row: SourceRow {
            statement: surroundings.statement.unwrap_or_else(|| StatementId::from_words(note.slice(span), &[])),
            note: note.path().clone(),
            start: span.start(),
            end: span.end(),
            fingerprint: note.fingerprint(span),
            band: surroundings.band,
            zone: surroundings.zone,
            headings: surroundings.headings,
            parent: surroundings.parent,
            outline: fresh.outline(),
        },
    }
}

impl Source {
    /// Takes back what [`Source::row`] gave. Nothing is checked: that is what [`Source::recheck`] is for.
    #[must_use]
    pub fn from_row(row: SourceRow) -> Self {
        Self { row }
    }

    /// Its parts.
    #[must_use]
    pub fn row(&self) -> &SourceRow {
        &self.row
    }

    /// The statement that stands here.
    #[must_use]
    pub fn statement(&self) -> StatementId {
        self.row.statement
    }

    /// The note it stands in.
    #[must_use]
    pub fn note(&self) -> &NotePath {
        &self.row.note
    }

    /// The band it had when it was anchored; the note may have become stricter since.
    #[must_use]
    pub fn band(&self) -> Band {
        self.row.band
    }
}

impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} at {}..{}, {})", self.row.statement, self.row.start, self.row.end, self.row.band)
    }
}

/// What surrounds a span and gives it meaning.
pub(crate) struct Surroundings {
    pub(crate) statement: Option<StatementId>,
    pub(crate) band: Band,
    pub(crate) zone: Zone,
    pub(crate) headings: Vec<String>,
    pub(crate) parent: Option<String>,
}

/// The texts of the headings above `heading` and itself, outermost first, with the band of all of them.
pub(crate) fn collect_headings_above(note: &Note, heading: Option<usize>) -> (Vec<String>, Band) {
    let mut band = Band::Public;
    let mut texts = Vec::new();
    for index in heading.map(|h| note.heading_path(h)).unwrap_or_default() {
        let heading = &note.headings()[index];
        band = band.join(note.band_of_range(heading.range.clone()));
        texts.push(heading.text.clone());
    }
    (texts, band)
}
