//! Parsing of dates and times of day: `12 Apr`, `2026-02-03`, `June 48`, `next Friday`, `half past seven`.
//!
//! Day words (`tomorrow`, `last week`) are resolved only with the date of a note, because a sentence about the note is
//! written on another day. Ambiguous words (`Friday`: the last or the next?) yield every reading.
//! Not here: bare days of a month (`the 10th`), which are numbers.

use std::ops::Range;

use super::date::{Date, civil_from_days};
use crate::lexicon::{
    DATE_LINKS, DAY_WORDS, MONTH_HOMOGRAPHS, MONTHS, ORDINAL_SUFFIXES, ORDINALS, SEASONS, STEPS, WEEKDAY_HABITS,
    WEEKDAYS,
};
use crate::number::number_word_value;
use crate::token::{Token, TokenKind};
use crate::unit::find_unit;

/// A time of day.
#[derive(Clone, Debug, PartialEq)]
pub struct TimeOfDay {
    /// Its bytes.
    pub range: Range<usize>,
    /// Its tokens.
    pub tokens: Range<usize>,
    /// Minutes since midnight.
    pub minutes: u32,
    /// Whether it is known to be a.m. or p.m.
    pub whole_day: bool,
}

impl TimeOfDay {
    /// Whether the two may be the same time.
    #[must_use]
    pub fn agrees_with(&self, other: &Self) -> bool {
        if self.whole_day && other.whole_day {
            self.minutes == other.minutes
        } else {
            self.minutes % 720 == other.minutes % 720
        }
    }
}

/// Finds the dates in a text, in order.
#[must_use]
pub fn find_dates(tokens: &[Token]) -> Vec<Date> {
    let reader = DateParser { tokens };
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = reader.parse_date(at, &mut found);
        at = end.max(at + 1);
    }
    for date in &mut found {
        let bytes = |at: usize| tokens.get(at).map_or(0..0, |t| t.range.clone());
        date.range = bytes(date.tokens.start).start..bytes(date.tokens.end.saturating_sub(1)).end;
        date.written = true;
    }
    found
}

/// Finds the times of day in a text; tokens of dates are skipped.
#[must_use]
pub fn find_times_of_day(tokens: &[Token], taken: &[bool]) -> Vec<TimeOfDay> {
    let reader = DateParser { tokens };
    let mut found: Vec<TimeOfDay> = Vec::new();
    for at in 0..tokens.len() {
        let is_free = !taken.get(at).copied().unwrap_or(false) && found.last().is_none_or(|last| last.tokens.end <= at);
        if is_free && let Some((minutes, whole_day, end)) = reader.parse_time_of_day(at) {
            let bytes = |at: usize| tokens.get(at).map_or(0..0, |t| t.range.clone());
            let range = bytes(at).start..bytes(end.saturating_sub(1)).end;
            found.push(TimeOfDay { range, tokens: at..end, minutes, whole_day });
        }
    }
    found
}

/// Resolves the day words of a note: `yesterday`, `next Friday`, `in two weeks`.
#[must_use]
pub fn find_relative_days(tokens: &[Token], note: i64) -> Vec<Date> {
    let reader = DateParser { tokens };
    let mut found = Vec::new();
    for at in 0..tokens.len() {
        reader.push_relative_days(at, note, &mut found);
    }
    for date in &mut found {
        date.written = true;
    }
    found
}

struct DateParser<'t> {
    tokens: &'t [Token],
}

