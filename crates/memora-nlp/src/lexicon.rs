//! The word lists of `data/`, loaded once: function words, and words for numbers, days, months and units.
//!
//! Claims, questions and verdicts all use these lists. English and German words of one kind share one [`Lexicon`]:
//! the few forms that occur in both languages have the same value in both.

use std::sync::LazyLock;

use crate::word_lists::{Lexicon, WordMap, WordSet, read_assignments, word_set};
use crate::{list, word_sets};

/// A set of words.
pub type StaticWordSet = LazyLock<WordSet<'static>>;
/// Words with a numeric value each.
pub type StaticNumberWords = LazyLock<Lexicon<f64>>;

macro_rules! numbers {
    ($name:ident) => {
        Lexicon::read(list!(en, $name), list!(de, $name), |value| value.parse().ok())
    };
}

word_sets! {
    /// Abbreviations that end in a full stop.
    pub ABBREVIATIONS: en;
    /// `a`, `an`, `the`.
    pub ARTICLES: en;
    /// Forms of *be*, *have* and *do*, which notes often omit.
    pub COPULAS: en;
    /// English function words.
    pub FUNCTION: en;
    /// Words that negate their clause.
    pub NEGATIONS: en de;
    /// Forms of *be* as auxiliaries.
    pub BE_FORMS: en;
    /// Modal auxiliaries of English.
    pub MODALS: en;
    /// Conjunctions of a condition.
    pub CONDITION_MARKERS: en;
    /// Adverbs by which the writer does not vouch for a statement.
    pub HEARSAY_ADVERBS: en;
    /// Adverbs that make a statement uncertain.
    pub HEDGES: en;
    /// Verbs of speech and thought, whose clause is reported and not asserted. In base forms.
    pub REPORTING_VERBS: en;
    /// Endings of ordinals in figures: `th`.
    pub ORDINAL_SUFFIXES: en;
    /// Possessive determiners: `my`.
    pub POSSESSIVES: en;
    /// Pronouns for people, as subjects.
    pub SUBJECT_PRONOUNS: en;
    /// Months and weekdays that are other words too unless capitalized: `may`, `sun`.
    pub CALENDAR_HOMOGRAPHS: en;
    /// Words between a bound and its number: `about the 20`.
    pub(crate) BOUND_FILLERS: en;
    /// Clitics at the end of a word, with a straight apostrophe: `'ll`.
    pub(crate) CLITICS: en;
    /// Numerals behind an article: `a dozen`, `a million`.
    pub(crate) COUNTED_NUMERALS: en;
    /// Words between two days of one month.
    pub(crate) DATE_LINKS: en de;
    /// Prefixes whose hyphen does not separate tokens: `non-`.
    pub(crate) HYPHENATED_PREFIXES: en;
    /// Indefinite articles: `a`, `eine`.
    pub(crate) INDEFINITE_ARTICLES: en de;
    /// Stems of words in *-ise* that are never spelled with a *z*.
    pub(crate) ISE_STEMS: en;
    /// Months that are other words or names too, and need a capital or a day beside them.
    pub(crate) MONTH_HOMOGRAPHS: en de;
    /// Words between two numbers that share a unit.
    pub(crate) QUANTITY_LINKS: en de;
    /// Endings that may follow a listed spelling.
    pub(crate) SPELLING_ENDINGS: en;
    /// Abbreviations whose full stop is no token of its own.
    pub(crate) TREEBANK_ABBREVIATIONS: en;
}

/// German function words.
pub static GERMAN_FUNCTION: StaticWordSet = LazyLock::new(|| word_set(&[list!(de, function)]));
/// Irregular forms with their base.
pub static IRREGULAR: LazyLock<WordMap<&'static str, &'static str>> =
    LazyLock::new(|| read_assignments(&[list!(en, irregular)]).collect());

/// Number words: `seven` is 7.
pub static NUMERALS: StaticNumberWords = LazyLock::new(|| numbers!(numerals));
/// Ordinal words: `seventh` is 7.
pub static ORDINALS: StaticNumberWords = LazyLock::new(|| numbers!(ordinals));
/// Denominators: `third` is 3.
pub static FRACTIONS: StaticNumberWords = LazyLock::new(|| numbers!(fractions));
/// `twice`, `double`.
pub static MULTIPLES: StaticNumberWords =
    LazyLock::new(|| Lexicon::read(list!(en, multiples), "", |value| value.parse().ok()));
