//! Dates in the names of daily, weekly and other periodic notes.
//!
//! Invariant: a date is returned only if the name is unambiguous. Month names in other languages than English are
//! unknown, not guessed (Memora does not know Obsidian's language).

use jiff::civil::{Date, Weekday};

use crate::PartialDate;

/// A parsed moment.js format of a periodic note's path.
///
/// Supported: `YYYY` `YY` `Y`, `MMMM` `MMM` `MM` `M` `Mo`, `DD` `D` `Do`, `dddd` `ddd` `dd`, `gggg` `GGGG`, `ww` `w`
/// `wo` `WW` `W` `Wo`, `Q` `Qo`, times of day (skipped), `[literal]`, `\x`, and any other character as itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct DateFormat(Vec<FormatToken>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum FormatToken {
    Literal(char),
    Number { field: DateField, widths: (usize, usize), ordinal: bool },
    MonthName { short: bool },
    DayName,
    Meridiem,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DateField {
    Year,
    ShortYear,
    Month,
    Day,
    LocaleWeekYear,
    LocaleWeek,
    IsoWeekYear,
    IsoWeek,
    Quarter,
    /// Hours, minutes and seconds: read over.
    Time,
}

/// The date fields found in a name.
#[derive(Clone, Copy, Debug, Default)]
struct NameDateParts {
    year: Option<i16>,
    month: Option<i8>,
    day: Option<i8>,
    locale_week_year: Option<i16>,
    locale_week: Option<i8>,
    iso_week_year: Option<i16>,
    iso_week: Option<i8>,
    quarter: Option<i8>,
    weekday: Option<Weekday>,
    unread_month: bool,
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

impl DateFormat {
    /// Parses a format. `None` if it uses an unsupported token, or two numbers without a fixed width are adjacent, so
    /// that a name could be read in two ways.
    pub(super) fn new(format: &str) -> Option<Self> {
        let mut tokens = Vec::new();
        let mut rest = format.trim().trim_matches('/');
        while let Some(c) = rest.chars().next() {
            if c == '['
                && let Some((inner, after)) = rest.get(1..)?.split_once(']')
            {
                tokens.extend(inner.chars().map(FormatToken::Literal));
                rest = after;
                continue;
            }
            if c == '\\' {
                let mut chars = rest.chars();
                chars.next();
                tokens.extend(chars.next().map(FormatToken::Literal));
                rest = chars.as_str();
                continue;
            }
            let run = rest.len() - rest.trim_start_matches(c).len();
            let (token, used) = parse_token(c, run, rest)?;
            tokens.push(token);
            rest = rest.get(used..)?;
        }
        let loose = |token: &FormatToken| matches!(token, FormatToken::Number { widths: (min, max), ordinal: false, .. } if min != max);
        let digit = |token: &FormatToken| match token {
            FormatToken::Number { .. } => true,
            FormatToken::Literal(c) => c.is_ascii_digit(),
            _ => false,
        };
        let ambiguous = tokens.windows(2).any(|pair| matches!(pair, [a, b] if loose(a) && digit(b)));
        (!ambiguous && !tokens.is_empty()).then_some(Self(tokens))
    }

