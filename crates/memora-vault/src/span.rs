//! Byte ranges of a note.

use std::ops::Range;

/// A half-open byte range of one particular note's file.
///
/// Proves: not empty, in bounds, and both ends on character boundaries of that note. Only [`crate::Note::span`] makes
/// one. It does not record which note it belongs to, so keep the two together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    start: usize,
    end: usize,
}

impl Span {
    /// Returns the span of `range` if it is not empty and valid in `text`.
    pub(crate) fn from_range(text: &str, range: Range<usize>) -> Option<Self> {
        let whole = text.get(range.clone())?;
        (!whole.is_empty()).then_some(Self { start: range.start, end: range.end })
    }

    /// Offset of the first byte.
    #[must_use]
    pub fn start(self) -> usize {
        self.start
    }

    /// Offset behind the last byte.
    #[must_use]
    pub fn end(self) -> usize {
        self.end
    }

    /// Both ends.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// A position as editors count it, from 1.
///
/// `line` counts `\n`; `column` counts characters (Unicode scalar values) from the start of the line, without a byte
/// order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}
