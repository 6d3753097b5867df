//! The meaning of a temporal expression, in a form that needs the note's date only to be resolved.

use std::fmt;

use jiff::civil::Date;
use jiff::{Span, ToSpan};
use memora_vault::PartialDate;

/// A time, absolute or relative to the day a note was written.
///
/// Its text form is stable and is stored: `Display` writes it, [`TimeExpr::parse`] reads it back.
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
/// | `@?` | a time without a date: `03/04/2025`, which may be in March or in April |
///
/// The sign behind the three before it selects one occurrence: `<` the last that was over before the note's day
/// (`<2` the one before), `<=` the last that had begun, `~` the nearest, `>=` the first that is not over, `>` the first
/// that begins later, `=` the one in the note's own week, year or month (`=-1`: in the one before).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TimeExpr(TimeExprKind);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum TimeExprKind {
    Dates(PartialDate, PartialDate),
    Offset(TimeUnit, i32, i32),
    Recurring(Recurrence, OccurrenceChoice),
    Unknown,
}

/// A unit counted from the note's date.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum TimeUnit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

/// A time that recurs every week, month or year.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Recurrence {
    /// Monday is 1, Sunday 7.
    Weekday(i8),
    Weekend,
    /// First and last month; the last is in the next year if it is smaller.
    Months(i8, i8),
    MonthDay(i8, i8),
    DayOfMonth(i8),
}

/// The choice among the occurrences of a recurring time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum OccurrenceChoice {
    Before(u8),
    AtMost,
    Same(i8),
    Near,
    AtLeast,
    After(u8),
}

impl TimeExpr {
    /// A time without a date: it never resolves.
    pub const UNKNOWN: Self = Self(TimeExprKind::Unknown);

    /// Creates an absolute time; `None` if it ends before it begins, or begins before the year 1.
    #[must_use]
    pub fn from_dates(first: PartialDate, last: PartialDate) -> Option<Self> {
        (first.year() >= 1 && first.first_and_last_day().0 <= last.first_and_last_day().1)
            .then_some(Self(TimeExprKind::Dates(first, last)))
    }

    /// Creates the time of one date.
    #[must_use]
    pub fn from_date(date: PartialDate) -> Option<Self> {
        Self::from_dates(date, date)
    }

    pub(super) fn from_offset(unit: TimeUnit, first: i32, last: i32) -> Option<Self> {
        (first <= last).then_some(Self(TimeExprKind::Offset(unit, first, last)))
    }

    /// Creates a recurring time; `None` if it does not exist in the calendar: month 13, 30 February.
    pub(super) fn from_recurrence(what: Recurrence, side: OccurrenceChoice) -> Option<Self> {
        let month = |m: i8| (1..=12).contains(&m);
        let known = match what {
            Recurrence::Weekday(day) => (1..=7).contains(&day),
            Recurrence::Weekend => true,
            Recurrence::Months(first, last) => month(first) && month(last),
            // A leap year has every day of any year.
            Recurrence::MonthDay(month, day) => Date::new(2000, month, day).is_ok(),
            Recurrence::DayOfMonth(day) => (1..=31).contains(&day),
        };
        let counted = !matches!(side, OccurrenceChoice::Before(0) | OccurrenceChoice::After(0));
        (known && counted).then_some(Self(TimeExprKind::Recurring(what, side)))
    }

    /// Returns the same month or day in a known year; `None` for any other time.
    pub(super) fn with_year(self, year: i16) -> Option<Self> {
        let TimeExprKind::Recurring(what, OccurrenceChoice::AtMost | OccurrenceChoice::Near) = self.0 else {
            return None;
        };
        match what {
            Recurrence::MonthDay(month, day) => {
                PartialDate::from_ymd(year, month, day).and_then(|day| Self::from_dates(day, day))
            }
            Recurrence::Months(first, last) if first <= last => {
                Self::from_dates(PartialDate::from_year_month(year, first)?, PartialDate::from_year_month(year, last)?)
            }
            _ => None,
        }
    }

    /// Whether it recurs, and its occurrence is still to be chosen.
    #[must_use]
    pub fn is_open(self) -> bool {
        matches!(self.0, TimeExprKind::Recurring(_, OccurrenceChoice::AtMost))
    }

    /// Chooses an occurrence, if it is open.
    pub(super) fn choose(self, side: OccurrenceChoice) -> Self {
        match self.0 {
            TimeExprKind::Recurring(what, OccurrenceChoice::AtMost) => Self(TimeExprKind::Recurring(what, side)),
            _ => self,
        }
    }

