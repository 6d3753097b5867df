//! The tokenizer of the index: produces the terms of a document's text.
//!
//! Queries are split by the same functions (`scan`, `words`, [`StemCache`]), so that equal spellings in a note and in a
//! question match. Every open of an index registers it under [`TOKENIZER_NAME`]; a change of its output is a change of
//! the index's format.

use std::collections::HashMap;

use frostem::{Algorithm, Stemmer};
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use crate::chunker::{Chunk, ChunkKind, split_characters, split_chunks};
use crate::normalize::{fold_into, fold_word};
use crate::word_forms::{split_forms, truncate_token};

/// The name it is registered under.
pub(crate) const TOKENIZER_NAME: &str = "memora";

/// The maximum number of stems cached by one tokenizer.
const STEMS_MAX: usize = 1 << 15;

/// A cache of English stems: a vault repeats its words.
#[derive(Default)]
pub(crate) struct StemCache {
    stemmer: Option<Stemmer>,
    known: HashMap<String, String>,
}

impl Clone for StemCache {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl StemCache {
    /// Returns the stem of a folded word; words with characters other than ASCII letters are returned unchanged.
    pub(crate) fn stem<'a>(&'a mut self, word: &'a str) -> &'a str {
        if word.len() < 3 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
            return word;
        }
        if !self.known.contains_key(word) {
            if self.known.len() >= STEMS_MAX {
                self.known.clear();
            }
            let stemmer = self.stemmer.get_or_insert_with(|| Stemmer::new(Algorithm::English));
            let stem = stemmer.stem(word).into_owned();
            self.known.insert(word.to_owned(), stem);
        }
        self.known.get(word).map_or(word, String::as_str)
    }
}

/// Produces the tokens of a field for tantivy.
#[derive(Clone, Default)]
pub(crate) struct StatementTokenizer {
    stems: StemCache,
    folded: String,
    tokens: Vec<Token>,
    used: usize,
}

impl StatementTokenizer {
    /// Returns the tokens of `text`.
    pub(crate) fn tokenize(&mut self, text: &str) -> &[Token] {
        self.used = 0;
        let mut position = 0;
        for chunk in split_chunks(text) {
            position = self.push_chunk(chunk, position);
        }
        self.tokens.get(..self.used).unwrap_or_default()
    }

    /// Returns the number of tokens of `text`.
    pub(crate) fn count_tokens(&mut self, text: &str) -> u16 {
        u16::try_from(self.tokenize(text).len()).unwrap_or(u16::MAX)
    }

    /// Pushes a chunk's tokens and returns the next free position.
    fn push_chunk(&mut self, chunk: Chunk<'_>, position: usize) -> usize {
        let span = (chunk.from, chunk.from + chunk.text.len());
        match chunk.kind {
            ChunkKind::Plain => {
                self.push_token(chunk.text, span, position);
                position + 1
            }
            ChunkKind::Word => {
                if chunk
                    .text
                    .bytes()
                    .enumerate()
                    .all(|(i, b)| b.is_ascii_lowercase() || (i == 0 && b.is_ascii_uppercase()))
                {
                    let mut folded = std::mem::take(&mut self.folded);
                    folded.clear();
                    fold_into(chunk.text, &mut folded);
                    self.push_token(&folded, span, position);
                    self.folded = folded;
                    return position + 1;
                }
                let forms = split_forms(chunk.text);
                // In the order of their positions: tantivy subtracts each from the next.
                let first = forms.parts.first().into_iter();
                for form in first.chain(&forms.wholes).chain(&forms.extra) {
                    self.push_token(form, span, position);
                }
                for (i, part) in forms.parts.iter().enumerate().skip(1) {
                    self.push_token(part, span, position + i);
                }
                position + forms.parts.len().max(1)
            }
            ChunkKind::Unspaced => {
                let characters: Vec<(usize, String)> =
                    split_characters(chunk.text).into_iter().map(|(at, c)| (at, fold_word(c))).collect();
                // Bigrams, and the last character by itself, so that any single one is a prefix of some token.
                for (i, (at, first)) in characters.iter().enumerate() {
                    let (_, second) = characters.get(i + 1).map_or((0, ""), |(at, c)| (*at, c.as_str()));
                    let end = characters.get(i + 2).map_or(chunk.text.len(), |(at, _)| *at);
                    self.push_token(&format!("{first}{second}"), (chunk.from + at, chunk.from + end), position + i);
                }
                position + characters.len()
            }
            ChunkKind::Symbol => {
                self.push_token(&strip_symbol_modifiers(chunk.text), span, position);
                position + 1
            }
        }
    }

