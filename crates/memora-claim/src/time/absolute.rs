//! Absolute times: numeric dates (`2024-03-12`, `12.03.2024`), quarters, seasons, decades, and parts of them.

use memora_vault::PartialDate;

use super::TimeRule;
use super::parser::{TimeMatch, TimeParser, TimePreposition};
use super::time_expr::{OccurrenceChoice, Recurrence, TimeExpr, iso_week_dates, week_of};
use super::tokens::{parse_digits, parse_year, season_months};
use crate::lists::{DEADLINE_PREPOSITIONS, NON_MONTH_PREPOSITIONS, QUARTER_PREPOSITIONS};

impl TimeParser<'_> {
    /// `2024-03-12`, `2024/03/12`, `2024-03`, `2024-W12`, `2024-Q3`.
    pub(super) fn parse_iso(&self, at: usize) -> Option<TimeMatch> {
        let sign = self.tokens.gap_before(at + 1);
        if !matches!(sign, "-" | "/") {
            return None;
        }
        let first = i16::try_from(parse_digits(self.tokens.word(at), 4, 4)?).ok()?;
        let second = self.tokens.word(at + 1);
        let part = |word: &str| i8::try_from(parse_digits(word, 2, 2)?).ok();
        let found =
            |first, last, used| Some(TimeMatch { when: TimeExpr::from_dates(first, last)?, rule: TimeRule::Iso, used });
        if let Some(week) = second.strip_prefix('w').filter(|_| sign == "-") {
            let (from, until) = iso_week_dates(first, part(week)?)?;
            return found(from, until, 2);
        }
        if let Some(quarter) = second.strip_prefix('q').and_then(quarter_months) {
            let (from, until) = quarter;
            return found(PartialDate::from_year_month(first, from)?, PartialDate::from_year_month(first, until)?, 2);
        }
        let month = part(second)?;
        if self.tokens.gap_before(at + 2) == sign {
            let third = self.tokens.word(at + 2);
            // `2024-03-12T09:30` is one run of letters and digits after the last separator.
            let (day, time) = third.split_once('t').map_or((third, false), |(day, _)| (day, true));
            let date = PartialDate::from_ymd(first, month, part(day)?)?;
            // Hours, minutes and seconds are consumed as well.
            let more = (3..6).take_while(|by| time && self.tokens.gap_before(at + by) == ":").count();
            return found(date, date, 3 + more);
        }
        parse_year(self.tokens.word(at)).filter(|_| sign == "-")?;
        let date = PartialDate::from_year_month(first, month)?;
        found(date, date, 2)
    }

    /// `12.03.2024` with the day first; `25/03/2024`, `03/25/2024` and `25-03-2024` where only one order is a date.
    pub(super) fn parse_numeric(&self, at: usize) -> Option<TimeMatch> {
        let (sign, other) = (self.tokens.gap_before(at + 1), self.tokens.gap_before(at + 2));
        if sign != other || self.is_numbered(at) {
            return None;
        }
        let part = |word: &str| i8::try_from(parse_digits(word, 1, 2)?).ok();
        let (first, second) = (part(self.tokens.word(at))?, part(self.tokens.word(at + 1))?);
        let year = parse_year(self.tokens.word(at + 2))?;
        let date = match sign {
            "." => PartialDate::from_ymd(year, second, first)?,
            "/" | "-" if first == second || first > 12 => PartialDate::from_ymd(year, second, first)?,
            "/" | "-" if second > 12 => PartialDate::from_ymd(year, first, second)?,
            // March or April: a time, but not a date.
            "/" | "-" if first > 0 && second > 0 => {
                return Some(TimeMatch { when: TimeExpr::UNKNOWN, rule: TimeRule::Numeric, used: 3 });
            }
            _ => return None,
        };
        Some(TimeMatch { when: TimeExpr::from_dates(date, date)?, rule: TimeRule::Numeric, used: 3 })
    }

    /// `Q3 2024`, `2024 Q3`, `third quarter of 2024`, `H1 2024`, `first half of 2024`; `in Q3`.
    pub(super) fn parse_quarter(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let word = self.tokens.word(at);
        if let Some(year) = parse_year(word).filter(|_| self.tokens.is_space_separated(at + 1)) {
            let (months, rule) = parse_year_part(self.tokens.word(at + 1))?;
            return build_months(year, months, rule, 2);
        }
        let (months, rule, used) = if let Some((months, rule)) = parse_year_part(word) {
            (months, rule, 1)
        } else {
            let nth = match word {
                "first" | "1st" => 1,
                "second" | "2nd" => 2,
                "third" | "3rd" => 3,
                "fourth" | "4th" => 4,
                _ => return None,
            };
            if !self.tokens.is_space_separated(at + 1) {
                return None;
            }
            match self.tokens.word(at + 1) {
                "quarter" => (quarter_months(&nth.to_string())?, TimeRule::Quarter, 2),
                "half" => (half_year_months(&nth.to_string())?, TimeRule::HalfYear, 2),
                _ => return None,
            }
        };
        let behind = at + used;
        let of = usize::from(matches!(self.tokens.word(behind), "of" | "in") && self.tokens.is_space_separated(behind));
        let linked = self.tokens.may_continue_date(behind + of) || self.tokens.gap_before(behind) == "/";
        if let Some(year) = parse_year(self.tokens.word(behind + of)).filter(|_| linked) {
            return build_months(year, months, rule, used + of + 1);
        }
        if let Some((by, more)) = self.parse_year_offset(behind, "year") {
            let when = TimeExpr::from_recurrence(Recurrence::Months(months.0, months.1), OccurrenceChoice::Same(by))?;
            return Some(TimeMatch { when, rule, used: used + more });
        }
        // `the first half` alone may be that of a match.
        let led = used == 1 && QUARTER_PREPOSITIONS.contains(lead.word);
        let side = self.find_tense_bias(at, lead).choice_for_months();
        led.then(|| TimeExpr::from_recurrence(Recurrence::Months(months.0, months.1), side))
            .flatten()
            .map(|when| TimeMatch { when, rule, used })
    }

    /// `spring 2024`, `summer of 2024`, `winter 2024` (December to February).
    pub(super) fn parse_season(&self, at: usize) -> Option<TimeMatch> {
        let months = season_months(self.tokens.word(at))?;
        let of = usize::from(self.tokens.word(at + 1) == "of" && self.tokens.is_space_separated(at + 1));
        let year = parse_year(self.tokens.word(at + 1 + of)).filter(|_| self.tokens.may_continue_date(at + 1 + of))?;
        build_months(year, months, TimeRule::Season, 2 + of)
    }

    /// `the 1990s`, `the 1990's`, `mid 2000’s`. Without a word in front, `2010's trip` is the year's.
    pub(super) fn parse_decade(&self, at: usize) -> Option<TimeMatch> {
        let word = self.tokens.word(at);
        let (year, used) = match word.strip_suffix('s') {
            Some(year) => (year, 1),
            None => {
                let led = matches!(self.tokens.word_before(at, 1), "the" | "early" | "mid" | "late" | "of");
                let marked = self.tokens.word(at + 1) == "s" && matches!(self.tokens.gap_before(at + 1), "'" | "’");
                (word, if led && marked { 2 } else { return None })
            }
        };
        let first = parse_year(year).filter(|year| year % 10 == 0)?;
        let when =
            TimeExpr::from_dates(PartialDate::from_year(first)?, PartialDate::from_year(first.checked_add(9)?)?)?;
        Some(TimeMatch { when, rule: TimeRule::Decade, used })
    }

    /// `the week of 11 May 2026`, `the week starting on 2026-05-11`: from its Monday to its Sunday.
    pub(super) fn parse_week_of(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let is_link = matches!(self.tokens.word(at + 1), "of" | "from" | "starting" | "beginning" | "commencing");
        if self.tokens.word(at) != "week" || !is_link || !self.tokens.is_space_separated(at + 1) {
            return None;
        }
        let links = (at + 2..at + 4).take_while(|at| matches!(self.tokens.word(*at), "on" | "the")).count();
        let start = at + 2 + links;
        let day =
            self.parse_iso(start).or_else(|| self.parse_numeric(start)).or_else(|| self.parse_written(start, lead))?;
        if day.when.is_relative() {
            return None;
        }
        let (first, last) = day.when.resolve(None).filter(|(first, last)| first == last && first.day().is_some())?;
        let (monday, sunday) = week_of(first).filter(|_| first == last)?;
        let used = 2 + links + day.used;
        Some(TimeMatch { when: TimeExpr::from_dates(monday, sunday)?, rule: TimeRule::Period, used })
    }

    /// `early 2022`, `mid-2023`, `late March 2024`, `the end of 2024`, `early last year`, `[by] the end of the month`.
    pub(super) fn parse_part(&self, at: usize, lead: &TimePreposition) -> Option<TimeMatch> {
        let (third, used) = self.parse_third(at)?;
        let inner = at + used;
        if let Some(unit) = self.parse_own_period(inner, lead) {
            return Some(TimeMatch { when: unit, rule: TimeRule::Part, used: used + 2 });
        }
        let the = usize::from(self.tokens.word(inner) == "the" && self.tokens.is_space_separated(inner + 1));
        let inner = inner + the;
        let asked =
            TimePreposition { role: lead.role, word: if lead.is_some() { lead.word } else { "in" }, at: lead.at };
        // `of March` and `over June` alone do not name a month; with a part before them they do.
        let asked =
            if NON_MONTH_PREPOSITIONS.contains(asked.word) { TimePreposition { word: "in", ..asked } } else { asked };
        let whole = self
            .parse_decade(inner)
            .or_else(|| self.parse_season(inner))
            .or_else(|| self.parse_written(inner, &asked))
            .or_else(|| self.parse_period(inner))?;
        let used = used + the + whole.used;
        if whole.when.is_relative() {
            return Some(TimeMatch { used, rule: TimeRule::Part, ..whole });
        }
        let (first, last) = whole.when.resolve(None)?;
        Some(TimeMatch { when: take_third(first, last, third)?, rule: TimeRule::Part, used })
    }

    /// Returns the third of a time that is named before it: 0 early, 1 middle, 2 late.
    fn parse_third(&self, at: usize) -> Option<(i8, usize)> {
        let linked = |at: usize| self.tokens.is_space_separated(at) || self.tokens.gap_before(at) == "-";
        let of = || {
            self.tokens.word(at + 1) == "of"
                && self.tokens.is_space_separated(at + 1)
                && self.tokens.is_space_separated(at + 2)
        };
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

    /// `by the end of the month`: the note's own; without `by`, `until` or `since` it may be any month.
    fn parse_own_period(&self, at: usize, lead: &TimePreposition) -> Option<TimeExpr> {
        let led = DEADLINE_PREPOSITIONS.contains(lead.word);
        let the = matches!(self.tokens.word(at), "the" | "this") && self.tokens.is_space_separated(at + 1);
        if !led || !the {
            return None;
        }
        TimeExpr::from_offset(super::relative::calendar_unit(self.tokens.word(at + 1))?, 0, 0)
    }
}

