//! The word lists of `data/`, read once: function words, and words that stand for a number, a day, a month or a unit.
//!
//! Everything that reads such a word, in a claim, a question or a verdict, asks these. English and German words of one kind
//! are one [`Lexicon`]: the few forms that both languages have mean the same in both.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use crate::lists::{Lexicon, read_assignments, word_set};

/// A set of words.
pub type StaticWordSet = LazyLock<HashSet<&'static str>>;
/// Words with a number each.
pub type StaticNumberWords = LazyLock<Lexicon<f64>>;

macro_rules! list {
    ($language:literal, $name:literal) => {
        include_str!(concat!("../data/", $language, "/", $name, ".txt"))
    };
}

macro_rules! numbers {
    ($name:literal) => {
        Lexicon::read(list!("en", $name), list!("de", $name), |value| value.parse().ok())
    };
}

/// Words that a full stop shortens.
pub static ABBREVIATIONS: StaticWordSet = LazyLock::new(|| word_set(&[list!("en", "abbreviations")]));
/// `a`, `an`, `the`.
pub static ARTICLES: StaticWordSet = LazyLock::new(|| word_set(&[list!("en", "articles")]));
/// Forms of *be*, *have* and *do*, which a note leaves out.
pub static COPULAS: StaticWordSet = LazyLock::new(|| word_set(&[list!("en", "copulas")]));
/// English words without content of their own.
pub static FUNCTION: StaticWordSet = LazyLock::new(|| word_set(&[list!("en", "function")]));
/// German words without content of their own.
pub static GERMAN_FUNCTION: StaticWordSet = LazyLock::new(|| word_set(&[list!("de", "function")]));
/// Words that negate their clause.
pub static NEGATIONS: StaticWordSet = LazyLock::new(|| word_set(&[list!("en", "negations"), list!("de", "negations")]));
/// Irregular forms with their base.
pub static IRREGULAR: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| read_assignments(&[list!("en", "irregular")]).collect());

/// Number words: `seven` is 7.
pub static NUMERALS: StaticNumberWords = LazyLock::new(|| numbers!("numerals"));
/// Ordinal words: `seventh` is 7.
pub static ORDINALS: StaticNumberWords = LazyLock::new(|| numbers!("ordinals"));
/// Denominators: `third` is 3.
pub static FRACTIONS: StaticNumberWords = LazyLock::new(|| numbers!("fractions"));
/// `twice`, `double`.
pub static MULTIPLES: StaticNumberWords =
    LazyLock::new(|| Lexicon::read(list!("en", "multiples"), "", |value| value.parse().ok()));
/// Words behind a number that multiply it: `million`, `k`.
pub static SCALES: StaticNumberWords = LazyLock::new(|| numbers!("scales"));
/// Month names and their abbreviations, from 1.
pub static MONTHS: LazyLock<Lexicon<u8>> = LazyLock::new(|| numbers!("months"));
/// Weekday names and their abbreviations; Monday is 0.
pub static WEEKDAYS: LazyLock<Lexicon<u8>> = LazyLock::new(|| numbers!("weekdays"));
/// Weekdays that come back every week: `Mondays`, `montags`.
pub static WEEKDAY_HABITS: LazyLock<Lexicon<u8>> = LazyLock::new(|| numbers!("weekday_habits"));

/// Seasons of the northern hemisphere, each with its first and last month; the last is smaller where it lies in the next year.
pub static SEASONS: LazyLock<Lexicon<(u8, u8)>> = LazyLock::new(|| {
    Lexicon::read(list!("en", "seasons"), list!("de", "seasons"), |months| {
        let (first, last) = months.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?))
    })
});
/// Words for a day near today, with how many days it is away: `yesterday` is -1.
pub static DAY_WORDS: LazyLock<Lexicon<i8>> = LazyLock::new(|| numbers!("day_words"));
/// Words that choose the period before, the present one, or the next: `last` is -1.
pub static STEPS: LazyLock<Lexicon<i8>> = LazyLock::new(|| numbers!("steps"));
/// Months and weekdays that are other words as well, unless they have a capital: `may`, `sun`.
pub static CALENDAR_HOMOGRAPHS: StaticWordSet = LazyLock::new(|| word_set(&[list!("en", "calendar_homographs")]));

/// How a word in front of a number bounds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundWord {
    /// `about`, `rund`: more or less that.
    About,
    /// `over`, `mindestens`: that or more.
    Over,
    /// `under`, `höchstens`: that or less.
    Under,
}

/// Words in front of a number that make it a bound or an estimate.
pub static BOUNDS: LazyLock<Lexicon<BoundWord>> = LazyLock::new(|| {
    Lexicon::read(list!("en", "bounds"), list!("de", "bounds"), |value| match value {
        "about" => Some(BoundWord::About),
        "over" => Some(BoundWord::Over),
        "under" => Some(BoundWord::Under),
        _ => None,
    })
});

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::language::Language;

    /// What both languages have means the same in both, and every entry has a value.
    #[track_caller]
    fn check<T: Copy + PartialEq + Debug>(lexicon: &Lexicon<T>, lists: [&str; 2]) {
        let lines: usize = lists.iter().map(|list| list.lines().count()).sum();
        assert_eq!(lexicon.iter().count(), lines, "an entry without a value");
        for (word, language, value) in lexicon.iter() {
            assert_eq!(lexicon.get(word), Some(value), "{word} in {language:?}");
        }
    }

    #[test]
    fn the_languages_agree() {
        check(&NUMERALS, [list!("en", "numerals"), list!("de", "numerals")]);
        check(&ORDINALS, [list!("en", "ordinals"), list!("de", "ordinals")]);
        check(&FRACTIONS, [list!("en", "fractions"), list!("de", "fractions")]);
        check(&MULTIPLES, [list!("en", "multiples"), ""]);
        check(&SCALES, [list!("en", "scales"), list!("de", "scales")]);
        check(&MONTHS, [list!("en", "months"), list!("de", "months")]);
        check(&WEEKDAYS, [list!("en", "weekdays"), list!("de", "weekdays")]);
        check(&WEEKDAY_HABITS, [list!("en", "weekday_habits"), list!("de", "weekday_habits")]);
        check(&SEASONS, [list!("en", "seasons"), list!("de", "seasons")]);
        check(&DAY_WORDS, [list!("en", "day_words"), list!("de", "day_words")]);
        check(&STEPS, [list!("en", "steps"), list!("de", "steps")]);
        check(&BOUNDS, [list!("en", "bounds"), list!("de", "bounds")]);
        assert_eq!(MONTHS.get_in(Language::English, "märz"), None);
    }
}