    /// Prefers the future: "will start in June" is the next June, not the last.
    #[must_use]
    pub fn prefer_future(self) -> Self {
        match self.0 {
            TimeExprKind::Recurring(
                what,
                OccurrenceChoice::Before(1) | OccurrenceChoice::AtMost | OccurrenceChoice::Near,
            ) => Self(TimeExprKind::Recurring(what, OccurrenceChoice::AtLeast)),
            _ => self,
        }
    }

    /// Returns the nearest occurrence, regardless of tense: the nearest 15 April, not the last.
    pub(super) fn prefer_nearest(self) -> Self {
        match self.0 {
            TimeExprKind::Recurring(what, OccurrenceChoice::AtMost | OccurrenceChoice::AtLeast) => {
                Self(TimeExprKind::Recurring(what, OccurrenceChoice::Near))
            }
            _ => self,
        }
    }

    /// Whether it needs the date of a note.
    #[must_use]
    pub fn is_relative(self) -> bool {
        !matches!(self.0, TimeExprKind::Dates(..))
    }

    /// Returns the first and the last day, month or year, for a note written at `anchor`.
    ///
    /// Partial dates stay partial: a month yields that month twice. `None` if a relative time needs more of the anchor
    /// than is known (a day, a month), or would be outside the years 1 to 9999.
    #[must_use]
    pub fn resolve(self, anchor: Option<PartialDate>) -> Option<(PartialDate, PartialDate)> {
        match self.0 {
            TimeExprKind::Dates(first, last) => Some((first, last)),
            TimeExprKind::Offset(unit, first, last) => {
                let anchor = anchor?;
                Some((resolve_offset(anchor, unit, first)?.0, resolve_offset(anchor, unit, last)?.1))
            }
            TimeExprKind::Recurring(what, side) => resolve_recurrence(anchor?, what, side),
            TimeExprKind::Unknown => None,
        }
    }

    /// Parses the text form; `None` for anything that `Display` does not write.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let when = match text.strip_prefix('@') {
            Some("?") => Some(Self::UNKNOWN),
            Some(relative) => parse_offset(relative).or_else(|| parse_recurring(relative)),
            None => {
                let (first, last) = text.split_once("..").unwrap_or((text, text));
                Self::from_dates(PartialDate::parse(first)?, PartialDate::parse(last)?)
            }
        }?;
        (when.to_string() == text).then_some(when)
    }
}

/// `None` for the year 0, which the calendar has and notes do not.
fn to_partial_date(date: Date) -> Option<PartialDate> {
    (date.year() >= 1).then(|| date.into())
}

/// Returns the first and last day, month or year at a distance from the anchor.
fn resolve_offset(anchor: PartialDate, unit: TimeUnit, by: i32) -> Option<(PartialDate, PartialDate)> {
    let both = |date: PartialDate| (date, date);
    match unit {
        TimeUnit::Day => {
            Some(both(to_partial_date(anchor.to_civil()?.checked_add(Span::new().try_days(by).ok()?).ok()?)?))
        }
        TimeUnit::Week => {
            let monday = monday_of_week(anchor.to_civil()?)?.checked_add(Span::new().try_weeks(by).ok()?).ok()?;
            Some((to_partial_date(monday)?, to_partial_date(monday.checked_add(6.days()).ok()?)?))
        }
        TimeUnit::Month => Some(both(add_months(i32::from(anchor.year()), anchor.month()?, by)?)),
        TimeUnit::Quarter => {
            let first = (anchor.month()? - 1) / 3 * 3 + 1;
            let (year, by) = (i32::from(anchor.year()), by.checked_mul(3)?);
            Some((add_months(year, first, by)?, add_months(year, first, by.checked_add(2)?)?))
        }
        TimeUnit::Year => {
            Some(both(PartialDate::from_year(i16::try_from(i32::from(anchor.year()).checked_add(by)?).ok()?)?))
        }
    }
}

fn add_months(year: i32, month: i8, by: i32) -> Option<PartialDate> {
    let months = year.checked_mul(12)?.checked_add(i32::from(month) - 1)?.checked_add(by)?;
    let year = i16::try_from(months.div_euclid(12)).ok().filter(|year| (1..=9999).contains(year))?;
    PartialDate::from_year_month(year, i8::try_from(months.rem_euclid(12)).ok()? + 1)
}

