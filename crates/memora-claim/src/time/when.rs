//! What a time expression means, kept so that the note's date is needed only to resolve it.

use std::fmt;

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};
use memora_vault::PartialDate;

/// A time, absolute or counted from the day a note was written.
///
/// Its text form is stable and is what a store keeps: `Display` writes it, [`When::parse`] reads it back.
///
/// | form | meaning |
/// |---|---|
/// | `2024`, `2024-03`, `2024-03-12`, `2024-03..2024-05` | absolute |
/// | `@-1d`, `@-7d..-1d` | days from the note's |
/// | `@0w` | the note's week, Monday to Sunday, or one before or after it |
/// | `@-1m`, `@-4m..-2m`, `@-1q`, `@-1y`, `@-4y..-2y` | months, quarters, years from the note's |
/// | `@fri<`, `@weekend>` | a weekday, or a Saturday with its Sunday |
/// | `@m06<`, `@m06..08<`, `@m06-12<` | a month, some months or a day of a year not named |
/// | `@t15<` | a day of a month not named |
/// | `@?` | a time that names no date: `03/04/2025`, which may be in March or in April |
///
/// The sign behind the last three chooses among the recurring ones: `<` the last that was over before the note's day
/// (`<2` the one before), `<=` the last that had begun, `~` the nearest, `>=` the first that is not over, `>` the first
/// that begins later, `=` the one in the note's own week, year or month (`=-1`: in the one before).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct When(Kind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Kind {
    Dates(PartialDate, PartialDate),
    Offset(Unit, i32, i32),
    Recurring(Recurring, Side),
    Unknown,
}

/// What is counted from the note's date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// What comes back every week, month or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Recurring {
    /// Monday is 1, Sunday 7.
    Weekday(i8),
    Weekend,
    /// First and last month; the last lies in the next year if it is smaller.
    Months(i8, i8),
    MonthDay(i8, i8),
    DayOfMonth(i8),
}

/// Which one of the recurring is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Before(u8),
    AtMost,
    Same(i8),
    Near,
    AtLeast,
    After(u8),
}

impl When {
    /// A time that the words name, but no date: it never resolves.
    pub const UNKNOWN: Self = Self(Kind::Unknown);

    /// An absolute time; `None` if it ends before it begins, or before the year 1.
    #[must_use]
    pub fn dates(first: PartialDate, last: PartialDate) -> Option<Self> {
        (first.year() >= 1 && first.bounds().0 <= last.bounds().1).then_some(Self(Kind::Dates(first, last)))
    }

    pub(super) fn offset(unit: Unit, first: i32, last: i32) -> Option<Self> {
        (first <= last).then_some(Self(Kind::Offset(unit, first, last)))
    }

    /// `None` for what is in no calendar: month 13, 30 February.
    pub(super) fn recurring(what: Recurring, side: Side) -> Option<Self> {
        let month = |m: i8| (1..=12).contains(&m);
        let known = match what {
            Recurring::Weekday(day) => (1..=7).contains(&day),
            Recurring::Weekend => true,
            Recurring::Months(first, last) => month(first) && month(last),
            // A leap year has every day that any year has.
            Recurring::MonthDay(month, day) => Date::new(2000, month, day).is_ok(),
            Recurring::DayOfMonth(day) => (1..=31).contains(&day),
        };
        let counted = !matches!(side, Side::Before(0) | Side::After(0));
        (known && counted).then_some(Self(Kind::Recurring(what, side)))
    }

    /// The same month or day in a year that is known after all; `None` for what is no month or day without a year.
    pub(super) fn in_year(self, year: i16) -> Option<Self> {
        let Kind::Recurring(what, Side::AtMost | Side::Near) = self.0 else { return None };
        match what {
            Recurring::MonthDay(month, day) => PartialDate::ymd(year, month, day).and_then(|day| Self::dates(day, day)),
            Recurring::Months(first, last) if first <= last => {
                Self::dates(PartialDate::ym(year, first)?, PartialDate::ym(year, last)?)
            }
            _ => None,
        }
    }

