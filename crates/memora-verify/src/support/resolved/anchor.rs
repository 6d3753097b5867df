//! The day from which a note counts.

use memora_vault::PartialDate;

use super::super::tokens::{Date, Kind, tokens};

/// What the texts around words say of the day they were written.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Anchor {
    /// A text that is nothing but a date: the note's, or a heading.
    day: Option<PartialDate>,
    /// The one month that a text names beside other words: `Diary October 2023`.
    month: Option<PartialDate>,
}

impl Anchor {
    /// Reads the texts. Two dates of which neither holds the other give none.
    pub(in super::super) fn of(context: &[String]) -> Self {
        let mut found = Self::default();
        let (mut days, mut months) = (Vec::new(), Vec::new());
        for text in context {
            let read = tokens(text);
            let dates: Vec<Date> =
                read.iter().filter_map(|t| if let Kind::Date(date) = t.kind { Some(date) } else { None }).collect();
            let [date] = dates.as_slice() else { continue };
            let Some(partial) = partial(*date) else { continue };
            let is_whole = read.iter().all(|t| {
                matches!(t.kind, Kind::Date(_) | Kind::Mark(_)) || super::super::dates::weekday(&t.lower).is_some()
            });
            if is_whole {
                days.push(partial);
            } else if partial.day().is_none() && partial.month().is_some() {
                months.push(partial);
            }
        }
        found.day = one(&days);
        found.month = one(&months);
        found
    }

    /// The note's day, month or year.
    pub(super) fn date(&self) -> Option<PartialDate> {
        self.day.or(self.month)
    }

    /// The month that a day without one is in, where no day is known from which to count.
    pub(super) fn month(&self) -> Option<PartialDate> {
        match self.day {
            None => self.month,
            Some(day) if day.day().is_none() && day.month().is_some() => Some(day),
            Some(_) => None,
        }
    }
}

/// The most exact of some dates, if each of the others holds it.
fn one(dates: &[PartialDate]) -> Option<PartialDate> {
    let exact = |date: &&PartialDate| (date.month().is_some(), date.day().is_some());
    let best = *dates.iter().max_by_key(exact)?;
    let holds = |date: &PartialDate| {
        date.year() == best.year()
            && date.month().is_none_or(|month| Some(month) == best.month())
            && date.day().is_none_or(|day| Some(day) == best.day())
    };
    dates.iter().all(holds).then_some(best)
}

fn partial(date: Date) -> Option<PartialDate> {
    let year = i16::try_from(date.year?).ok()?;
    let number = |part: u32| i8::try_from(part).ok();
    match (date.month, date.day) {
        _ if date.part.is_some() => None,
        (Some(month), Some(day)) => PartialDate::ymd(year, number(month)?, number(day)?),
        (Some(month), None) => PartialDate::ym(year, number(month)?),
        (None, None) => PartialDate::y(year),
        (None, Some(_)) => None,
    }
}
