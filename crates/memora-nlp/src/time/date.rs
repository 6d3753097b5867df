//! Dates, possibly partial, and calendar arithmetic.
//!
//! Invariant: **two dates are compatible if no part known of both differs**, including the weekday of a known day.
//! Not here: parsing of dates (`date_expressions.rs`).

use std::ops::Range;

/// A possibly partial date in a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Date {
    /// Its byte range; empty if it only follows from the note's date.
    pub range: Range<usize>,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// The year.
    pub year: Option<i32>,
    /// The month, from 1.
    pub month: Option<u32>,
    /// The day of its month.
    pub day: Option<u32>,
    /// Monday is 0.
    pub weekday: Option<u32>,
    /// Whether it is the decade that begins with `year`.
    pub decade: bool,
    /// Whether it is written in the text, not only derived from the note's date.
    pub written: bool,
}

impl Date {
    /// Returns the date of a day number.
    #[must_use]
    pub fn from_day_number(number: i64) -> Self {
        let (year, month, day) = civil_from_days(number);
        Self { year: Some(year), month: Some(month), day: Some(day), ..Self::default() }
    }

    /// Returns the number of days since 1970-01-01, if the date is a full day.
    #[must_use]
    pub fn to_day_number(&self) -> Option<i64> {
        Some(days_from_civil(self.year?, self.month?, self.day?))
    }

    /// Returns the weekday, stated or computed from the day.
    #[must_use]
    pub fn day_of_week(&self) -> Option<u32> {
        let known = self.to_day_number().and_then(|number| u32::try_from((number + 3).rem_euclid(7)).ok());
        known.or(self.weekday)
    }

    /// Returns the granularity: 3 for a day, 2 for a month, 1 for a year; 4 for a weekday alone.
    #[must_use]
    pub fn granularity(&self) -> u8 {
        match (self.day, self.month, self.year, self.weekday) {
            (Some(_), ..) => 3,
            (None, Some(_), ..) => 2,
            (None, None, Some(_), _) => 1,
            _ => 4,
        }
    }

    /// Whether this date, claimed of a note, is compatible with a date that the note has.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        let clash = |one: Option<u32>, other: Option<u32>| one.is_some() && other.is_some() && one != other;
        let year = match (self.year, other.year) {
            (Some(one), Some(other_year)) if self.decade || other.decade => one / 10 == other_year / 10,
            (Some(one), Some(other)) => one == other || (other < 100 && one % 100 == other),
            _ => true,
        };
        // A month with its day may be meant by a day of no month, but a month alone is not.
        let finest = match self.granularity() {
            3 => other.day.is_some() && (other.month.is_some() || self.month.is_none()),
            2 => other.month.is_some(),
            1 => other.year.is_some(),
            _ => other.day_of_week().is_some(),
        };
        let weekday = self.weekday.is_none() || other.day_of_week().is_none_or(|theirs| self.weekday == Some(theirs));
        year && finest && weekday && !clash(self.month, other.month) && !clash(self.day, other.day)
    }
}

/// Returns the number of days between 1970-01-01 and a day.
#[must_use]
pub fn days_from_civil(year: i32, month: u32, day: u32) -> i64 {
    let (month, day) = (i64::from(month), i64::from(day));
    let year = i64::from(year) - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// Returns the year, month and day of a day number (days since 1970-01-01).
#[must_use]
pub fn civil_from_days(number: i64) -> (i32, u32, u32) {
    let shifted = number + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted - era * 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    (i32::try_from(year).unwrap_or(0), u32::try_from(month).unwrap_or(1), u32::try_from(day).unwrap_or(1))
}

/// Parses `2026-02-03`.
#[must_use]
pub fn parse_iso_date(text: &str) -> Option<i64> {
    let mut parts = text.trim().splitn(3, '-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    let whole = year.len() == 4 && month.len() == 2 && day.len() == 2;
    let (year, month, day) = (year.parse().ok()?, month.parse().ok()?, day.parse().ok()?);
    (whole && (1..=12).contains(&month) && (1..=31).contains(&day)).then(|| days_from_civil(year, month, day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_calendar_goes_both_ways() {
        for (text, weekday) in [("2026-11-23", 0), ("1970-01-01", 3), ("2024-02-29", 3), ("1899-12-31", 6)] {
            let number = parse_iso_date(text).expect("a day");
            let (year, month, day) = civil_from_days(number);
            assert_eq!(format!("{year:04}-{month:02}-{day:02}"), text);
            assert_eq!(Date::from_day_number(number).day_of_week(), Some(weekday), "{text}");
        }
    }
}
