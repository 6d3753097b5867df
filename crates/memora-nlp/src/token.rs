//! Tokenization: the words, numerals and marks of a text with their byte ranges.
//!
//! Invariant: **a token's range refers to the original text**, also for the two halves of a contraction (`isn't` is
//! `is` and `n't`, normalized to `not`) and for `40ms`, which is two tokens.

use std::ops::Range;

use crate::lexicon::{FUNCTION, GERMAN_FUNCTION};
use crate::stem::stem;
use crate::unit::{MeasureUnit, find_unit};

/// A word, numeral or mark of a text.
#[derive(Clone, Debug)]
pub struct Token {
    /// Its byte range in the text.
    pub range: Range<usize>,
    /// The text in lower case, with contractions expanded and quotes straightened.
    pub lower: String,
    /// Its stem.
    pub stem: String,
    /// Its kind.
    pub kind: TokenKind,
    /// Whether it begins with a capital letter.
    pub capital: bool,
    /// Whether it begins a sentence, cell or line, where a capital letter carries no information.
    pub initial: bool,
    /// Whether it follows the previous token without a space.
    pub glued: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// Letters, possibly followed by digits.
    Word,
    /// Digits and the signs between them.
    Numeral,
    /// Any other character.
    Mark(char),
}

impl Token {
    /// Whether the token is a content word.
    #[must_use]
    pub fn is_content(&self) -> bool {
        self.kind == TokenKind::Word
            && !FUNCTION.contains(self.lower.as_str())
            && !GERMAN_FUNCTION.contains(self.lower.as_str())
    }

    /// Whether the token is the given mark.
    #[must_use]
    pub fn is_mark(&self, mark: char) -> bool {
        self.kind == TokenKind::Mark(mark)
    }

    /// Whether the token ends a segment of a note: a full stop, a line break, a semicolon, a bar.
    #[must_use]
    pub fn is_segment_end(&self) -> bool {
        matches!(self.kind, TokenKind::Mark('.' | '!' | '?' | ';' | '\n' | '|' | '…' | '。' | '！' | '？'))
    }
}

/// Splits a text into tokens.
#[must_use]
pub fn tokenize(text: &str) -> Vec<Token> {
    let letters: Vec<(usize, char)> = text.char_indices().collect();
    let mut cutter = Tokenizer { text, tokens: Vec::with_capacity(letters.len() / 4), initial: true };
    let at = |i: usize| letters.get(i).map_or(' ', |&(_, c)| c);
    let offset = |i: usize| letters.get(i).map_or(text.len(), |&(byte, _)| byte);
    let mut i = 0;
    while i < letters.len() {
        let first = at(i);
        let mut end = i + 1;
        if is_single_char_word(first) {
            cutter.push(offset(i)..offset(end), TokenKind::Word);
        } else if first.is_ascii_digit() {
            let joins = |j: usize| {
                at(j).is_ascii_digit()
                    || (matches!(at(j), '.' | ',' | ':' | '\'' | '’')
                        && at(j + 1).is_ascii_digit()
                        && at(j - 1).is_ascii_digit())
            };
            while joins(end) {
                end += 1;
            }
            cutter.push(offset(i)..offset(end), TokenKind::Numeral);
        } else if first.is_alphabetic() || is_vulgar_fraction(first) {
            // `3h10` is a number, a unit and a number.
            let measures = i > 0 && at(i - 1).is_ascii_digit();
            let joins = |j: usize| {
                let (c, next) = (at(j), at(j + 1));
                if measures {
                    return c.is_alphabetic();
                }
                (c.is_alphanumeric() && !is_single_char_word(c))
                    || is_combining(c)
                    || (matches!(c, '\'' | '’') && next.is_alphabetic())
                    || (matches!(c, '_' | '.')
                        && next.is_alphanumeric()
                        && !next.is_uppercase()
                        && at(j - 1).is_alphanumeric())
                    || (c == '.' && next.is_uppercase() && at(j - 1).is_uppercase())
            };
            while !is_vulgar_fraction(first) && joins(end) {
                end += 1;
            }
            cutter.push_word(offset(i)..offset(end));
        } else if !first.is_whitespace() || first == '\n' {
            cutter.push(offset(i)..offset(end), TokenKind::Mark(normalize_mark(first)));
        }
        i = end;
    }
    cutter.tokens
}

