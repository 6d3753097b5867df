//! The times that English words name: `March 2024`, `yesterday`, `since 2020`, `until last Friday`.
//!
//! The one rule to know: **a reading depends on the words alone.** What `yesterday` means depends on the day the note
//! was written, so a [`When`] keeps it relative and is resolved against the note's date only when it is read. The same
//! sentence in two notes has one reading.
//!
//! Where words leave a choice, it is made here, once:
//!
//! 1. A weekday, month or day without a year lies before the note's date when its sentence speaks of the past, after it
//!    when the sentence speaks of what is to come, and otherwise as near to it as can be. `by` and `until` look ahead
//!    unless the sentence is past; `since` looks back.
//! 2. `last Friday` and `next Friday` are the nearest ones, and never the note's own day; `this Friday` is the one in
//!    the week from Monday to Sunday. Weekends follow the same rule.
//! 3. `last week` is the seven days before the note's date and `next week` the seven after it: writers differ in the
//!    day a week begins with, and every such week overlaps these. `this week` is Monday to Sunday.
//! 4. `two weeks ago` is seven days around the day, `two months ago` that month, `two years ago` that year; `a few` is
//!    two to four, `a couple` two.
//! 5. Seasons are those of the northern hemisphere, in whole months; `winter 2024` begins in December 2024. `early`,
//!    `mid` and `late` cut a year, a month or a decade in three.
//! 6. A bare number is a year only where the words around it ask for one: behind a preposition, in brackets, or in a
//!    range of two years.
//! 7. A year in brackets behind a name is that of a work, unless it ends a clause of going somewhere (`moved to Berlin
//!    (2019)`). What is moved from a day to another holds on neither.
//!
//! Deliberately not here: times of day, durations (`for two years`), recurrences (`every Monday`), and vague words
//! (`recently`, `the other day`). They name no date.

mod absolute;
mod choose;
#[cfg(test)]
mod listed_tests;
mod mentioned;
mod period;
#[cfg(test)]
mod properties;
mod read;
mod relative;
mod tense;
#[cfg(test)]
mod tests;
mod tokens;
mod when;
mod written;

use std::fmt;
use std::ops::Range;

pub use choose::{resolve_validity, find_validity, find_clause_validity};
pub use period::{Period, DateContext, is_week_number, find_period};
pub use read::find_times;
pub use when::TimeExpr;

/// The months' English names, from January on.
pub const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// A time expression in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMention {
    /// The expression, in bytes of the text: `March 2024`.
    pub words: Range<usize>,
    /// The expression with the words that give it its role: `since March 2024`; holds `words`.
    pub phrase: Range<usize>,
    /// What it means.
    pub when: TimeExpr,
    /// How it stands to what is said.
    pub role: TimeRole,
    /// Which rule read it.
    pub rule: TimeRule,
}

/// How a time stands to what its clause says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TimeRole {
    /// It happened, or held, at that time: `in 2020`, `yesterday`.
    At,
    /// It holds from the first day of that time: `since 2020`, `from 2019 [to 2022]`, `as of March`.
    Since,
    /// It holds until the last day of that time: `until March`, `[from 2019] to 2022`.
    Until,
    /// It is due then, and says nothing of when it holds: `by Friday`.
    Due,
    /// Some time before it.
    Before,
    /// Some time after it.
    After,
    /// It is spoken of, and says nothing of when: the year of a work or a source (`Dune (1965)`), and the days
    /// from and to which something is moved (`from 1 April to 15 April`).
    Mentioned,
}

impl TimeRole {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::At => "at",
            Self::Since => "since",
            Self::Until => "until",
            Self::Due => "due",
            Self::Before => "before",
            Self::After => "after",
            Self::Mentioned => "mentioned",
        }
    }
}

/// Which rule read a time expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeRule {
    /// `three days ago`, `a few weeks ago`, `two weekends ago`.
    Ago,
    /// `in three days`, `two weeks from now`.
    Ahead,
    /// `on the 15th`.
    DayOfMonth,
    /// `yesterday`, `tonight`, `this morning`, `the day after tomorrow`.
    DayName,
    /// `the 1990s`.
    Decade,
    /// `H1 2024`, `the first half of 2024`.
    HalfYear,
    /// `2024-03-12`, `2024-03`, `2024-W12`.
    Iso,
    /// `have … for two years`: its beginning.
    Lasting,
    /// `in June`, without a year.
    Month,
    /// `12.03.2024`, `25/03/2024`.
    Numeric,
    /// `early 2022`, `mid-March 2024`, `the end of 2024`.
    Part,
    /// `last week`, `this month`, `next year`.
    Period,
    /// `Q3 2024`, `in Q3`.
    Quarter,
    /// `spring 2024`, `last summer`.
    Season,
    /// `the last three months`, `the past week`.
    Stretch,
    /// `last Friday`, `on Friday`.
    Weekday,
    /// `last weekend`, `over the weekend`.
    Weekend,
    /// `12 March 2024`, `March 12`, `March 2024`.
    Written,
    /// `in 2024`.
    Year,
}

impl TimeRule {
    /// A stable word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ago => "ago",
            Self::Ahead => "ahead",
            Self::DayOfMonth => "day of month",
            Self::DayName => "day name",
            Self::Decade => "decade",
            Self::HalfYear => "half year",
            Self::Iso => "iso",
            Self::Lasting => "lasting",
            Self::Month => "month",
            Self::Numeric => "numeric",
            Self::Part => "part",
            Self::Period => "period",
            Self::Quarter => "quarter",
            Self::Season => "season",
            Self::Stretch => "stretch",
            Self::Weekday => "weekday",
            Self::Weekend => "weekend",
            Self::Written => "written",
            Self::Year => "year",
        }
    }
}

impl fmt::Display for TimeRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
