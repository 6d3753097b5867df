//! The parts of a date in words and figures: its day, its month, its year.
//!
//! Invariant: **parts are neither validated nor completed**: the caller decides whether `30 February` is a day,
//! and how to interpret a day without a year.

use super::runs::TextRuns;
use crate::language::Language;
use crate::lexicon::{CALENDAR_HOMOGRAPHS, MONTHS, ORDINAL_SUFFIXES, SEASONS, WEEKDAYS};

/// The parts of a date that a text gives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DateParts {
    /// The year, with four digits.
    pub year: Option<i16>,
    /// The month, from 1.
    pub month: Option<i8>,
    /// The day of the month.
    pub day: Option<i8>,
    /// Whether the day has its ending: `12th`.
    pub ordinal: bool,
}

impl TextRuns<'_> {
    /// Parses the parts of a date at a run; returns them with their number of runs: `12 March 2024`, `March 12th`.
    ///
    /// With `capitals`, a month name that may be another word must be capitalized.
    #[must_use]
    pub fn parse_date_parts(&self, at: usize, capitals: bool) -> Option<(DateParts, usize)> {
        let word = self.word(at);
        if weekday_number(word).is_some() && self.may_continue_date(at + 1) {
            // `Friday, 12 March` is one date; `Friday 2024` and a row of weekdays are none.
            if weekday_number(self.word(at + 1)).is_some() {
                return None;
            }
            let (parts, used) = self.parse_date_parts(at + 1, capitals)?;
            return (parts.month.is_some() && parts.day.is_some()).then_some((parts, used + 1));
        }
        if let Some((day, ordinal)) = parse_day(word) {
            let of = usize::from(self.word(at + 1) == "of" && self.is_space_separated(at + 1));
            let alone = DateParts { day: Some(day), ordinal, ..DateParts::default() };
            let Some(month) = self.month_at(at + 1 + of, capitals).filter(|_| self.may_continue_date(at + 1 + of))
            else {
                return Some((alone, 1));
            };
            let year = self.parse_trailing_year(at + 2 + of);
            let parts = DateParts { month: Some(month), year: year.map(|(year, _)| year), ..alone };
            return Some((parts, 2 + of + year.map_or(0, |(_, used)| used)));
        }
        if let Some(year) = parse_year(word) {
            return Some((DateParts { year: Some(year), ..DateParts::default() }, 1));
        }
        let month = self.month_at(at, capitals)?;
        let parts = DateParts { month: Some(month), ..DateParts::default() };
        if let Some((year, used)) = self.parse_trailing_year(at + 1) {
            return Some((DateParts { year: Some(year), ..parts }, 1 + used));
        }
        let the = usize::from(self.word(at + 1) == "the" && self.is_space_separated(at + 1));
        let Some((day, ordinal)) = parse_day(self.word(at + 1 + the)).filter(|_| self.may_continue_date(at + 1 + the))
        else {
            return Some((parts, 1));
        };
        // `March 10:30` is a time of day, `the` asks for `12th`.
        if (self.gap_before(at + 2 + the) == ":" && at + 2 + the < self.len()) || (the == 1 && !ordinal) {
            return Some((parts, 1));
        }
        let year = self.parse_trailing_year(at + 2 + the);
        let parts = DateParts { day: Some(day), ordinal, year: year.map(|(year, _)| year), ..parts };
        Some((parts, 2 + the + year.map_or(0, |(_, used)| used)))
    }

    /// Returns the month at a run; an ambiguous name must be capitalized.
    fn month_at(&self, at: usize, capitals: bool) -> Option<i8> {
        let word = self.word(at);
        let month = month_number(word)?;
        (!capitals || !is_ordinary_word(word) || self.is_capitalized(at)).then_some(month)
    }

    /// Parses the year behind a day or month; returns it with its number of runs: `2024`, `of 2024`.
    #[must_use]
    pub fn parse_trailing_year(&self, at: usize) -> Option<(i16, usize)> {
        let of = usize::from(self.word(at) == "of" && self.is_space_separated(at));
        // `December 1,2023` is written as well.
        let year = parse_year(self.word(at + of))
            .filter(|_| self.may_continue_date(at + of) || self.gap_before(at + of) == ",")?;
        Some((year, 1 + of))
    }
}

/// Returns the month of a name or a usual abbreviation.
#[must_use]
pub fn month_number(name: &str) -> Option<i8> {
    i8::try_from(MONTHS.get_folded(name)?).ok()
}

/// Whether a month or weekday name may also be an ordinary word and must be capitalized. German nouns always are.
#[must_use]
pub fn is_ordinary_word(name: &str) -> bool {
    let english =
        MONTHS.get_in(Language::English, name).is_some() || WEEKDAYS.get_in(Language::English, name).is_some();
    !english || CALENDAR_HOMOGRAPHS.contains(name)
}

/// Returns the weekday of a name: Monday is 1, Sunday 7.
#[must_use]
pub fn weekday_number(name: &str) -> Option<i8> {
    i8::try_from(WEEKDAYS.get_folded(name)? + 1).ok()
}

/// Returns the first and last month of a season in the northern hemisphere.
#[must_use]
pub fn season_months(name: &str) -> Option<(i8, i8)> {
    let (first, last) = SEASONS.get_folded(name)?;
    Some((i8::try_from(first).ok()?, i8::try_from(last).ok()?))
}

/// Parses a number of `least` to `most` ASCII digits.
#[must_use]
pub fn parse_digits(word: &str, least: usize, most: usize) -> Option<i32> {
    let fits = (least..=most).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_digit());
    fits.then(|| word.parse().ok()).flatten()
}

/// Parses a plausible year.
#[must_use]
pub fn parse_year(word: &str) -> Option<i16> {
    parse_digits(word, 4, 4).and_then(|year| i16::try_from(year).ok()).filter(|year| (1500..=2199).contains(year))
}

/// Parses the day in `14`, `14th`, `1st`; also returns whether it has the ending.
#[must_use]
pub fn parse_day(word: &str) -> Option<(i8, bool)> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let ending = ORDINAL_SUFFIXES.iter().find_map(|end| word.strip_suffix(end));
    let day = parse_digits(ending.unwrap_or(word), 1, 2).and_then(|day| i8::try_from(day).ok())?;
    (1..=31).contains(&day).then_some((day, ending.is_some()))
}