/// Words that multiply the number before them: `million`, `k`.
pub static SCALES: StaticNumberWords = LazyLock::new(|| numbers!(scales));
/// Month names and their abbreviations, from 1.
pub static MONTHS: LazyLock<Lexicon<u8>> = LazyLock::new(|| numbers!(months));
/// Weekday names and their abbreviations; Monday is 0.
pub static WEEKDAYS: LazyLock<Lexicon<u8>> = LazyLock::new(|| numbers!(weekdays));
/// Recurring weekdays: `Mondays`, `montags`.
pub static WEEKDAY_HABITS: LazyLock<Lexicon<u8>> = LazyLock::new(|| numbers!(weekday_habits));

/// Seasons of the northern hemisphere with their first and last month; the last is smaller if it is in the next year.
pub static SEASONS: LazyLock<Lexicon<(u8, u8)>> = LazyLock::new(|| {
    Lexicon::read(list!(en, seasons), list!(de, seasons), |months| {
        let (first, last) = months.split_once('-')?;
        Some((first.parse().ok()?, last.parse().ok()?))
    })
});
/// Words for a day near today, with the offset in days: `yesterday` is -1.
pub static DAY_WORDS: LazyLock<Lexicon<i8>> = LazyLock::new(|| numbers!(day_words));
/// Words that select the previous, current or next period: `last` is -1.
pub static STEPS: LazyLock<Lexicon<i8>> = LazyLock::new(|| numbers!(steps));

/// The bound that a word puts on the number behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundWord {
    /// `about`, `rund`: approximately.
    About,
    /// `over`, `mindestens`: at least.
    Over,
    /// `under`, `höchstens`: at most.
    Under,
}

/// Words that make the number behind them a bound or an estimate.
pub static BOUNDS: LazyLock<Lexicon<BoundWord>> = LazyLock::new(|| {
    Lexicon::read(list!(en, bounds), list!(de, bounds), |value| match value {
        "about" => Some(BoundWord::About),
        "over" => Some(BoundWord::Over),
        "under" => Some(BoundWord::Under),
        _ => None,
    })
});

/// British spellings with the American ones; a listed spelling may be the beginning of a word.
pub(crate) static SPELLINGS: LazyLock<Vec<(&'static str, &'static str)>> =
    LazyLock::new(|| read_assignments(&[list!(en, spellings)]).collect());

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use super::*;
    use crate::language::Language;

    /// What both languages have means the same in both, and every entry has a value.
    #[track_caller]
    fn check<T: Copy + PartialEq + Debug>(lexicon: &Lexicon<T>, lists: [&str; 2]) {
        let entries: usize = lists.iter().map(|list| list.matches('"').count() / 2).sum();
        assert_eq!(lexicon.iter().count(), entries, "an entry without a value");
        for (word, language, value) in lexicon.iter() {
            assert_eq!(lexicon.get(word), Some(value), "{word} in {language:?}");
        }
    }

    #[test]
    fn the_languages_agree() {
        check(&NUMERALS, [list!(en, numerals), list!(de, numerals)]);
        check(&ORDINALS, [list!(en, ordinals), list!(de, ordinals)]);
        check(&FRACTIONS, [list!(en, fractions), list!(de, fractions)]);
        check(&MULTIPLES, [list!(en, multiples), ""]);
        check(&SCALES, [list!(en, scales), list!(de, scales)]);
        check(&MONTHS, [list!(en, months), list!(de, months)]);
        check(&WEEKDAYS, [list!(en, weekdays), list!(de, weekdays)]);
        check(&WEEKDAY_HABITS, [list!(en, weekday_habits), list!(de, weekday_habits)]);
        check(&SEASONS, [list!(en, seasons), list!(de, seasons)]);
        check(&DAY_WORDS, [list!(en, day_words), list!(de, day_words)]);
        check(&STEPS, [list!(en, steps), list!(de, steps)]);
        check(&BOUNDS, [list!(en, bounds), list!(de, bounds)]);
        assert_eq!(MONTHS.get_in(Language::English, "märz"), None);
    }
}