    fn push_token(&mut self, text: &str, (from, to): (usize, usize), position: usize) {
        if text.is_empty() {
            return;
        }
        if self.used == self.tokens.len() {
            self.tokens.push(Token::default());
        }
        let Some(token) = self.tokens.get_mut(self.used) else { return };
        token.text.clear();
        if text.len() > 80 {
            token.text.push_str(&truncate_token(text.to_owned()));
        } else {
            token.text.push_str(self.stems.stem(text));
        }
        (token.offset_from, token.offset_to, token.position) = (from, to, position);
        self.used += 1;
    }
}

/// Returns a symbol without its skin tone and selectors.
pub(crate) fn strip_symbol_modifiers(text: &str) -> String {
    text.chars()
        .filter(|&c| !crate::normalize::is_ignorable(c) && !matches!(c, '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}'))
        .collect()
}

impl Tokenizer for StatementTokenizer {
    type TokenStream<'a> = StatementTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> StatementTokenStream<'a> {
        self.tokenize(text);
        let used = self.used;
        StatementTokenStream {
            tokens: self.tokens.get_mut(..used).unwrap_or_default(),
            next: 0,
            none: Token::default(),
        }
    }
}

/// The tokens of one text.
pub(crate) struct StatementTokenStream<'a> {
    tokens: &'a mut [Token],
    next: usize,
    /// Returned if tantivy asks for a token before the first: it doesn't, but nothing here may panic.
    none: Token,
}

impl TokenStream for StatementTokenStream<'_> {
    fn advance(&mut self) -> bool {
        self.next += 1;
        self.next <= self.tokens.len()
    }

    fn token(&self) -> &Token {
        self.tokens.get(self.next.wrapping_sub(1)).unwrap_or(&self.none)
    }

    fn token_mut(&mut self) -> &mut Token {
        self.tokens.get_mut(self.next.wrapping_sub(1)).unwrap_or(&mut self.none)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(text: &str) -> Vec<String> {
        StatementTokenizer::default().tokenize(text).iter().map(|token| token.text.clone()).collect()
    }

    #[test]
    fn dense_scripts_are_pairs_and_the_last_character() {
        assert_eq!(texts("東京都"), ["東京", "京都", "都"]);
        assert_eq!(texts("か\u{3099}く"), texts("がく"));
        assert_eq!(texts("\u{1112}\u{1161}\u{11ab}"), texts("한"));
    }

    #[test]
    fn positions_never_go_back() {
        let mut words = StatementTokenizer::default();
        for text in ["7:0\u{301}", "1.5\u{301}", "drift-412k", "MessagePack.rs 2025-03-14"] {
            assert!(words.tokenize(text).is_sorted_by_key(|token| token.position), "{text}");
        }
    }

    #[test]
    fn joiners_without_width_are_dropped() {
        assert_eq!(texts("soft\u{ad}ware zero\u{200b}width"), texts("software zerowidth"));
    }

    proptest! {
        #[test]
        fn any_text_has_tokens_inside_its_bounds(text in "\\PC{0,60}|[a-zA-Z0-9.,'@_&:#+\\-éかが\u{3099}東\u{200d}\u{ad}\u{301}👍🏽🇩 ]{0,40}|[0-9:.,\u{301}k ]{0,12}") {
            let mut words = StatementTokenizer::default();
            let mut position = 0;
            for token in words.tokenize(&text) {
                prop_assert!(text.get(token.offset_from..token.offset_to).is_some_and(|piece| !piece.is_empty()));
                prop_assert!(!token.text.is_empty() && token.text.len() <= 80);
                prop_assert!(token.position <= position + text.len());
                prop_assert!(token.position >= position, "positions never go back");
                position = token.position;
            }
        }
    }
}