    /// Parses a name (path below the configured folder, without `.md`) written in this format.
    ///
    /// 1. Day, month or year as far as the format has them.
    /// 2. A quarter is its year.
    /// 3. A week is its month when all its days lie in one, else its year, else nothing. Where the week begins depends
    ///    on Obsidian's language (`gggg`, `ww`), both Sunday and Monday must agree.
    pub(super) fn parse(&self, name: &str) -> Option<PartialDate> {
        let mut parts = NameDateParts::default();
        let mut rest = name;
        for token in &self.0 {
            rest = parts.consume_token(token, rest)?;
        }
        if rest.is_empty() { parts.to_date() } else { None }
    }
}

/// Parses the token at the start of `rest`, in which `c` repeats `run` times; also returns its length.
fn parse_token(c: char, run: usize, rest: &str) -> Option<(FormatToken, usize)> {
    let ordinal = run == 1 && rest.as_bytes().get(1) == Some(&b'o');
    let number = |field, widths, used: usize| {
        Some((FormatToken::Number { field, widths, ordinal }, used + usize::from(ordinal)))
    };
    let one_or_two = |field| number(field, if run == 1 { (1, 2) } else { (2, 2) }, run);
    match (c, run) {
        ('Y', 4) => number(DateField::Year, (4, 4), 4),
        ('Y', 2) => number(DateField::ShortYear, (2, 2), 2),
        ('Y', 1) if !ordinal => number(DateField::Year, (4, 4), 1),
        ('M', 1 | 2) => one_or_two(DateField::Month),
        ('M', 3 | 4) => Some((FormatToken::MonthName { short: run == 3 }, run)),
        ('D', 1 | 2) => one_or_two(DateField::Day),
        ('d', 2..=4) => Some((FormatToken::DayName, run)),
        ('g', 4) => number(DateField::LocaleWeekYear, (4, 4), 4),
        ('G', 4) => number(DateField::IsoWeekYear, (4, 4), 4),
        ('w', 1 | 2) => one_or_two(DateField::LocaleWeek),
        ('W', 1 | 2) => one_or_two(DateField::IsoWeek),
        ('Q', 1) => number(DateField::Quarter, (1, 1), 1),
        ('H' | 'h' | 'k' | 'm' | 's', 1 | 2) if !ordinal => one_or_two(DateField::Time),
        ('a' | 'A', 1) => Some((FormatToken::Meridiem, 1)),
        ('Y' | 'y' | 'M' | 'D' | 'd' | 'g' | 'G' | 'w' | 'W' | 'Q' | 'H' | 'h' | 'k' | 'm' | 's', _) => None,
        ('N' | 'e' | 'E' | 'S' | 'x' | 'X' | 'z' | 'Z' | 'a' | 'A' | 'L' | 'l', _) => None,
        _ => Some((FormatToken::Literal(c), c.len_utf8())),
    }
}

impl NameDateParts {
    /// Parses one token from the start of `text`; returns the rest.
    fn consume_token<'a>(&mut self, token: &FormatToken, text: &'a str) -> Option<&'a str> {
        match token {
            FormatToken::Literal(c) => text.strip_prefix(*c),
            FormatToken::Meridiem => {
                let (word, rest) = text.split_at_checked(2)?;
                ["am", "pm"].contains(&word.to_ascii_lowercase().as_str()).then_some(rest)
            }
            FormatToken::Number { field, widths: (min, max), ordinal } => {
                let digits = text.bytes().take(*max).take_while(u8::is_ascii_digit).count();
                let (number, mut rest) = text.split_at_checked(digits).filter(|_| digits >= *min)?;
                if *ordinal {
                    rest = ["st", "nd", "rd", "th", "."].iter().find_map(|suffix| rest.strip_prefix(suffix))?;
                }
                self.set_field(*field, number.parse().ok()?)?;
                Some(rest)
            }
            FormatToken::MonthName { short } => {
                let (word, rest) = split_leading_word(text)?;
                let lower = word.to_lowercase();
                let named = |month: &str| if *short { month.get(..3) == Some(&*lower) } else { month == lower };
                match MONTHS.iter().position(|month| named(month)) {
                    Some(index) => self.set_field(DateField::Month, i16::try_from(index).ok()? + 1)?,
                    None => self.unread_month = true,
                }
                Some(rest)
            }
            FormatToken::DayName => {
                let (word, rest) = split_leading_word(text)?;
                let lower = word.to_lowercase();
                let day = WEEKDAYS.iter().find(|(name, _)| lower.len() >= 2 && name.starts_with(&lower));
                self.weekday = day.map(|(_, weekday)| *weekday);
                Some(rest)
            }
        }
    }

    /// Sets a field. `None` if the name contradicts itself.
    fn set_field(&mut self, field: DateField, number: i16) -> Option<()> {
        fn put<T: PartialEq + Copy>(slot: &mut Option<T>, value: T) -> Option<()> {
            (*slot.get_or_insert(value) == value).then_some(())
        }
        let small = i8::try_from(number).ok();
        match field {
            DateField::Year => put(&mut self.year, number),
            // As moment reads it: 69 to 99 belong to the last century.
            DateField::ShortYear => put(&mut self.year, if number > 68 { 1900 + number } else { 2000 + number }),
            DateField::Month => put(&mut self.month, small?),
            DateField::Day => put(&mut self.day, small?),
            DateField::LocaleWeekYear => put(&mut self.locale_week_year, number),
            DateField::LocaleWeek => put(&mut self.locale_week, small?),
            DateField::IsoWeekYear => put(&mut self.iso_week_year, number),
            DateField::IsoWeek => put(&mut self.iso_week, small?),
            DateField::Quarter => put(&mut self.quarter, small.filter(|q| (1..=4).contains(q))?),
            DateField::Time => Some(()),
        }
    }

    fn to_date(self) -> Option<PartialDate> {
        if self.unread_month && self.month.is_none() {
            return None;
        }
        match (self.year, self.month, self.day) {
            (Some(year), Some(month), Some(day)) => {
                let date = Date::new(year, month, day).ok()?;
                let agrees = self.weekday.is_none_or(|weekday| date.weekday() == weekday);
                return PartialDate::from_ymd(year, month, day).filter(|_| agrees);
            }
            (_, _, Some(_)) => return None,
            (Some(year), Some(month), None) => return PartialDate::from_year_month(year, month),
            (None, Some(_), None) => return None,
            (_, None, None) => {}
        }
        match (self.iso_week, self.locale_week) {
            (Some(week), _) => match (self.iso_week_year, self.locale_week_year.or(self.year)) {
                (Some(year), _) => common_period(&[week_bounds(year, week, Weekday::Monday, 4)?]),
                (None, year) => inner_week(year?, week)
                    .and_then(|_| common_period(&[week_bounds(year?, week, Weekday::Monday, 4)?])),
            },
            (None, Some(week)) => {
                let year = match self.locale_week_year {
                    Some(year) => year,
                    None => inner_week(self.iso_week_year.or(self.year)?, week)?,
                };
                common_period(&[
                    week_bounds(year, week, Weekday::Sunday, 1)?,
                    week_bounds(year, week, Weekday::Monday, 4)?,
                ])
            }
            (None, None) => PartialDate::from_year(self.year?),
        }
    }
}

