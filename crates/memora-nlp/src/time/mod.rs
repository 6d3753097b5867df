//! Dates and times of day in tokens, and the calendar, for claims, questions and verdicts.
//!
//! Verdicts use [`find_dates`], [`find_relative_days`] and [`find_times_of_day`], the others [`TextRuns::parse_date_parts`].
//!
//! Invariant: **unspecified parts stay unspecified**: a [`Date`] has only the parts that the words give.

mod date;
mod date_expressions;
mod date_parts;
mod runs;

pub use date::{Date, civil_from_days, days_from_civil, parse_iso_date};
pub use date_expressions::{TimeOfDay, find_dates, find_relative_days, find_times_of_day};
pub use date_parts::{
    DateParts, is_ordinary_word, month_number, parse_day, parse_digits, parse_year, season_months, weekday_number,
};
pub use runs::{TextRun, TextRuns};
