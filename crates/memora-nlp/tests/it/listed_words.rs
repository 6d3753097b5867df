//! Every word of the lists is read where verdicts read it: in the numbers and dates of a text.

use memora_nlp::lexicon::{
    DAY_WORDS, FRACTIONS, MONTHS, MULTIPLES, NUMERALS, ORDINALS, SCALES, WEEKDAY_HABITS, WEEKDAYS,
};
use memora_nlp::number::{Quantity, QuantityForm, find_quantities};
use memora_nlp::time::{days_from_civil, find_dates, find_relative_days};
use memora_nlp::token::tokenize;
use memora_nlp::unit::UNITS;

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn numbers(text: &str) -> Vec<Quantity> {
    find_quantities(&tokenize(text), &[])
}

#[test]
fn every_month_and_weekday_is_a_date() {
    for (word, _, month) in MONTHS.iter() {
        let text = format!("on 3 {} 2025", capitalised(word));
        let found = find_dates(&tokenize(&text));
        let parts: Vec<_> = found.iter().map(|date| (date.year, date.month, date.day)).collect();
        assert_eq!(parts, [(Some(2025), Some(u32::from(month)), Some(3))], "{text:?}");
    }
    for (word, _, day) in WEEKDAYS.iter().chain(WEEKDAY_HABITS.iter()) {
        let text = format!("we met on {}", capitalised(word));
        let found: Vec<_> = find_dates(&tokenize(&text)).iter().map(|date| date.weekday).collect();
        assert_eq!(found, [Some(u32::from(day))], "{text:?}");
    }
    let today = days_from_civil(2025, 4, 16);
    for (word, _, away) in DAY_WORDS.iter() {
        let found: Vec<_> =
            find_relative_days(&tokenize(word), today).iter().filter_map(|date| date.to_day_number()).collect();
        assert_eq!(found, [today + i64::from(away)], "{word:?}");
    }
}

#[test]
fn every_number_word_is_a_number() {
    let value = |text: &str, form: QuantityForm| -> Option<f64> {
        numbers(text).first().filter(|number| number.form == form).map(|number| number.value)
    };
    for (word, _, expect) in NUMERALS.iter() {
        assert_eq!(value(&format!("{word} people"), QuantityForm::Cardinal), Some(expect), "{word:?}");
    }
    for (word, _, expect) in ORDINALS.iter() {
        assert_eq!(value(&format!("their {word} visit"), QuantityForm::Ordinal), Some(expect), "{word:?}");
    }
    for (word, _, expect) in MULTIPLES.iter() {
        assert_eq!(value(&format!("they {word} it"), QuantityForm::Multiple), Some(expect), "{word:?}");
    }
    for (word, _, expect) in SCALES.iter().filter(|(word, ..)| word.len() > 1) {
        assert_eq!(value(&format!("5 {word} people"), QuantityForm::Cardinal), Some(5.0 * expect), "{word:?}");
    }
    for (word, _, below) in FRACTIONS.iter().filter(|(word, ..)| !word.starts_with("half") && !word.starts_with("hal"))
    {
        let found = value(&format!("a {word} of them"), QuantityForm::Fraction);
        assert!(
            word == "hälfte" || word == "quarters" || found.is_none_or(|value| (value * below - 1.0).abs() < 1e-9),
            "{word:?}"
        );
    }
}

#[test]
fn every_unit_is_read_behind_a_number() {
    for (word, _, unit) in UNITS.iter() {
        let found = numbers(&format!("7 {word}"));
        let read = found.first().and_then(|number| number.unit);
        // Pounds may be money or a weight.
        let expect = (unit.name != "pound").then_some(unit.dimension);
        assert_eq!(read.map(|unit| unit.dimension), expect, "{word:?}");
    }
}
