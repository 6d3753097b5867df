//! Positions of the protocol, from offsets in bytes and back.
//!
//! Invariant: **a position comes from a byte range, never from a search for words.** A line ends at `\n`, `\r\n` or `\r`, as the
//! protocol has it. Characters of a line are counted in the units that the client offers: UTF-8, else UTF-16. Whatever a client sends
//! leads to a place in the text: beyond the end of a line to its end, into the middle of a character to its beginning.

use std::ops::Range;

use lsp_types::{Position, PositionEncodingKind, Range as LspRange};

/// The unit in which the characters of a line are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Units {
    /// Bytes.
    Utf8,
    /// What every client counts in.
    #[default]
    Utf16,
}

impl Units {
    /// Chooses among those that a client offers.
    pub(crate) fn choose(offered: Option<&[PositionEncodingKind]>) -> Self {
        let has_utf8 = offered.is_some_and(|offered| offered.contains(&PositionEncodingKind::UTF8));
        if has_utf8 { Self::Utf8 } else { Self::Utf16 }
    }

    /// Returns the name of it.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// Counts a text.
    pub(crate) fn count(self, text: &str) -> u32 {
        let count = match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        };
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    fn of_char(self, c: char) -> usize {
        match self {
            Self::Utf8 => c.len_utf8(),
            Self::Utf16 => c.len_utf16(),
        }
    }
}

/// The lines of a text.
#[derive(Clone, Debug)]
pub(crate) struct LineIndex {
    /// Where each begins; the first at 0.
    starts: Vec<usize>,
    units: Units,
}

impl LineIndex {
    /// Finds the lines of a text.
    pub(crate) fn new(text: &str, units: Units) -> Self {
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|(at, byte)| match byte {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Self { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect(), units }
    }

    /// The position of an offset in the text.
    pub(crate) fn position(&self, text: &str, offset: usize) -> Position {
        let offset = floor_boundary(text, offset);
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let character = self.units.count(text.get(start..offset).unwrap_or_default());
        Position { line: u32::try_from(line).unwrap_or(u32::MAX), character }
    }

    /// The range of bytes in the text, as the protocol has it.
    pub(crate) fn range(&self, text: &str, range: &Range<usize>) -> LspRange {
        LspRange { start: self.position(text, range.start), end: self.position(text, range.end) }
    }

    /// The offset of a position.
    pub(crate) fn offset(&self, text: &str, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let end = line.checked_add(1).and_then(|next| self.starts.get(next)).copied().unwrap_or(text.len());
        let line = text.get(start..end).unwrap_or_default().trim_end_matches(['\n', '\r']);
        let mut left = usize::try_from(position.character).unwrap_or(usize::MAX);
        for (at, c) in line.char_indices() {
            let size = self.units.of_char(c);
            if left < size {
                return start + at;
            }
            left -= size;
        }
        start + line.len()
    }

    /// The bytes between two positions; nothing if they stand the wrong way round.
    pub(crate) fn bytes(&self, text: &str, range: LspRange) -> Range<usize> {
        let (start, end) = (self.offset(text, range.start), self.offset(text, range.end));
        start..end.max(start)
    }
}

/// Returns the last boundary of a character at or before an offset.
pub(crate) fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Größe 😀 x\r\nzwei\n\rvier é";

    fn check(units: Units, offset: usize, line: u32, character: u32) {
        let lines = LineIndex::new(TEXT, units);
        let position = Position { line, character };
        assert_eq!(lines.position(TEXT, offset), position, "{units:?} {offset}");
        assert_eq!(lines.offset(TEXT, position), offset, "{units:?} {position:?}");
    }

    #[test]
    fn offsets_and_positions_lead_to_each_other() {
        let at = |word: &str| TEXT.find(word).expect("it stands there");
        for (units, smile, x) in [(Units::Utf8, 8, 13), (Units::Utf16, 6, 9)] {
            check(units, 0, 0, 0);
            check(units, at("😀"), 0, smile);
            check(units, at("x"), 0, x);
            check(units, at("zwei"), 1, 0);
            check(units, at("vier"), 3, 0);
            check(units, TEXT.len(), 3, if units == Units::Utf8 { 7 } else { 6 });
        }
    }

    #[test]
    fn what_lies_nowhere_leads_to_the_nearest_place() {
        let lines = LineIndex::new(TEXT, Units::Utf16);
        let offset = |line, character| lines.offset(TEXT, Position { line, character });
        assert_eq!(offset(0, 7), TEXT.find('😀').expect("there"), "the middle of a pair is its beginning");
        assert_eq!(offset(0, 900), TEXT.find("\r\n").expect("there"), "behind the end of a line is its end");
        assert_eq!(offset(900, 0), TEXT.len());
        assert_eq!(lines.position(TEXT, 900), lines.position(TEXT, TEXT.len()));
        let wrong = LspRange { start: Position { line: 1, character: 2 }, end: Position { line: 0, character: 1 } };
        assert!(lines.bytes(TEXT, wrong).is_empty());
        assert_eq!(LineIndex::new("", Units::Utf8).offset("", Position { line: u32::MAX, character: u32::MAX }), 0);
    }

    #[test]
    fn utf_8_is_chosen_where_it_is_offered() {
        assert_eq!(Units::choose(None), Units::Utf16);
        assert_eq!(Units::choose(Some(&[PositionEncodingKind::UTF16])), Units::Utf16);
        assert_eq!(Units::choose(Some(&[PositionEncodingKind::UTF32, PositionEncodingKind::UTF8])), Units::Utf8);
    }
}
