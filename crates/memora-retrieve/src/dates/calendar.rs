//! Names and numbers of years, months, weeks and days.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use memora_nlp::lexicon::{CALENDAR_HOMOGRAPHS, STEPS, WEEKDAYS};
pub(super) use memora_nlp::time::{month_number, parse_year, season_months};
use memora_nlp::unit::CalendarPeriod;

use crate::lists::ORDINAL_SUFFIXES;

pub(super) fn parse_short_number(text: &str) -> Option<i8> {
    (text.len() <= 2).then(|| text.parse().ok()).flatten()
}

/// Parses `14`, `14th`, `1st`.
pub(super) fn parse_ordinal(text: &str) -> Option<i8> {
    let digits = ORDINAL_SUFFIXES.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    parse_short_number(digits)
}

/// Parses a weekday by its folded name; an abbreviation that is also another word needs its capital.
pub(super) fn parse_weekday(name: &str, capital: bool) -> Option<Weekday> {
    let day = WEEKDAYS.get_folded(name).filter(|_| capital || !CALENDAR_HOMOGRAPHS.contains(name))?;
    Weekday::from_monday_zero_offset(i8::try_from(day).ok()?).ok()
}

pub(super) fn year_span(year: i16) -> Option<(Date, Date)> {
    Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
}

pub(super) fn month_span(year: i16, month: i8) -> Option<(Date, Date)> {
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

pub(super) fn month_at_offset(today: Date, step: i32) -> Option<(Date, Date)> {
    let day = today.first_of_month().checked_add(step.months()).ok()?;
    Some((day, day.last_of_month()))
}

/// Returns a week, Monday to Sunday.
pub(super) fn week_at_offset(today: Date, step: i32) -> Option<(Date, Date)> {
    let monday =
        today.checked_sub(today.weekday().to_monday_zero_offset().days()).ok()?.checked_add(step.weeks()).ok()?;
    Some((monday, monday.checked_add(6.days()).ok()?))
}

/// Parses `last`, `diesen`, `next`: the previous period, the present one, the next.
pub(super) fn parse_step(word: &str) -> Option<i8> {
    STEPS.get_folded(word)
}

/// Parses the unit of a count.
pub(super) fn parse_period_unit(word: &str) -> Option<CalendarPeriod> {
    memora_nlp::unit::find_unit(word).filter(|_| word.len() > 1)?.calendar_period()
}

/// Returns the days from the first of one month to the end of another, which is in the next year if it is smaller.
pub(super) fn months_span(year: i16, first: i8, last: i8) -> Option<(Date, Date)> {
    let end = if last < first { year.checked_add(1)? } else { year };
    Some((Date::new(year, first, 1).ok()?, Date::new(end, last, 1).ok()?.last_of_month()))
}
