//! The readable text of a block, mapped to the bytes of the draft.

use std::ops::Range;

use crate::citation::{CitationGroup, CitedLink, find_citations};

/// Placeholder for a byte of code when citations are searched for: code never contains one.
const CODE_PLACEHOLDER: char = '\u{1}';

/// Readable text made of runs, each with its bytes in the draft.
#[derive(Clone, Debug, Default)]
pub(crate) struct MappedText {
    text: String,
    pieces: Vec<MappedRun>,
    /// Positions of hidden citations: those in the destination of a link.
    hidden: Vec<(usize, Range<usize>)>,
    /// References to footnotes: position, bytes in the draft and label.
    footnotes: Vec<(usize, Range<usize>, String)>,
    /// Inline markup: emphasis, links, images.
    wraps: Vec<MarkupSpan>,
}

/// Markup around some words.
#[derive(Clone, Debug)]
pub(crate) struct MarkupSpan {
    /// The words.
    pub(crate) plain: Range<usize>,
    /// Words and markup in the draft.
    pub(crate) source: Range<usize>,
    /// The target of a wikilink, and whether it has a display text of its own.
    pub(crate) link: Option<(CitedLink, bool)>,
}

#[derive(Clone, Debug)]
struct MappedRun {
    plain: usize,
    source: Range<usize>,
    verbatim: bool,
    code: bool,
}

impl MappedText {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.trim().is_empty() && self.hidden.is_empty()
    }

    pub(crate) fn push_text(&mut self, draft: &str, text: &str, source: Range<usize>, code: bool) {
        if !text.is_empty() {
            let verbatim = draft.get(source.clone()) == Some(text);
            self.pieces.push(MappedRun { plain: self.text.len(), source, verbatim, code });
            self.text.push_str(text);
        }
    }

    /// Records that a link here leads to a claim.
    pub(crate) fn push_hidden_citation(&mut self, source: Range<usize>) {
        self.hidden.push((self.text.len(), source));
    }

    /// Records a reference to a footnote.
    pub(crate) fn push_footnote(&mut self, source: Range<usize>, label: &str) {
        self.footnotes.push((self.text.len(), source, label.to_owned()));
    }

    /// Opens markup, and returns its number, to close it by.
    pub(crate) fn open_markup(&mut self, source: Range<usize>, link: Option<(CitedLink, bool)>) -> usize {
        self.wraps.push(MarkupSpan { plain: self.text.len()..self.text.len(), source, link });
        self.wraps.len() - 1
    }

    /// Closes markup.
    pub(crate) fn close_markup(&mut self, number: usize) {
        let end = self.text.len();
        if let Some(wrap) = self.wraps.get_mut(number) {
            wrap.plain.end = end;
        }
    }

    /// Returns the bytes of the draft for a range of the text, including the markup around words that are all in it.
    pub(crate) fn source_with_markup(&self, range: &Range<usize>) -> Range<usize> {
        let within = |wrap: &&MarkupSpan| {
            range.start <= wrap.plain.start && wrap.plain.end <= range.end && !wrap.plain.is_empty()
        };
        self.wraps
            .iter()
            .filter(within)
            .fold(self.source_range(range), |source, wrap| range_union(source, &wrap.source))
    }

    /// Returns the bytes of the draft for a range of the text.
    pub(crate) fn source_range(&self, range: &Range<usize>) -> Range<usize> {
        let at = |offset: usize| self.pieces.partition_point(|piece| piece.plain <= offset).checked_sub(1);
        let start = at(range.start).map_or(0, |i| {
            let piece = &self.pieces[i];
            if piece.verbatim { piece.source.start + (range.start - piece.plain) } else { piece.source.start }
        });
        let last = range.end.saturating_sub(1).max(range.start);
        let end = at(last).map_or(start, |i| {
            let piece = &self.pieces[i];
            if piece.verbatim { piece.source.start + (range.end - piece.plain) } else { piece.source.end }
        });
        start..end.max(start)
    }

    /// Finds the citations in it. A citation that is not literally in the draft (entities, escapes, emphasis inside)
    /// is malformed.
    pub(crate) fn find_citations(&self, draft: &str) -> Vec<CitationGroup> {
        let mut groups = find_citations(&self.mask_code());
        for group in &mut groups {
            let source = self.source_range(&group.range);
            let escaped = draft.get(..source.start).is_some_and(|before| before.ends_with('\\'));
            let written = draft.get(source).map(collapse_spaces);
            if escaped || written != self.text.get(group.range.clone()).map(collapse_spaces) {
                for item in &mut group.items {
                    item.marker = crate::CitationMarker::Malformed;
                }
            }
        }
        groups
    }

    /// Returns the positions where a link leads to a claim, with the link's bytes in the draft.
    pub(crate) fn hidden_citations(&self) -> &[(usize, Range<usize>)] {
        &self.hidden
    }

    /// Returns the references to footnotes.
    pub(crate) fn footnotes(&self) -> &[(usize, Range<usize>, String)] {
        &self.footnotes
    }

    /// Returns the wikilinks, in order.
    pub(crate) fn links(&self) -> impl Iterator<Item = (&MarkupSpan, &CitedLink, bool)> {
        self.wraps.iter().filter_map(|wrap| wrap.link.as_ref().map(|(link, piped)| (wrap, link, *piped)))
    }

    fn mask_code(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        for (i, piece) in self.pieces.iter().enumerate() {
            let end = self.pieces.get(i + 1).map_or(self.text.len(), |next| next.plain);
            if piece.code {
                text.extend(std::iter::repeat_n(CODE_PLACEHOLDER, end - piece.plain));
            } else {
                text.push_str(self.text.get(piece.plain..end).unwrap_or_default());
            }
        }
        text
    }
}

/// Returns the smallest range that contains both.
pub(crate) fn range_union(one: Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

fn collapse_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
