//! Dates and times of day in tokens, and the calendar.
//!
//! [`dates`] reads what is written, [`relative_days`] what only counts from a note's day, [`clocks`] times of day.
//!
//! The one rule to know: **what words leave open stays open**: a [`Date`] has what they say and no more.

mod date;
mod written;

pub use date::{Date, civil, day_number, iso};
pub use written::{Clock, clocks, dates, relative_days};
