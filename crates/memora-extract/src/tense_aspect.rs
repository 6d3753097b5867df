//! Tense and aspect of a predicate: whether it is current, past, or began.

use std::collections::HashSet;
use std::sync::LazyLock;

use crate::lemma::{base_form, is_irregular_form};
use crate::lists::{LOOSE_TENSE_WORDS, PAST_AUXILIARIES, PRESENT_AUXILIARIES};
use crate::relation::normalize_predicate;
use memora_nlp::word_lists::WordSet;

/// The tense and aspect of a predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TenseAspect {
    /// Current: "uses", "is written in", "has worked at".
    Present,
    /// Past, or a single event: "used", "was written in", "cost".
    Past,
    /// Began, and continues since: "moved to", "became", "was upgraded to".
    Inchoative,
    /// At times, possibly, or desired: "usually runs", "may use", "should be".
    Hedged,
}

/// Verbs of beginning or change.
static TURNING: LazyLock<HashSet<String>> = LazyLock::new(|| {
    "join settle switch move migrate upgrade update bump downgrade relocate become change port rewrite turn adopt rename \
     raise lower transition convert extend postpone reschedule"
        .split(' ')
        .map(base_form)
        .collect()
});

/// Returns the tense and aspect of a predicate by its words.
#[must_use]
pub fn detect_tense_aspect(predicate: &str) -> TenseAspect {
    let lower = predicate.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let has = |list: &WordSet<'_>| words.iter().any(|word| list.contains(word));
    if has(&LOOSE_TENSE_WORDS) {
        return TenseAspect::Hedged;
    }
    let past = |word: &&str| {
        let plain = !PAST_AUXILIARIES.contains(word) && !PRESENT_AUXILIARIES.contains(word);
        plain && (word.len() > 3 && word.ends_with("ed") || is_irregular_form(word))
    };
    let told = words.iter().any(past);
    if told && words.iter().any(|word| TURNING.contains(&base_form(word))) {
        return TenseAspect::Inchoative;
    }
    match (has(&PAST_AUXILIARIES), has(&PRESENT_AUXILIARIES)) {
        (true, _) => TenseAspect::Past,
        (false, true) => TenseAspect::Present,
        (false, false) if words.first().is_some_and(past) => TenseAspect::Past,
        (false, false) => TenseAspect::Present,
    }
}

/// Returns a key that is equal for predicates with the same meaning, affirmed or denied: "supports" and "does not
/// support". For comparison, not for display.
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
