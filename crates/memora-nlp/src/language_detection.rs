//! Language detection by function words.
//!
//! [`is_english`] decides whether the clauses of a statement are parsed, [`Language::detect`] which word lists apply to a
//! sentence. They differ: a misread claim is stored, and a statement without function words may be a name, so the
//! first looks for signs of other languages; a sentence is always judged, so the second weighs English against German.

use std::sync::LazyLock;

use crate::language::Language;
use crate::lexicon::{FUNCTION, GERMAN_FUNCTION};
use crate::list;
use crate::senses::WordSenses;
use crate::token::{Token, TokenKind};
use crate::word_lists::{WordSet, word_set};

impl Language {
    /// Returns the language with the most function words; English if there are none and most of the words are English.
    #[must_use]
    pub fn detect(tokens: &[Token]) -> Self {
        let words = || tokens.iter().filter(|t| t.kind == TokenKind::Word);
        let english = words().filter(|t| FUNCTION.contains(t.lower.as_str())).count();
        let german = words().filter(|t| GERMAN_FUNCTION.contains(t.lower.as_str())).count();
        let known = || words().filter(|t| WordSenses::look_up(&t.lower).is_known()).count();
        match () {
            () if german > english => Self::German,
            () if english > 0 || known() * 2 > words().count() => Self::English,
            () => Self::Other,
        }
    }
}

/// The most frequent function words of English that related languages lack.
static ENGLISH: LazyLock<WordSet<'static>> = LazyLock::new(|| word_set(&[list!(en, common)]));

/// The most frequent function words of related languages that English lacks.
static FOREIGN: LazyLock<WordSet<'static>> = LazyLock::new(|| word_set(&[list!(other, common)]));

/// Whether a text is treated as English.
///
/// Compares English function words with those of related languages. A text without any counts as English if it is
/// in Latin letters and has no word with a spelling foreign to English; it is a name or a fragment, and misreading it
/// costs little.
#[must_use]
pub fn is_english(words: &str) -> bool {
    let letters = words.chars().filter(|c| c.is_alphabetic()).count();
    let latin = words.chars().filter(char::is_ascii_alphabetic).count();
    if latin * 10 < letters * 8 {
        return false;
    }
    let (mut english, mut foreign, mut marked) = (0, 0, 0);
    for word in words.split(|c: char| !c.is_alphabetic() && c != '\'' && c != '’').filter(|word| !word.is_empty()) {
        let lower = word.to_lowercase();
        if ENGLISH.contains(lower.as_str()) {
            english += 1;
        } else if FOREIGN.contains(lower.as_str()) {
            foreign += 1;
        }
        if !word.starts_with(char::is_uppercase) && !lower.is_ascii() && !lower.contains('’') {
            marked += 1;
        }
    }
    foreign + marked <= english || foreign == 0 && marked == 0
}

#[cfg(test)]
mod tests {
    use super::is_english;

    #[test]
    fn english_is_told_from_its_neighbours() {
        for line in [
            "Anna works at Kestrel Optik.",
            "no fever",
            "knee swollen",
            "Costs 40 € a month",
            "Moved to Malmö",
            "Crème brûlée is on the menu",
            "Anna met Ben",
            "two per person till Friday",
        ] {
            assert!(is_english(line), "{line}");
        }
        for line in [
            "Die Kreissäge steht jetzt im Keller, weil der Schuppen zu feucht ist.",
            "Le chat dort sur le canapé.",
            "El jardín es grande y la casa pequeña.",
            "先生は東京に住んでいる。",
            "Квартира стоит дорого",
            "Preis gilt nur für Mitglieder",
        ] {
            assert!(!is_english(line), "{line}");
        }
    }
}
