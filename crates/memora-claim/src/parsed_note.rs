//! A parsed note, with its statements.

use std::sync::{Arc, OnceLock};

use memora_vault::{Band, Note, Span};

use crate::source::{Surroundings, collect_headings_above};
use crate::{Statement, split_statements};

/// A parsed note, just read from disk. Its statements are split once, however many sources are rechecked in it.
pub struct ParsedNote {
    note: Note,
    statements: OnceLock<Vec<Statement>>,
    /// Bytes of the longest statement.
    longest: OnceLock<usize>,
    outline: Arc<[String]>,
}

/// A block of text: a paragraph, a list item, a task or a table row.
#[derive(Clone, Copy)]
pub struct TextBlock<'n> {
    note: &'n Note,
    statements: &'n [Statement],
}

impl<'n> TextBlock<'n> {
    /// The note.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.note
    }

    /// Returns its statements, in order; at least one.
    #[must_use]
    pub fn statements(&self) -> &'n [Statement] {
        self.statements
    }

    /// Returns the strictest band of the block, its statements and its note.
    #[must_use]
    pub fn band(&self) -> Band {
        let (Some(first), Some(last)) = (self.statements.first(), self.statements.last()) else {
            return self.note.band();
        };
        let all = first.span.start()..last.span.end();
        self.statements.iter().fold(self.note.band().join(self.note.band_of_range(all)), |band, s| band.join(s.band))
    }

    /// Returns its words, without markup.
    #[must_use]
    pub fn words(&self) -> String {
        self.statements.iter().map(|s| s.words.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Prints counts, never the words.
impl std::fmt::Debug for TextBlock<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Passage({} statements, {})", self.statements.len(), self.band())
    }
}

impl ParsedNote {
    /// Wraps a note that was just read.
    #[must_use]
    pub fn new(note: Note) -> Self {
        // The outline is stored with the note's public sources too, so it must not contain a guarded heading.
        let open = note.headings().iter().filter(|h| note.band_of_range(h.range.clone()) == note.band());
        let outline = open.map(|h| h.text.clone()).collect();
        Self { note, statements: OnceLock::new(), longest: OnceLock::new(), outline }
    }

    /// The note.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// Returns its statements, in file order.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        self.statements.get_or_init(|| split_statements(&self.note))
    }

    /// Returns the headings of the note that are not stricter than the note itself, in order.
    #[must_use]
    pub fn outline(&self) -> Arc<[String]> {
        Arc::clone(&self.outline)
    }

    /// Returns its blocks in order: the statements of one paragraph, list item, task or table row each. No properties.
    #[must_use]
    pub fn text_blocks(&self) -> Vec<TextBlock<'_>> {
        let of_text = |statement: &Statement| !statement.plain.is_empty();
        let parts = self.statements().chunk_by(|a, b| a.part == b.part && of_text(a) == of_text(b));
        let in_text = parts.filter(|part| part.first().is_some_and(of_text));
        in_text.map(|statements| TextBlock { note: &self.note, statements }).collect()
    }

    /// Returns the statement with exactly these bytes.
    fn statement_at(&self, span: Span) -> Option<&Statement> {
        self.position_of(span).and_then(|at| self.statements().get(at))
    }

    /// Returns the index of the first statement with exactly these bytes.
    pub(crate) fn position_of(&self, span: Span) -> Option<usize> {
        let all = self.statements();
        let first = all.partition_point(|s| s.span < span);
        all.get(first).filter(|s| s.span == span).map(|_| first)
    }

    /// Returns the statements that overlap this span, or `None` if one of them is cut by its ends.
    fn statements_within(&self, span: Span) -> Option<Vec<&Statement>> {
        let all = self.statements();
        let behind = all.partition_point(|s| s.span.start() < span.end());
        // Statements are short, so any that reach into the span start shortly before it.
        let longest = self.longest.get_or_init(|| all.iter().map(|s| s.span.end() - s.span.start()).max().unwrap_or(0));
        let before = all.partition_point(|s| s.span.start() + longest <= span.start());
        let touching: Vec<_> = all[before..behind].iter().filter(|s| s.span.end() > span.start()).collect();
        let whole = touching.iter().all(|s| span.start() <= s.span.start() && s.span.end() <= span.end());
        whole.then_some(touching)
    }

    /// Whether the span is complete: one statement, or several with the markup between them, or, where there are no
    /// statements, the words of a line.
    pub(crate) fn is_complete_span(&self, span: Span) -> bool {
        self.statement_at(span).is_some()
            || self.statements_within(span).is_some_and(|within| !within.is_empty() || self.covers_line_text(span))
    }

    fn covers_line_text(&self, span: Span) -> bool {
        let text = self.note.text();
        let line = |part: &str| part.rsplit('\n').next().unwrap_or_default().to_owned();
        let before = line(text.get(..span.start()).unwrap_or_default());
        let behind = text.get(span.end()..).unwrap_or_default().split('\n').next().unwrap_or_default().to_owned();
        let is_markup = |c: char| !c.is_alphanumeric();
        before.chars().all(is_markup) && behind.chars().all(is_markup)
    }

    /// Returns the context of a span that gives it its meaning.
    pub(crate) fn surroundings(&self, span: Span) -> Surroundings {
        let own = self.note.band_of_range(span.range());
        let exact = self.statement_at(span);
        let first = exact.or_else(|| self.statements_within(span)?.first().copied());
        if let Some(statement) = first {
            return Surroundings {
                statement: exact.map(|statement| statement.id),
                band: statement.band.join(own),
                zone: statement.zone,
                headings: statement.headings.clone(),
                parent: statement.parent.clone(),
            };
        }
        let above = self.note.headings().partition_point(|h| h.range.start <= span.start());
        let (headings, band) = collect_headings_above(&self.note, above.checked_sub(1));
        let zone = self.note.zone_at(span.start());
        Surroundings { statement: None, band: band.join(own), zone, headings, parent: None }
    }
}
