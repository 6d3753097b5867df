//! Which rules a text is judged by: those for English, those for German, or none.
//!
//! Told by little words, for which one pass over the text is enough.

use std::collections::HashSet;
use std::sync::LazyLock;

use memora_english::Reader;
use unicode_normalization::UnicodeNormalization;

use super::german::{AMBIGUOUS, GERMAN};
use super::ground::Ground;
use super::lexicon::{FOREIGN, FUNCTION};
use super::words::normal;

static GERMAN_WORDS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| GERMAN.iter().filter(|word| !AMBIGUOUS.contains(word)).collect());

/// How many words of a text belong to which language.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Leaning {
    is_latin: bool,
    english: usize,
    /// Of English, and no word of German.
    only_english: usize,
    german: usize,
    /// Of German, and of English in other places.
    likely_german: usize,
    /// Of other languages than English; German is one of them.
    foreign: usize,
    /// Of those, no word of German.
    other: usize,
    /// Whether nearly all of its longer words are in the English dictionary; asked only where few little words tell.
    is_spelled_english: bool,
}

impl Leaning {
    pub(super) fn of(text: &str) -> Self {
        let (mut latin, mut other) = (0, 0);
        for letter in text.nfkc().filter(|c| c.is_alphabetic()) {
            if letter <= '\u{24f}' { latin += 1 } else { other += 1 }
        }
        let mut found = Self { is_latin: latin >= other, ..Self::default() };
        for word in normal(text) {
            let (english, foreign) = (FUNCTION.contains(&word), FOREIGN.contains(&word));
            let german = GERMAN_WORDS.contains(word.as_str());
            found.english += usize::from(english);
            found.only_english += usize::from(english && !german && !AMBIGUOUS.contains(&word));
            found.german += usize::from(german);
            found.likely_german += usize::from(matches!(word.as_str(), "hat" | "die" | "am" | "war"));
            found.foreign += usize::from(foreign);
            found.other += usize::from(foreign && !german && !AMBIGUOUS.contains(&word));
        }
        found.is_spelled_english = found.foreign > found.english && is_spelled_english(text);
        // A name may be spelled so in any language; a word in small letters is German.
        let spelled = |word: &&str| word.starts_with(char::is_lowercase) && word.contains(['ä', 'ö', 'ü', 'ß']);
        if found.other == 0 {
            found.german += text.split_whitespace().filter(spelled).filter(|w| !GERMAN_WORDS.contains(*w)).count();
        }
        found
    }

    /// Whether the rules for English are for it: no more words of another language.
    pub(super) fn is_english(self) -> bool {
        self.is_latin && (self.foreign <= self.english || self.is_spelled_english)
    }

    pub(super) fn is_german(self) -> bool {
        let is_likely = self.german > 0 || self.likely_german > 0;
        self.is_latin && is_likely && self.german + self.likely_german > self.only_english + self.other
    }

    /// Whether nothing speaks against its being German.
    pub(super) fn may_be_german(self) -> bool {
        self.is_latin && self.german + self.likely_german >= self.only_english + self.other
    }

    /// Whether a sentence is to be judged as German. One without little words, or with such as English has too (*die*, *hat*), is
    /// what the notes are.
    pub(super) fn is_german_beside(self, grounds: &[&Ground]) -> bool {
        let mut theirs = grounds.iter().map(|ground| ground.leaning());
        if self.german > 0 {
            return self.is_german();
        }
        let tells_nothing = self.is_latin && self.likely_german + self.only_english + self.other == 0;
        if tells_nothing { theirs.any(Self::is_german) } else { self.is_german() && theirs.all(Self::may_be_german) }
    }
}

/// Whether nearly all words of a text, little ones aside, are in the English dictionary: `share one van`, where *van* is Dutch,
/// too.
fn is_spelled_english(text: &str) -> bool {
    let words = normal(text);
    let longer = words.iter().filter(|word| !FOREIGN.contains(word) && word.len() > 2);
    let (known, unknown): (Vec<_>, Vec<_>) =
        longer.filter(|word| word.chars().all(char::is_alphabetic)).partition(|word| Reader::embedded().is_word(word));
    let foreign = words.iter().filter(|word| FOREIGN.contains(word)).count();
    known.len() >= foreign.max(1) && known.len() >= 3 * unknown.len()
}
