//! Treebank tokenization of a sentence: [`tokenize_treebank`].
//!
//! Invariant: **it tokenizes as the English Web Treebank does**, because the model was trained on that:
//! hyphens stand alone between letters, clitics are split off, and numbers, versions, paths and addresses stay whole.
//! Not here: sentence segmentation, and markup. The caller passes the ranges of markup that must stay whole.

use std::ops::Range;

use crate::lexicon::{CLITICS, HYPHENATED_PREFIXES, TREEBANK_ABBREVIATIONS};

/// Splits a text of one sentence into tokens: byte ranges in order, on character boundaries, that cover everything
/// except white space.
///
/// Each of the `solid` ranges (a code span, a link) becomes exactly one token. They are sorted and disjoint; ranges
/// that are not, or that are empty or not on character boundaries of `text`, are ignored.
///
/// ```
/// let text = "We don't use [[Old Names]].";
/// let words: Vec<&str> = memora_nlp::tokenize_treebank(text, &[13..26]).into_iter().filter_map(|t| text.get(t)).collect();
/// assert_eq!(words, ["We", "do", "n't", "use", "[[Old Names]]", "."]);
/// ```
#[must_use]
pub fn tokenize_treebank(text: &str, solid: &[Range<usize>]) -> Vec<Range<usize>> {
    let mut cutter = TreebankTokenizer { text, found: Vec::new() };
    let mut done = 0;
    for range in solid {
        if range.start >= done && !range.is_empty() && text.get(range.clone()).is_some() {
            cutter.push_words(done..range.start);
            cutter.found.push(range.clone());
            done = range.end;
        }
    }
    cutter.push_words(done..text.len());
    cutter.found
}

struct TreebankTokenizer<'t> {
    text: &'t str,
    found: Vec<Range<usize>>,
}

