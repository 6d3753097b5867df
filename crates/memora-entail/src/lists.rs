//! The word lists of `data/`, read once.
//!
//! One entry a line, sorted, unique, lower case; `form=value` where a list is a map. English and German lists of one
//! kind are one map: their few common forms mean the same in both. Deliberately not here: what an entry is used for.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// A set of words.
pub(crate) type Words = LazyLock<HashSet<&'static str>>;
/// Words with a number each.
pub(crate) type Numbers = LazyLock<HashMap<&'static str, f64>>;
/// Unordered pairs of words, each in both orders.
pub(crate) type Pairs = LazyLock<HashSet<(&'static str, &'static str)>>;

macro_rules! texts {
    ($($path:literal),+) => { [$(include_str!(concat!("../data/", $path, ".txt"))),+] };
}

fn entries<const N: usize>(texts: [&'static str; N]) -> impl Iterator<Item = &'static str> {
    texts.into_iter().flat_map(str::lines).filter(|line| !line.is_empty())
}

fn words<const N: usize>(texts: [&'static str; N]) -> HashSet<&'static str> {
    entries(texts).collect()
}

fn assignments<const N: usize>(texts: [&'static str; N]) -> impl Iterator<Item = (&'static str, &'static str)> {
    entries(texts).filter_map(|line| line.rsplit_once('='))
}

fn numbers<const N: usize>(texts: [&'static str; N]) -> HashMap<&'static str, f64> {
    assignments(texts).filter_map(|(form, value)| Some((form, value.parse().ok()?))).collect()
}

fn pairs<const N: usize>(texts: [&'static str; N]) -> HashSet<(&'static str, &'static str)> {
    assignments(texts).flat_map(|(a, b)| [(a, b), (b, a)]).collect()
}

/// Words that a full stop shortens.
pub(crate) static ABBREVIATIONS: Words = LazyLock::new(|| words(texts!("en/abbreviations")));
/// `a`, `an`, `the`.
pub(crate) static ARTICLES: Words = LazyLock::new(|| words(texts!("en/articles")));
/// Forms of *be*, *have* and *do*, which a note leaves out.
pub(crate) static COPULAS: Words = LazyLock::new(|| words(texts!("en/copulas")));
/// English words without content of their own.
pub(crate) static FUNCTION: Words = LazyLock::new(|| words(texts!("en/function")));
/// German words without content of their own.
pub(crate) static GERMAN: Words = LazyLock::new(|| words(texts!("de/function")));
/// Words that negate their clause.
pub(crate) static NEGATIONS: Words = LazyLock::new(|| words(texts!("en/negations", "de/negations")));
/// Words by which a negation beside them may belong elsewhere, or be said otherwise.
pub(crate) static CONTRASTS: Words = LazyLock::new(|| words(texts!("en/contrasts", "de/contrasts")));
/// Words that nothing may leave out and still follow: hedges, conditions, plans, quantifiers.
pub(crate) static GUARDS: Words = LazyLock::new(|| words(texts!("en/guards")));
/// Capitalised words that name nothing of the notes in particular.
pub(crate) static GENERIC_NAMES: Words = LazyLock::new(|| words(texts!("en/generic_names")));
/// Words for people, and for whoever else a diary may be about.
pub(crate) static PEOPLE: Words = LazyLock::new(|| words(texts!("en/people")));
/// Words of what holds both ways: who met whom.
pub(crate) static SYMMETRIC: Words = LazyLock::new(|| words(texts!("en/symmetric")));
/// Words by which a sentence reckons: a sum, a difference, an average.
pub(crate) static RECKONING: Words = LazyLock::new(|| words(texts!("en/reckoning")));
/// Number words.
pub(crate) static NUMERALS: Numbers = LazyLock::new(|| numbers(texts!("en/numerals", "de/numerals")));
/// Ordinal words.
pub(crate) static ORDINALS: Numbers = LazyLock::new(|| numbers(texts!("en/ordinals", "de/ordinals")));
/// Denominators: `third` is 3.
pub(crate) static FRACTIONS: Numbers = LazyLock::new(|| numbers(texts!("en/fractions", "de/fractions")));
/// `twice`, `double`.
pub(crate) static MULTIPLES: Numbers = LazyLock::new(|| numbers(texts!("en/multiples")));
/// Words behind a number that multiply it.
pub(crate) static SCALES: Numbers = LazyLock::new(|| numbers(texts!("en/scales")));
/// Month names, from 1.
pub(crate) static MONTHS: Numbers = LazyLock::new(|| numbers(texts!("en/months", "de/months")));
/// Weekday names; Monday is 0.
pub(crate) static WEEKDAYS: Numbers = LazyLock::new(|| numbers(texts!("en/weekdays", "de/weekdays")));
/// Irregular forms with their base.
pub(crate) static IRREGULAR: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| assignments(texts!("en/irregular")).collect());
/// Words in front of a number that make it a bound or an estimate.
pub(crate) static BOUNDS: LazyLock<HashMap<&'static str, &'static str>> =
    LazyLock::new(|| assignments(texts!("en/bounds")).collect());
/// Opposites, by their stems.
pub(crate) static OPPOSITES: LazyLock<HashSet<(String, String)>> = LazyLock::new(|| {
    let listed = pairs(texts!("en/opposites"));
    listed.into_iter().map(|(a, b)| (crate::stem::stem(a), crate::stem::stem(b))).collect()
});
/// Quantifiers and degrees that say more, each with one that says less.
pub(crate) static STRONGER: LazyLock<HashSet<(&'static str, &'static str)>> =
    LazyLock::new(|| assignments(texts!("en/quantifiers")).collect());
/// Two names of one thing: `mother=mum`, `uk=britain`.
pub(crate) static SAME_NAMES: Pairs = LazyLock::new(|| pairs(texts!("en/roles", "en/name_pairs")));

/// A unit of measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Unit {
    /// Its one spelling.
    pub(crate) name: &'static str,
    /// What it measures; units of one dimension convert.
    pub(crate) dimension: &'static str,
    /// How much one is, in the dimension's base.
    pub(crate) factor: f64,
}

/// The unit that a lower-case word writes.
pub(crate) fn unit(word: &str) -> Option<&'static Unit> {
    static UNITS: LazyLock<HashMap<&'static str, Unit>> = LazyLock::new(|| {
        let read = |(form, value): (&'static str, &'static str)| {
            let (name, rest) = value.split_once(':')?;
            let (dimension, factor) = rest.rsplit_once(':')?;
            Some((form, Unit { name, dimension, factor: factor.parse().ok()? }))
        };
        assignments(texts!("en/units")).filter_map(read).collect()
    });
    UNITS.get(word)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn every_list_is_sorted_unique_and_folded() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let mut lists = 0;
        for language in ["en", "de"] {
            for file in std::fs::read_dir(data.join(language)).expect("the lists").flatten() {
                let text = std::fs::read_to_string(file.path()).expect("a list");
                let lines: Vec<&str> = text.lines().collect();
                assert!(lines.windows(2).all(|two| two[0] < two[1]), "{:?} is not sorted or not unique", file.path());
                assert_eq!(text, text.to_lowercase(), "{:?} is not folded", file.path());
                assert!(lines.iter().all(|line| *line == line.trim() && !line.is_empty()), "{:?}", file.path());
                lists += 1;
            }
        }
        assert!(lists > 20);
    }
}
