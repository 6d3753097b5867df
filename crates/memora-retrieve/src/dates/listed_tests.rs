//! Every word of the lists is read in a question: a word added once is known here.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{DAY_WORDS, MONTHS, NUMERALS, SEASONS, STEPS, WEEKDAYS};
use memora_nlp::unit::UNITS;

use super::*;
use crate::normalize::fold_word;

/// First and last day that a question names, for a Wednesday, 16 April 2025.
fn days(question: &str) -> Vec<(String, String)> {
    let found = find_dates(question, PartialDate::parse("2025-04-16").expect("a date"));
    found.into_iter().map(|range| (range.from.to_string(), range.until.to_string())).collect()
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

#[track_caller]
fn is_day(question: &str, day: &str) {
    assert_eq!(days(question), [(day.to_owned(), day.to_owned())], "{question:?}");
}

#[test]
fn every_month_weekday_and_season_is_read() {
    for (word, _, month) in MONTHS.iter() {
        is_day(&format!("what happened on 3 {} 2024?", capitalised(word)), &format!("2024-{month:02}-03"));
        is_day(&format!("what happened on 3 {} 2024?", fold_word(word)), &format!("2024-{month:02}-03"));
    }
    for (word, _, weekday) in WEEKDAYS.iter() {
        // Thursday to Sunday were in the week before.
        let day = if weekday < 2 { 14 + weekday } else { 7 + weekday };
        is_day(&format!("what did I do on {}?", capitalised(word)), &format!("2025-04-{day:02}"));
    }
    for (word, _, (first, _)) in SEASONS.iter() {
        let found = days(&format!("where was I in the {word} of 2019?"));
        assert!(matches!(found.as_slice(), [(from, _)] if *from == format!("2019-{first:02}-01")), "{word}: {found:?}");
    }
}

#[test]
fn every_word_that_counts_from_today_is_read() {
    for (word, _, away) in DAY_WORDS.iter() {
        is_day(&format!("what happens {word}?"), &format!("2025-04-{}", 16 + away));
    }
    for (word, language, step) in STEPS.iter() {
        let week = if language == Language::German { "woche" } else { "week" };
        let monday = 14 + 7 * i32::from(step);
        let found = days(&format!("what about {word} {week}?"));
        assert_eq!(found, [(format!("2025-04-{monday:02}"), format!("2025-04-{:02}", monday + 6))], "{word:?}");
    }
    for (word, _, value) in NUMERALS.iter().filter(|(_, _, value)| (1.0..16.0).contains(value)) {
        is_day(&format!("what did I do {word} days ago?"), &format!("2025-04-{:02}", 16 - value as i32));
    }
    for (word, _, unit) in UNITS.iter().filter(|(word, ..)| word.len() > 1) {
        let found = days(&format!("what did I do 2 {word} ago?")).len();
        let counts = unit.calendar_period().is_some() || word.starts_with("decade") || word.starts_with("fortnight");
        assert_eq!(found, usize::from(counts), "{word:?}");
    }
}
