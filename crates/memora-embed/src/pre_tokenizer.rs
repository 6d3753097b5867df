//! Splits text into words, as bert-base-uncased does: [`for_each_word`].
//!
//! In this order: control and format characters are removed; the rest is decomposed (NFD); combining marks are removed;
//! letters are lower-cased; white space separates words; punctuation and CJK characters are words of one character.
//! Invariant: **a change here changes vectors**, so it must increment `RULES_VERSION` of the embedders.
//!
//! Where the summary in the model's README leaves room, this is what Hugging Face's tokenizers do with the same
//! vocabulary:
//!
//! 1. Tab, line feed and carriage return are white space and no control characters; NUL and U+FFFD go with the latter.
//! 2. Marks are those without width (`Mn`). The others (`Mc`, `Me`) stay: the vocabulary has vowels among them.
//! 3. Lower case is taken character by character, so that a final sigma is `σ` like any other.
//! 4. CJK is Han. Kana is cut like Latin. Hangul falls apart into its letters (NFD), which the vocabulary has.
//!
//! They differ in three ways. Private characters are no control characters by the README, so they stay and make their
//! word unknown; there they go. Characters that are newer than the tables there (punctuation, marks) are what Unicode
//! says here. And there a typing error leaves 256 Han characters, from U+2B820, out of CJK.
//!
//! Out of scope: pieces of words.

use unicode_normalization::UnicodeNormalization;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// Words of more characters than this are left out.
pub(crate) const WORD_CHARS_MAX: usize = 100;

/// Calls `each` with the words of `text`, in order.
pub(crate) fn for_each_word(text: &str, each: impl FnMut(&str)) {
    let mut words = PreTokenizer { word: String::new(), count: 0, each };
    if text.is_ascii() {
        for character in text.chars() {
            words.push_ascii(character);
        }
    } else {
        for character in text.chars().filter(|character| !is_removed_char(*character)).nfd() {
            words.push_char(character);
        }
    }
    words.end_word();
}

/// The word that is being collected.
struct PreTokenizer<F> {
    word: String,
    /// Its characters; from [`WORD_CHARS_MAX`] on they are only counted.
    count: usize,
    each: F,
}

impl<F: FnMut(&str)> PreTokenizer<F> {
    /// Adds a character that was neither cleaned nor decomposed: most English text needs neither.
    #[inline]
    fn push_ascii(&mut self, character: char) {
        if character.is_ascii_alphanumeric() {
            self.extend_word(character.to_ascii_lowercase());
        } else if character.is_ascii_punctuation() {
            self.push_single(character);
        } else if matches!(character, ' ' | '\t' | '\n' | '\r') {
            self.end_word();
        }
    }

    /// Adds a character that was cleaned and decomposed.
    fn push_char(&mut self, character: char) {
        if character.is_ascii() {
            self.push_ascii(character);
        } else if character.is_whitespace() {
            self.end_word();
        } else if is_han(character) {
            self.push_single(character);
        } else {
            match character.general_category() {
                GeneralCategory::NonspacingMark => {}
                GeneralCategory::ConnectorPunctuation
                | GeneralCategory::DashPunctuation
                | GeneralCategory::OpenPunctuation
                | GeneralCategory::ClosePunctuation
                | GeneralCategory::InitialPunctuation
                | GeneralCategory::FinalPunctuation
                | GeneralCategory::OtherPunctuation => self.push_single(character),
                _ => character.to_lowercase().for_each(|character| self.extend_word(character)),
            }
        }
    }

    fn extend_word(&mut self, character: char) {
        self.count += 1;
        if self.count <= WORD_CHARS_MAX {
            self.word.push(character);
        }
    }

    fn end_word(&mut self) {
        if (1..=WORD_CHARS_MAX).contains(&self.count) {
            (self.each)(&self.word);
        }
        self.word.clear();
        self.count = 0;
    }

    fn push_single(&mut self, character: char) {
        self.end_word();
        self.extend_word(character);
        self.end_word();
    }
}

/// Whether it is removed: control and format characters, except white space.
fn is_removed_char(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control() && !matches!(character, '\t' | '\n' | '\r');
    }
    character == char::REPLACEMENT_CHARACTER
        || matches!(character.general_category(), GeneralCategory::Control | GeneralCategory::Format)
}

/// Whether BERT counts it as Chinese: the blocks of unified and of compatibility ideographs.
fn is_han(character: char) -> bool {
    matches!(
        character,
        '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{2a6df}'
            | '\u{2a700}'..='\u{2ceaf}'
            | '\u{2f800}'..='\u{2fa1f}'
    )
}