    /// The same of what is yet to come: "will start in June" is the next June, and not the last.
    #[must_use]
    pub fn ahead(self) -> Self {
        match self.0 {
            Kind::Recurring(what, Side::Before(1) | Side::AtMost | Side::Near) => {
                Self(Kind::Recurring(what, Side::AtLeast))
            }
            _ => self,
        }
    }

    /// The same month or day of a year wherever the verb leans: the nearest 15 April, and not the last.
    pub(super) fn nearest(self) -> Self {
        match self.0 {
            Kind::Recurring(what, Side::AtMost | Side::AtLeast) => Self(Kind::Recurring(what, Side::Near)),
            _ => self,
        }
    }

    /// Whether it means nothing without the date of a note.
    #[must_use]
    pub fn is_relative(self) -> bool {
        !matches!(self.0, Kind::Dates(..))
    }

    /// The first and the last day, month or year it means, for a note written at `anchor`.
    ///
    /// Partial dates stay partial: a month is that month twice. `None` where a relative time needs more of the anchor
    /// than is known (a day, a month), or would fall outside the years 1 to 9999.
    #[must_use]
    pub fn resolve(self, anchor: Option<PartialDate>) -> Option<(PartialDate, PartialDate)> {
        match self.0 {
            Kind::Dates(first, last) => Some((first, last)),
            Kind::Offset(unit, first, last) => {
                let anchor = anchor?;
                Some((offset(anchor, unit, first)?.0, offset(anchor, unit, last)?.1))
            }
            Kind::Recurring(what, side) => recurring(anchor?, what, side),
            Kind::Unknown => None,
        }
    }

    /// Reads the text form; `None` for anything that `Display` does not write.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let when = match text.strip_prefix('@') {
            Some("?") => Some(Self::UNKNOWN),
            Some(relative) => parse_offset(relative).or_else(|| parse_recurring(relative)),
            None => {
                let (first, last) = text.split_once("..").unwrap_or((text, text));
                Self::dates(PartialDate::parse(first)?, PartialDate::parse(last)?)
            }
        }?;
        (when.to_string() == text).then_some(when)
    }
}

/// `None` for the year 0, which the calendar has and notes have not.
fn whole(date: Date) -> Option<PartialDate> {
    PartialDate::ymd(date.year(), date.month(), date.day()).filter(|date| date.year() >= 1)
}

fn civil(date: PartialDate) -> Option<Date> {
    Date::new(date.year(), date.month()?, date.day()?).ok()
}

/// First and last of one unit, so many away from the anchor.
fn offset(anchor: PartialDate, unit: Unit, by: i32) -> Option<(PartialDate, PartialDate)> {
    let both = |date: PartialDate| (date, date);
    match unit {
        Unit::Day => Some(both(whole(civil(anchor)?.checked_add(Span::new().try_days(by).ok()?).ok()?)?)),
        Unit::Week => {
            let monday = monday(civil(anchor)?)?.checked_add(Span::new().try_weeks(by).ok()?).ok()?;
            Some((whole(monday)?, whole(monday.checked_add(6.days()).ok()?)?))
        }
        Unit::Month => Some(both(month_at(i32::from(anchor.year()), anchor.month()?, by)?)),
        Unit::Quarter => {
            let first = (anchor.month()? - 1) / 3 * 3 + 1;
            let (year, by) = (i32::from(anchor.year()), by.checked_mul(3)?);
            Some((month_at(year, first, by)?, month_at(year, first, by.checked_add(2)?)?))
        }
        Unit::Year => Some(both(PartialDate::y(i16::try_from(i32::from(anchor.year()).checked_add(by)?).ok()?)?)),
    }
}

fn month_at(year: i32, month: i8, by: i32) -> Option<PartialDate> {
    let months = year.checked_mul(12)?.checked_add(i32::from(month) - 1)?.checked_add(by)?;
    let year = i16::try_from(months.div_euclid(12)).ok().filter(|year| (1..=9999).contains(year))?;
    PartialDate::ym(year, i8::try_from(months.rem_euclid(12)).ok()? + 1)
}