fn monday_of_week(day: Date) -> Option<Date> {
    day.checked_sub(day.weekday().to_monday_zero_offset().days()).ok()
}

/// Returns the occurrence that `side` selects.
fn resolve_recurrence(
    anchor: PartialDate,
    what: Recurrence,
    side: OccurrenceChoice,
) -> Option<(PartialDate, PartialDate)> {
    // Whole months are on the same side of every day of a month, so the month is sufficient for them.
    let day = match what {
        Recurrence::Months(..) => anchor.to_civil().or_else(|| Date::new(anchor.year(), anchor.month()?, 1).ok())?,
        _ => anchor.to_civil()?,
    };
    let bounds = |at: i32| -> Option<(Date, Date)> {
        let (first, last) = occurrence_at(day, what, at)?;
        Some((first.first_and_last_day().0.to_civil()?, last.first_and_last_day().1.to_civil()?))
    };
    let chosen = match side {
        OccurrenceChoice::Same(by) => i32::from(by),
        OccurrenceChoice::Before(nth) => {
            find_nth_backward(|at| bounds(at).is_some_and(|(_, last)| last < day), i32::from(nth))?
        }
        OccurrenceChoice::AtMost => find_nth_backward(|at| bounds(at).is_some_and(|(first, _)| first <= day), 1)?,
        OccurrenceChoice::AtLeast => find_nth_forward(|at| bounds(at).is_some_and(|(_, last)| day <= last), 1)?,
        OccurrenceChoice::After(nth) => {
            find_nth_forward(|at| bounds(at).is_some_and(|(first, _)| day < first), i32::from(nth))?
        }
        OccurrenceChoice::Near => {
            let distance = |at: &i32| {
                let Some((first, last)) = bounds(*at) else { return i32::MAX };
                let away = |from: Date, to: Date| from.until(to).map_or(i32::MAX, |span| span.get_days());
                if day < first { away(day, first) } else { away(last, day).max(0) }
            };
            // Of equally near ones the earlier wins.
            (-PERIODS_SEARCHED..=PERIODS_SEARCHED).min_by_key(distance)?
        }
    };
    occurrence_at(day, what, chosen)
}

/// Number of periods searched on either side: 29 February is up to eight years away.
const PERIODS_SEARCHED: i32 = 9;

fn find_nth_backward(fits: impl Fn(i32) -> bool, nth: i32) -> Option<i32> {
    (-PERIODS_SEARCHED - nth..=PERIODS_SEARCHED).rev().filter(|at| fits(*at)).nth(usize::try_from(nth - 1).ok()?)
}

fn find_nth_forward(fits: impl Fn(i32) -> bool, nth: i32) -> Option<i32> {
    (-PERIODS_SEARCHED..=PERIODS_SEARCHED + nth).filter(|at| fits(*at)).nth(usize::try_from(nth - 1).ok()?)
}

/// Returns the occurrence in the period (week, month or year) at distance `at` from that of `day`.
fn occurrence_at(day: Date, what: Recurrence, at: i32) -> Option<(PartialDate, PartialDate)> {
    let year = i16::try_from(i32::from(day.year()) + at).ok().filter(|year| *year >= 1);
    let in_week = |weekday: i8, days: i32| {
        let first =
            monday_of_week(day)?.checked_add(at.weeks()).ok()?.checked_add((i32::from(weekday) - 1).days()).ok()?;
        Some((to_partial_date(first)?, to_partial_date(first.checked_add(days.days()).ok()?)?))
    };
    match what {
        Recurrence::Weekday(weekday) => in_week(weekday, 0),
        Recurrence::Weekend => in_week(6, 1),
        Recurrence::Months(first, last) => {
            let next = i16::from(last < first);
            Some((
                PartialDate::from_year_month(year?, first)?,
                PartialDate::from_year_month(year?.checked_add(next)?, last)?,
            ))
        }
        Recurrence::MonthDay(month, day) => PartialDate::from_ymd(year?, month, day).map(|date| (date, date)),
        Recurrence::DayOfMonth(nth) => {
            let month = add_months(i32::from(day.year()), day.month(), at)?;
            PartialDate::from_ymd(month.year(), month.month()?, nth).map(|date| (date, date))
        }
    }
}

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

