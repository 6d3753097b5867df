//! Text without its markup, and the way back to the bytes it came from.

use std::ops::Range;

/// The readable text of a piece of markdown, with a map to the file.
///
/// `**drift** is [[fast|quick]]` reads `drift is quick`. The text is made of pieces: a *verbatim* piece has the same
/// bytes in the file; any other (a link, an entity, a line break inside a quote) stands as a whole for its range there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainText {
    text: String,
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    /// Where it starts in the plain text; it ends where the next one starts.
    plain: usize,
    source: Range<usize>,
    verbatim: bool,
}

impl PlainText {
    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends a piece whose bytes in the file are `text` itself.
    pub(crate) fn push_verbatim(&mut self, text: &str, start: usize) {
        self.push(text, start..start + text.len(), true);
    }

    /// Appends a piece that stands for `source` as a whole.
    pub(crate) fn push_for(&mut self, text: &str, source: Range<usize>) {
        self.push(text, source, false);
    }

    fn push(&mut self, text: &str, source: Range<usize>, verbatim: bool) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(Piece { plain: self.text.len(), source, verbatim });
        self.text.push_str(text);
    }

    /// Returns the bytes of the file that `range` of the text stands for, with the markup that belongs to it.
    ///
    /// 1. A piece that isn't verbatim is taken whole.
    /// 2. Markup in front of the first piece is taken when the text before it ends in white space (or there is none):
    ///    in `so. **Bold** it is`, the sentence `Bold it is` begins at the asterisks.
    /// 3. Markup behind the last piece is taken when `range` ends with it: in `**So.** It is`, the sentence `So.` ends
    ///    behind the asterisks.
    ///
    /// `None` for an empty range, or one that isn't on character boundaries of the text.
    #[must_use]
    pub fn source(&self, range: Range<usize>) -> Option<Range<usize>> {
        let cut = self.text.get(range.clone())?;
        if cut.is_empty() {
            return None;
        }
        let first = self.piece_at(range.start)?;
        let last = self.piece_at(range.end - 1)?;
        let (head, tail) = (&self.pieces[first], &self.pieces[last]);
        let mut start = if head.verbatim { head.source.start + (range.start - head.plain) } else { head.source.start };
        let mut end = if tail.verbatim { tail.source.start + (range.end - tail.plain) } else { tail.source.end };
        if range.start == head.plain && first > 0 {
            let before = self.text.get(..range.start).unwrap_or_default();
            if before.ends_with(char::is_whitespace) {
                start = self.pieces[first - 1].source.end.min(start);
            }
        }
        if end == tail.source.end
            && let Some(next) = self.pieces.get(last + 1)
            && !cut.ends_with(char::is_whitespace)
            && self.text.get(range.end..).is_some_and(|rest| rest.starts_with(char::is_whitespace))
        {
            end = next.source.start.max(end);
        }
        Some(start..end)
    }

    /// Index of the piece that holds the plain byte `at`.
    fn piece_at(&self, at: usize) -> Option<usize> {
        self.pieces.partition_point(|piece| piece.plain <= at).checked_sub(1)
    }

    /// The range of the file from the first piece to the last.
    #[must_use]
    pub fn extent(&self) -> Option<Range<usize>> {
        Some(self.pieces.first()?.source.start..self.pieces.last()?.source.end)
    }

    /// Whether the plain byte `at` belongs to a piece that isn't verbatim, such as a link or a code span.
    #[must_use]
    pub fn is_atomic(&self, at: usize) -> bool {
        self.piece_at(at).is_some_and(|piece| !self.pieces[piece].verbatim)
    }

    /// Returns the text of `range` (of the plain text), with its map.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let mut out = Self::default();
        for (index, piece) in self.pieces.iter().enumerate() {
            let piece_end = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.plain);
            let start = piece.plain.max(range.start);
            let end = piece_end.min(range.end);
            let Some(text) = self.text.get(start..end).filter(|_| start < end) else { continue };
            if piece.verbatim {
                out.push_verbatim(text, piece.source.start + (start - piece.plain));
            } else {
                out.push_for(text, piece.source.clone());
            }
        }
        out
    }

    /// Returns the text without white space at either end.
    pub(crate) fn trimmed(&self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        let end = self.text.trim_end().len();
        if start >= end { Self::default() } else { self.slice(start..end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds from a markdown with `**` only.
    fn bold(source: &str) -> PlainText {
        let mut plain = PlainText::default();
        let mut at = 0;
        for part in source.split("**") {
            plain.push_verbatim(part, at);
            at += part.len() + 2;
        }
        plain
    }

    fn check(source: &str, sentence: &str, expect: &str) {
        let plain = bold(source);
        let at = plain.text().find(sentence).expect("the sentence stands in the text");
        let range = plain.source(at..at + sentence.len()).expect("a range");
        assert_eq!(source.get(range), Some(expect));
    }

    #[test]
    fn markup_goes_with_the_words_it_marks() {
        check("so. **Bold** it is", "Bold it is", "**Bold** it is");
        check("**So.** It is", "So.", "**So.**");
        check("**So.** It is", "It is", "It is");
        check("a **b** c", "b", "**b**");
        check("**a** b", "a b", "a** b");
    }

    #[test]
    fn an_atomic_piece_is_taken_whole() {
        let mut plain = PlainText::default();
        plain.push_verbatim("see ", 0);
        plain.push_for("the log", 4..20);
        assert_eq!(plain.source(4..7), Some(4..20));
        assert!(plain.is_atomic(5) && !plain.is_atomic(0));
    }
}