fn monday(day: Date) -> Option<Date> {
    day.checked_sub(day.weekday().to_monday_zero_offset().days()).ok()
}

/// The one of the recurring that `side` chooses.
fn recurring(anchor: PartialDate, what: Recurring, side: Side) -> Option<(PartialDate, PartialDate)> {
    // Whole months are on the same side of every day of a month, so the month is enough for them.
    let day = match what {
        Recurring::Months(..) => civil(anchor).or_else(|| Date::new(anchor.year(), anchor.month()?, 1).ok())?,
        _ => civil(anchor)?,
    };
    let bounds = |at: i32| -> Option<(Date, Date)> {
        let (first, last) = occurrence(day, what, at)?;
        Some((civil(first.bounds().0)?, civil(last.bounds().1)?))
    };
    let chosen = match side {
        Side::Same(by) => i32::from(by),
        Side::Before(nth) => back_from(|at| bounds(at).is_some_and(|(_, last)| last < day), i32::from(nth))?,
        Side::AtMost => back_from(|at| bounds(at).is_some_and(|(first, _)| first <= day), 1)?,
        Side::AtLeast => on_from(|at| bounds(at).is_some_and(|(_, last)| day <= last), 1)?,
        Side::After(nth) => on_from(|at| bounds(at).is_some_and(|(first, _)| day < first), i32::from(nth))?,
        Side::Near => {
            let distance = |at: &i32| {
                let Some((first, last)) = bounds(*at) else { return i32::MAX };
                let away = |from: Date, to: Date| from.until(to).map_or(i32::MAX, |span| span.get_days());
                if day < first { away(day, first) } else { away(last, day).max(0) }
            };
            // The first of equally near ones is the earlier.
            (-REACH..=REACH).min_by_key(distance)?
        }
    };
    occurrence(day, what, chosen)
}

/// How many periods are looked through on either side: 29 February is up to eight years away.
const REACH: i32 = 9;

fn back_from(fits: impl Fn(i32) -> bool, nth: i32) -> Option<i32> {
    (-REACH - nth..=REACH).rev().filter(|at| fits(*at)).nth(usize::try_from(nth - 1).ok()?)
}

fn on_from(fits: impl Fn(i32) -> bool, nth: i32) -> Option<i32> {
    (-REACH..=REACH + nth).filter(|at| fits(*at)).nth(usize::try_from(nth - 1).ok()?)
}

/// The one in the period (week, month or year) that is `at` away from that of `day`.
fn occurrence(day: Date, what: Recurring, at: i32) -> Option<(PartialDate, PartialDate)> {
    let year = i16::try_from(i32::from(day.year()) + at).ok().filter(|year| *year >= 1);
    let in_week = |weekday: i8, days: i32| {
        let first = monday(day)?.checked_add(at.weeks()).ok()?.checked_add((i32::from(weekday) - 1).days()).ok()?;
        Some((whole(first)?, whole(first.checked_add(days.days()).ok()?)?))
    };
    match what {
        Recurring::Weekday(weekday) => in_week(weekday, 0),
        Recurring::Weekend => in_week(6, 1),
        Recurring::Months(first, last) => {
            let next = i16::from(last < first);
            Some((PartialDate::ym(year?, first)?, PartialDate::ym(year?.checked_add(next)?, last)?))
        }
        Recurring::MonthDay(month, day) => PartialDate::ymd(year?, month, day).map(|date| (date, date)),
        Recurring::DayOfMonth(nth) => {
            let month = month_at(i32::from(day.year()), day.month(), at)?;
            PartialDate::ymd(month.year(), month.month()?, nth).map(|date| (date, date))
        }
    }
}

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

