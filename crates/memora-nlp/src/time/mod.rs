//! Dates and times of day in tokens, and the calendar.
//!
//! [`Runs::date_parts`] reads a date in words for claims and questions. In the tokens of a verdict's texts [`dates`] reads what is written, [`relative_days`] what only counts from a note's day, [`clocks`] times of day.
//!
//! The one rule to know: **what words leave open stays open**: a [`Date`] has what they say and no more.

mod date;
mod parts;
mod runs;
mod written;

pub use date::{Date, civil, day_number, iso};
pub use parts::{DateParts, day, digits, month, ordinary, season, weekday, year};
pub use runs::{Run, Runs};
pub use written::{Clock, clocks, dates, relative_days};
