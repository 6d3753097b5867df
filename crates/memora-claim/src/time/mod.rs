//! Temporal expressions in English: `March 2024`, `yesterday`, `since 2020`, `until last Friday`.
//!
//! Invariant: **a reading depends on the words alone.** The meaning of `yesterday` depends on the day the note
//! was written, so a [`TimeExpr`] keeps it relative, to be resolved against the note's date only when it is read. The same
//! sentence has one reading in any note.
//!
//! Ambiguities are resolved here, in one place:
//!
//! 1. A weekday, month or day without a year precedes the note's date if its sentence is in the past tense, follows it
//!    if the sentence is about the future, and is otherwise the nearest one. `by` and `until` prefer the future
//!    unless the sentence is past; `since` prefers the past.
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
//! Out of scope: times of day, durations (`for two years`), recurrences (`every Monday`), and vague words
//! (`recently`, `the other day`). They name no date.

mod counted;
mod forms;
#[cfg(test)]
mod listed_tests;
mod mentioned;
mod parser;
mod period;
#[cfg(test)]
mod properties;
mod relative;
mod tense;
#[cfg(test)]
mod tests;
mod time_expr;
mod validity;
mod written_dates;

use std::ops::Range;

use strum::{Display, IntoStaticStr};

pub use forms::{DateForm, DateForms, DatePolicy, fill_missing_parts};
pub use parser::find_times;
pub use period::{DateContext, Period, find_period, is_week_number};
pub use time_expr::TimeExpr;
pub use validity::{find_clause_validity, find_validity, resolve_validity};

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

/// A temporal expression in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeMention {
    /// The expression, in bytes of the text: `March 2024`.
    pub words: Range<usize>,
    /// The expression with its preposition: `since March 2024`; contains `words`.
    pub phrase: Range<usize>,
    /// The meaning of the expression.
    pub when: TimeExpr,
    /// The role of the time in its clause.
    pub role: TimeRole,
    /// The rule that read it.
    pub rule: TimeRule,
}

/// How a time stands to what its clause says.
#[derive(Clone, Copy, Debug, Display, PartialEq, Eq, Hash)]
#[strum(serialize_all = "snake_case")]
pub enum TimeRole {
    /// The event happened, or the state held, at that time: `in 2020`, `yesterday`.
    At,
    /// It holds from the first day of that time: `since 2020`, `from 2019 [to 2022]`, `as of March`.
    Since,
    /// It holds until the last day of that time: `until March`, `[from 2019] to 2022`.
    Until,
    /// It is due then; no validity follows: `by Friday`.
    Due,
    /// Some time before it.
    Before,
    /// Some time after it.
    After,
    /// It is only mentioned and does not say when something holds: the year of a publication (`Dune (1965)`), and the
    /// days between which something is rescheduled (`from 1 April to 15 April`).
    Mentioned,
}

/// Which rule read a time expression.
#[derive(Clone, Copy, Debug, IntoStaticStr, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[strum(serialize_all = "snake_case")]
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
    /// `last week`, `this month`, `next year`, `the week of 11 May 2026`.
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
