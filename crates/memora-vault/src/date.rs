//! Partial dates: often only a month, sometimes only a year.

use std::fmt;

use jiff::civil::Date;

/// A calendar date of which the day, or the month and the day, may be unknown.
///
/// Written `2024`, `2024-03` or `2024-03-12`. Ordered by the known parts; less precise dates sort first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartialDate {
    year: i16,
    month: Option<i8>,
    day: Option<i8>,
}

impl PartialDate {
    /// Returns a full date if it exists in the calendar.
    #[must_use]
    pub fn from_ymd(year: i16, month: i8, day: i8) -> Option<Self> {
        Date::new(year, month, day).ok().map(Self::from)
    }

    /// Returns a month of a year.
    #[must_use]
    pub fn from_year_month(year: i16, month: i8) -> Option<Self> {
        Date::new(year, month, 1).ok()?;
        Some(Self { year, month: Some(month), day: None })
    }

    /// Returns a year from 1 to 9999.
    #[must_use]
    pub fn from_year(year: i16) -> Option<Self> {
        (1..=9999).contains(&year).then_some(Self { year, month: None, day: None })
    }

    /// Returns the day of the calendar, if it is complete.
    #[must_use]
    pub fn to_civil(self) -> Option<Date> {
        Date::new(self.year, self.month?, self.day?).ok()
    }

    /// Parses `YYYY`, `YYYY-MM` or `YYYY-MM-DD`, the last optionally followed by `T` or a space and a time.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let day = text.split_once(['T', ' ']).map_or(text, |(day, time)| {
            if time.chars().all(|c| c.is_ascii_digit() || ":.+-Z".contains(c)) { day } else { text }
        });
        let mut parts = day.split('-');
        let number = |part: &str, width: usize| -> Option<i16> {
            (part.len() == width && part.bytes().all(|b| b.is_ascii_digit())).then(|| part.parse().ok()).flatten()
        };
        let year = number(parts.next()?, 4)?;
        let Some(month) = parts.next() else { return Self::from_year(year) };
        let month = i8::try_from(number(month, 2)?).ok()?;
        let Some(day) = parts.next() else { return Self::from_year_month(year, month) };
        let day = i8::try_from(number(day, 2)?).ok()?;
        if parts.next().is_some() {
            return None;
        }
        Self::from_ymd(year, month, day)
    }

    /// The year.
    #[must_use]
    pub fn year(self) -> i16 {
        self.year
    }

    /// The month, 1 to 12, where known.
    #[must_use]
    pub fn month(self) -> Option<i8> {
        self.month
    }

    /// The day of the month, where known.
    #[must_use]
    pub fn day(self) -> Option<i8> {
        self.day
    }

    /// Returns the first and the last day that it may stand for.
    #[must_use]
    pub fn first_and_last_day(self) -> (Self, Self) {
        let month = |m: i8| Date::new(self.year, m, 1).ok();
        match (self.month, self.day) {
            (Some(_), Some(_)) => (self, self),
            (Some(m), None) => month(m).map_or((self, self), |d| (d.into(), d.last_of_month().into())),
            (None, _) => match (month(1), month(12)) {
                (Some(first), Some(last)) => (first.into(), last.last_of_month().into()),
                _ => (self, self),
            },
        }
    }

    /// Whether every day that it may stand for lies in `from..=until` (full dates).
    #[must_use]
    pub fn is_within(self, from: Self, until: Self) -> bool {
        let (first, last) = self.first_and_last_day();
        from <= first && last <= until
    }
}

impl From<Date> for PartialDate {
    fn from(day: Date) -> Self {
        Self { year: day.year(), month: Some(day.month()), day: Some(day.day()) }
    }
}

impl fmt::Display for PartialDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}", self.year)?;
        if let Some(month) = self.month {
            write!(f, "-{month:02}")?;
        }
        if let Some(day) = self.day {
            write!(f, "-{day:02}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partial_dates_stay_partial() {
        for text in ["2024", "2024-03", "2024-03-12"] {
            assert_eq!(PartialDate::parse(text).map(|d| d.to_string()).as_deref(), Some(text));
        }
        assert_eq!(PartialDate::parse("2024-03-12T09:30:00").map(|d| d.to_string()).as_deref(), Some("2024-03-12"));
    }

    #[test]
    fn what_is_no_date_is_none() {
        for text in ["", "2024-13", "2024-02-30", "24-01-01", "2024-1-1", "2024-03-12-01", "2024 was good", "１２３４"]
        {
            assert_eq!(PartialDate::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_month_spans_its_days() {
        let (first, last) = PartialDate::parse("2024-02").expect("a month").first_and_last_day();
        assert_eq!((first.to_string(), last.to_string()), ("2024-02-01".into(), "2024-02-29".into()));
    }
}
