//! Times that need no note: figures (`2024-03-12`, `12.03.2024`), quarters, seasons, decades, and parts of them.

use memora_vault::PartialDate;

use super::Rule;
use super::read::{Found, Lead, Reader};
use super::tokens::{digits, season, year};
use super::when::{Recurring, Side, When, iso_week};

impl Reader<'_> {
    /// `2024-03-12`, `2024/03/12`, `2024-03`, `2024-W12`, `2024-Q3`.
    pub(super) fn iso(&self, at: usize) -> Option<Found> {
        let sign = self.tokens.gap(at + 1);
        if !matches!(sign, "-" | "/") {
            return None;
        }
        let first = i16::try_from(digits(self.tokens.word(at), 4, 4)?).ok()?;
        let second = self.tokens.word(at + 1);
        let part = |word: &str| i8::try_from(digits(word, 2, 2)?).ok();
        let found = |first, last, used| Some(Found { when: When::dates(first, last)?, rule: Rule::Iso, used });
        if let Some(week) = second.strip_prefix('w').filter(|_| sign == "-") {
            let (from, until) = iso_week(first, part(week)?)?;
            return found(from, until, 2);
        }
        if let Some(quarter) = second.strip_prefix('q').and_then(quarter) {
            let (from, until) = quarter;
            return found(PartialDate::ym(first, from)?, PartialDate::ym(first, until)?, 2);
        }
        let month = part(second)?;
        if self.tokens.gap(at + 2) == sign {
            let third = self.tokens.word(at + 2);
            // `2024-03-12T09:30` is one run of letters and digits behind the last sign.
            let (day, time) = third.split_once('t').map_or((third, false), |(day, _)| (day, true));
            let date = PartialDate::ymd(first, month, part(day)?)?;
            // Hours, minutes, seconds are passed over with it.
            let more = (3..6).take_while(|by| time && self.tokens.gap(at + by) == ":").count();
            return found(date, date, 3 + more);
        }
        year(self.tokens.word(at)).filter(|_| sign == "-")?;
        let date = PartialDate::ym(first, month)?;
        found(date, date, 2)
    }

    /// `12.03.2024` with the day first; `25/03/2024`, `03/25/2024` and `25-03-2024` where only one order is a date.
    pub(super) fn numeric(&self, at: usize) -> Option<Found> {
        let (sign, other) = (self.tokens.gap(at + 1), self.tokens.gap(at + 2));
        if sign != other || self.numbered(at) {
            return None;
        }
        let part = |word: &str| i8::try_from(digits(word, 1, 2)?).ok();
        let (first, second) = (part(self.tokens.word(at))?, part(self.tokens.word(at + 1))?);
        let year = year(self.tokens.word(at + 2))?;
        let date = match sign {
            "." => PartialDate::ymd(year, second, first)?,
            "/" | "-" if first == second || first > 12 => PartialDate::ymd(year, second, first)?,
            "/" | "-" if second > 12 => PartialDate::ymd(year, first, second)?,
            // March or April: a time, and no date.
            "/" | "-" if first > 0 && second > 0 => {
                return Some(Found { when: When::UNKNOWN, rule: Rule::Numeric, used: 3 });
            }
            _ => return None,
        };
        Some(Found { when: When::dates(date, date)?, rule: Rule::Numeric, used: 3 })
    }

    /// `Q3 2024`, `2024 Q3`, `third quarter of 2024`, `H1 2024`, `first half of 2024`; `in Q3`.
    pub(super) fn quarter(&self, at: usize, lead: &Lead) -> Option<Found> {
        let word = self.tokens.word(at);
        if let Some(year) = year(word).filter(|_| self.tokens.joined(at + 1)) {
            let (months, rule) = part_of_year(self.tokens.word(at + 1))?;
            return months_of(year, months, rule, 2);
        }
        let (months, rule, used) = if let Some((months, rule)) = part_of_year(word) {
            (months, rule, 1)
        } else {
            let nth = match word {
                "first" | "1st" => 1,
                "second" | "2nd" => 2,
                "third" | "3rd" => 3,
                "fourth" | "4th" => 4,
                _ => return None,
            };
            if !self.tokens.joined(at + 1) {
                return None;
            }
            match self.tokens.word(at + 1) {
                "quarter" => (quarter(&nth.to_string())?, Rule::Quarter, 2),
                "half" => (half(&nth.to_string())?, Rule::HalfYear, 2),
                _ => return None,
            }
        };
        let behind = at + used;
        let of = usize::from(matches!(self.tokens.word(behind), "of" | "in") && self.tokens.joined(behind));
        let linked = self.tokens.near(behind + of) || self.tokens.gap(behind) == "/";
        if let Some(year) = year(self.tokens.word(behind + of)).filter(|_| linked) {
            return months_of(year, months, rule, used + of + 1);
        }
        if let Some((by, more)) = self.of_year(behind, "year") {
            let when = When::recurring(Recurring::Months(months.0, months.1), Side::Same(by))?;
            return Some(Found { when, rule, used: used + more });
        }
        // `the first half` alone may be that of a match.
        let led =
            used == 1 && matches!(lead.word, "in" | "by" | "until" | "since" | "during" | "before" | "after" | "from");
        let side = self.lean(at, lead).of_months();
        led.then(|| When::recurring(Recurring::Months(months.0, months.1), side)).flatten().map(|when| Found {
            when,
            rule,
            used,
        })
    }

    /// `spring 2024`, `summer of 2024`, `winter 2024`: from December to the next February.
    pub(super) fn season(&self, at: usize) -> Option<Found> {
        let months = season(self.tokens.word(at))?;
        let of = usize::from(self.tokens.word(at + 1) == "of" && self.tokens.joined(at + 1));
        let year = year(self.tokens.word(at + 1 + of)).filter(|_| self.tokens.near(at + 1 + of))?;
        months_of(year, months, Rule::Season, 2 + of)
    }

    /// `the 1990s`.
    pub(super) fn decade(&self, at: usize) -> Option<Found> {
        let first = year(self.tokens.word(at).strip_suffix('s')?).filter(|year| year % 10 == 0)?;
        let when = When::dates(PartialDate::y(first)?, PartialDate::y(first.checked_add(9)?)?)?;
        Some(Found { when, rule: Rule::Decade, used: 1 })
    }

    /// `early 2022`, `mid-2023`, `late March 2024`, `the end of 2024`, `early last year`, `[by] the end of the month`.
    pub(super) fn part(&self, at: usize, lead: &Lead) -> Option<Found> {
        let (third, used) = self.third(at)?;
        let inner = at + used;
        if let Some(unit) = self.own_period(inner, lead) {
            return Some(Found { when: unit, rule: Rule::Part, used: used + 2 });
        }
        let the = usize::from(self.tokens.word(inner) == "the" && self.tokens.joined(inner + 1));
        let inner = inner + the;
        let asked = Lead { role: lead.role, word: if lead.is_some() { lead.word } else { "in" }, at: lead.at };
        // `of March` and `over June` name no month alone; with a part before them they do.
        let asked =
            if matches!(asked.word, "at" | "of" | "over" | "on" | "to") { Lead { word: "in", ..asked } } else { asked };
        let whole = self
            .decade(inner)
            .or_else(|| self.season(inner))
            .or_else(|| self.written(inner, &asked))
            .or_else(|| self.period(inner))?;
        let used = used + the + whole.used;
        if whole.when.is_relative() {
            return Some(Found { used, rule: Rule::Part, ..whole });
        }
        let (first, last) = whole.when.resolve(None)?;
        Some(Found { when: cut(first, last, third)?, rule: Rule::Part, used })
    }

    /// Which third of a time comes before it: 0 early, 1 middle, 2 late.
    fn third(&self, at: usize) -> Option<(i8, usize)> {
        let linked = |at: usize| self.tokens.joined(at) || self.tokens.gap(at) == "-";
        let of = || self.tokens.word(at + 1) == "of" && self.tokens.joined(at + 1) && self.tokens.joined(at + 2);
        match self.tokens.word(at) {
            "early" | "earlier" if linked(at + 1) => Some((0, 1)),
            "mid" if linked(at + 1) => Some((1, 1)),
            "late" if linked(at + 1) => Some((2, 1)),
            "beginning" | "start" if of() => Some((0, 2)),
            "middle" if of() => Some((1, 2)),
            "end" if of() => Some((2, 2)),
            _ => None,
        }
    }

    /// `by the end of the month`: the note's own; without `by`, `until` or `since` it may be any month's.
    fn own_period(&self, at: usize, lead: &Lead) -> Option<When> {
        let led = matches!(lead.word, "by" | "until" | "till" | "since" | "before" | "due");
        let the = matches!(self.tokens.word(at), "the" | "this") && self.tokens.joined(at + 1);
        if !led || !the {
            return None;
        }
        When::offset(super::relative::unit(self.tokens.word(at + 1))?, 0, 0)
    }
}

