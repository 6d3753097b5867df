//! Sources: places that contain a statement.

use std::sync::Arc;

use memora_vault::{Band, Fingerprint, NotePath, Span, Zone};

use crate::{ParsedNote, StatementId};

/// A place that contains a statement: note, bytes, fingerprint, band, and the context that gives it its meaning.
///
/// Made by [`anchor_span`] from a note at hand, so that span and fingerprint agree by construction, and restored by the
/// store. Either way it describes the past: only [`Source::recheck`] says what holds now.
#[derive(Clone, PartialEq, Eq)]
pub struct Source {
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
    /// The strictest band of the span, its note, and its context when it was anchored; the note may have become stricter
    /// since.
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
    }
}

/// Prints the place and its band, never the words.
impl std::fmt::Debug for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Source({} at {}..{}, {})", self.statement, self.start, self.end, self.band)
    }
}
