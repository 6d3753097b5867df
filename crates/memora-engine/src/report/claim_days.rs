//! The days of a claim, in answers to temporal queries.

use std::fmt;

use memora_claim::time::Period;
use memora_vault::PartialDate;
use schemars::JsonSchema;
use serde::Serialize;

/// The days that a claim is of: by the heading above it, its note's name or date, or by its own words.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
pub struct ClaimDays {
    /// The first day, `YYYY-MM-DD`.
    pub from: String,
    /// The last day; of a single day the same.
    pub until: String,
}

impl ClaimDays {
    pub(crate) fn from_period(period: Period) -> Self {
        Self { from: period.from().to_string(), until: period.until().to_string() }
    }
}

/// Prints a day, a month or a year as a date, else `from to until`.
impl fmt::Display for ClaimDays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, until) = (PartialDate::parse(&self.from), PartialDate::parse(&self.until));
        let whole = |date: Option<PartialDate>| {
            let date = date?;
            let (first, last) = date.first_and_last_day();
            (Some(first) == from && Some(last) == until).then_some(date)
        };
        let month = from.and_then(|from| PartialDate::from_year_month(from.year(), from.month()?));
        let year = from.and_then(|from| PartialDate::from_year(from.year()));
        match whole(from).or_else(|| whole(year)).or_else(|| whole(month)) {
            Some(date) => date.fmt(f),
            None => write!(f, "{} to {}", self.from, self.until),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_written_as_dates_are() {
        for (from, until, expect) in [
            ("2022-09-05", "2022-09-05", "2022-09-05"),
            ("2022-09-01", "2022-09-30", "2022-09"),
            ("2022-01-01", "2022-12-31", "2022"),
            ("2022-08-29", "2022-09-04", "2022-08-29 to 2022-09-04"),
        ] {
            assert_eq!(ClaimDays { from: from.to_owned(), until: until.to_owned() }.to_string(), expect);
        }
    }
}
