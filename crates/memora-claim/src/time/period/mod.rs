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
//! Out of scope: times in the text itself (`memora_nlp::time`), which are weaker evidence.

mod days;
mod name_dates;
#[cfg(test)]
mod tests;

use jiff::ToSpan;
use memora_vault::PartialDate;

use self::days::{DaySpan, NamedTime, resolve_named_time};
use self::name_dates::{find_week_number, has_year_and_number, parse_file_name, parse_heading};
use memora_nlp::time::TextRuns as Tokens;

pub use self::name_dates::is_week_number;

/// The days that a place in the notes is about, or that a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    from: PartialDate,
    until: PartialDate,
}

impl Period {
    /// Creates a period from a first to a last day; `None` if the last precedes the first.
    #[must_use]
    pub fn from_dates(from: PartialDate, until: PartialDate) -> Option<Self> {
        let (from, until) = (from.first_and_last_day().0, until.first_and_last_day().1);
        (from <= until).then_some(Self { from, until })
    }

    /// Returns the first day, complete.
    #[must_use]
    pub fn from(self) -> PartialDate {
        self.from
    }

    /// Returns the last day, complete.
    #[must_use]
    pub fn until(self) -> PartialDate {
        self.until
    }

    /// Returns the number of days.
    #[must_use]
    pub fn day_count(self) -> i32 {
        self.to_day_span().map_or(0, DaySpan::day_count)
    }

    /// Whether it is one day.
    #[must_use]
    pub fn is_day(self) -> bool {
        self.from == self.until
    }

    /// Whether more than half of its days are in the other: a week belongs to the month of its Thursday.
    #[must_use]
    pub fn is_mostly_in(self, other: Self) -> bool {
        let shared = Self { from: self.from.max(other.from), until: self.until.min(other.until) };
        shared.from <= shared.until && shared.day_count() * 2 > self.day_count()
    }

    fn to_day_span(self) -> Option<DaySpan> {
        DaySpan::new(DaySpan::from_partial_date(self.from)?.0, DaySpan::from_partial_date(self.until)?.1)
    }
}

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
        let named = parse_heading(&Tokens::from_text(heading), days);
        let Some(found) = named.and_then(|named| resolve_named_time(named, days)) else { continue };
        // A note named by a day has days as headings, if any: `## July 2019` in it is a topic.
        if found.day_count() <= 7 || !is_told || days.is_none_or(|days| days.day_count() > 7) {
            (days, is_told) = (Some(found), true);
        }
    }
    let whole = |date: jiff::civil::Date| PartialDate::from_ymd(date.year(), date.month(), date.day());
    let DaySpan(from, until) = days?;
    Period::from_dates(whole(from)?, whole(until)?)
}

/// Returns the days of a whole note, by its name, otherwise by its folders or date, and whether its name gave them.
fn resolve_note_days(place: &DateContext<'_>) -> (Option<DaySpan>, bool) {
    let date = place.date.and_then(DaySpan::from_partial_date);
    let path = place.path.strip_suffix(".md").unwrap_or(place.path);
    let (folders, stem) = path.rsplit_once('/').unwrap_or(("", path));
    let mut of_folder = None;
    for folder in folders.split('/') {
        let found = parse_file_name(&Tokens::from_text(folder), of_folder)
            .and_then(|named| resolve_named_time(named, of_folder));
        of_folder = found.or(of_folder);
    }
    let tokens = Tokens::from_text(stem);
    let named = parse_file_name(&tokens, of_folder).map(|named| match named {
        NamedTime::Known(month) if has_year_and_number(&tokens) && (28..=31).contains(&month.day_count()) => {
            NamedTime::Known(reinterpret_as_week(place, folders, month, date).unwrap_or(month))
        }
        named => named,
    });
    let by_name = named.and_then(|named| resolve_named_time(named, of_folder));
    let finer = |folder: &DaySpan| date.is_none_or(|date| !date.is_within(*folder));
    (by_name.or_else(|| of_folder.filter(finer)).or(date), by_name.is_some())
}

/// Returns the week meant by `2024-06` instead of the month, if the note indicates weeks.
fn reinterpret_as_week(
    place: &DateContext<'_>,
    folders: &str,
    month: DaySpan,
    date: Option<DaySpan>,
) -> Option<DaySpan> {
    let number = month.0.month();
    let week = DaySpan::from_iso_week(month.0.year(), number)?;
    let names = Tokens::from_text(folders);
    let in_folder =
        |starts: [&str; 3]| (0..names.len()).any(|at| starts.iter().any(|start| names.word(at).starts_with(start)));
    if in_folder(["month", "monat", "mensual"]) {
        return None;
    }
    let mut numbers = place.outline.iter().filter_map(|heading| find_week_number(&Tokens::from_text(heading)));
    let headed = numbers.next() == Some(number) && numbers.next().is_none();
    // Written in that week, or a few days later.
    let soon = DaySpan::new(week.0, week.1.checked_add(4.days()).ok()?)?;
    let dated = date.is_some_and(|date| date.is_within(soon) && !date.is_within(month));
    // Obsidian's own format for weekly notes: it gives the month or year of the week, and not this month.
    let by_settings = date.is_some_and(|date| date.day_count() > 7 && date != month && week.is_within(date));
    let is_week = place.weekly || headed || dated || by_settings || in_folder(["week", "woche", "semana"]);
    is_week.then_some(week)
}