impl fmt::Display for When {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Kind::Unknown => f.write_str("@?"),
            Kind::Dates(first, last) if first == last => write!(f, "{first}"),
            Kind::Dates(first, last) => write!(f, "{first}..{last}"),
            Kind::Offset(unit, first, last) => {
                let sign = unit.sign();
                let plus = |n: i32| if n > 0 { "+" } else { "" };
                write!(f, "@{}{first}{sign}", plus(first))?;
                if first != last {
                    write!(f, "..{}{last}{sign}", plus(last))?;
                }
                Ok(())
            }
            Kind::Recurring(what, side) => {
                match what {
                    Recurring::Weekday(day) => {
                        let name = usize::try_from(day - 1).ok().and_then(|at| WEEKDAYS.get(at));
                        write!(f, "@{}", name.unwrap_or(&"mon"))?;
                    }
                    Recurring::Weekend => f.write_str("@weekend")?,
                    Recurring::Months(first, last) if first == last => write!(f, "@m{first:02}")?,
                    Recurring::Months(first, last) => write!(f, "@m{first:02}..{last:02}")?,
                    Recurring::MonthDay(month, day) => write!(f, "@m{month:02}-{day:02}")?,
                    Recurring::DayOfMonth(day) => write!(f, "@t{day:02}")?,
                }
                match side {
                    Side::Before(1) => f.write_str("<"),
                    Side::Before(nth) => write!(f, "<{nth}"),
                    Side::AtMost => f.write_str("<="),
                    Side::Same(0) => f.write_str("="),
                    Side::Same(by) => write!(f, "={by}"),
                    Side::Near => f.write_str("~"),
                    Side::AtLeast => f.write_str(">="),
                    Side::After(1) => f.write_str(">"),
                    Side::After(nth) => write!(f, ">{nth}"),
                }
            }
        }
    }
}

impl Unit {
    const ALL: [Self; 5] = [Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year];

    fn sign(self) -> char {
        match self {
            Self::Day => 'd',
            Self::Week => 'w',
            Self::Month => 'm',
            Self::Quarter => 'q',
            Self::Year => 'y',
        }
    }
}

fn parse_offset(text: &str) -> Option<When> {
    let unit = Unit::ALL.into_iter().find(|unit| text.ends_with(unit.sign()))?;
    let number = |part: &str| part.strip_suffix(unit.sign())?.parse::<i32>().ok();
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    When::offset(unit, number(first)?, number(last)?)
}

fn parse_recurring(text: &str) -> Option<When> {
    let (what, side) = text.split_at_checked(text.find(['<', '=', '~', '>'])?)?;
    let number = |part: &str| part.parse::<i8>().ok();
    let what = if what == "weekend" {
        Recurring::Weekend
    } else if let Some(day) = (1..).zip(WEEKDAYS).find(|(_, name)| *name == what) {
        Recurring::Weekday(day.0)
    } else if let Some(day) = what.strip_prefix('t') {
        Recurring::DayOfMonth(number(day)?)
    } else {
        let months = what.strip_prefix('m')?;
        match (months.split_once(".."), months.split_once('-')) {
            (Some((first, last)), _) => Recurring::Months(number(first)?, number(last)?),
            (None, Some((month, day))) => Recurring::MonthDay(number(month)?, number(day)?),
            (None, None) => Recurring::Months(number(months)?, number(months)?),
        }
    };
    let count = |part: &str| if part.is_empty() { Some(1) } else { part.parse::<u8>().ok() };
    let side = match side {
        "<=" => Side::AtMost,
        ">=" => Side::AtLeast,
        "~" => Side::Near,
        "=" => Side::Same(0),
        _ => match (side.strip_prefix('<'), side.strip_prefix('>'), side.strip_prefix('=')) {
            (Some(nth), _, _) => Side::Before(count(nth)?),
            (_, Some(nth), _) => Side::After(count(nth)?),
            (_, _, Some(by)) => Side::Same(by.parse().ok()?),
            _ => return None,
        },
    };
    When::recurring(what, side)
}

/// Monday is 1, Sunday 7.
pub(super) fn iso_week(year: i16, week: i8) -> Option<(PartialDate, PartialDate)> {
    let first = jiff::civil::ISOWeekDate::new(year, week, Weekday::Monday).ok()?.date();
    Some((whole(first)?, whole(first.checked_add(6.days()).ok()?)?))
}