impl DateParser<'_> {
    fn lower(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.lower.as_str())
    }

    fn is_mark(&self, at: usize, mark: char) -> bool {
        self.tokens.get(at).is_some_and(|t| t.is_mark(mark))
    }

    fn is_glued(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|t| t.glued)
    }

    /// Returns a number written in digits only, and how many digits it has.
    fn digits_at(&self, at: usize) -> Option<(u32, usize)> {
        let token = self.tokens.get(at).filter(|t| t.kind == TokenKind::Numeral)?;
        Some((token.lower.parse().ok()?, token.lower.len()))
    }

    fn year_at(&self, at: usize) -> Option<i32> {
        let (year, digits) = self.digits_at(at)?;
        let measured = self
            .tokens
            .get(at + 1)
            .is_some_and(|t| find_unit(&t.lower).is_some() && t.lower != "s" && t.kind == TokenKind::Word)
            || self.is_mark(at + 1, '%')
            || self.is_mark(at + 1, '€')
            || at.checked_sub(1).is_some_and(|b| ['$', '€', '£', '#'].iter().any(|c| self.is_mark(b, *c)));
        (digits == 4 && (1000..2200).contains(&year) && !measured).then(|| i32::try_from(year).ok()).flatten()
    }

    /// Returns a day of a month, and where it ends: `12`, `12th`, `12.`, `first`.
    fn day_at(&self, at: usize) -> Option<(u32, usize)> {
        if let Some(which) = ORDINALS.get(self.lower(at)) {
            return Some((which as u32, at + 1));
        }
        let (day, digits) = self.digits_at(at)?;
        let ending =
            (ORDINAL_SUFFIXES.contains(self.lower(at + 1)) || self.lower(at + 1) == ".") && self.is_glued(at + 1);
        ((1..=31).contains(&day) && digits <= 2).then_some((day, at + 1 + usize::from(ending)))
    }

    fn month_at(&self, at: usize) -> Option<u32> {
        let token = self.tokens.get(at)?;
        let month = u32::from(MONTHS.get(&token.lower)?);
        let word = MONTH_HOMOGRAPHS.contains(token.lower.as_str());
        let before = at.checked_sub(1).and_then(|b| self.digits_at(b)).is_some_and(|(day, _)| day <= 31);
        let fits = token.capital || before || (!word && token.lower.len() > 4);
        // `May` opens a question as well.
        let certain = token.lower != "may" || !token.initial || self.digits_at(at + 1).is_some() || before;
        (fits && certain).then_some(month)
    }

    /// Adds the date at a token and returns where it ends; 0 if there is none.
    fn parse_date(&self, at: usize, found: &mut Vec<Date>) -> usize {
        let end = self.parse_numeric_date(at, found);
        if end > 0 {
            return end;
        }
        if let Some(weekday) = self.weekday_at(at) {
            let next = at + 1 + usize::from(self.is_mark(at + 1, ',') || self.is_mark(at + 1, '.'));
            let mut own = Vec::new();
            let end = if self.weekday_at(next).is_none() { self.parse_date(next, &mut own) } else { 0 };
            match own.as_slice() {
                [day] if day.day.is_some() && end > 0 => {
                    found.push(Date { weekday: Some(weekday), tokens: at..end, ..day.clone() });
                    return end;
                }
                _ => {
                    found.push(Date { weekday: Some(weekday), tokens: at..at + 1, ..Date::default() });
                    return at + 1;
                }
            }
        }
        let end = self.parse_day_first(at, found);
        if end > 0 {
            return end;
        }
        if let Some(month) = self.month_at(at) {
            let the = usize::from(self.lower(at + 1) == "the");
            let short = |year: u32| i32::try_from(year).unwrap_or(0);
            let (year, day, end) = match self.digits_at(at + 1) {
                Some((year, 2)) if year > 31 => (Some(1900 + short(year)), None, at + 2),
                _ => match self.day_at(at + 1 + the).filter(|_| self.digits_at(at + 1 + the).is_some() || the == 1) {
                    Some((day, end)) if !self.is_mark(end, ':') => (None, Some(day), end),
                    _ => (None, None, at + 1),
                },
            };
            let comma = usize::from(self.is_mark(end, ',') || self.lower(end) == "of");
            let behind = self.year_at(end + comma).filter(|_| year.is_none());
            let end = if behind.is_some() { end + comma + 1 } else { end };
            found.push(Date { year: year.or(behind), month: Some(month), day, tokens: at..end, ..Date::default() });
            return end;
        }
        if let Some(year) = self.year_at(at) {
            let decade = self.is_glued(at + 1) && self.lower(at + 1) == "s";
            let end = at + 1 + usize::from(decade);
            found.push(Date { year: Some(year), decade, tokens: at..end, ..Date::default() });
            return end;
        }
        0
    }

    /// Adds a date that begins with its day: `12 April 2026`, `10–21 Aug`, `the first of June`.
    fn parse_day_first(&self, at: usize, found: &mut Vec<Date>) -> usize {
        let Some((day, mut end)) = self.day_at(at) else { return 0 };
        let mut first = None;
        let links = matches!(self.lower(end), "-" | "/") || DATE_LINKS.contains(self.lower(end));
        if let Some((last, behind)) = self.day_at(end + 1).filter(|(last, _)| links && *last > day) {
            first = Some(day);
            end = behind;
            if self.month_at(end).is_some() {
                let end = self.push_day_first(at, last, end, found);
                if let (Some(day), Some(range)) = (first, found.last().cloned()) {
                    found.insert(found.len() - 1, Date { day: Some(day), ..range });
                }
                return end;
            }
            return 0;
        }
        let of = usize::from(self.lower(end) == "of");
        if first.is_some() || self.month_at(end + of).is_none() {
            return 0;
        }
        self.push_day_first(at, day, end + of, found)
    }

    fn push_day_first(&self, at: usize, day: u32, month: usize, found: &mut Vec<Date>) -> usize {
        let comma = usize::from(self.is_mark(month + 1, ',') || self.is_mark(month + 1, '.'));
        let year = self.year_at(month + 1 + comma);
        let short = self.digits_at(month + 1).filter(|(year, digits)| *digits == 2 && *year > 31);
        let end = if year.is_some() { month + 2 + comma } else { month + 1 + usize::from(short.is_some()) };
        let year = year.or_else(|| short.and_then(|(year, _)| i32::try_from(1900 + year).ok()));
        found.push(Date { year, month: self.month_at(month), day: Some(day), tokens: at..end, ..Date::default() });
        end
    }

    /// Adds a numeric date: `2026-02-03`, `2026-02`, `12.04.2024`, `12/04/2024`.
    fn parse_numeric_date(&self, at: usize, found: &mut Vec<Date>) -> usize {
        let mut add = |year: u32, month: u32, day: Option<u32>, end: usize| {
            let fits =
                (1000..2999).contains(&year) && (1..=12).contains(&month) && day.is_none_or(|d| (1..=31).contains(&d));
            if fits {
                let year = i32::try_from(year).ok();
                found.push(Date { year, month: Some(month), day, tokens: at..end, ..Date::default() });
            }
            if fits { end } else { 0 }
        };
        if let Some((year, 4)) = self.digits_at(at)
            && (self.is_mark(at + 1, '-') || self.is_mark(at + 1, '/'))
            && self.is_glued(at + 1)
            && self.is_glued(at + 2)
            && let Some((month, 2)) = self.digits_at(at + 2)
        {
            let day = self.digits_at(at + 4).filter(|(_, n)| *n == 2 && self.is_glued(at + 4) && self.is_glued(at + 3));
            return add(year, month, day.map(|(day, _)| day), if day.is_some() { at + 5 } else { at + 3 });
        }
        let slashed = self.is_mark(at + 1, '/') && self.is_mark(at + 3, '/') && self.is_glued(at + 4);
        if let (Some((a, _)), Some((b, _)), Some((year, 4))) =
            (self.digits_at(at), self.digits_at(at + 2), self.digits_at(at + 4))
            && slashed
        {
            // March or April: both may be meant, and none is proven by it.
            if a <= 12 && b <= 12 && a != b {
                add(year, a, Some(b), at + 5);
            }
            let (day, month) = if b > 12 { (b, a) } else { (a, b) };
            return add(year, month, Some(day), at + 5);
        }
        let dotted: Vec<u32> = self.lower(at).split('.').filter_map(|part| part.parse().ok()).collect();
        match (dotted.as_slice(), self.lower(at).matches('.').count()) {
            (&[day, month, year], 2) => add(year, month, Some(day), at + 1),
            _ => 0,
        }
    }

    fn weekday_at(&self, at: usize) -> Option<u32> {
        let token = self.tokens.get(at)?;
        let weekday = u32::from(WEEKDAYS.get(&token.lower).or_else(|| WEEKDAY_HABITS.get(&token.lower))?);
        let certain =
            token.lower.len() > 5 || (token.capital && !matches!(token.lower.as_str(), "sun" | "sat" if token.initial));
        certain.then_some(weekday)
    }

    fn push_relative_days(&self, at: usize, note: i64, found: &mut Vec<Date>) {
        let mut add = |number: i64| found.push(Date { tokens: at..at + 1, ..Date::from_day_number(number) });
        match self.lower(at) {
            "now" => add(note),
            "last" if self.lower(at + 1) == "night" => add(note - 1),
            word => {
                if let Some(days) = DAY_WORDS.get(word) {
                    add(note + i64::from(days));
                }
            }
        }
        if let Some(weekday) = self.weekday_at(at) {
            let own = (note + 3).rem_euclid(7);
            let ahead = (i64::from(weekday) - own).rem_euclid(7);
            for days in [ahead, ahead - 7, ahead + 7] {
                add(note + days);
            }
            return;
        }
        let count = self.digits_at(at).map(|(n, _)| f64::from(n)).or_else(|| number_word_value(self.lower(at)));
        let count = count.or(matches!(self.lower(at), "a" | "an").then_some(1.0));
        if let (Some(count), Some(unit)) =
            (count, find_unit(self.lower(at + 1)).filter(|unit| unit.dimension == "time"))
        {
            let days = (count * unit.factor / 86_400.0).round() as i64;
            let before = at.checked_sub(1).map_or("", |b| self.lower(b));
            let sign = match (before, self.lower(at + 2)) {
                (_, "ago") | ("vor", _) => -1,
                ("in" | "within", _) => 1,
                _ => 0,
            };
            if sign != 0 && days.abs() < 40_000 {
                let whole = Date::from_day_number(note + sign * days);
                let day = whole.day.filter(|_| days < 25);
                let month = whole.month.filter(|_| days < 700);
                found.push(Date { tokens: at..at + 2, day, month, ..whole });
            }
            return;
        }
        let Some(by) = STEPS.get(self.lower(at)).map(i32::from) else { return };
        let (year, month, _) = civil_from_days(note);
        match self.lower(at + 1) {
            "month" | "monat" => {
                let months = year * 12 + i32::try_from(month).unwrap_or(1) - 1 + by;
                let month = u32::try_from(months.rem_euclid(12) + 1).ok();
                found.push(Date { year: Some(months.div_euclid(12)), month, tokens: at..at + 2, ..Date::default() });
            }
            name if matches!(name, "year" | "jahr") || SEASONS.contains(name) => {
                found.push(Date { year: Some(year + by), tokens: at..at + 2, ..Date::default() });
            }
            _ => {}
        }
    }

    fn parse_time_of_day(&self, at: usize) -> Option<(u32, bool, usize)> {
        let numeral = self.tokens.get(at)?;
        match self.lower(at) {
            "noon" | "midday" | "mittags" => return Some((720, true, at + 1)),
            "midnight" | "mitternacht" => return Some((0, true, at + 1)),
            "half" if self.lower(at + 1) == "past" => {
                return self.parse_hour(at + 2).map(|(hour, end)| (hour * 60 + 30, false, end));
            }
            "quarter" if matches!(self.lower(at + 1), "past" | "to") => {
                let quarter = if self.lower(at + 1) == "past" { 15 } else { -15 };
                let (hour, end) = self.parse_hour(at + 2)?;
                let minutes = i64::from(hour) * 60 + quarter;
                return Some((u32::try_from(minutes.rem_euclid(1440)).ok()?, false, end));
            }
            _ => {}
        }
        if numeral.kind == TokenKind::Numeral && numeral.lower.contains(':') {
            let (hour, minute) = numeral.lower.split_once(':')?;
            let (hour, minute): (u32, u32) = (hour.parse().ok()?, minute.get(..2)?.parse().ok()?);
            let (hour, half, end) = self.apply_half_of_day(hour, at + 1);
            let whole = half || hour > 12 || numeral.lower.starts_with('0');
            return (hour < 25 && minute < 60).then(|| (hour * 60 % 1440 + minute, whole, end));
        }
        let (hour, end) = self.parse_hour(at)?;
        let (turned, half, behind) = self.apply_half_of_day(hour, end);
        if half {
            return Some((turned * 60 % 1440, true, behind));
        }
        let oclock = matches!(self.lower(end), "o'clock" | "uhr");
        oclock.then_some((hour * 60 % 1440, hour > 12, end + 1))
    }

    fn parse_hour(&self, at: usize) -> Option<(u32, usize)> {
        let spelled = number_word_value(self.lower(at)).map(|hour| hour as u32);
        let hour = self.digits_at(at).map(|(hour, _)| hour).or(spelled)?;
        (hour <= 24).then_some((hour, at + 1))
    }

    /// Applies `pm` or `a.m.` behind an hour.
    fn apply_half_of_day(&self, hour: u32, at: usize) -> (u32, bool, usize) {
        match self.lower(at) {
            "pm" | "p.m" => (if hour < 12 { hour + 12 } else { hour }, true, at + 1),
            "am" | "a.m" if self.lower(at.wrapping_sub(1)) != "i" => (if hour == 12 { 0 } else { hour }, true, at + 1),
            _ => (hour, false, at),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokenize;

    #[test]
    fn an_hour_of_nine_digits_is_none() {
        for text in ["[222222222:2222", "at 4294967295:59 pm", "half past 4294967295", "quarter to 4294967295"] {
            let tokens = tokenize(text);
            assert!(find_times_of_day(&tokens, &vec![false; tokens.len()]).is_empty(), "{text}");
        }
    }

    #[test]
    fn dates_are_read_however_they_are_written() {
        let show = |part: Option<u32>| part.map_or("?".to_owned(), |part| part.to_string());
        for (text, expect) in [
            ("12 Apr listed", vec!["?/4/12"]),
            ("on 2026-02-03 and in 2019", vec!["2026/2/3", "2019/?/?"]),
            ("Berlin Blockade June 48 – May 49", vec!["1948/6/?", "1949/5/?"]),
            ("Lena 3–14 Aug", vec!["?/8/3", "?/8/14"]),
            ("on March 12th, 2024", vec!["2024/3/12"]),
            ("am 3. März 2025, 12.04.2024", vec!["2025/3/3", "2024/4/12"]),
            ("we may march", vec![]),
            ("the first of June", vec!["?/6/1"]),
            ("1,200 rps, 2000 pages", vec!["2000/?/?"]),
            ("Friday, 12 March", vec!["?/3/12"]),
        ] {
            let found = find_dates(&tokenize(text));
            let found: Vec<String> = found
                .iter()
                .map(|d| {
                    format!("{}/{}/{}", d.year.map_or("?".to_owned(), |y| y.to_string()), show(d.month), show(d.day))
                })
                .collect();
            assert_eq!(found, expect, "{text:?}");
        }
    }

    #[test]
    fn times_of_day_are_read() {
        for (text, minutes) in
            [("at 14:20", 860), ("2:20 pm", 860), ("half past seven", 450), ("noon", 720), ("19 Uhr", 1140)]
        {
            let found = find_times_of_day(&tokenize(text), &[]);
            assert_eq!(found.first().map(|c| c.minutes), Some(minutes), "{text:?}");
        }
    }
}
