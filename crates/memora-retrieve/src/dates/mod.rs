//! Finds the dates in a text: `2024-03`, `14 March 2025`, `last Tuesday`, `gestern`, `2025年4月12日`.
//!
//! The forms are those of [`memora_claim::time::DateForms`], counted from a day that is passed in; this crate never reads
//! a clock. Questions allow more (`asked`) than statements: months, seasons and weekdays without a year, which mean the
//! most recent ones, and ranges. A bare `2024` without a preposition, or `May` without one, stays a word: a wrong filter
//! would hide the answer, a missing one only ranks it lower.
//!
//! Invariant: **text in quotation marks is words**, and never a date of a question.

mod question_dates;
mod ranges;
mod reader;

use memora_claim::time::Period;
use memora_vault::PartialDate;

use reader::{DateReader, split_words};

pub use reader::DateRange;

/// Finds the dates in a question, in order. Relative ones need `today` to be a complete date.
#[must_use]
pub fn find_dates(text: &str, today: PartialDate) -> Vec<DateRange> {
    let mut words = split_words(text);
    for quoted in question_dates::find_quoted_ranges(text) {
        words.iter_mut().filter(|word| quoted.contains(&word.at.start)).for_each(|word| word.text.clear());
    }
    DateReader::new(text, words, Some(today), true).collect_dates()
}

/// Returns the periods that a statement's words name, for [`crate::SearchFilter::dates`]; relative ones count from
/// `own`, the day it was written on.
#[must_use]
pub fn find_named_periods(text: &str, own: Option<PartialDate>) -> Vec<Period> {
    if own.is_none() && !text.bytes().any(|b| b.is_ascii_digit() || b == 0xef) {
        return Vec::new();
    }
    // An address may contain the date of the linked text.
    let text: Vec<&str> = text.split_whitespace().filter(|word| !word.contains("://")).collect();
    let text = &text.join(" ");
    let found = DateReader::new(text, split_words(text), own, false).collect_dates();
    found.into_iter().filter_map(|range| Period::from_dates(range.from, range.until)).collect()
}

#[cfg(test)]
mod listed_tests;
#[cfg(test)]
mod tests;
