//! Every word of the lists is read in a claim: a word added once is known here.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{DAY_WORDS, MONTHS, NUMERALS, SEASONS, STEPS, WEEKDAYS};
use memora_nlp::unit::UNITS;

use super::*;

/// The text forms of what a sentence names.
fn forms(sentence: &str) -> Vec<String> {
    find_times(sentence).into_iter().map(|time| time.when.to_string()).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[test]
fn every_month_weekday_and_season_is_read() {
    for (word, _, month) in MONTHS.iter() {
        let name = capitalised(word);
        assert_eq!(forms(&format!("We met on 3 {name} 2025.")), [format!("2025-{month:02}-03")], "{name}");
        assert_eq!(forms(&format!("We met in {name} 2025.")), [format!("2025-{month:02}")], "{name}");
    }
    let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    for (word, _, weekday) in WEEKDAYS.iter() {
        let name = capitalised(word);
        assert_eq!(forms(&format!("We met on {name}.")), [format!("@{}<", days[usize::from(weekday)])], "{name}");
    }
    for (word, _, (first, _)) in SEASONS.iter() {
        let found = forms(&format!("We met in the {} of 2019.", capitalised(word)));
        assert!(
            matches!(found.as_slice(), [form] if form.starts_with(&format!("2019-{first:02}"))),
            "{word}: {found:?}"
        );
    }
}

/// Sentences are read in English; words of German count nothing in them.
#[test]
fn every_word_that_counts_from_the_note_is_read() {
    let english = |(_, language, _): &(&str, Language, _)| *language == Language::English;
    for (word, _, away) in DAY_WORDS.iter().filter(english) {
        let sign = if away > 0 { "+" } else { "" };
        assert_eq!(forms(&format!("We meet {word}.")), [format!("@{sign}{away}d")], "{word:?}");
    }
    for (word, _, step) in STEPS.iter().filter(english) {
        let sign = if step > 0 { "+" } else { "" };
        assert_eq!(forms(&format!("We meet {word} month.")), [format!("@{sign}{step}m")], "{word:?}");
    }
    for (word, _, value) in NUMERALS.iter().filter(|(_, _, value)| (1.0..100.0).contains(value)) {
        assert_eq!(forms(&format!("We met {word} days ago.")), [format!("@-{value}d")], "{word:?}");
    }
    let counted = UNITS.iter().filter(|(word, language, _)| *language == Language::English && word.len() > 1);
    for (word, _, unit) in counted.filter(|(_, _, unit)| unit.calendar_period().is_some()) {
        assert_eq!(forms(&format!("We met two {word} ago.")).len(), 1, "{word:?} is {unit:?}");
    }
}
