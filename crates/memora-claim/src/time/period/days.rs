//! Spans of days, and partial times that names and headings give: possibly without year or month.

use jiff::ToSpan;
use jiff::civil::{Date, ISOWeekDate, Weekday};
use memora_vault::PartialDate;

/// First and last day; the first is never after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DaySpan(pub(super) Date, pub(super) Date);

/// The time that a name or a heading gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedTime {
    /// A complete time.
    Known(DaySpan),
    /// First and last month of a year not named; the last lies in the next year if it is smaller.
    Months(i8, i8),
    /// Month and day.
    MonthDay(i8, i8),
    /// `03` in a folder of a year, `12` in one of a month.
    Number(i8),
    /// `12th`: a day of a month.
    Day(i8),
    /// Two numbers that are a month and a day, in either order, once the month is known.
    Pair(i8, i8),
    /// A week of a year, by ISO 8601.
    Week(i8),
    /// Monday is 1, Sunday 7.
    Weekday(i8),
}

impl DaySpan {
    pub(super) fn new(from: Date, until: Date) -> Option<Self> {
        (from <= until).then_some(Self(from, until))
    }

    pub(super) fn from_partial_date(date: PartialDate) -> Option<Self> {
        let civil = |date: PartialDate| Date::new(date.year(), date.month()?, date.day()?).ok();
        let (first, last) = date.first_and_last_day();
        Self::new(civil(first)?, civil(last)?)
    }

    pub(super) fn from_day(year: i16, month: i8, day: i8) -> Option<Self> {
        let date = Date::new(year, month, day).ok()?;
        Some(Self(date, date))
    }

    /// From the first day of one month to the last day of another, which is in the next year if it is smaller.
    pub(super) fn from_months(year: i16, first: i8, last: i8) -> Option<Self> {
        let end = if last < first { year.checked_add(1)? } else { year };
        Self::new(Date::new(year, first, 1).ok()?, Date::new(end, last, 1).ok()?.last_of_month())
    }

    /// Monday to Sunday.
    pub(super) fn from_iso_week(year: i16, week: i8) -> Option<Self> {
        let monday = ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date();
        Some(Self(monday, monday.checked_add(6.days()).ok()?))
    }

    /// Returns the number of days.
    pub(super) fn day_count(self) -> i32 {
        self.0.until(self.1).map_or(0, |span| span.get_days()) + 1
    }

    pub(super) fn is_within(self, other: Self) -> bool {
        other.0 <= self.0 && self.1 <= other.1
    }

    pub(super) fn is_overlapping(self, other: Self) -> bool {
        self.0 <= other.1 && other.0 <= self.1
    }

    /// Returns the number of days between two spans; 0 if they overlap.
    fn distance_in_days(self, other: Self) -> i32 {
        let gap = |a: Date, b: Date| a.until(b).map_or(i32::MAX, |span| span.get_days());
        if self.is_overlapping(other) { 0 } else { gap(self.1, other.0).max(gap(other.1, self.0)) }
    }
}

/// Resolves a named time in a context of known days.
///
/// A name without a year resolves within the context, otherwise to the nearest candidate less than half a year away.
pub(super) fn resolve_named_time(named: NamedTime, within: Option<DaySpan>) -> Option<DaySpan> {
    if let NamedTime::Known(days) = named {
        return Some(days);
    }
    let within = within?;
    let years = within.0.year().checked_sub(1)?..=within.1.year().checked_add(1)?;
    let nearest = |candidates: &mut dyn Iterator<Item = DaySpan>| {
        let nearest = candidates.min_by_key(|days| (!days.is_within(within), days.distance_in_days(within)))?;
        (nearest.distance_in_days(within) < 183).then_some(nearest)
    };
    let month_day = |month, day| nearest(&mut years.clone().filter_map(|year| DaySpan::from_day(year, month, day)));
    // A month, if it is one month.
    let month = (within.0.first_of_month() == within.1.first_of_month()).then_some((within.0.year(), within.0.month()));
    let is_long = within.day_count() > 45;
    match named {
        NamedTime::Known(days) => Some(days),
        NamedTime::Months(first, last) => {
            nearest(&mut years.filter_map(|year| DaySpan::from_months(year, first, last)))
        }
        NamedTime::MonthDay(month, day) => month_day(month, day),
        NamedTime::Number(number) if is_long => {
            DaySpan::from_months(within.0.year(), number, number).filter(|m| m.is_within(within))
        }
        NamedTime::Number(day) | NamedTime::Day(day) => {
            let (year, month) = month?;
            DaySpan::from_day(year, month, day).filter(|day| day.is_within(within))
        }
        NamedTime::Pair(first, second) => match month {
            Some((_, month)) if first == month => month_day(first, second),
            Some((_, month)) if second == month => month_day(second, first),
            _ if is_long => month_day(first, second),
            _ => None,
        },
        NamedTime::Week(week) => {
            // Only where a year or one of its parts is known: the weeks of a course are counted by themselves.
            let days = nearest(&mut years.filter_map(|year| DaySpan::from_iso_week(year, week)))?;
            (within.day_count() > 1 && days.is_overlapping(within)).then_some(days)
        }
        NamedTime::Weekday(day) if within.day_count() == 7 => {
            let mut date = within.0;
            while date.weekday().to_monday_one_offset() != day && date < within.1 {
                date = date.tomorrow().ok()?;
            }
            DaySpan::new(date, date)
        }
        NamedTime::Weekday(_) => None,
    }
}
