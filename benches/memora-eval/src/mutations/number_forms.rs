//! Numbers in a text, and the ways to write them.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::date_forms::find_dates;
use crate::lists::{SMALL_NUMBERS, TENS};

pub(crate) struct WrittenNumber {
    pub(crate) bytes: Range<usize>,
    /// As written.
    pub(crate) text: String,
    /// The value, for whole numbers.
    pub(crate) whole: Option<u64>,
    /// The word after it.
    pub(crate) of: String,
    /// The word before it, in lower case.
    pub(crate) before: String,
}

/// Finds numbers that count or measure something; skips years, dates, versions and parts of names.
pub(crate) fn find_numbers(text: &str) -> Vec<WrittenNumber> {
    static DIGITS: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"\d{1,3}(?:,\d{3})+|\d+(?:\.\d+)?").expect("a pattern"));
    static WORDS: LazyLock<Regex> = LazyLock::new(|| {
        let teens = SMALL_NUMBERS[2..].join("|");
        let tens = TENS.join("|");
        let units = SMALL_NUMBERS[1..10].join("|");
        Regex::new(&format!(r"\b(?i:(?:{tens})-(?:{units})|{tens}|{teens})\b")).expect("a pattern")
    });
    let taken: Vec<Range<usize>> = find_dates(text).into_iter().map(|date| date.bytes).collect();
    let mut found = Vec::new();
    for part in DIGITS.find_iter(text).chain(WORDS.find_iter(text)) {
        let bytes = part.range();
        let before = text.get(..bytes.start).unwrap_or_default();
        let behind = text.get(bytes.end..).unwrap_or_default();
        let parted = |c: Option<char>| c.is_none_or(|c| c.is_whitespace() || matches!(c, ',' | '.' | '%' | '°' | '€'));
        let stop = behind.starts_with('.') && behind.chars().nth(1).is_some_and(|c| !c.is_whitespace());
        if taken.iter().any(|date| date.start < bytes.end && bytes.start < date.end)
            || !before.chars().next_back().is_none_or(char::is_whitespace)
            || !parted(behind.chars().next())
            || stop
        {
            continue;
        }
        let last = before.split_whitespace().next_back().unwrap_or_default();
        let of =
            behind.split_whitespace().next().filter(|_| behind.starts_with([' ', '%', '°', '€'])).unwrap_or_default();
        let whole = parse_whole(part.as_str());
        let year = part.as_str().len() == 4
            && whole.is_some_and(|value| (1900..2100).contains(&value))
            && !part.as_str().contains(',');
        let label = last.chars().next().is_some_and(char::is_uppercase)
            && !before.trim_end().is_empty()
            && before.split_whitespace().count() > 1;
        if !year && !label && !super::date_forms::is_calendar_name(last) {
            found.push(WrittenNumber {
                bytes,
                text: part.as_str().to_owned(),
                whole,
                of: of.trim_matches([',', '.']).to_owned(),
                before: last.to_lowercase(),
            });
        }
    }
    found.sort_by_key(|number| number.bytes.start);
    found
}

fn parse_whole(text: &str) -> Option<u64> {
    let lower = text.to_lowercase();
    (0..100)
        .find(|value| spell_out(*value).as_deref() == Some(lower.as_str()))
        .or_else(|| text.replace(',', "").parse().ok())
}

/// Spells out a number up to a hundred, or a round hundred or thousand.
pub(crate) fn spell_out(value: u64) -> Option<String> {
    let small = |value: u64| -> Option<String> {
        let at = usize::try_from(value).ok()?;
        match at {
            0..=20 => Some(SMALL_NUMBERS[at].to_owned()),
            21..=99 if at % 10 == 0 => Some(TENS[at / 10 - 2].to_owned()),
            21..=99 => Some(format!("{}-{}", TENS[at / 10 - 2], SMALL_NUMBERS[at % 10])),
            _ => None,
        }
    };
    match value {
        1000..=99_000 if value.is_multiple_of(1000) => {
            small(value / 1000).map(|thousands| format!("{thousands} thousand"))
        }
        100..=900 if value.is_multiple_of(100) => small(value / 100).map(|hundreds| format!("{hundreds} hundred")),
        _ => small(value),
    }
}

/// Formats a number with commas between thousands.
pub(crate) fn format_with_commas(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

impl WrittenNumber {
    /// Returns other ways to write the number.
    pub(crate) fn other_forms(&self) -> Vec<String> {
        let Some(value) = self.whole else { return Vec::new() };
        // "22 MB" and "5%" are not spelled out.
        let word = self.of.len() > 3 && self.of.chars().all(char::is_lowercase);
        let mut forms = vec![value.to_string()];
        if value >= 1000 {
            forms.push(format_with_commas(value));
        }
        if word {
            forms.extend(spell_out(value).filter(|_| value > 1));
        }
        forms.retain(|form| *form != self.text.to_lowercase());
        forms
    }

    /// Returns different numbers, written in the same way.
    pub(crate) fn other_values(&self) -> Vec<String> {
        let in_digits = self.text.starts_with(|c: char| c.is_ascii_digit());
        match self.whole {
            Some(value) if in_digits => {
                let near = [value * 3 + 1, value * 2 + 3, value + value / 2 + 2];
                near.into_iter()
                    .map(|v| if self.text.contains(',') { format_with_commas(v) } else { v.to_string() })
                    .collect()
            }
            Some(value) => [value * 2 + 1, value + 4].into_iter().filter_map(spell_out).collect(),
            None => {
                let (whole, part) = self.text.split_once('.').unwrap_or((&self.text, "5"));
                let whole: u64 = whole.parse().unwrap_or_default();
                vec![format!("{}.{part}", whole * 2 + 3), format!("{}.{part}", whole + 7)]
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_is_a_number_and_years_versions_and_labels_are_none() {
        let found = |text: &str| find_numbers(text).into_iter().map(|number| number.text).collect::<Vec<_>>();
        assert_eq!(found("It holds 2,937,600 readings from 340 gauges."), ["2,937,600", "340"]);
        assert_eq!(found("It lost eleven hours, or 4.2 percent."), ["eleven", "4.2"]);
        assert!(found("Since 1.0.21, in 2024 and on 12 March 2024, Plan 9 is H1.").is_empty());
    }

    #[test]
    fn a_number_has_other_forms_and_other_numbers_are_none_of_them() {
        let numbers = find_numbers("It holds 12,000 readings and 40 ms for eleven hours.");
        assert_eq!(numbers[0].other_forms(), ["12000", "twelve thousand"]);
        assert!(numbers[1].other_forms().is_empty());
        assert_eq!(numbers[2].other_forms(), ["11"]);
        for number in &numbers {
            assert!(
                number
                    .other_values()
                    .iter()
                    .all(|other| *other != number.text && !number.other_forms().contains(other))
            );
        }
    }
}
