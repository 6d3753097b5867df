//! Periods of days, and partial times that names and headings give: possibly without year or month.

use jiff::ToSpan;
use jiff::civil::{Date, ISOWeekDate, Weekday};
use memora_vault::PartialDate;

/// The days that a place in the notes is about, or that a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    first: Date,
    last: Date,
}

impl Period {
    /// Creates a period from the first day of one date to the last of another; `None` if the last precedes the first.
    #[must_use]
    pub fn from_dates(from: PartialDate, until: PartialDate) -> Option<Self> {
        Self::from_days(from.first_and_last_day().0.to_civil()?, until.first_and_last_day().1.to_civil()?)
    }

    pub(super) fn from_days(first: Date, last: Date) -> Option<Self> {
        (first <= last).then_some(Self { first, last })
    }

    pub(super) fn from_day(year: i16, month: i8, day: i8) -> Option<Self> {
        let date = Date::new(year, month, day).ok()?;
        Self::from_days(date, date)
    }

    /// From the first day of one month to the last day of another, which is in the next year if it is smaller.
    pub(super) fn from_months(year: i16, first: i8, last: i8) -> Option<Self> {
        let end = if last < first { year.checked_add(1)? } else { year };
        Self::from_days(Date::new(year, first, 1).ok()?, Date::new(end, last, 1).ok()?.last_of_month())
    }

    /// A week of a year by ISO 8601, from Monday to Sunday.
    pub(in crate::time) fn from_iso_week(year: i16, week: i8) -> Option<Self> {
        let monday = ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date();
        Self::from_days(monday, monday.checked_add(6.days()).ok()?)
    }

    /// Returns the first day, complete.
    #[must_use]
    pub fn from(self) -> PartialDate {
        self.first.into()
    }

    /// Returns the last day, complete.
    #[must_use]
    pub fn until(self) -> PartialDate {
        self.last.into()
    }

    pub(super) fn first(self) -> Date {
        self.first
    }

    pub(super) fn last(self) -> Date {
        self.last
    }

    /// Returns the number of days.
    #[must_use]
    pub fn day_count(self) -> i32 {
        self.first.until(self.last).map_or(0, |span| span.get_days()) + 1
    }

    /// Whether it is one day.
    #[must_use]
    pub fn is_day(self) -> bool {
        self.first == self.last
    }

    /// Whether more than half of its days are in the other: a week belongs to the month of its Thursday.
    #[must_use]
    pub fn is_mostly_in(self, other: Self) -> bool {
        let shared = Self::from_days(self.first.max(other.first), self.last.min(other.last));
        shared.is_some_and(|shared| shared.day_count() * 2 > self.day_count())
    }

    pub(super) fn is_within(self, other: Self) -> bool {
        other.first <= self.first && self.last <= other.last
    }

    fn is_overlapping(self, other: Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    /// Returns the number of days between two periods; 0 if they overlap.
    fn distance_in_days(self, other: Self) -> i32 {
        let gap = |a: Date, b: Date| a.until(b).map_or(i32::MAX, |span| span.get_days());
        if self.is_overlapping(other) { 0 } else { gap(self.last, other.first).max(gap(other.last, self.first)) }
    }
}

/// The time that a name or a heading gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NamedTime {
    /// A complete time.
    Known(Period),
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

/// Resolves a named time in a context of known days.
///
/// A name without a year resolves within the context, otherwise to the nearest candidate less than half a year away.
pub(super) fn resolve_named_time(named: NamedTime, within: Option<Period>) -> Option<Period> {
    if let NamedTime::Known(days) = named {
        return Some(days);
    }
    let within = within?;
    let years = within.first.year().checked_sub(1)?..=within.last.year().checked_add(1)?;
    let nearest = |candidates: &mut dyn Iterator<Item = Period>| {
        let nearest = candidates.min_by_key(|days| (!days.is_within(within), days.distance_in_days(within)))?;
        (nearest.distance_in_days(within) < 183).then_some(nearest)
    };
    let month_day = |month, day| nearest(&mut years.clone().filter_map(|year| Period::from_day(year, month, day)));
    // A month, if it is one month.
    let month = (within.first.first_of_month() == within.last.first_of_month())
        .then_some((within.first.year(), within.first.month()));
    let is_long = within.day_count() > 45;
    match named {
        NamedTime::Known(days) => Some(days),
        NamedTime::Months(first, last) => nearest(&mut years.filter_map(|year| Period::from_months(year, first, last))),
        NamedTime::MonthDay(month, day) => month_day(month, day),
        NamedTime::Number(number) if is_long => {
            Period::from_months(within.first.year(), number, number).filter(|m| m.is_within(within))
        }
        NamedTime::Number(day) | NamedTime::Day(day) => {
            let (year, month) = month?;
            Period::from_day(year, month, day).filter(|day| day.is_within(within))
        }
        NamedTime::Pair(first, second) => match month {
            Some((_, month)) if first == month => month_day(first, second),
            Some((_, month)) if second == month => month_day(second, first),
            _ if is_long => month_day(first, second),
            _ => None,
        },
        NamedTime::Week(week) => {
            // Only where a year or one of its parts is known: the weeks of a course are counted by themselves.
            let days = nearest(&mut years.filter_map(|year| Period::from_iso_week(year, week)))?;
            (within.day_count() > 1 && days.is_overlapping(within)).then_some(days)
        }
        NamedTime::Weekday(day) if within.day_count() == 7 => {
            let mut date = within.first;
            while date.weekday().to_monday_one_offset() != day && date < within.last {
                date = date.tomorrow().ok()?;
            }
            Period::from_days(date, date)
        }
        NamedTime::Weekday(_) => None,
    }
}
