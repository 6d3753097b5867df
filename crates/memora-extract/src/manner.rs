//! How a predicate says it: as what holds now, as what held then, as what began.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::base::{base, is_irregular};
use crate::relation::verb_key;

/// How a predicate says what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// It holds: "uses", "is written in", "has worked at".
    Now,
    /// It held, or happened, once: "used", "was written in", "cost".
    Then,
    /// It began, and holds since: "moved to", "became", "was upgraded to".
    Turned,
    /// It holds at times, perhaps, or ought to: "usually runs", "may use", "should be".
    Loosely,
}

/// Verbs that tell of a beginning.
static TURNING: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "join settle switch move migrate upgrade update bump downgrade relocate become change port rewrite turn adopt rename \
     raise lower transition convert extend postpone reschedule"
        .split(' ')
        .map(base)
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
pub fn manner(predicate: &str) -> Manner {
    let lower = predicate.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let has = |list: &[&str]| words.iter().any(|word| list.contains(word));
    if has(LOOSE) {
        return Manner::Loosely;
    }
    let past = |word: &&str| {
        let plain = !PAST.contains(word) && !PRESENT.contains(word);
        plain && (word.len() > 3 && word.ends_with("ed") || is_irregular(word))
    };
    let told = words.iter().any(past);
    if told && words.iter().any(|word| TURNING.contains(&base(word))) {
        return Manner::Turned;
    }
    match (has(PAST), has(PRESENT)) {
        (true, _) => Manner::Then,
        (false, true) => Manner::Now,
        (false, false) if words.first().is_some_and(past) => Manner::Then,
        (false, false) => Manner::Now,
    }
}

/// What two predicates that say the same of their objects share, whether they affirm or deny it: "supports" and "does not
/// support". Good for comparing, not for showing.
#[must_use]
pub fn verb_of(predicate: &str) -> String {
    verb_key(predicate)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn predicates_tell_how_they_are_meant() {
        for (predicate, expect) in [
            ("uses", Manner::Now),
            ("is written in", Manner::Now),
            ("has worked at", Manner::Now),
            ("does not support", Manner::Now),
            ("lives in", Manner::Now),
            ("was written in", Manner::Then),
            ("used", Manner::Then),
            ("wrote", Manner::Then),
            ("moved to", Manner::Turned),
            ("has moved to", Manner::Turned),
            ("was upgraded to", Manner::Turned),
            ("became", Manner::Turned),
            ("moves to", Manner::Now),
            ("usually runs on", Manner::Loosely),
            ("should be", Manner::Loosely),
        ] {
            assert_eq!(manner(predicate), expect, "{predicate}");
        }
        assert_eq!(verb_of("does not support"), verb_of("supports"));
        assert_ne!(verb_of("moved to"), verb_of("moved from"));
    }
}