/// A third of a year, a month or a decade; anything else whole.
fn cut(first: PartialDate, last: PartialDate, third: i8) -> Option<When> {
    let (year, month) = (first.year(), first.month());
    if first != last {
        let years = i16::from(third) * 3;
        let decade = month.is_none() && last.year().checked_sub(year) == Some(9);
        if !decade {
            return When::dates(first, last);
        }
        // Four years late, three before.
        let end = if third == 2 { 9 } else { years + 2 };
        return When::dates(PartialDate::y(year.checked_add(years)?)?, PartialDate::y(year.checked_add(end)?)?);
    }
    match (month, first.day()) {
        (None, _) => When::dates(PartialDate::ym(year, third * 4 + 1)?, PartialDate::ym(year, third * 4 + 4)?),
        (Some(month), None) => {
            let end = first.bounds().1.day().filter(|_| third == 2).unwrap_or(third * 10 + 10);
            When::dates(PartialDate::ymd(year, month, third * 10 + 1)?, PartialDate::ymd(year, month, end)?)
        }
        _ => When::dates(first, last),
    }
}

/// Some months of a year; they end in the next if the last is smaller.
pub(super) fn months_of(year: i16, (first, last): (i8, i8), rule: Rule, used: usize) -> Option<Found> {
    let end = if last < first { year.checked_add(1)? } else { year };
    Some(Found { when: When::dates(PartialDate::ym(year, first)?, PartialDate::ym(end, last)?)?, rule, used })
}

/// `q3`, `h1`.
fn part_of_year(word: &str) -> Option<((i8, i8), Rule)> {
    if let Some(nth) = word.strip_prefix('q') {
        return Some((quarter(nth)?, Rule::Quarter));
    }
    Some((half(word.strip_prefix('h')?)?, Rule::HalfYear))
}

fn quarter(nth: &str) -> Option<(i8, i8)> {
    let nth = i8::try_from(digits(nth, 1, 1)?).ok().filter(|nth| (1..=4).contains(nth))?;
    Some((nth * 3 - 2, nth * 3))
}

fn half(nth: &str) -> Option<(i8, i8)> {
    let nth = i8::try_from(digits(nth, 1, 1)?).ok().filter(|nth| (1..=2).contains(nth))?;
    Some((nth * 6 - 5, nth * 6))
}
