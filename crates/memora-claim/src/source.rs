//! Sources: places that contain a statement.

use std::sync::Arc;

use memora_vault::{Band, Fingerprint, Note, NotePath, Span, Zone};

use crate::{ParsedNote, StatementId};

/// A place that contains a statement: note, bytes, fingerprint, band, and the context that gives it its meaning.
///
/// Created by [`anchor_span`] from a note at hand, so that span and fingerprint agree by construction, or by
/// [`Source::from_row`] from the store. Either way it describes the past: only [`Source::recheck`] says what holds now.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
    row: SourceRow,
}

/// The parts of a [`Source`], as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct SourceRow {
    /// The statement's id.
    pub statement: StatementId,
    /// The note.
    pub note: NotePath,
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
    /// blake3 of those bytes.
    pub fingerprint: Fingerprint,
    /// The strictest band of the span, its note, and its context.
    pub band: Band,
    /// The kind of text that contains it.
    pub zone: Zone,
    /// The headings above it, outermost first.
    pub headings: Vec<String>,
    /// The words of the list item, text or table header that it belongs to.
    pub parent: Option<String>,
    /// Every heading of the note, in order, shared by the note's sources: it distinguishes a renamed heading from a
    /// sentence that moved to another one.
    pub outline: Arc<[String]>,
}

/// Anchors a span of the note, as it is now.
///
/// Any span can be anchored, code and comments too; the caller decides whether claims are extracted there. The band
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
    /// Restores a source from [`Source::row`]. Nothing is checked: that is the job of [`Source::recheck`].
    #[must_use]
    pub fn from_row(row: SourceRow) -> Self {
        Self { row }
    }

    /// Returns its parts.
    #[must_use]
    pub fn row(&self) -> &SourceRow {
        &self.row
    }

    /// Returns the statement at this place.
    #[must_use]
    pub fn statement(&self) -> StatementId {
        self.row.statement
    }

    /// Returns the note that contains it.
    #[must_use]
    pub fn note(&self) -> &NotePath {
        &self.row.note
    }

    /// Returns its band when it was anchored; the note may have become stricter since.
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

/// The context of a span that gives it its meaning.
pub(crate) struct Surroundings {
    pub(crate) statement: Option<StatementId>,
    pub(crate) band: Band,
    pub(crate) zone: Zone,
    pub(crate) headings: Vec<String>,
    pub(crate) parent: Option<String>,
}

/// Returns the texts of `heading` and those above it, outermost first, with the join of their bands.
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
