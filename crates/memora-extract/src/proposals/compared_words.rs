//! Words for comparison: folded, with their positions.

use std::ops::Range;

use memora_claim::unicode::is_zero_width;

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ComparedWord {
    /// In lower case, with plain quotation marks.
    pub(super) folded: String,
    /// Whether it is capitalized.
    pub(super) large: bool,
    /// Its byte range in the text.
    pub(super) at: Range<usize>,
}

/// Splits a text into words. Significant signs are part of a word or words of their own (`C++`, `3.5`, `-4`, `€`); the
/// rest of the punctuation is dropped.
pub(super) fn split_words(text: &str) -> Vec<ComparedWord> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '+' | '#');
    let char_at = |i: usize| chars.get(i).map_or(' ', |(_, c)| *c);
    let mut found: Vec<ComparedWord> = Vec::new();
    let mut i = 0;
    while i < chars.len() {
        let c = char_at(i);
        let minus = matches!(c, '-' | '−') && char_at(i + 1).is_ascii_digit() && (i == 0 || char_at(i - 1) == ' ');
        let sign = matches!(c, '€' | '$' | '£' | '¥' | '%' | '‰' | '°' | '=' | '<' | '>' | '×' | '→' | '~' | '&' | '@');
        if !is_word(c) && !minus && !sign {
            i += 1;
            continue;
        }
        let first = i;
        i += 1;
        if !sign {
            // Marks within a word or a number belong to it: "don't", "x-ray", "1,200.50", "9:30", "a/b".
            let joins = |i: usize| {
                matches!(char_at(i), '\'' | '’' | '-' | '.' | ',' | ':' | '/') && char_at(i + 1).is_alphanumeric()
            };
            while i < chars.len() && (is_word(char_at(i)) || joins(i) && is_word(char_at(i - 1))) {
                i += 1;
            }
        }
        let start = chars.get(first).map_or(0, |(at, _)| *at);
        let end = chars.get(i).map_or(text.len(), |(at, _)| *at);
        let word = text.get(start..end).unwrap_or_default();
        let folded = word.to_lowercase().replace('’', "'");
        found.push(ComparedWord { folded, large: word.starts_with(char::is_uppercase), at: start..end });
    }
    found
}

/// Whether two lists of words are equal.
pub(super) fn has_same_words(a: &[ComparedWord], b: &[ComparedWord]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.folded == b.folded)
}

/// Returns the occurrences of some words in others, as a contiguous sequence.
pub(super) fn find_occurrences<'w>(
    wanted: &'w [ComparedWord],
    within: &'w [ComparedWord],
) -> impl Iterator<Item = Range<usize>> + 'w {
    let length = wanted.len();
    let windows = within.windows(length.max(1)).enumerate();
    windows.filter(move |(_, window)| has_same_words(window, wanted)).map(move |(at, _)| at..at + length)
}

/// Returns words without a leading article.
pub(super) fn without_article(words: &[ComparedWord]) -> &[ComparedWord] {
    match words {
        [first, rest @ ..] if !rest.is_empty() && matches!(first.folded.as_str(), "the" | "a" | "an") => rest,
        _ => words,
    }
}

/// A text with normalized white space and quotation marks and without invisible characters, and for every byte its
/// position in the original.
pub(super) struct FoldedText {
    pub(super) text: String,
    from: Vec<usize>,
    length: usize,
}

impl FoldedText {
    pub(super) fn fold(text: &str) -> Self {
        let mut folded = Self { text: String::with_capacity(text.len()), from: Vec::new(), length: text.len() };
        for (at, c) in text.char_indices() {
            let c = match c {
                c if is_hidden_char(c) => continue,
                c if c.is_whitespace() && folded.text.ends_with(' ') => continue,
                c if c.is_whitespace() => ' ',
                '‘' | '’' | '‚' | '‛' | '′' => '\'',
                '“' | '”' | '„' | '‟' | '«' | '»' | '″' => '"',
                '‐' | '‑' => '-',
                c => c,
            };
            folded.text.push(c);
            folded.from.resize(folded.text.len(), at);
        }
        folded
    }

    /// Returns the original position of a byte of the folded text; the end for positions beyond it.
    pub(super) fn source_offset(&self, at: usize) -> usize {
        self.from.get(at).copied().unwrap_or(self.length)
    }

    /// Returns the occurrences of another folded text in this one, as byte ranges of the original, at word boundaries.
    pub(super) fn find_source_ranges<'f>(&'f self, wanted: &'f str) -> impl Iterator<Item = Range<usize>> + 'f {
        let found = self.text.match_indices(wanted).filter(move |(at, _)| {
            let before = self.text.get(..*at).and_then(|text| text.chars().next_back());
            let behind = self.text.get(at + wanted.len()..).and_then(|text| text.chars().next());
            let parts = |outside: Option<char>, inside: Option<char>| {
                !(outside.is_some_and(char::is_alphanumeric) && inside.is_some_and(char::is_alphanumeric))
            };
            parts(before, wanted.chars().next()) && parts(behind, wanted.chars().next_back())
        });
        found.map(move |(at, _)| self.source_offset(at)..self.source_offset(at + wanted.len()))
    }
}

/// Whether a character is hidden from models, see the envelope of a prompt.
fn is_hidden_char(c: char) -> bool {
    is_zero_width(c) || c.is_control() && !c.is_whitespace()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_count_are_words() {
        let cut = |text: &str| split_words(text).into_iter().map(|word| word.folded).collect::<Vec<_>>().join("|");
        assert_eq!(cut("C++ isn’t C, at -4.5 °C (€ 1,200)."), "c++|isn't|c|at|-4.5|°|c|€|1,200");
        assert_eq!(cut("… — !"), "");
        assert_eq!(cut("x-ray 9:30, a/b."), "x-ray|9:30|a/b");
    }

    #[test]
    fn what_is_found_is_given_in_bytes_of_the_original() {
        let text = "He said  “drift’s\u{200b} fast”.";
        let folded = FoldedText::fold(text);
        let found: Vec<_> = folded.find_source_ranges("\"drift's fast\"").filter_map(|range| text.get(range)).collect();
        assert_eq!(found, ["“drift’s\u{200b} fast”"]);
        assert_eq!(folded.find_source_ranges("rift").count(), 0, "not in the middle of a word");
    }
}
