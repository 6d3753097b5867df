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

use self::days::{Days, Named, resolved};
use self::name::{is_year_and_number, of_heading, of_name, week_number};
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
    pub fn of(from: PartialDate, until: PartialDate) -> Option<Self> {
        let (from, until) = (from.bounds().0, until.bounds().1);
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
    pub fn count(self) -> i32 {
        self.days().map_or(0, Days::count)
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
        shared.from <= shared.until && shared.count() * 2 > self.count()
    }

    fn days(self) -> Option<Days> {
        Days::new(Days::of(self.from)?.0, Days::of(self.until)?.1)
    }
}

/// What is known of a place besides the words there.
#[derive(Clone, Copy, Debug)]
pub struct Surrounding<'a> {
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
pub fn period(place: &Surrounding<'_>) -> Option<Period> {
    let (mut days, mut is_told) = of_note(place);
    for heading in place.headings {
        let named = of_heading(&Tokens::of(heading), days);
        let Some(found) = named.and_then(|named| resolved(named, days)) else { continue };
        // A note that is named by a day has days as headings, if any: `## July 2019` in it is a topic.
        if found.count() <= 7 || !is_told || days.is_none_or(|days| days.count() > 7) {
            (days, is_told) = (Some(found), true);
        }
    }
    let whole = |date: jiff::civil::Date| PartialDate::ymd(date.year(), date.month(), date.day());
    let Days(from, until) = days?;
    Period::of(whole(from)?, whole(until)?)
}

/// The days of a whole note, by its name, else by its folders or its date, whichever says more; and whether its name says so.
fn of_note(place: &Surrounding<'_>) -> (Option<Days>, bool) {
    let date = place.date.and_then(Days::of);
    let path = place.path.strip_suffix(".md").unwrap_or(place.path);
    let (folders, stem) = path.rsplit_once('/').unwrap_or(("", path));
    let mut of_folder = None;
    for folder in folders.split('/') {
        let found = of_name(&Tokens::of(folder), of_folder).and_then(|named| resolved(named, of_folder));
        of_folder = found.or(of_folder);
    }
    let tokens = Tokens::of(stem);
    let named = of_name(&tokens, of_folder).map(|named| match named {
        Named::Known(month) if is_year_and_number(&tokens) && (28..=31).contains(&month.count()) => {
            Named::Known(week_instead(place, folders, month, date).unwrap_or(month))
        }
        named => named,
    });
    let by_name = named.and_then(|named| resolved(named, of_folder));
    let finer = |folder: &Days| date.is_none_or(|date| !date.is_within(*folder));
    (by_name.or_else(|| of_folder.filter(finer)).or(date), by_name.is_some())
}

/// The week that `2024-06` means instead of the month that it looks like, where the note says so.
fn week_instead(place: &Surrounding<'_>, folders: &str, month: Days, date: Option<Days>) -> Option<Days> {
    let number = month.0.month();
    let week = Days::week(month.0.year(), number)?;
    let names = Tokens::of(folders);
    let in_folder =
        |starts: [&str; 3]| (0..names.len()).any(|at| starts.iter().any(|start| names.word(at).starts_with(start)));
    if in_folder(["month", "monat", "mensual"]) {
        return None;
    }
    let mut numbers = place.outline.iter().filter_map(|heading| week_number(&Tokens::of(heading)));
    let headed = numbers.next() == Some(number) && numbers.next().is_none();
    // Written in that week, or a few days later.
    let soon = Days::new(week.0, week.1.checked_add(4.days()).ok()?)?;
    let dated = date.is_some_and(|date| date.is_within(soon) && !date.is_within(month));
    // The settings' own format for weeks: it says which month or year the week is in, and not this month.
    let by_settings = date.is_some_and(|date| date.count() > 7 && date != month && week.is_within(date));
    let is_week = place.weekly || headed || dated || by_settings || in_folder(["week", "woche", "semana"]);
    is_week.then_some(week)
}
