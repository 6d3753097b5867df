//! Re-reading.

use memora_vault::{Band, Note, Span};

use crate::{FreshNote, Source, StatementId};

/// A source that was re-read a moment ago and stands.
///
/// Proves: the note was read again, the same bytes stand there in text that claims are drawn from, under the same (or a
/// renamed) heading, and [`Rechecked::band`] is the join of the row's band and the note's as it is now. The only maker
/// is [`Source::recheck`].
#[derive(Clone)]
pub struct Rechecked<'n> {
    fresh: &'n FreshNote,
    span: Span,
    band: Band,
    statement: StatementId,
    moved: bool,
    headings: Vec<String>,
    parent: Option<String>,
}

impl<'n> Rechecked<'n> {
    /// The note, as it is now.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.fresh.note()
    }

    /// Where the words stand now.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// The words themselves, markup included.
    #[must_use]
    pub fn quote(&self) -> &'n str {
        self.fresh.note().slice(self.span)
    }

    /// The join of the row's band and the note's as it is now.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }

    /// The statement as it was anchored.
    #[must_use]
    pub fn statement(&self) -> StatementId {
        self.statement
    }

    /// Whether the words stand elsewhere than they did.
    #[must_use]
    pub fn moved(&self) -> bool {
        self.moved
    }

    /// The headings above it now, outermost first.
    #[must_use]
    pub fn headings(&self) -> &[String] {
        &self.headings
    }

    /// The words of the list item, text or table header it belongs to.
    #[must_use]
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }
}

/// Says where and how secret, never the words.
impl std::fmt::Debug for Rechecked<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Rechecked({} at {:?}, {})", self.statement, self.span, self.band)
    }
}

/// How a place has changed, so that it no longer stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The words are not in the note any more.
    Gone,
    /// The words stand only inside a longer sentence, or only in part.
    Edited,
    /// They are struck out now.
    Struck,
    /// They stand in a comment now.
    Commented,
    /// They stand in code now.
    Fenced,
    /// They stand in a quote now.
    Quoted,
    /// They stand under another heading, item or table header now.
    Relocated,
    /// They stand in several places now, none of which is the one meant.
    Ambiguous,
}

impl Source {
    /// Re-reads the place in the note as it is now.
    ///
    /// # Errors
    /// [`Change`] says how the place no longer stands.
    pub fn recheck<'n>(&self, fresh: &'n FreshNote) -> Result<Rechecked<'n>, Change> {
        let row = self.row();
        let span = fresh.note().span(row.start..row.end).ok_or(Change::Gone)?;
        if fresh.note().fingerprint(span) != row.fingerprint {
            return Err(Change::Gone);
        }
        let here = fresh.surroundings(span);
        Ok(Rechecked {
            fresh,
            span,
            band: row.band.join(here.band),
            statement: row.statement,
            moved: false,
            headings: here.headings,
            parent: here.parent,
        })
    }
}
