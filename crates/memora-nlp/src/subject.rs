//! Whether a sentence names its own subject or depends on its context.
//!
//! This decides which ids depend on a heading or a title, so it must never change. It errs on one side: to take "Costs
//! 40 euros" for self-contained would merge the prices of two plans into one statement; the opposite mistake only loses
//! a corroboration. So a sentence counts as self-contained only if it looks complete and begins with a name.

use std::sync::LazyLock;

use crate::list;
use crate::word_lists::{WordSet, word_set};

/// Words that refer to earlier text or depend on it: articles, pronouns, prepositions, conjunctions, auxiliaries,
/// adverbs of time and place, question words, in English, German, French, Spanish, Italian and Portuguese.
static LEANING: LazyLock<WordSet<'static>> =
    LazyLock::new(|| include_str!("../data/leaning.txt").split_whitespace().collect());

/// Words in headings whose content is no longer asserted.
static REJECTING: LazyLock<WordSet<'static>> =
    LazyLock::new(|| word_set(&[list!(en, rejecting), list!(de, rejecting), list!(other, rejecting)]));

/// The same for phrases, and for scripts without spaces; matched anywhere in the heading.
static REJECTING_PHRASES: LazyLock<WordSet<'static>> =
    LazyLock::new(|| word_set(&[list!(en, rejecting_phrases), list!(other, rejecting_phrases)]));

/// Whether a sentence names its own subject.
#[must_use]
pub fn is_self_contained(words: &str) -> bool {
    let bare = words.trim_end_matches(['"', '\'', ')', ']', '”', '’', '»', '*', '_']);
    if !bare.ends_with(['.', '!']) || bare.ends_with("...") {
        return false;
    }
    let mut tokens = words.split_whitespace().map(|token| {
        token.trim_matches(|c: char| !c.is_alphanumeric()).trim_end_matches("'s").trim_end_matches("’s").to_lowercase()
    });
    let (Some(first), Some(second)) = (tokens.next(), tokens.next()) else { return false };
    let whole = tokens.count() + 2 >= 4;
    let named = first.chars().next().is_some_and(char::is_alphabetic) && first.chars().count() > 1;
    whole
        && named
        && !is_unspaced_script(words)
        && !is_dependent_word(&first)
        && !(looks_like_verb(&first) && may_follow_bare_verb(&second))
}

fn is_dependent_word(word: &str) -> bool {
    let stem = word.split(['\'', '’']).next().unwrap_or(word);
    LEANING.contains(word) || LEANING.contains(stem)
}

/// Whether the word looks like a verb of a note that omits its subject: "Costs", "Switched", "Running".
fn looks_like_verb(word: &str) -> bool {
    word.ends_with('s') || word.ends_with("ed") || word.ends_with("ing") || word.ends_with('t') || word.ends_with("en")
}

/// Whether the word may follow a verb without a subject, and is not part of a name.
fn may_follow_bare_verb(word: &str) -> bool {
    is_dependent_word(word) || word.is_empty() || word.starts_with(|c: char| c.is_numeric())
}

/// Whether the text is in a script without spaces between words, in which a leading name cannot be recognized.
fn is_unspaced_script(text: &str) -> bool {
    text.chars().any(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{0e00}'..='\u{0eff}' | '\u{ac00}'..='\u{d7a3}'))
}

/// Whether a heading or item marks its content as no longer asserted: "Rejected", "Obsolete API", "Ideas rejected".
/// A longer heading with such a word is about a topic: "What went wrong", "How dropped calls are found".
#[must_use]
pub fn is_rejecting_heading(heading: &str) -> bool {
    let lower = heading.to_lowercase().replace('’', "'");
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let rejecting = |word: &&&str| REJECTING.contains(**word);
    let says = match words.len() {
        1 | 2 => words.iter().any(|word| rejecting(&word)),
        3 => words.first().is_some_and(|word| rejecting(&word)),
        _ => false,
    };
    says || REJECTING_PHRASES.iter().any(|part| lower.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_sentence_with_a_name_in_front_stands_alone() {
        for sentence in [
            "drift switched serialization from JSON to MessagePack after throughput benchmarks.",
            "drift-bench is written in Go.",
            "Anna works at Kestrel Optik in Altona.",
            "Anna’s office moved to Berlin.",
            "Jonas moved to Malmö.",
        ] {
            assert!(is_self_contained(sentence), "{sentence}");
        }
    }

    #[test]
    fn what_leans_on_its_surroundings_does_not() {
        for sentence in [
            "The price is 40 euros.",
            "Costs 40 euros a month.",
            "Switched to MessagePack last week.",
            "It's written in Go.",
            "My hardest lead is 6c.",
            "Price: 40 euros per month",
            "Window seats on long flights",
            "先生は東京に住んでいる。",
            "Is drift written in Go?",
            "Der Preis ist 40 Euro.",
            "40 euros per month is fine.",
            "",
        ] {
            assert!(!is_self_contained(sentence), "{sentence}");
        }
    }

    #[test]
    fn headings_that_reject() {
        assert!(
            is_rejecting_heading("Rejected ideas")
                && is_rejecting_heading("❌ Verworfen")
                && is_rejecting_heading("却下した案")
                && is_rejecting_heading("Won’t do")
        );
        assert!(
            !is_rejecting_heading("Decisions")
                && !is_rejecting_heading("Rejection therapy")
                && !is_rejecting_heading("What went wrong")
        );
        assert!(
            is_rejecting_heading("Rejected ideas:")
                && is_rejecting_heading("Ideas rejected")
                && !is_rejecting_heading("How dropped calls are found")
        );
    }
}
