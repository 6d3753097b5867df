//! Which days a place in the notes is of: by the date heading above it, by the note's name and folders, by its date.
//!
//! The one rule to know: **a period follows from the place alone.** Path, headings, date property: what is kept with a source
//! anyway. So nothing is stored, and whoever wants to know asks when the row is read.
//!
//! Where there is a choice, it is made here, once:
//!
//! 1. The nearest heading that names a date counts, and takes the year or month that it does not name from the headings
//!    above it and from the note: `### June 29th` in a note of 2020, `## THURSDAY` in a note of a week.
//! 2. A note's name wins over its `date` property: a review of June is written in July. Where only its folders name a time, a
//!    property that lies within is finer, and counts.
//! 3. In a note that is named by a day or a week a heading that names a month or a year is a topic.
//! 4. `2024-06` is June, unless the note says that it counts weeks: by a folder (`weeknotes/`), a heading (`Week 6`), a date
//!    of that week, or its neighbours, which only the caller knows.
//!
//! Deliberately not here: what the words themselves name ([`super::times`]), which is weaker.

mod days;
mod name;
#[cfg(test)]
mod tests;

use jiff::ToSpan;
use memora_vault::PartialDate;

use self::days::{DaySpan, NamedTime, resolve_named_time};
use self::name::{has_year_and_number, parse_heading, parse_file_name, find_week_number};
use super::tokens::Tokens;

pub use self::name::is_week_number;

/// The days that a place in the notes is of; also those that a question asks about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Period {
    from: PartialDate,
    until: PartialDate,
}

impl Period {
    /// From a first day to a last one; nothing if the last comes before the first.
    #[must_use]
    pub fn from_dates(from: PartialDate, until: PartialDate) -> Option<Self> {
        let (from, until) = (from.first_and_last_day().0, until.first_and_last_day().1);
        (from <= until).then_some(Self { from, until })
    }

    /// The first day, whole.
    #[must_use]
    pub fn from(self) -> PartialDate {
        self.from
    }

    /// The last day, whole.
    #[must_use]
    pub fn until(self) -> PartialDate {
        self.until
    }

    /// How many days it has.
    #[must_use]
    pub fn day_count(self) -> i32 {
        self.to_day_span().map_or(0, DaySpan::day_count)
    }

    /// Whether it is one day.
    #[must_use]
    pub fn is_day(self) -> bool {
        self.from == self.until
    }

    /// Whether more than half of its days lie in the other: a week belongs to the month that has its Thursday.
    #[must_use]
    pub fn is_mostly_in(self, other: Self) -> bool {
        let shared = Self { from: self.from.max(other.from), until: self.until.min(other.until) };
        shared.from <= shared.until && shared.day_count() * 2 > self.day_count()
    }

    fn to_day_span(self) -> Option<DaySpan> {
        DaySpan::new(DaySpan::from_partial_date(self.from)?.0, DaySpan::from_partial_date(self.until)?.1)
    }
}

/// What is known of a place besides the words there.
#[derive(Clone, Copy, Debug)]
pub struct DateContext<'a> {
    /// The note, from the vault's root.
    pub path: &'a str,
    /// Every heading of the note, in order.
    pub outline: &'a [String],
    /// The headings above the place, outermost first.
    pub headings: &'a [String],
    /// The date that the note bears: by Obsidian's settings for its name, or by a property.
    pub date: Option<PartialDate>,
    /// Whether notes beside it are numbered by weeks: `2024-32`.
    pub weekly: bool,
}

/// The days that a place is of; nothing where neither headings nor note name a time.
#[must_use]
pub fn find_period(place: &DateContext<'_>) -> Option<Period> {
    let (mut days, mut is_told) = resolve_note_days(place);
    for heading in place.headings {
        let named = parse_heading(&Tokens::from_text(heading), days);
        let Some(found) = named.and_then(|named| resolve_named_time(named, days)) else { continue };
        // A note that is named by a day has days as headings, if any: `## July 2019` in it is a topic.
        if found.day_count() <= 7 || !is_told || days.is_none_or(|days| days.day_count() > 7) {
            (days, is_told) = (Some(found), true);
        }
    }
    let whole = |date: jiff::civil::Date| PartialDate::from_ymd(date.year(), date.month(), date.day());
    let DaySpan(from, until) = days?;
    Period::from_dates(whole(from)?, whole(until)?)
}

/// The days of a whole note, by its name, else by its folders or its date, whichever says more; and whether its name says so.
fn resolve_note_days(place: &DateContext<'_>) -> (Option<DaySpan>, bool) {
    let date = place.date.and_then(DaySpan::from_partial_date);
    let path = place.path.strip_suffix(".md").unwrap_or(place.path);
    let (folders, stem) = path.rsplit_once('/').unwrap_or(("", path));
    let mut of_folder = None;
    for folder in folders.split('/') {
        let found = parse_file_name(&Tokens::from_text(folder), of_folder).and_then(|named| resolve_named_time(named, of_folder));
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

/// The week that `2024-06` means instead of the month that it looks like, where the note says so.
fn reinterpret_as_week(place: &DateContext<'_>, folders: &str, month: DaySpan, date: Option<DaySpan>) -> Option<DaySpan> {
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
    // The settings' own format for weeks: it says which month or year the week is in, and not this month.
    let by_settings = date.is_some_and(|date| date.day_count() > 7 && date != month && week.is_within(date));
    let is_week = place.weekly || headed || dated || by_settings || in_folder(["week", "woche", "semana"]);
    is_week.then_some(week)
}
