//! How a predicate says it: as what holds now, as what held then, as what began.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::base::{base_form, is_irregular_form};
use crate::relation::normalize_predicate;

/// How a predicate says what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TenseAspect {
    /// It holds: "uses", "is written in", "has worked at".
    Present,
    /// It held, or happened, once: "used", "was written in", "cost".
    Past,
    /// It began, and holds since: "moved to", "became", "was upgraded to".
    Inchoative,
    /// It holds at times, perhaps, or ought to: "usually runs", "may use", "should be".
    Hedged,
}

/// Verbs that tell of a beginning.
static TURNING: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "join settle switch move migrate upgrade update bump downgrade relocate become change port rewrite turn adopt rename \
     raise lower transition convert extend postpone reschedule"
        .split(' ')
        .map(base_form)
        .collect()
});

const LOOSE: &[&str] = &[
    "usually",
    "sometimes",
    "often",
    "mostly",
    "rarely",
    "generally",
    "typically",
    "normally",
    "seldom",
    "occasionally",
    "may",
    "might",
    "could",
    "would",
    "should",
    "must",
    "ought",
    "need",
    "needs",
    "want",
    "wants",
    "try",
    "tries",
    "almost",
    "nearly",
    "partly",
    "also",
];

const PAST: &[&str] =
    &["was", "were", "had", "did", "wasn't", "weren't", "hadn't", "didn't", "wasn’t", "weren’t", "didn’t"];

const PRESENT: &[&str] = &[
    "is", "are", "am", "'s", "’s", "'re", "’re", "'m", "’m", "has", "have", "'ve", "’ve", "do", "does", "will", "can",
];

/// Tells from a predicate's words how it says what it says.
#[must_use]
pub fn detect_tense_aspect(predicate: &str) -> TenseAspect {
    let lower = predicate.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if has(LOOSE) {
        return TenseAspect::Hedged;
    }
    let past = |word: &&str| {
        let plain = !PAST.contains(word) && !PRESENT.contains(word);
        plain && (word.len() > 3 && word.ends_with("ed") || is_irregular_form(word))
    };
    let told = words.iter().any(past);
    if told && words.iter().any(|word| TURNING.contains(&base_form(word))) {
        return TenseAspect::Inchoative;
    }
    match (has(PAST), has(PRESENT)) {
        (true, _) => TenseAspect::Past,
        (false, true) => TenseAspect::Present,
        (false, false) if words.first().is_some_and(past) => TenseAspect::Past,
        (false, false) => TenseAspect::Present,
    }
}

/// What two predicates that say the same of their objects share, whether they affirm or deny it: "supports" and "does not
/// support". Good for comparing, not for showing.
#[must_use]
pub fn comparable_predicate(predicate: &str) -> String {
    normalize_predicate(predicate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_tell_how_they_are_meant() {
        for (predicate, expect) in [
            ("uses", TenseAspect::Present),
            ("is written in", TenseAspect::Present),
            ("has worked at", TenseAspect::Present),
            ("does not support", TenseAspect::Present),
            ("lives in", TenseAspect::Present),
            ("was written in", TenseAspect::Past),
            ("used", TenseAspect::Past),
            ("wrote", TenseAspect::Past),
            ("moved to", TenseAspect::Inchoative),
            ("has moved to", TenseAspect::Inchoative),
            ("was upgraded to", TenseAspect::Inchoative),
            ("became", TenseAspect::Inchoative),
            ("moves to", TenseAspect::Present),
            ("usually runs on", TenseAspect::Hedged),
            ("should be", TenseAspect::Hedged),
        ] {
            assert_eq!(detect_tense_aspect(predicate), expect, "{predicate}");
        }
        assert_eq!(comparable_predicate("does not support"), comparable_predicate("supports"));
        assert_ne!(comparable_predicate("moved to"), comparable_predicate("moved from"));
    }
}
