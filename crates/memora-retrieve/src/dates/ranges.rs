//! Parses ranges: `between March and May 2021`, `from 3 to 9 May 2021`, `vom 3. bis 9. Mai`.
//!
//! Invariant: **each end completes the other**: with a year, or a month and a year. If neither names a
//! year, the range is the most recent one that has begun.

use jiff::civil::Date;

use super::calendar::{month_number, months_span, parse_ordinal, parse_year, year_span};
use super::{DateExpressionParser, DateMatch};
use crate::lists::{RANGE_LINKS, RANGE_OPENINGS};

/// An end of a range, as far as it is given.
#[derive(Clone, Copy)]
enum RangeEnd {
    Days(Date, Date),
    Month(i8),
    MonthDay(i8, i8),
    Day(i8),
}

impl DateExpressionParser<'_> {
    /// Parses a range at a word, including its preposition, if there is one.
    pub(super) fn parse_range(&self, at: usize) -> DateMatch {
        let opens = RANGE_OPENINGS.contains(self.word_at(at));
        let between = matches!(self.word_at(at), "between" | "zwischen");
        let start = at + usize::from(opens) + usize::from(opens && self.is_article(at + 1));
        let (first, used) = self.parse_range_end(start)?;
        let join = start + used;
        let dashed = matches!(self.gap_before(join).trim(), "-" | "–" | "—") && join < self.words.len();
        let link = self.word_at(join);
        let joined = if between { matches!(link, "and" | "und") } else { RANGE_LINKS.contains(link) };
        if !joined && (!dashed || between) {
            return None;
        }
        let second_at = join + usize::from(joined);
        let second_at = second_at + usize::from(self.is_article(second_at));
        let (second, more) = self.parse_range_end(second_at)?;
        // `March 3-9, 2021`
        let year = parse_year(self.word_at(second_at + more)).filter(|_| matches!(second, RangeEnd::Day(_)));
        let (from, until) = self.resolve_range(first, second, year)?;
        (from <= until).then_some(((from, until), second_at + more + usize::from(year.is_some()) - at))
    }

    fn is_article(&self, at: usize) -> bool {
        matches!(self.word_at(at), "the" | "dem" | "den" | "zum")
    }

    fn parse_range_end(&self, at: usize) -> Option<(RangeEnd, usize)> {
        let days = self
            .parse_absolute(at)
            .or_else(|| self.parse_bare_time(at).filter(|_| self.parse_yearless_date(at).is_none()));
        if let Some(((from, until), used)) = days.or_else(|| self.parse_relative(at)) {
            return Some((RangeEnd::Days(from, until), used));
        }
        if let Some((month, day, used)) = self.parse_yearless_date(at) {
            return Some((RangeEnd::MonthDay(month, day), used));
        }
        if let Some(month) = month_number(self.word_at(at)) {
            return Some((RangeEnd::Month(month), 1));
        }
        if let Some(year) = parse_year(self.word_at(at)) {
            let (from, until) = year_span(year)?;
            return Some((RangeEnd::Days(from, until), 1));
        }
        Some((RangeEnd::Day(parse_ordinal(self.word_at(at)).filter(|day| (1..=31).contains(day))?), 1))
    }

    /// Returns the first and last day of the range between two ends.
    fn resolve_range(&self, first: RangeEnd, second: RangeEnd, year: Option<i16>) -> Option<(Date, Date)> {
        let month_of = |year: i16, month: i8| months_span(year, month, month);
        let (month, day) = match second {
            RangeEnd::Days(from, until) => return Some((self.resolve_first_day(first, from)?, until)),
            RangeEnd::Month(month) => (month, None),
            RangeEnd::MonthDay(month, day) => (month, Some(day)),
            RangeEnd::Day(day) => match first {
                RangeEnd::MonthDay(month, _) => (month, Some(day)),
                RangeEnd::Days(from, until) if from == until => {
                    return Some((from, Date::new(from.year(), from.month(), day).ok()?));
                }
                _ => return None,
            },
        };
        let last_of = |year: i16| match day {
            Some(day) => Date::new(year, month, day).ok(),
            None => month_of(year, month).map(|(_, last)| last),
        };
        let first_of = |year: i16| match day {
            Some(day) => Date::new(year, month, day).ok(),
            None => month_of(year, month).map(|(first, _)| first),
        };
        if let RangeEnd::Days(from, _) = first {
            // The next one after the beginning.
            let last = [from.year(), from.year().checked_add(1)?]
                .into_iter()
                .filter_map(last_of)
                .find(|last| from <= *last)?;
            return Some((from, last));
        }
        let year = match year {
            Some(year) => year,
            None => {
                let today = self.today?;
                let has_begun = |year: &i16| first_of(*year).is_some_and(|first| first <= today);
                [today.year(), today.year().checked_sub(1)?].into_iter().find(has_begun)?
            }
        };
        Some((self.resolve_first_day(first, first_of(year)?)?, last_of(year)?))
    }

    /// Returns the first day of a range whose other end begins on a given day.
    fn resolve_first_day(&self, first: RangeEnd, other: Date) -> Option<Date> {
        let fits = |first: &Date| *first <= other;
        let years = [other.year(), other.year().checked_sub(1)?];
        match first {
            RangeEnd::Days(from, _) => Some(from),
            RangeEnd::Month(month) => years.into_iter().filter_map(|year| Date::new(year, month, 1).ok()).find(fits),
            RangeEnd::MonthDay(month, day) => {
                years.into_iter().filter_map(|year| Date::new(year, month, day).ok()).find(fits)
            }
            RangeEnd::Day(day) => Date::new(other.year(), other.month(), day).ok(),
        }
    }
}
