//! Which language a text is in, told by its small words.
//!
//! [`is_english`] decides whether the clauses of a statement are read, and [`Language::of`] by which words a sentence is
//! judged. They are two questions: a claim that is misread is stored and a statement without small words may be a name, so
//! the first looks for signs of other languages; a sentence is judged anyway, and the second weighs English against German.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::lexicon::{FUNCTION, GERMAN_FUNCTION};
use crate::lists::word_set;
use crate::senses::WordSenses;
use crate::token::{TokenKind, Token};

/// The languages that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// English.
    English,
    /// German.
    German,
    /// Any other.
    Other,
}

impl Language {
    /// The language whose small words a text has most of; English where it has none and most of its words are English.
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

/// The commonest small words of English that its neighbours lack.
static ENGLISH: LazyLock<HashSet<&str>> = LazyLock::new(|| word_set(&[include_str!("../data/en/common.txt")]));

/// The commonest small words of its neighbours that English lacks.
static FOREIGN: LazyLock<HashSet<&str>> = LazyLock::new(|| word_set(&[include_str!("../data/other/common.txt")]));

/// Whether words are read as English.
///
/// Told by little words: those of English against those of its neighbours. A statement without any counts as English when it
/// is in Latin letters and none of its words is spelled as no English word is; it is a name or a fragment, and misreading
/// it costs little.
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
