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
    /// Where statements end, sorted.
    ends: OnceCell<Vec<usize>>,
    outline: Arc<[String]>,
}

impl FreshNote {
    /// Takes a note that was just read.
    #[must_use]
    pub fn new(note: Note) -> Self {
        let outline = note.headings().iter().map(|h| h.text.clone()).collect();
        Self { note, statements: OnceCell::new(), ends: OnceCell::new(), outline }
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

    /// Every heading of the note, in order.
    #[must_use]
    pub fn outline(&self) -> Arc<[String]> {
        Arc::clone(&self.outline)
    }

    /// The statement with exactly these bytes, or the first of several that together have them.
    fn statement_at(&self, span: Span) -> Option<(&Statement, bool)> {
        let all = self.statements();
        let first = all.partition_point(|s| s.span.start() < span.start());
        let here = all.iter().skip(first).take_while(|s| s.span.start() == span.start());
        let mut fallback = None;
        for statement in here {
            if statement.span == span {
                return Some((statement, true));
            }
            fallback = fallback.or(Some(statement));
        }
        let ends = self.ends.get_or_init(|| {
            let mut ends: Vec<usize> = all.iter().map(|s| s.span.end()).collect();
            ends.sort_unstable();
            ends
        });
        fallback.filter(|s| s.span.end() < span.end() && ends.binary_search(&span.end()).is_ok()).map(|s| (s, false))
    }

    /// Whether any statement has bytes of this span.
    fn touches_statement(&self, span: Span) -> bool {
        let before = self.statements().partition_point(|s| s.span.start() < span.end());
        self.statements().iter().take(before).any(|s| s.span.end() > span.start())
    }

    /// Whether the span is a whole: one statement, several in a row, or, where no statements are, the words of a line.
    pub(crate) fn is_whole(&self, span: Span) -> bool {
        self.statement_at(span).is_some() || (!self.touches_statement(span) && self.fills_lines(span))
    }

    fn fills_lines(&self, span: Span) -> bool {
        let text = self.note.text();
        let line = |part: &str| part.rsplit('\n').next().unwrap_or_default().to_owned();
        let before = line(text.get(..span.start()).unwrap_or_default());
        let behind = text.get(span.end()..).unwrap_or_default().split('\n').next().unwrap_or_default().to_owned();
        let is_markup = |c: char| !c.is_alphanumeric();
        before.chars().all(is_markup) && behind.chars().all(is_markup)
    }

    /// What surrounds a span and gives it meaning.
    pub(crate) fn surroundings(&self, span: Span) -> Surroundings {
        let own = self.note.band_of(span.range());
        if let Some((statement, exact)) = self.statement_at(span) {
            return Surroundings {
                statement: exact.then_some(statement.id),
                band: statement.band.join(own),
                zone: statement.zone,
                headings: statement.headings.clone(),
                parent: statement.parent.clone(),
            };
        }
        let above = self.note.headings().partition_point(|h| h.range.start <= span.start());
        let (headings, band) = headings_above(&self.note, above.checked_sub(1));
        let zone = self.note.zone_at(span.start());
        Surroundings { statement: None, band: band.join(own), zone, headings, parent: None }
    }
}
