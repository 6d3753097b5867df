//! The word lists of `data/`, read once: what the rules of entailment go by.
//!
//! Words of a language as such (numerals, months, units, function words) are those of [`memora_nlp::lexicon`]. Deliberately
//! not here: what an entry is used for.

use std::collections::HashSet;
use std::sync::LazyLock;

pub(crate) use memora_nlp::lexicon::{
    ABBREVIATIONS, ARTICLES, COPULAS, FUNCTION, GERMAN_FUNCTION as GERMAN, MONTHS, NEGATIONS, NUMERALS, ORDINALS,
    StaticWordSet, WEEKDAY_HABITS, WEEKDAYS,
};
pub(crate) use memora_nlp::unit::find_unit;
use memora_nlp::word_lists::{read_assignments, symmetric_pairs, word_set};

/// Unordered pairs of words, each in both orders.
pub(crate) type Pairs = LazyLock<HashSet<(&'static str, &'static str)>>;

macro_rules! texts {
    ($($path:literal),+) => { &[$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

/// Words by which a negation beside them may belong elsewhere, or be said otherwise.
pub(crate) static CONTRASTS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/contrasts", "de/contrasts")));
/// Words that nothing may leave out and still follow: hedges, conditions, plans, quantifiers.
pub(crate) static GUARDS: StaticWordSet = LazyLock::new(|| word_set(texts!("en/guards")));
/// Capitalised words that name nothing of the notes in particular.
pub(crate) static GENERIC_NAMES: StaticWordSet = LazyLock::new(|| word_set(texts!("en/generic_names")));
/// Words for people and animals that a diary may be about.
pub(crate) static PEOPLE: StaticWordSet = LazyLock::new(|| word_set(texts!("en/people")));
/// Symmetric verbs: *met*, *married*.
pub(crate) static SYMMETRIC: StaticWordSet = LazyLock::new(|| word_set(texts!("en/symmetric")));
/// Words by which a sentence reckons: a sum, a difference, an average.
pub(crate) static RECKONING: StaticWordSet = LazyLock::new(|| word_set(texts!("en/reckoning")));
/// Opposites, by their stems.
pub(crate) static OPPOSITES: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
    let listed = symmetric_pairs(texts!("en/opposites"));
    listed.into_iter().map(|(a, b)| (memora_nlp::stem::stem(a), memora_nlp::stem::stem(b))).collect()
});
/// Quantifiers and degrees that say more, each with one that says less.
pub(crate) static STRONGER: LazyLock<HashSet<(&'static str, &'static str)>> =
    LazyLock::new(|| read_assignments(texts!("en/quantifiers")).collect());
/// Two names of one thing: `mother=mum`, `uk=britain`.
pub(crate) static SAME_NAMES: Pairs = LazyLock::new(|| symmetric_pairs(texts!("en/roles", "en/name_pairs")));