/// Returns the year, unless the week may belong to the year before or after: `YYYY` is the calendar year, which differs
/// from the week's year around New Year.
fn inner_week(year: i16, week: i8) -> Option<i16> {
    (2..=51).contains(&week).then_some(year)
}

/// First and last day of a week, in the year whose first week contains the given day of January.
fn week_bounds(year: i16, week: i8, first: Weekday, january: i8) -> Option<(Date, Date)> {
    if !(1..=53).contains(&week) {
        return None;
    }
    let anchor = Date::new(year, 1, january).ok()?;
    let back = i64::from(first.until(anchor.weekday()));
    let shift = |date: Date, days: i64| date.checked_add(jiff::Span::new().try_days(days).ok()?).ok();
    let start = shift(anchor, i64::from(week - 1) * 7 - back)?;
    Some((start, shift(start, 6)?))
}

/// The month or the year that contains all the days.
fn common_period(weeks: &[(Date, Date)]) -> Option<PartialDate> {
    let days = || weeks.iter().flat_map(|(first, last)| [*first, *last]);
    let year = days().next()?.year();
    if days().any(|day| day.year() != year) {
        return None;
    }
    let month = days().next()?.month();
    if days().all(|day| day.month() == month) {
        PartialDate::from_year_month(year, month)
    } else {
        PartialDate::from_year(year)
    }
}

/// Splits off the letters at the start of `text`.
fn split_leading_word(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    text.split_at_checked(end).filter(|(word, _)| !word.is_empty())
}

/// Parses the date at the start of a file name (without `.md`): `2024-03-12`, or `20240312` if it is exactly eight
/// digits with a year from 1900 to 2099.
pub(super) fn parse_leading_date(stem: &str) -> Option<PartialDate> {
    let digits = stem.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 8 {
        let part = |range: std::ops::Range<usize>| stem.get(range)?.parse::<i16>().ok();
        let (year, month, day) = (part(0..4)?, part(4..6)?, part(6..8)?);
        let dated = (1900..2100).contains(&year);
        return PartialDate::from_ymd(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).filter(|_| dated);
    }
    let date = stem.get(..10).filter(|_| digits == 4)?;
    let cut = stem.as_bytes().get(10).is_some_and(u8::is_ascii_digit);
    PartialDate::parse(date).filter(|date| !cut && date.day().is_some())
}

/// Parses the day of this century that stands at the beginning or the end of a file name, but for its weekday: `1 May 2025 Thursday`,
/// `Meeting 22 April 2025`, `Standup 2025-04-22`. An older one is what a note is about.
pub(super) fn parse_day_in_words(stem: &str) -> Option<PartialDate> {
    let is_weekday = |word: &&str| WEEKDAYS.iter().any(|(name, _)| name.eq_ignore_ascii_case(word));
    let words = stem.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !is_weekday(word));
    let words: Vec<&str> = words.collect();
    [words.first_chunk::<3>(), words.last_chunk::<3>()].into_iter().flatten().find_map(|words| {
        let number = |word: &str| word.trim_end_matches(|c: char| c.is_ascii_alphabetic()).parse::<i16>().ok();
        let month = |word: &str| {
            let named = MONTHS.iter().position(|name| {
                name.eq_ignore_ascii_case(word) || name.get(..3).is_some_and(|short| short.eq_ignore_ascii_case(word))
            });
            named.and_then(|at| i8::try_from(at + 1).ok())
        };
        let (year, month, day) = match *words {
            [year, number_of_month, day] if year.len() == 4 => {
                (number(year)?, i8::try_from(number(number_of_month)?).ok()?, number(day)?)
            }
            [day, name, year] if month(name).is_some() => (number(year)?, month(name)?, number(day)?),
            [name, day, year] => (number(year)?, month(name)?, number(day)?),
        };
        let date = PartialDate::from_ymd(year, month, i8::try_from(day).ok()?)?;
        (2000..2100).contains(&year).then_some(date)
    })
}

#[cfg(test)]
#[path = "dates_tests.rs"]
mod tests;
