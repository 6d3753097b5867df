//! A parsed note, with its statements.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use memora_vault::{Band, Fingerprint, Note, Span};

use crate::surroundings::{Surroundings, collect_headings_above};
use crate::{Statement, split_statements};

/// A parsed note, just read from disk. Its statements are split once, however many sources are rechecked in it.
pub struct ParsedNote {
    note: Note,
    statements: OnceLock<Vec<Statement>>,
    /// Bytes of the longest statement.
    longest: OnceLock<usize>,
    outline: Arc<[String]>,
    /// Statements by the fingerprint of their bytes; made when first asked for.
    by_bytes: OnceLock<HashMap<Fingerprint, Vec<Span>>>,
    /// The lines that may be seen beside a statement of each band; made when first asked for.
    lines: [OnceLock<Arc<[NoteLine]>>; 3],
    /// What may still be spent on looking for words that are not where they were.
    search_budget: AtomicUsize,
}

/// How many lines of a note are looked through for what a cited one lacks.
const LINES_MAX: usize = 10_000;

/// A line of a note, counted from 1, and the words of a statement or heading that begins there, without markup; 0 of the note's path,
/// and where guarded text stands before the line.
pub type NoteLine = (usize, String);

/// What is spent on a note, in bytes hashed, before words that moved are looked for among whole statements alone: otherwise each
/// of its statements might be looked for in all of it.
const SEARCH_BYTES_MAX: usize = 1 << 29;

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
        Self {
            note,
            statements: OnceLock::new(),
            longest: OnceLock::new(),
            outline,
            by_bytes: OnceLock::new(),
            lines: Default::default(),
            search_budget: AtomicUsize::new(SEARCH_BYTES_MAX),
        }
    }

    /// The note.
    #[must_use]
    pub fn note(&self) -> &Note {
        &self.note
    }

    /// Spends on `hashes` hashes of `bytes` each; `false` if there is not enough left.
    pub(crate) fn spend_on_search(&self, hashes: usize, bytes: usize) -> bool {
        // A short hash costs as much as one of this length.
        const LEAST: usize = 64;
        let cost = hashes.saturating_mul(bytes.max(LEAST));
        let spend = |left: usize| left.checked_sub(cost);
        self.search_budget.fetch_update(Ordering::Relaxed, Ordering::Relaxed, spend).is_ok()
    }

    /// Grants what may be spent on a note anew, for another reader of it.
    pub fn renew_search_budget(&self) {
        self.search_budget.store(SEARCH_BYTES_MAX, Ordering::Relaxed);
    }

    /// The statements with these bytes, in file order.
    pub(crate) fn spans_with_bytes(&self, fingerprint: Fingerprint) -> &[Span] {
        let by_bytes = self.by_bytes.get_or_init(|| {
            let mut by_bytes: HashMap<Fingerprint, Vec<Span>> = HashMap::new();
            for statement in self.statements() {
                let spans = by_bytes.entry(self.note.fingerprint(statement.span)).or_default();
                if spans.last() != Some(&statement.span) {
                    spans.push(statement.span);
                }
            }
            by_bytes
        });
        by_bytes.get(&fingerprint).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns its statements, in file order.
    #[must_use]
    pub fn statements(&self) -> &[Statement] {
        self.statements.get_or_init(|| split_statements(&self.note))
    }

    /// Returns its path, as line 0, and its headings and statements that are no stricter than a band, in order of the file: no
    /// comments, nothing struck out.
    #[must_use]
    pub fn lines_within_band(&self, strictest: Band) -> Arc<[NoteLine]> {
        let kept = match strictest {
            Band::Public => &self.lines[0],
            Band::Private => &self.lines[1],
            Band::Secret => &self.lines[2],
        };
        let read = || {
            // Behind guarded text the number of a line would tell how long that is.
            let is_told = |start: usize| self.note.band_of_range(0..start) <= strictest;
            let line = |start: usize| if is_told(start) { self.note.line_column(start).line } else { 0 };
            let is_open = |range: &Range<usize>| self.note.band_of_range(range.clone()) <= strictest;
            // What stands under a guarded heading is guarded, headings too.
            let is_heading_open = |at: usize| collect_headings_above(&self.note, Some(at)).1 <= strictest;
            let headings = self.note.headings().iter().enumerate();
            let headings = headings.filter(|(at, heading)| is_open(&heading.range) && is_heading_open(*at));
            let mut lines: Vec<NoteLine> = headings.map(|(_, h)| (line(h.range.start), h.text.clone())).collect();
            let statements = self.statements().iter().filter(|s| s.band <= strictest && is_open(&s.span.range()));
            lines.extend(statements.map(|statement| (line(statement.span.start()), statement.words.clone())));
            lines.push((0, self.note.path().as_str().trim_end_matches(".md").replace('/', " / ")));
            lines.sort_by_key(|(line, _)| *line);
            lines.truncate(LINES_MAX);
            lines.into()
        };
        Arc::clone(kept.get_or_init(read))
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
    pub(crate) fn statement_at(&self, span: Span) -> Option<&Statement> {
        self.position_of(span).and_then(|at| self.statements().get(at))
    }

    /// Returns the index of the first statement with exactly these bytes.
    pub(crate) fn position_of(&self, span: Span) -> Option<usize> {
        let all = self.statements();
        let first = all.partition_point(|s| s.span < span);
        all.get(first).filter(|s| s.span == span).map(|_| first)
    }

    /// Returns the statements that overlap a range of the note, in file order.
    pub fn statements_touching(&self, range: Range<usize>) -> impl Iterator<Item = &Statement> {
        let all = self.statements();
        let behind = all.partition_point(|s| s.span.start() < range.end);
        // Statements are short, so any that reach into the range start shortly before it.
        let longest = self.longest.get_or_init(|| all.iter().map(|s| s.span.end() - s.span.start()).max().unwrap_or(0));
        let before = all.partition_point(|s| s.span.start() + longest <= range.start).min(behind);
        all[before..behind].iter().filter(move |s| s.span.end() > range.start)
    }

    /// Returns the statements that overlap this span, or `None` if one of them is cut by its ends.
    fn statements_within(&self, span: Span) -> Option<Vec<&Statement>> {
        let touching: Vec<_> = self.statements_touching(span.range()).collect();
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

#[cfg(test)]
mod tests {
    use memora_vault::{Band, Note, NotePath, PathContext};

    use super::ParsedNote;

    fn lines(text: &str) -> Vec<(usize, String)> {
        let path = NotePath::new("a/Cabin.md").expect("a path");
        let (note, _) = Note::parse(path, text.to_owned(), PathContext::default());
        ParsedNote::new(note).lines_within_band(Band::Public).to_vec()
    }

    #[test]
    fn a_line_of_a_note_tells_nothing_of_what_is_guarded() {
        let shown = lines(
            "# Cabin\n\nIt was bought in spring.\n\n## Plans %%privacy: secret%%\n\n### Meeting with Vexholm\n\nText.\n",
        );
        let words: Vec<&str> = shown.iter().map(|(_, words)| words.as_str()).collect();
        assert_eq!(
            words,
            ["a / Cabin", "Cabin", "It was bought in spring."],
            "what stands under a guarded heading is guarded"
        );
        assert_eq!(shown.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [0, 1, 3]);
        let behind = |secret: &str| {
            lines(&format!("One line.\n\n%%privacy: secret%%\n{secret}\n%%/privacy%%\n\nThe stove is from Jotunsen.\n"))
        };
        assert_eq!(behind("short"), behind("long\n\nand of\n\nfour paragraphs"), "nor how long it is");
    }
}
