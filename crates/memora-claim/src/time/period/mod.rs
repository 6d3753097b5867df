//! Resolves the days that a place in the notes is about: by date headings, by the note's name and folders, by its date.
//!
//! Invariant: **a period follows from the place alone.** Path, headings and date property are stored with each source
//! anyway. So periods are not stored, but computed when a row is read.
//!
//! Ambiguities are resolved here, in one place:
//!
//! 1. The nearest heading that names a date wins; it takes a missing year or month from the headings above it and
//!    from the note: `### June 29th` in a note of 2020, `## THURSDAY` in a note of a week.
//! 2. A note's name wins over its `date` property: a review of June is written in July. If only its folders name a
//!    time, a property within it is more precise, and wins.
//! 3. In a note named by a day or a week, a heading that names a month or a year is a topic.
//! 4. `2024-06` is June, unless the note counts weeks: by a folder (`weeknotes/`), a heading (`Week 6`), a date
//!    in that week, or its neighbours, which only the caller knows.
//!
//! Out of scope: times in the text itself ([`find_times`](super::find_times)), which are weaker evidence.

mod days;
mod name_dates;
#[cfg(test)]
mod tests;

use jiff::ToSpan;
use memora_vault::PartialDate;

use self::days::{NamedTime, resolve_named_time};
use self::name_dates::{find_week_number, has_year_and_number, parse_file_name, parse_heading};
use memora_nlp::time::TextRuns as Tokens;

pub use self::days::Period;
pub use self::name_dates::is_week_number;

/// The context of a place that determines its days.
#[derive(Clone, Copy, Debug)]
pub struct DateContext<'a> {
    /// Path of the note, from the vault's root.
    pub path: &'a str,
    /// Every heading of the note, in order.
    pub outline: &'a [String],
    /// The headings above the place, outermost first.
    pub headings: &'a [String],
    /// The date of the note: by Obsidian's settings for its name, or by a property.
    pub date: Option<PartialDate>,
    /// Whether neighbouring notes are numbered by weeks: `2024-32`.
    pub weekly: bool,
}

/// Returns the days that a place is about; `None` if neither headings nor note name a time.
#[must_use]
pub fn find_period(place: &DateContext<'_>) -> Option<Period> {
    let (mut days, mut is_told) = resolve_note_days(place);
    for heading in place.headings {
        let named = parse_heading(&Tokens::from_name(heading), days);
        let Some(found) = named.and_then(|named| resolve_named_time(named, days)) else { continue };
        // A note named by a day has days as headings, if any: `## July 2019` in it is a topic.
        if found.day_count() <= 7 || !is_told || days.is_none_or(|days| days.day_count() > 7) {
            (days, is_told) = (Some(found), true);
        }
    }
    days
}

/// Returns the days of a whole note, by its name, otherwise by its folders or date, and whether its name gave them.
fn resolve_note_days(place: &DateContext<'_>) -> (Option<Period>, bool) {
    let date = place.date.and_then(|date| Period::from_dates(date, date));
    let path = place.path.strip_suffix(".md").unwrap_or(place.path);
    let (folders, stem) = path.rsplit_once('/').unwrap_or(("", path));
    let mut of_folder = None;
    for folder in folders.split('/') {
        let found = parse_file_name(&Tokens::from_name(folder), of_folder)
            .and_then(|named| resolve_named_time(named, of_folder));
        of_folder = found.or(of_folder);
    }
    let tokens = Tokens::from_name(stem);
    let named = parse_file_name(&tokens, of_folder).map(|named| match named {
        NamedTime::Known(month) if has_year_and_number(&tokens) && (28..=31).contains(&month.day_count()) => {
            NamedTime::Known(reinterpret_as_week(place, folders, month, date).unwrap_or(month))
        }
        named => named,
    });
    let by_name = named.and_then(|named| resolve_named_time(named, of_folder));
    let finer = |folder: &Period| date.is_none_or(|date| !date.is_within(*folder));
    (by_name.or_else(|| of_folder.filter(finer)).or(date), by_name.is_some())
}

/// Returns the week meant by `2024-06` instead of the month, if the note indicates weeks.
fn reinterpret_as_week(place: &DateContext<'_>, folders: &str, month: Period, date: Option<Period>) -> Option<Period> {
    let number = month.first().month();
    let week = Period::from_iso_week(month.first().year(), number)?;
    let names = Tokens::from_name(folders);
    let in_folder =
        |starts: [&str; 3]| (0..names.len()).any(|at| starts.iter().any(|start| names.word(at).starts_with(start)));
    if in_folder(["month", "monat", "mensual"]) {
        return None;
    }
    let mut numbers = place.outline.iter().filter_map(|heading| find_week_number(&Tokens::from_name(heading)));
    let headed = numbers.next() == Some(number) && numbers.next().is_none();
    // Written in that week, or a few days later.
    let soon = Period::from_days(week.first(), week.last().checked_add(4.days()).ok()?)?;
    let dated = date.is_some_and(|date| date.is_within(soon) && !date.is_within(month));
    // Obsidian's own format for weekly notes: it gives the month or year of the week, and not this month.
    let by_settings = date.is_some_and(|date| date.day_count() > 7 && date != month && week.is_within(date));
    let is_week = place.weekly || headed || dated || by_settings || in_folder(["week", "woche", "semana"]);
    is_week.then_some(week)
}