impl fmt::Display for TimeExpr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            TimeExprKind::Unknown => f.write_str("@?"),
            TimeExprKind::Dates(first, last) if first == last => write!(f, "{first}"),
            TimeExprKind::Dates(first, last) => write!(f, "{first}..{last}"),
            TimeExprKind::Offset(unit, first, last) => {
                let sign = unit.suffix();
                let plus = |n: i32| if n > 0 { "+" } else { "" };
                write!(f, "@{}{first}{sign}", plus(first))?;
                if first != last {
                    write!(f, "..{}{last}{sign}", plus(last))?;
                }
                Ok(())
            }
            TimeExprKind::Recurring(what, side) => {
                match what {
                    Recurrence::Weekday(day) => {
                        let name = usize::try_from(day - 1).ok().and_then(|at| WEEKDAYS.get(at));
                        write!(f, "@{}", name.unwrap_or(&"mon"))?;
                    }
                    Recurrence::Weekend => f.write_str("@weekend")?,
                    Recurrence::Months(first, last) if first == last => write!(f, "@m{first:02}")?,
                    Recurrence::Months(first, last) => write!(f, "@m{first:02}..{last:02}")?,
                    Recurrence::MonthDay(month, day) => write!(f, "@m{month:02}-{day:02}")?,
                    Recurrence::DayOfMonth(day) => write!(f, "@t{day:02}")?,
                }
                match side {
                    OccurrenceChoice::Before(1) => f.write_str("<"),
                    OccurrenceChoice::Before(nth) => write!(f, "<{nth}"),
                    OccurrenceChoice::AtMost => f.write_str("<="),
                    OccurrenceChoice::Same(0) => f.write_str("="),
                    OccurrenceChoice::Same(by) => write!(f, "={by}"),
                    OccurrenceChoice::Near => f.write_str("~"),
                    OccurrenceChoice::AtLeast => f.write_str(">="),
                    OccurrenceChoice::After(1) => f.write_str(">"),
                    OccurrenceChoice::After(nth) => write!(f, ">{nth}"),
                }
            }
        }
    }
}

impl TimeUnit {
    const ALL: [Self; 5] = [Self::Day, Self::Week, Self::Month, Self::Quarter, Self::Year];

    fn suffix(self) -> char {
        match self {
            Self::Day => 'd',
            Self::Week => 'w',
            Self::Month => 'm',
            Self::Quarter => 'q',
            Self::Year => 'y',
        }
    }
}

fn parse_offset(text: &str) -> Option<TimeExpr> {
    let unit = TimeUnit::ALL.into_iter().find(|unit| text.ends_with(unit.suffix()))?;
    let number = |part: &str| part.strip_suffix(unit.suffix())?.parse::<i32>().ok();
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    TimeExpr::from_offset(unit, number(first)?, number(last)?)
}

fn parse_recurring(text: &str) -> Option<TimeExpr> {
    let (what, side) = text.split_at_checked(text.find(['<', '=', '~', '>'])?)?;
    let number = |part: &str| part.parse::<i8>().ok();
    let what = if what == "weekend" {
        Recurrence::Weekend
    } else if let Some(day) = (1..).zip(WEEKDAYS).find(|(_, name)| *name == what) {
        Recurrence::Weekday(day.0)
    } else if let Some(day) = what.strip_prefix('t') {
        Recurrence::DayOfMonth(number(day)?)
    } else {
        let months = what.strip_prefix('m')?;
        match (months.split_once(".."), months.split_once('-')) {
            (Some((first, last)), _) => Recurrence::Months(number(first)?, number(last)?),
            (None, Some((month, day))) => Recurrence::MonthDay(number(month)?, number(day)?),
            (None, None) => Recurrence::Months(number(months)?, number(months)?),
        }
    };
    let count = |part: &str| if part.is_empty() { Some(1) } else { part.parse::<u8>().ok() };
    let side = match side {
        "<=" => OccurrenceChoice::AtMost,
        ">=" => OccurrenceChoice::AtLeast,
        "~" => OccurrenceChoice::Near,
        "=" => OccurrenceChoice::Same(0),
        _ => match (side.strip_prefix('<'), side.strip_prefix('>'), side.strip_prefix('=')) {
            (Some(nth), _, _) => OccurrenceChoice::Before(count(nth)?),
            (_, Some(nth), _) => OccurrenceChoice::After(count(nth)?),
            (_, _, Some(by)) => OccurrenceChoice::Same(by.parse().ok()?),
            _ => return None,
        },
    };
    TimeExpr::from_recurrence(what, side)
}
