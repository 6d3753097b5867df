//! Text without its markup, with a map back to the bytes of the file.

use std::ops::Range;

/// The readable text of a piece of markdown, with a map to the file.
///
/// `**drift** is [[fast|quick]]` reads `drift is quick`. The text is made of pieces: a *verbatim* piece has the same
/// bytes in the file; any other (a link, an entity, a line break inside a quote) maps as a whole to its range there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlainText {
    text: String,
    pieces: Vec<MappedPiece>,
    /// Whole ranges of marked words, `**…**` with its asterisks, by start: markup that goes with the words it marks.
    marks: Vec<Range<usize>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct MappedPiece {
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
        self.push_piece(text, start..start + text.len(), true);
    }

    /// Appends a piece that maps as a whole to `source`.
    pub(crate) fn push_replacement(&mut self, text: &str, source: Range<usize>) {
        self.push_piece(text, source, false);
    }

    fn push_piece(&mut self, text: &str, source: Range<usize>, verbatim: bool) {
        if text.is_empty() {
            return;
        }
        self.pieces.push(MappedPiece { plain: self.text.len(), source, verbatim });
        self.text.push_str(text);
    }

    /// Records that the text in `source` is enclosed in markup such as `**`.
    pub(crate) fn add_mark(&mut self, source: Range<usize>) {
        let at = self.marks.partition_point(|mark| mark.start <= source.start);
        self.marks.insert(at, source);
    }

    /// Records many marks at once, in any order.
    pub(crate) fn add_marks(&mut self, sources: impl Iterator<Item = Range<usize>>) {
        self.marks.extend(sources);
        // Stable, so that a mark comes behind those that it is recorded after.
        self.marks.sort_by_key(|mark| mark.start);
    }

    /// Appends another text with its map.
    pub(crate) fn append(&mut self, other: &Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.pieces
            .extend(other.pieces.iter().map(|piece| MappedPiece { plain: piece.plain + shift, ..piece.clone() }));
        for mark in &other.marks {
            let behind = self.marks.partition_point(|known| known.start <= mark.start);
            let same = self.marks[..behind].iter().rev().take_while(|known| known.start == mark.start);
            if !same.into_iter().any(|known| known == mark) {
                self.marks.insert(behind, mark.clone());
            }
        }
    }

    /// Returns the bytes of the file that `range` of the text maps to, with the markup that belongs to it.
    ///
    /// 1. A piece that isn't verbatim is taken whole.
    /// 2. Markup in front of the first piece is taken when the text before it ends in white space, or there is none: in
    ///    `so. **Bold** it is`, the sentence `Bold it is` begins at the asterisks.
    /// 3. Markup behind the last piece is taken when white space follows, or nothing: in `**So.** It is`, the sentence
    ///    `So.` ends behind the asterisks.
    ///
    /// `None` for an empty range, or one that isn't on character boundaries of the text.
    #[must_use]
    pub fn source_range(&self, range: Range<usize>) -> Option<Range<usize>> {
        let cut = self.text.get(range.clone())?;
        if cut.is_empty() {
            return None;
        }
        let first = self.piece_at(range.start)?;
        let last = self.piece_at(range.end - 1)?;
        let (head, tail) = (&self.pieces[first], &self.pieces[last]);
        let mut start = if head.verbatim { head.source.start + (range.start - head.plain) } else { head.source.start };
        let mut end = if tail.verbatim { tail.source.start + (range.end - tail.plain) } else { tail.source.end };
        let before = self.text.get(..range.start)?;
        if range.start == head.plain && (before.is_empty() || before.ends_with(char::is_whitespace)) {
            let floor = first.checked_sub(1).map_or(0, |before| self.pieces[before].source.end);
            start = self.marks_around(start).map(|m| m.start).filter(|s| *s >= floor).min().unwrap_or(start).min(start);
        }
        let behind = self.text.get(range.end..)?;
        if end == tail.source.end
            && !cut.ends_with(char::is_whitespace)
            && (behind.is_empty() || behind.starts_with(char::is_whitespace))
        {
            let ceiling = self.pieces.get(last + 1).map_or(usize::MAX, |next| next.source.start);
            end = self.marks_around(end).map(|m| m.end).filter(|e| *e <= ceiling).max().unwrap_or(end).max(end);
        }
        Some(start..end)
    }

    /// The last few marks that start at or before `at`. Nesting is shallow, so a long paragraph stays linear.
    fn marks_around(&self, at: usize) -> impl Iterator<Item = &Range<usize>> {
        const NESTED: usize = 16;
        let behind = self.marks.partition_point(|mark| mark.start <= at);
        self.marks[behind.saturating_sub(NESTED)..behind].iter()
    }

    /// Index of the piece that holds the plain byte `at`.
    fn piece_at(&self, at: usize) -> Option<usize> {
        self.pieces.partition_point(|piece| piece.plain <= at).checked_sub(1)
    }

    /// The bytes of the file it stands for, markup around its ends included; empty for an empty text.
    #[must_use]
    pub fn source_extent(&self) -> Range<usize> {
        self.source_range(0..self.text.len()).unwrap_or_default()
    }

    /// Whether the plain byte `at` belongs to a piece that isn't verbatim, such as a link or a code span.
    #[must_use]
    pub fn is_atomic(&self, at: usize) -> bool {
        self.piece_at(at).is_some_and(|piece| !self.pieces[piece].verbatim)
    }

    /// Ranges within a part of the text that map as a whole to something else in the file: links, code spans, entities and
    /// line breaks. In order; adjacent pieces of one source are merged.
    pub fn atomic_ranges_within(&self, within: &Range<usize>) -> impl Iterator<Item = (Range<usize>, Range<usize>)> {
        let mut atoms: Vec<(Range<usize>, Range<usize>)> = Vec::new();
        let mut first = self.piece_at(within.start).unwrap_or(0);
        let is_one = |one: usize, next: usize| {
            let is_solid = !self.pieces[one].verbatim && !self.pieces[next].verbatim;
            is_solid && self.pieces[one].source == self.pieces[next].source
        };
        while first > 0 && first < self.pieces.len() && is_one(first - 1, first) {
            first -= 1;
        }
        for (index, piece) in self.pieces.iter().enumerate().skip(first) {
            let goes_on = atoms
                .last()
                .is_some_and(|(plain, source)| !piece.verbatim && *source == piece.source && plain.end == piece.plain);
            if piece.plain >= within.end && !goes_on {
                break;
            }
            let end = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.plain);
            match atoms.last_mut() {
                Some((plain, _)) if goes_on => plain.end = end,
                _ if piece.verbatim => {}
                _ => atoms.push((piece.plain..end, piece.source.clone())),
            }
        }
        let is_within = |plain: &Range<usize>| within.start <= plain.start && plain.end <= within.end;
        atoms.into_iter().filter(move |(plain, _)| is_within(plain))
    }

    /// Ranges within a part of the text that are marked (`*emphasis*`, `**strong**`).
    pub fn marked_ranges_within(&self, within: &Range<usize>) -> impl Iterator<Item = Range<usize>> {
        let floor = within.start.checked_sub(1).map_or(0, |before| self.source_end(before));
        let ceiling = within.end.checked_sub(1).map_or(0, |last| self.source_end(last));
        let first = self.marks.partition_point(|mark| mark.start < floor);
        let marks = self.marks.get(first..).unwrap_or_default().iter().take_while(move |mark| mark.start < ceiling);
        let ranges = marks.filter_map(|mark| {
            let inside = |piece: &&MappedPiece| mark.start <= piece.source.start && piece.source.end <= mark.end;
            let first = self.pieces.partition_point(|piece| piece.source.start < mark.start);
            let count = self.pieces.get(first..)?.iter().take_while(inside).count();
            let start = self.pieces.get(first).filter(|_| count > 0)?.plain;
            let end = self.pieces.get(first + count).map_or(self.text.len(), |next| next.plain);
            Some(start..end)
        });
        let is_within = |plain: &Range<usize>| within.start <= plain.start && plain.end <= within.end;
        ranges.filter(move |plain| is_within(plain))
    }

    /// Returns the text of `range` (of the plain text) with its map; keeps only marks that enclose nothing else.
    pub(crate) fn slice(&self, range: Range<usize>) -> Self {
        let mut out = Self::default();
        self.copy_pieces_to(range.clone(), &mut out);
        let floor = range.start.checked_sub(1).map_or(0, |before| self.source_end(before));
        let ceiling = self.piece_at(range.end).filter(|_| range.end < self.text.len()).map_or(usize::MAX, |behind| {
            let piece = &self.pieces[behind];
            piece.source.start + if piece.verbatim { range.end - piece.plain } else { 0 }
        });
        let first = self.marks.partition_point(|mark| mark.start < floor);
        let within = self.marks[first..].iter().take_while(|mark| mark.start < ceiling);
        out.marks.extend(within.filter(|mark| mark.end <= ceiling).cloned());
        out
    }

    /// Where to cut the text from `at` on, so that a part has at most `limit` bytes: behind the last sentence that ends in
    /// it, else behind a space, else anywhere; never within a piece that maps as a whole, however long that is.
    pub(crate) fn find_cut(&self, at: usize, limit: usize) -> usize {
        let end = self.text.floor_char_boundary((at + limit).min(self.text.len()));
        if end == self.text.len() {
            return end;
        }
        let window = self.text.get(at..end).unwrap_or_default();
        let spaced = |from: usize| window.get(from..).is_some_and(|rest| rest.starts_with(char::is_whitespace));
        let mut ends = window.rmatch_indices(['.', '!', '?', '…', '。', '！', '？', '\n']);
        let ended = ends.find(|(from, sign)| {
            let behind = from + sign.len();
            matches!(*sign, "。" | "！" | "？" | "\n") || spaced(behind)
        });
        let spaces = || window.rfind(char::is_whitespace).map(|from| from + 1);
        let cut = ended.map(|(from, sign)| from + sign.len()).or_else(spaces);
        let cut = self.text.floor_char_boundary(at + cut.unwrap_or(window.len()));
        let cut = if cut > at { cut } else { end };
        match self.piece_at(cut).map(|index| (index, &self.pieces[index])) {
            Some((_, piece)) if !piece.verbatim && at < piece.plain && piece.plain < cut => piece.plain,
            Some((index, piece)) if !piece.verbatim && piece.plain <= at => {
                self.pieces.get(index + 1).map_or(self.text.len(), |next| next.plain)
            }
            _ => cut,
        }
    }

    /// The offset in the file at which the plain byte `at` ends.
    fn source_end(&self, at: usize) -> usize {
        self.piece_at(at).map_or(0, |piece| {
            let piece = &self.pieces[piece];
            if piece.verbatim { piece.source.start + (at + 1 - piece.plain) } else { piece.source.end }
        })
    }

    /// Appends the pieces of `range`, without marks.
    fn copy_pieces_to(&self, range: Range<usize>, out: &mut Self) {
        let first = self.piece_at(range.start).unwrap_or(0);
        for (index, piece) in self.pieces.iter().enumerate().skip(first) {
            if range.end <= piece.plain {
                break;
            }
            let piece_end = self.pieces.get(index + 1).map_or(self.text.len(), |next| next.plain);
            let start = piece.plain.max(range.start);
            let end = piece_end.min(range.end);
            let Some(text) = self.text.get(start..end).filter(|_| start < end) else { continue };
            if piece.verbatim {
                out.push_verbatim(text, piece.source.start + (start - piece.plain));
            } else {
                out.push_replacement(text, piece.source.clone());
            }
        }
    }

    /// Returns the text without white space at either end.
    pub(crate) fn trimmed(&self) -> Self {
        let start = self.text.len() - self.text.trim_start().len();
        let end = self.text.trim_end().len();
        if start >= end { Self::default() } else { self.slice(start..end) }
    }

    /// Returns the text without `ranges` (sorted, disjoint), with its map.
    pub(crate) fn without_ranges(&self, ranges: &[Range<usize>]) -> Self {
        let mut out = Self::default();
        let mut at = 0;
        for range in ranges {
            self.copy_pieces_to(at..range.start, &mut out);
            at = range.end;
        }
        self.copy_pieces_to(at..self.text.len(), &mut out);
        out.marks.clone_from(&self.marks);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds from a markdown with `**` only.
    fn bold(source: &str) -> PlainText {
        let mut plain = PlainText::default();
        let (mut at, mut opened) = (0, None);
        for part in source.split("**") {
            plain.push_verbatim(part, at);
            at += part.len() + 2;
            opened = match opened {
                None => Some(at - 2),
                Some(start) => {
                    plain.add_mark(start..at);
                    None
                }
            };
        }
        plain
    }

    fn check(source: &str, sentence: &str, expect: &str) {
        let plain = bold(source);
        let at = plain.text().find(sentence).expect("the sentence stands in the text");
        let range = plain.source_range(at..at + sentence.len()).expect("a range");
        assert_eq!(source.get(range), Some(expect));
    }

    #[test]
    fn markup_goes_with_the_words_it_marks() {
        check("so. **Bold** it is", "Bold it is", "**Bold** it is");
        check("**So.** It is", "So.", "**So.**");
        check("**So.** It is", "It is", "It is");
        check("a **b** c", "b", "**b**");
        check("**a** b", "a b", "**a** b");
        check("a **b c** d", "b c", "**b c**");
        check("a. **b. c** d", "b.", "**b.");
    }

    #[test]
    fn a_slice_ends_where_its_words_do() {
        let source = "**So** it **is here now** today";
        let plain = bold(source);
        let cut = |words: &str| {
            let at = plain.text().find(words).expect("the words stand in the text");
            source.get(plain.slice(at..at + words.len()).source_extent()).expect("a range")
        };
        assert_eq!((cut("it"), cut("here"), cut("So"), cut("today")), ("it", "here", "**So**", "today"));
        assert_eq!((cut("is here now"), cut("it is here")), ("**is here now**", "it **is here"));
    }

    #[test]
    fn an_atomic_piece_is_taken_whole() {
        let mut plain = PlainText::default();
        plain.push_verbatim("see ", 0);
        plain.push_replacement("the log", 4..20);
        assert_eq!(plain.source_range(4..7), Some(4..20));
        assert!(plain.is_atomic(5) && !plain.is_atomic(0));
    }
}
