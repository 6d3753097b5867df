//! From one time to another: `between March and May 2021`, `from 3 to 9 May 2021`, `vom 3. bis 9. Mai`.
//!
//! The one rule to know: **what one end leaves out, the other gives**: a year, or a month and a year. Where neither names a
//! year, it is the most recent such time that has begun.

use jiff::civil::Date;

use super::names::{month, ordinal, span_of_months, whole_year, year};
use super::{Found, Reader};

/// An end of a range, as far as it is named.
#[derive(Clone, Copy)]
enum End {
    Days(Date, Date),
    Month(i8),
    MonthDay(i8, i8),
    Day(i8),
}

impl Reader<'_> {
    /// A range at a word, with the word that opens it, if there is one.
    pub(super) fn range(&self, at: usize) -> Found {
        let opens = matches!(self.word(at), "between" | "zwischen" | "from" | "von" | "vom");
        let between = matches!(self.word(at), "between" | "zwischen");
        let start = at + usize::from(opens) + usize::from(opens && self.is_article(at + 1));
        let (first, used) = self.end(start)?;
        let join = start + used;
        let words: &[&str] = if between { &["and", "und"] } else { &["to", "until", "till", "through", "bis"] };
        let dashed = matches!(self.gap(join).trim(), "-" | "–" | "—") && join < self.words.len();
        let joined = words.contains(&self.word(join));
        if !joined && (!dashed || between) {
            return None;
        }
        let second_at = join + usize::from(joined);
        let second_at = second_at + usize::from(self.is_article(second_at));
        let (second, more) = self.end(second_at)?;
        // `March 3-9, 2021`
        let year = year(self.word(second_at + more)).filter(|_| matches!(second, End::Day(_)));
        let (from, until) = self.both(first, second, year)?;
        (from <= until).then_some(((from, until), second_at + more + usize::from(year.is_some()) - at))
    }

    fn is_article(&self, at: usize) -> bool {
        matches!(self.word(at), "the" | "dem" | "den" | "zum")
    }

    fn end(&self, at: usize) -> Option<(End, usize)> {
        let days = self.absolute(at).or_else(|| self.asked_for(at).filter(|_| self.month_and_day(at).is_none()));
        if let Some(((from, until), used)) = days.or_else(|| self.relative(at)) {
            return Some((End::Days(from, until), used));
        }
        if let Some((month, day, used)) = self.month_and_day(at) {
            return Some((End::MonthDay(month, day), used));
        }
        if let Some(month) = month(self.word(at)) {
            return Some((End::Month(month), 1));
        }
        if let Some(year) = year(self.word(at)) {
            let (from, until) = whole_year(year)?;
            return Some((End::Days(from, until), 1));
        }
        Some((End::Day(ordinal(self.word(at)).filter(|day| (1..=31).contains(day))?), 1))
    }

    /// First and last day of the range between two ends.
    fn both(&self, first: End, second: End, year: Option<i16>) -> Option<(Date, Date)> {
        let month_of = |year: i16, month: i8| span_of_months(year, month, month);
        let (month, day) = match second {
            End::Days(from, until) => return Some((self.before(first, from)?, until)),
            End::Month(month) => (month, None),
            End::MonthDay(month, day) => (month, Some(day)),
            End::Day(day) => match first {
                End::MonthDay(month, _) => (month, Some(day)),
                End::Days(from, until) if from == until => {
                    return Some((from, Date::new(from.year(), from.month(), day).ok()?));
                }
                _ => return None,
            },
        };
        let last_of = |year: i16| match day {
            Some(day) => Date::new(year, month, day).ok(),
            None => month_of(year, month).map(|(_, last)| last),
        };
        let first_of = |year: i16| match day {
            Some(day) => Date::new(year, month, day).ok(),
            None => month_of(year, month).map(|(first, _)| first),
        };
        if let End::Days(from, _) = first {
            // The next one behind the beginning.
            let last = [from.year(), from.year().checked_add(1)?]
                .into_iter()
                .filter_map(last_of)
                .find(|last| from <= *last)?;
            return Some((from, last));
        }
        let year = match year {
            Some(year) => year,
            None => {
                let today = self.today?;
                let has_begun = |year: &i16| first_of(*year).is_some_and(|first| first <= today);
                [today.year(), today.year().checked_sub(1)?].into_iter().find(has_begun)?
            }
        };
        Some((self.before(first, first_of(year)?)?, last_of(year)?))
    }

    /// The first day of a range of which the other end begins on a day.
    fn before(&self, first: End, other: Date) -> Option<Date> {
        let fits = |first: &Date| *first <= other;
        let years = [other.year(), other.year().checked_sub(1)?];
        match first {
            End::Days(from, _) => Some(from),
            End::Month(month) => years.into_iter().filter_map(|year| Date::new(year, month, 1).ok()).find(fits),
            End::MonthDay(month, day) => {
                years.into_iter().filter_map(|year| Date::new(year, month, day).ok()).find(fits)
            }
            End::Day(day) => Date::new(other.year(), other.month(), day).ok(),
        }
    }
}
