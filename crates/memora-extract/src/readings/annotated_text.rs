//! A text to read, cut at its punctuation, and into the tokens that the parser sees.

use std::ops::Range;

use memora_claim::time::TimeMention;
use memora_nlp::tokenize_treebank;

use super::opaque_tokens::{ParserForm, find_opaque_tokens};
use crate::lists::{CONTINUATION_OPENINGS, OPENING_SUBJECTS};

/// A text to read, with its annotations.
#[derive(Clone, Copy)]
pub(super) struct AnnotatedText<'a> {
    pub(super) text: &'a str,
    /// Links and code.
    pub(super) marked: &'a [Range<usize>],
    pub(super) times: &'a [TimeMention],
    /// The nesting depth of this part.
    pub(super) depth: u8,
}

/// A part of a text as the parser sees it.
pub(super) struct TokenizedSpan<'a> {
    pub(super) ranges: Vec<Range<usize>>,
    pub(super) forms: Vec<&'a str>,
}

impl<'a> AnnotatedText<'a> {
    /// Splits a part of the text into tokens.
    pub(super) fn tokenize_span(self, part: &Range<usize>) -> TokenizedSpan<'a> {
        let within = self.text.get(part.clone()).unwrap_or_default();
        let inside = |range: &Range<usize>| part.start <= range.start && range.end <= part.end;
        let shifted = |range: &Range<usize>| range.start - part.start..range.end - part.start;
        let marked: Vec<Range<usize>> = self.marked.iter().filter(|range| inside(range)).map(shifted).collect();
        let times = self.times.iter().filter(|time| inside(&time.words));
        let times: Vec<TimeMention> =
            times.map(|time| TimeMention { words: shifted(&time.words), ..time.clone() }).collect();
        let solids = find_opaque_tokens(within, &marked, &times);
        let whole: Vec<Range<usize>> = solids.iter().map(|solid| solid.range.clone()).collect();
        let ranges = tokenize_treebank(within, &whole);
        let form = |range: &Range<usize>| {
            let at = solids.binary_search_by_key(&range.start, |solid| solid.range.start).ok();
            match at.and_then(|at| solids.get(at)).filter(|solid| solid.range == *range).map(|solid| &solid.shown) {
                Some(ParserForm::Word(word)) => word,
                Some(ParserForm::Part(part)) => within.get(part.clone()).unwrap_or_default(),
                Some(ParserForm::AsWritten) | None => within.get(range.clone()).unwrap_or_default(),
            }
        };
        let mut forms: Vec<&str> = ranges.iter().map(form).collect();
        let mut ranges: Vec<Range<usize>> =
            ranges.iter().map(|range| range.start + part.start..range.end + part.start).collect();
        let opening = self.times.iter().find_map(|time| find_opening_time(self.text, time, &ranges));
        if let Some((at, end)) = opening {
            ranges.insert(at, end..end);
            forms.insert(at, ",");
        }
        TokenizedSpan { ranges, forms }
    }
}

/// Finds the token behind an opening time expression without a comma, and the byte offset for the missing comma: "Last
/// Friday Ben met Lisa". The parser would attach such a time to the following name.
fn find_opening_time(text: &str, time: &TimeMention, ranges: &[Range<usize>]) -> Option<(usize, usize)> {
    let first = ranges.first()?.start;
    let end = time.words.end;
    let words = text.get(first..end)?;
    let at = ranges.iter().position(|range| range.start >= end)?;
    let next = ranges.get(at).and_then(|range| text.get(range.clone()))?;
    let front = text.get(first..time.words.start)?.trim();
    let preposition = matches!(front.to_lowercase().as_str(), "in" | "on" | "since" | "until");
    // A year, or a month that may be a name, is left to the parser: "2024 Olympics", "April Jones".
    let day = words.split_whitespace().count() > 1 || words.ends_with("day") && words != "day";
    let someone = next.starts_with(char::is_uppercase) || OPENING_SUBJECTS.contains(next);
    (at > 0 && (preposition || front.is_empty() && day) && someone).then_some((at, end))
}

/// Splits a line behind semicolons and commas, outside brackets, quotes, links and numbers.
pub(super) fn split_at_punctuation(text: AnnotatedText<'_>, body: &Range<usize>) -> Vec<Range<usize>> {
    let within = text.text.get(body.clone()).unwrap_or_default();
    let mut found = Vec::new();
    let mut depth = 0_i32;
    let mut start = body.start;
    for (at, c) in within.char_indices() {
        let here = body.start + at;
        let behind = within.get(at + c.len_utf8()..).unwrap_or_default();
        let before = within.get(..at).unwrap_or_default();
        let apart = behind.starts_with(char::is_whitespace);
        let cuts = match c {
            '(' | '[' | '“' | '«' => {
                depth += 1;
                false
            }
            ')' | ']' | '”' | '»' => {
                depth -= 1;
                false
            }
            ',' => apart && !is_dependent_continuation(behind),
            ';' | ':' => apart,
            // A dash or an arrow between spaces.
            '-' | '–' | '—' | '→' => apart && before.ends_with(char::is_whitespace),
            _ => false,
        };
        let inside = text.marked.iter().any(|range| range.contains(&here))
            || text.times.iter().any(|time| time.words.contains(&here));
        if cuts && depth <= 0 && !inside {
            found.push(start..here);
            start = here + c.len_utf8();
        }
    }
    found.push(start..body.end);
    found
}

/// Whether the words behind a comma depend on those before it.
fn is_dependent_continuation(behind: &str) -> bool {
    let first = behind.split_whitespace().next().unwrap_or_default().to_lowercase();
    CONTINUATION_OPENINGS.contains(first.as_str())
}