/// Whether a character is a word by itself: ideographs and kana, which are written without spaces.
fn is_single_char_word(c: char) -> bool {
    matches!(c, '\u{2e80}'..='\u{2fdf}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

fn is_combining(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{200d}' | '\u{ad}')
}

pub(crate) fn is_vulgar_fraction(c: char) -> bool {
    matches!(c, '¼' | '½' | '¾' | '⅓' | '⅔' | '⅛')
}

fn normalize_mark(mark: char) -> char {
    match mark {
        '’' | '‘' | '`' => '\'',
        '“' | '”' | '„' | '«' | '»' => '"',
        '–' | '—' | '−' | '‐' | '‑' => '-',
        other => other,
    }
}

struct Tokenizer<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    initial: bool,
}

/// Contraction endings with their expansions.
const ENDINGS: [(&str, &str); 7] =
    [("n't", "not"), ("'d", "would"), ("'ll", "will"), ("'re", "are"), ("'ve", "have"), ("'m", "am"), ("'s", "'s")];

impl Tokenizer<'_> {
    /// Adds a word; a contraction is added as two tokens.
    fn push_word(&mut self, range: Range<usize>) {
        let lower = self.text.get(range.clone()).unwrap_or_default().to_lowercase().replace('’', "'");
        let parted = ENDINGS.iter().find_map(|(ending, full)| {
            let head = lower.strip_suffix(ending)?;
            let cut = range.end - self.trailing_bytes(&range, ending.chars().count())?;
            (!head.is_empty() && cut > range.start).then_some((head, cut, *full))
        });
        let Some((head, cut, full)) = parted else {
            if lower == "cannot" {
                self.push_token(range.clone(), "can", TokenKind::Word);
                self.push_token(range, "not", TokenKind::Word);
            } else {
                self.push_token(range, &lower, TokenKind::Word);
            }
            return;
        };
        let head = match (head, full) {
            ("wo", "not") => "will",
            ("ca", "not") => "can",
            ("sha", "not") => "shall",
            (head, _) => head,
        };
        self.push_token(range.start..cut, head, TokenKind::Word);
        self.push_token(cut..range.end, full, TokenKind::Word);
    }

    /// Returns the length in bytes of the last characters of a range.
    fn trailing_bytes(&self, range: &Range<usize>, letters: usize) -> Option<usize> {
        let text = self.text.get(range.clone())?;
        Some(text.chars().rev().take(letters).map(char::len_utf8).sum())
    }

    fn push(&mut self, range: Range<usize>, kind: TokenKind) {
        let lower = match kind {
            TokenKind::Mark(mark) => mark.to_string(),
            _ => self.text.get(range.clone()).unwrap_or_default().to_lowercase(),
        };
        self.push_token(range, &lower, kind);
    }

    fn push_token(&mut self, range: Range<usize>, lower: &str, kind: TokenKind) {
        let capital = self.text.get(range.start..).and_then(|rest| rest.chars().next()).is_some_and(char::is_uppercase);
        let glued = self.tokens.last().is_some_and(|last| last.range.end >= range.start);
        let stem = if kind == TokenKind::Word { stem(lower) } else { lower.to_owned() };
        self.tokens.push(Token { range, lower: lower.to_owned(), stem, kind, capital, initial: self.initial, glued });
        match kind {
            TokenKind::Mark('.' | '!' | '?' | ':' | '\n' | '|' | '…' | '•' | '"' | '(' | '。') => {
                self.initial = true;
            }
            // What stands in front of a sentence does not begin it.
            TokenKind::Mark(_) => {}
            // `1.` numbers a line.
            _ => self.initial = false,
        }
    }
}

/// Returns the unit that a token denotes next to a number; `None` for pounds, which may be money or weight.
#[must_use]
pub fn find_token_unit(token: &Token) -> Option<&'static MeasureUnit> {
    match token.kind {
        TokenKind::Word | TokenKind::Mark(_) => find_unit(&token.lower).filter(|unit| unit.name != "pound"),
        TokenKind::Numeral => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stand_where_they_say() {
        let text = "Isn’t it 40ms, 3h10 – or 1,200.5 €? Zoë's v1.2 at 14:20.";
        let found: Vec<(&str, String)> =
            tokenize(text).into_iter().map(|t| (text.get(t.range).expect("a range"), t.lower)).collect();
        let lower: Vec<&str> = found.iter().map(|(_, lower)| lower.as_str()).collect();
        assert_eq!(
            lower,
            [
                "is", "not", "it", "40", "ms", ",", "3", "h", "10", "-", "or", "1,200.5", "€", "?", "zoë", "'s",
                "v1.2", "at", "14:20", "."
            ]
        );
        assert_eq!(found[1].0, "n’t");
    }
}