impl TreebankTokenizer<'_> {
    fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or("")
    }

    fn push(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.found.push(range);
        }
    }

    /// Splits the text between solid ranges, at white space first.
    fn push_words(&mut self, piece: Range<usize>) {
        let mut start = piece.start;
        while start < piece.end {
            let rest = self.slice(start..piece.end);
            let chunk = rest.find(char::is_whitespace).unwrap_or(rest.len());
            let gap = rest.get(chunk..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
            self.push_chunk(start..start + chunk);
            start += chunk + gap;
        }
    }

    /// Splits a chunk without white space.
    fn push_chunk(&mut self, chunk: Range<usize>) {
        if is_address(self.slice(chunk.clone())) {
            return self.push_address(chunk);
        }
        let mut start = self.push_solid_clitic(&chunk);
        while let Some(sign) = self.slice(start..chunk.end).chars().next() {
            let end = if is_word_char(sign) {
                self.push_word(start, chunk.end)
            } else {
                self.push_sign(start, chunk.end, sign)
            };
            start = end;
        }
    }

    /// Keeps an address or path whole, and splits off the punctuation behind it.
    fn push_address(&mut self, chunk: Range<usize>) {
        const BEHIND: [char; 9] = ['.', ',', ';', ')', '!', '?', '"', '\'', ':'];
        let written = self.slice(chunk.clone());
        let first = written.chars().next().map_or(0, char::len_utf8);
        let end = chunk.start + written.trim_end_matches(BEHIND).len().max(first);
        self.push(chunk.start..end);
        // Each of these is one byte.
        for at in end..chunk.end {
            self.push(at..at + 1);
        }
    }

    /// Pushes the `'s` of `[[Anna]]'s`. Returns the new position.
    fn push_solid_clitic(&mut self, chunk: &Range<usize>) -> usize {
        let touches = self.found.last().is_some_and(|last| last.end == chunk.start);
        let written = self.slice(chunk.clone());
        if !touches || !written.starts_with(APOSTROPHES) {
            return chunk.start;
        }
        let end =
            written.char_indices().skip(1).find(|(_, sign)| !is_word_char(*sign)).map_or(written.len(), |(at, _)| at);
        if written.get(..end).is_none_or(|clitic| !CLITICS.contains(normalize_apostrophes(clitic).as_str())) {
            return chunk.start;
        }
        self.push(chunk.start..chunk.start + end);
        chunk.start + end
    }

    /// Pushes one sign, or a run of equal signs that is one token. Returns the new position.
    fn push_sign(&mut self, start: usize, chunk_end: usize, sign: char) -> usize {
        let count = match sign {
            '.' | '-' | '!' | '?' | '=' | '*' | '#' | '~' => {
                self.slice(start..chunk_end).chars().take_while(|other| *other == sign).count()
            }
            _ => 1,
        };
        let end = start + count * sign.len_utf8();
        self.push(start..end);
        end
    }

    /// Pushes a word, and the clitic at its end. Returns the new position.
    fn push_word(&mut self, start: usize, chunk_end: usize) -> usize {
        let end = self.find_word_end(start, chunk_end);
        let clitic = end - clitic_len(self.slice(start..end)).min(end - start);
        self.push(start..clitic);
        self.push(clitic..end);
        end
    }

    /// Returns the end of the word that begins at `start`: some signs are part of it, depending on their neighbours.
    fn find_word_end(&self, start: usize, chunk_end: usize) -> usize {
        let mut last = ' ';
        let mut signs = self.slice(start..chunk_end).chars().peekable();
        let mut at = start;
        while let Some(sign) = signs.next() {
            let next = signs.peek().copied();
            let next_or_space = next.unwrap_or(' ');
            let before = self.slice(start..at);
            let between_digits = last.is_ascii_digit() && next_or_space.is_ascii_digit();
            let inside = match sign {
                '.' => {
                    let in_text = next.is_none() && chunk_end < self.text.len();
                    is_word_char(next_or_space)
                        || before.len() <= 4 && before.contains('.') && last.is_alphabetic()
                        || in_text && TREEBANK_ABBREVIATIONS.contains(before.to_lowercase().as_str())
                }
                ',' | ':' | '/' => between_digits,
                '-' => {
                    between_digits
                        || is_word_char(next_or_space) && HYPHENATED_PREFIXES.contains(before.to_lowercase().as_str())
                }
                '\'' | '’' => last.is_alphabetic() && next_or_space.is_alphabetic(),
                '+' | '#' => last.is_alphabetic() && matches!(next, None | Some('+')),
                '&' => last.is_uppercase() && next_or_space.is_uppercase(),
                _ => is_word_char(sign),
            };
            if !inside {
                break;
            }
            at += sign.len_utf8();
            last = sign;
        }
        at
    }
}

const APOSTROPHES: [char; 2] = ['\'', '’'];

fn is_word_char(sign: char) -> bool {
    sign.is_alphanumeric() || sign == '_'
}

/// Whether a chunk is an address or path, in which signs do not separate tokens.
fn is_address(chunk: &str) -> bool {
    let path = || ["/", "~/", "./"].iter().any(|start| chunk.starts_with(start));
    chunk.contains("://")
        || chunk.contains("::")
        || chunk.starts_with("www.")
        || chunk.len() > 5 && chunk.contains('@') && chunk.contains('.')
        || chunk.len() > 2 && path()
}

fn normalize_apostrophes(word: &str) -> String {
    word.to_lowercase().replace('’', "'")
}

/// Returns the length in bytes of the clitic at the end of `word`, or of the second half of `cannot`.
fn clitic_len(word: &str) -> usize {
    if word.eq_ignore_ascii_case("cannot") {
        return "not".len();
    }
    if !word.contains(APOSTROPHES) {
        return 0;
    }
    let plain = normalize_apostrophes(word);
    let Some(clitic) = CLITICS.iter().find(|clitic| plain.len() > clitic.len() && plain.ends_with(**clitic)) else {
        return 0;
    };
    // From the apostrophe in all but `n't` and `n’t`.
    word.char_indices().rev().nth(clitic.len() - 1).map_or(0, |(at, _)| word.len() - at)
}
