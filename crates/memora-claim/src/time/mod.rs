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
mod mention;
mod mentioned;
mod parser;
mod period;
mod preposition;
#[cfg(test)]
mod properties;
mod relative;
mod sentence;
#[cfg(test)]
mod tests;
mod time_expr;
mod validity;
mod written_dates;

pub use forms::{DateForm, DateForms, DatePolicy, fill_missing_parts};
pub use mention::{TimeMention, TimeRole, TimeRule};
pub use parser::find_times;
pub use period::{DateContext, Period, find_period, is_week_number};
pub use time_expr::TimeExpr;
pub use validity::{Validity, ValidityExpr, find_clause_validity, find_validity, resolve_validity};

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
