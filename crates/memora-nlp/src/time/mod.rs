//! Dates and times of day in tokens, and the calendar.
//!
//! [`Runs::date_parts`] reads a date in words for claims and questions. In the tokens of a verdict's texts [`dates`] reads what is written, [`relative_days`] what only counts from a note's day, [`clocks`] times of day.
//!
//! The one rule to know: **what words leave open stays open**: a [`Date`] has what they say and no more.

mod date;
mod parts;
mod runs;
mod written;

pub use date::{Date, civil_from_days, days_from_civil, parse_iso_date};
pub use parts::{DateParts, parse_day, parse_digits, month_number, is_ordinary_word, season_months, weekday_number, parse_year};
pub use runs::{TextRun, TextRuns};
pub use written::{TimeOfDay, find_times_of_day, find_dates, find_relative_days};