/// Takes a third of a year, a month or a decade; other times are kept whole.
fn take_third(first: PartialDate, last: PartialDate, third: i8) -> Option<TimeExpr> {
    let (year, month) = (first.year(), first.month());
    if first != last {
        let years = i16::from(third) * 3;
        let decade = month.is_none() && last.year().checked_sub(year) == Some(9);
        if !decade {
            return TimeExpr::from_dates(first, last);
        }
        // Four years late, three before.
        let end = if third == 2 { 9 } else { years + 2 };
        return TimeExpr::from_dates(
            PartialDate::from_year(year.checked_add(years)?)?,
            PartialDate::from_year(year.checked_add(end)?)?,
        );
    }
    match (month, first.day()) {
        (None, _) => TimeExpr::from_dates(
            PartialDate::from_year_month(year, third * 4 + 1)?,
            PartialDate::from_year_month(year, third * 4 + 4)?,
        ),
        (Some(month), None) => {
            let end = first.first_and_last_day().1.day().filter(|_| third == 2).unwrap_or(third * 10 + 10);
            TimeExpr::from_dates(
                PartialDate::from_ymd(year, month, third * 10 + 1)?,
                PartialDate::from_ymd(year, month, end)?,
            )
        }
        _ => TimeExpr::from_dates(first, last),
    }
}

