//! A note read a moment ago.

use std::cell::OnceCell;
use std::sync::Arc;

use memora_vault::{Note, Span};

use crate::source::{Surroundings, headings_above};
use crate::{Statement, statements};

/// A note read from disk a moment ago, with its statements, cut once however many sources are re-read in it.
pub struct FreshNote {
    note: Note,
    statements: OnceCell<Vec<Statement>>,
    outline: Arc<[String]>,
}

impl FreshNote {
    /// Takes a note that was just read.
    #[must_use]
    pub fn new(note: Note) -> Self {
        let outline = note.headings().iter().map(|h| h.text.clone()).collect();
        Self { note, statements: OnceCell::new(), outline }
    }

    /// The note.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// Its statements, in order of the file.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        self.statements.get_or_init(|| statements(&self.note))
    }

    pub(crate) fn outline(&self) -> Arc<[String]> {
        Arc::clone(&self.outline)
    }

    pub(crate) fn surroundings(&self, span: Span) -> Surroundings {
        let (headings, band) = headings_above(&self.note, None);
        Surroundings {
            statement: None,
            band: band.join(self.note.band_of(span.range())),
            zone: self.note.zone_at(span.start()),
            headings,
            parent: None,
        }
    }
}
