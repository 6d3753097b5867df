//! Lines of a note with the bytes marked that are meant: around a passage, or of the whole note.
//!
//! Invariant: **a mark stands on bytes that were given, never on words that were looked for**, and the pieces of a line together are the
//! line.

use std::ops::Range;

use memora_engine::report::{Band, NoteSource, SourceLine};

/// A line of a note, cut where a mark begins and ends.
pub(crate) struct MarkedLine {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) pieces: Vec<Piece>,
    /// How guarded it is.
    pub(crate) band: Band,
}

impl MarkedLine {
    /// Whether any of it is marked.
    pub(crate) fn is_marked(&self) -> bool {
        self.pieces.iter().any(|piece| piece.marked)
    }
}

/// A part of a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) text: String,
    pub(crate) marked: bool,
}

/// How many lines stand around a mark.
const AROUND: usize = 2;

/// The most lines of a mark that stands in an answer; code may have many.
const MARKED_MAX: usize = 24;

/// The lines of a mark, and those around it that are not empty.
pub(crate) fn around<D>(source: &NoteSource<D>, mark: &Range<usize>) -> Vec<MarkedLine> {
    let lines = source.lines();
    let first = lines.partition_point(|line| line.end < mark.start);
    let behind = lines.partition_point(|line| line.start < mark.end);
    if behind <= first {
        return Vec::new();
    }
    let last = (behind - 1).min(first + MARKED_MAX);
    // What it is to be read under stands above it already.
    let is_blank = |at: &usize| {
        let text = lines.get(*at).map_or("", |line| line_text(source, line).trim());
        text.is_empty() || text.starts_with("# ") || text.starts_with("##")
    };
    let before: Vec<usize> = (0..first).rev().take(4).filter(|at| !is_blank(at)).take(AROUND).collect();
    let behind = (last + 1..lines.len()).take(4).filter(|at| !is_blank(at)).take(AROUND);
    let shown = before.into_iter().rev().chain(first..=last).chain(behind);
    shown.filter_map(|at| Some(marked_line(source, at, lines.get(at)?, Some(mark)))).collect()
}

/// A line with what is marked of it.
pub(crate) fn marked_line<D>(
    source: &NoteSource<D>,
    at: usize,
    line: &SourceLine,
    mark: Option<&Range<usize>>,
) -> MarkedLine {
    let text = line_text(source, line);
    MarkedLine { number: at + 1, pieces: cut(text, line.start, mark), band: line.band }
}

fn line_text<'s, D>(source: &'s NoteSource<D>, line: &SourceLine) -> &'s str {
    source.text().get(line.start..line.end).unwrap_or_default().trim_end_matches('\r')
}

/// Cuts a line that begins at an offset.
fn cut(text: &str, start: usize, mark: Option<&Range<usize>>) -> Vec<Piece> {
    let whole = || vec![Piece { text: text.to_owned(), marked: false }];
    let Some(mark) = mark else { return whole() };
    let from = mark.start.saturating_sub(start).min(text.len());
    let until = mark.end.saturating_sub(start).min(text.len());
    if from >= until {
        return whole();
    }
    let (Some(before), Some(marked), Some(behind)) = (text.get(..from), text.get(from..until), text.get(until..))
    else {
        return whole();
    };
    let pieces = [(before, false), (marked, true), (behind, false)];
    let kept = pieces.into_iter().filter(|(text, _)| !text.is_empty());
    kept.map(|(text, marked)| Piece { text: text.to_owned(), marked }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, start: usize, mark: Range<usize>, expect: &[(&str, bool)]) {
        let pieces = cut(text, start, Some(&mark));
        let pieces: Vec<(&str, bool)> = pieces.iter().map(|piece| (piece.text.as_str(), piece.marked)).collect();
        assert_eq!(pieces, expect, "{text:?} at {start}, {mark:?}");
    }

    #[test]
    fn a_line_is_cut_where_the_bytes_are() {
        check("- Größe: 5", 10, 12..18, &[("- ", false), ("Größ", true), ("e: 5", false)]);
        check("- Größe", 10, 12..19, &[("- ", false), ("Größe", true)]);
        check("abc", 10, 0..100, &[("abc", true)]);
        check("abc", 10, 0..10, &[("abc", false)]);
        check("abc", 10, 13..20, &[("abc", false)]);
        // In the middle of a character there is no mark, rather than a panic or another character's.
        check("é", 0, 1..2, &[("é", false)]);
    }
}