/// Builds a range of months in a year; it ends in the next year if the last month is smaller.
pub(super) fn build_months(year: i16, (first, last): (i8, i8), rule: TimeRule, used: usize) -> Option<TimeMatch> {
    let end = if last < first { year.checked_add(1)? } else { year };
    Some(TimeMatch {
        when: TimeExpr::from_dates(
            PartialDate::from_year_month(year, first)?,
            PartialDate::from_year_month(end, last)?,
        )?,
        rule,
        used,
    })
}

/// `q3`, `h1`.
fn parse_year_part(word: &str) -> Option<((i8, i8), TimeRule)> {
    if let Some(nth) = word.strip_prefix('q') {
        return Some((quarter_months(nth)?, TimeRule::Quarter));
    }
    Some((half_year_months(word.strip_prefix('h')?)?, TimeRule::HalfYear))
}

fn quarter_months(nth: &str) -> Option<(i8, i8)> {
    let nth = i8::try_from(parse_digits(nth, 1, 1)?).ok().filter(|nth| (1..=4).contains(nth))?;
    Some((nth * 3 - 2, nth * 3))
}

fn half_year_months(nth: &str) -> Option<(i8, i8)> {
    let nth = i8::try_from(parse_digits(nth, 1, 1)?).ok().filter(|nth| (1..=2).contains(nth))?;
    Some((nth * 6 - 5, nth * 6))
}
