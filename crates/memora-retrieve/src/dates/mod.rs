//! The dates that a text names: `2024-03`, `14 March 2025`, `last Tuesday`, `gestern`, `2025年4月12日`.
//!
//! Read are whole expressions with a year, and those relative to a day that is passed in; this crate never looks at a
//! clock. Of a question more is read (`asked`): months, seasons and weekdays without a year, which are the most recent ones,
//! and ranges. A bare `2024` without a preposition, or `May` without one, is left to the words: a wrong filter would hide the
//! answer, a missing one only ranks it lower.
//!
//! The one rule to know: **what stands in quotation marks is words**, and names no date of a question.

mod asked;
mod names;
mod ranges;

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;
use memora_claim::time::Period as NotePeriod;
use memora_nlp::lexicon::DAY_WORDS;
use memora_nlp::number::count;
use memora_nlp::time::{Run, Runs};
use memora_nlp::unit::Period;
use memora_vault::PartialDate;

use self::names::{months, number, step, unit, week, weekday, whole_month, whole_year, year};
use crate::fold::{fold, is_dense};

/// The days that an expression in a question means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateRange {
    /// The first day, whole.
    pub from: PartialDate,
    /// The last day, whole.
    pub until: PartialDate,
    /// Where the expression stands in the question, in bytes.
    pub text: Range<usize>,
}

/// The dates that a question names, in order. Relative ones need `today` to be a whole date.
#[must_use]
pub fn dates_in(text: &str, today: PartialDate) -> Vec<DateRange> {
    let mut words = words(text);
    for quoted in asked::quoted(text) {
        words.iter_mut().filter(|word| quoted.contains(&word.at.start)).for_each(|word| word.text.clear());
    }
    found(&Reader { words: Runs::new(text, words), today: civil(today), asked: true })
}

fn found(reader: &Reader<'_>) -> Vec<DateRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < reader.words.len() {
        let Some(((from, until), used)) = reader.expression(at) else {
            at += 1;
            continue;
        };
        if let Some(words) = reader.words.range(at, at + used) {
            found.extend(range(from, until, words));
        }
        at += used.max(1);
    }
    found
}

/// First and last day of each date that a statement names; relative ones count from its own day, if that is known.
pub(crate) fn named_dates(text: &str, own: Option<PartialDate>) -> Vec<(PartialDate, PartialDate)> {
    if own.is_none() && !text.bytes().any(|b| b.is_ascii_digit() || b == 0xef) {
        return Vec::new();
    }
    let Some(base) = own.or_else(|| PartialDate::y(1)) else { return Vec::new() };
    // An address may have the day of whoever wrote what is there.
    let text: Vec<&str> = text.split_whitespace().filter(|word| !word.contains("://")).collect();
    let text = &text.join(" ");
    let reader = Reader { words: Runs::new(text, words(text)), today: civil(base), asked: false };
    found(&reader).into_iter().map(|range| (range.from, range.until)).collect()
}

/// What a statement's words name, as [`crate::Filter::dates`] has it; `own` is the day it was written on.
#[must_use]
pub fn named_periods(text: &str, own: Option<PartialDate>) -> Vec<NotePeriod> {
    named_dates(text, own).into_iter().filter_map(|(from, until)| NotePeriod::of(from, until)).collect()
}

fn range(from: Date, until: Date, text: Range<usize>) -> Option<DateRange> {
    let whole = |date: Date| PartialDate::ymd(date.year(), date.month(), date.day());
    Some(DateRange { from: whole(from)?, until: whole(until)?, text })
}

fn civil(date: PartialDate) -> Option<Date> {
    Date::new(date.year(), date.month()?, date.day()?).ok()
}

/// First and last day, and how many words said so.
type Found = Option<((Date, Date), usize)>;

struct Reader<'t> {
    /// Folded.
    words: Runs<'t>,
    today: Option<Date>,
    /// Whether it is a question that is read, and not a statement.
    asked: bool,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.word(at)
    }

    /// What stands between word `at - 1` and word `at`.
    fn gap(&self, at: usize) -> &str {
        if at == 0 || at >= self.words.len() { "" } else { self.words.gap(at) }
    }

    fn expression(&self, at: usize) -> Found {
        if self.word(at).is_empty() {
            return None;
        }
        if let Some(found) = self.range(at).filter(|_| self.asked) {
            return Some(found);
        }
        let plain = |at| {
            let asked = if self.asked { self.asked_for(at) } else { None };
            asked.or_else(|| self.absolute(at)).or_else(|| self.relative(at))
        };
        if self.asked
            && let Some(found) = self.led(at, &plain)
        {
            return Some(found);
        }
        match self.word(at) {
            "since" | "seit" | "ab" => {
                let ((from, _), used) = self.year(at + 1).or_else(|| plain(at + 1))?;
                Some(((from, Date::MAX), used + 1))
            }
            "after" | "nach" => {
                let ((_, until), used) = self.year(at + 1).or_else(|| plain(at + 1))?;
                Some(((until.tomorrow().ok()?, Date::MAX), used + 1))
            }
            "before" | "vor" => {
                let ((from, _), used) = self.year(at + 1).or_else(|| plain(at + 1))?;
                Some(((Date::new(1, 1, 1).ok()?, from.yesterday().ok()?), used + 1))
            }
            "in" | "during" | "im" | "jahr" | "year" => {
                let (days, used) = self.year(at + 1).or_else(|| plain(at + 1))?;
                Some((days, used + 1))
            }
            _ => plain(at),
        }
    }

    /// A bare year; only behind a preposition, and not as the start of something longer.
    fn year(&self, at: usize) -> Found {
        if self.absolute(at).is_some() {
            return None;
        }
        let at_year = if matches!(self.word(at), "jahr" | "jahre" | "year") { at + 1 } else { at };
        let year = year(self.word(at_year))?;
        Some((whole_year(year)?, at_year + 1 - at))
    }

    fn absolute(&self, at: usize) -> Found {
        self.numeric(at).or_else(|| self.japanese(at)).or_else(|| self.written(at))
    }

    /// `2024-03-12`, `2024/03/12`, `2024-03`, `12.3.2024`.
    fn numeric(&self, at: usize) -> Found {
        let (first, second, third) = (self.word(at), self.word(at + 1), self.word(at + 2));
        let signs = (self.gap(at + 1), self.gap(at + 2));
        if let Some(year) = year(first)
            && matches!(signs.0, "-" | "/")
        {
            let month = number(second)?;
            if signs.1 == signs.0 {
                // `2024-03-12T09:30` is one run of letters and digits behind the last sign.
                let day = third.split_once('t').map_or(third, |(day, _)| day);
                let date = Date::new(year, month, number(day)?).ok()?;
                return Some(((date, date), 3));
            }
            return (signs.0 == "-" && second.len() == 2).then_some((whole_month(year, month)?, 2));
        }
        if signs.0.trim_end() == "." && signs.1.trim_end() == "." {
            let date = Date::new(year(third)?, number(second)?, number(first)?).ok()?;
            return Some(((date, date), 3));
        }
        None
    }

    /// `2025年4月12日`, `2025年4月`, `2025年`.
    fn japanese(&self, at: usize) -> Found {
        let sign = |at: usize, sign: char| self.word(at).starts_with(sign);
        let year = year(self.word(at))?;
        if !sign(at + 1, '年') {
            return None;
        }
        let Some(month) = number(self.word(at + 2)).filter(|_| sign(at + 3, '月')) else {
            return Some((whole_year(year)?, 2));
        };
        let Some(day) = number(self.word(at + 4)).filter(|_| sign(at + 5, '日')) else {
            return Some((whole_month(year, month)?, 4));
        };
        let date = Date::new(year, month, day).ok()?;
        Some(((date, date), 6))
    }

    /// `14 March 2025`, `14th of March 2025`, `March 14, 2025`, `March 2025`, `14. März 2025`.
    fn written(&self, at: usize) -> Found {
        let (parts, used) = self.words.date_parts(at, false)?;
        let (year, month) = (parts.year?, parts.month?);
        let days = match parts.day {
            Some(day) => {
                let date = Date::new(year, month, day).ok()?;
                (date, date)
            }
            None => whole_month(year, month)?,
        };
        Some((days, used))
    }

    fn relative(&self, at: usize) -> Found {
        let today = self.today?;
        let days = |back: i64| today.checked_sub(back.days()).ok().map(|date| ((date, date), 1));
        if let Some(away) = DAY_WORDS.get_folded(self.word(at)) {
            return days(-i64::from(away));
        }
        match self.word(at) {
            "今日" => return days(0),
            "昨日" | "昨天" => return days(1),
            "明日" | "明天" => return days(-1),
            "先週" => return Some((week(today, -1)?, 1)),
            "先月" => return Some((months(today, -1)?, 1)),
            "去年" => return Some((whole_year(today.year() - 1)?, 1)),
            "今年" => return Some((whole_year(today.year())?, 1)),
            _ => {}
        }
        if let Ok(count) = self.word(at).parse::<i32>()
            && self.word(at + 2) == "ago"
            && (0..10_000).contains(&count)
        {
            return Some((self.ago(count, unit(self.word(at + 1))?, today)?, 3));
        }
        let step = i32::from(step(self.word(at))?);
        let days = match self.word(at + 1) {
            "week" | "woche" => week(today, step)?,
            "month" | "monat" => months(today, step)?,
            "year" | "jahr" => whole_year(today.year().checked_add(i16::try_from(step).ok()?)?)?,
            name => {
                let day =
                    today.nth_weekday(if step < 0 { -1 } else { 1 }, weekday(name, self.capital(at + 1))?).ok()?;
                (day, day)
            }
        };
        Some((days, 2))
    }

    fn ago(&self, count: i32, unit: Period, today: Date) -> Option<(Date, Date)> {
        match unit {
            Period::Day => today.checked_sub(count.days()).ok().map(|date| (date, date)),
            Period::Week => week(today, -count),
            Period::Month => months(today, -count),
            Period::Year => whole_year(today.year().checked_sub(i16::try_from(count).ok()?)?),
        }
    }

    /// The count at a word, in digits or in words, and how many words write it; `a` is one.
    fn count(&self, at: usize) -> Option<(i32, usize)> {
        match self.word(at) {
            "couple" => return Some((2, 1)),
            "few" => return Some((3, 1)),
            _ => {}
        }
        let one_number = |next: usize| next == at || matches!(self.gap(next), " " | "-");
        count(|next| if one_number(next) { self.word(next) } else { "" }, at)
    }

    /// Whether a word begins with a capital.
    fn capital(&self, at: usize) -> bool {
        self.words.capital(at)
    }
}

/// Cuts between letters and digits only where a dense script begins or ends: `14th` is one word, `4月` two.
fn words(text: &str) -> Vec<Run> {
    let mut words: Vec<Run> = Vec::new();
    let mut dense = None;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() && !crate::fold::is_mark(c) {
            dense = None;
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if dense == Some(is_dense(c)) => word.at.end = end,
            _ => words.push(Run { at: at..end, text: String::new(), capital: c.is_uppercase() }),
        }
        dense = Some(is_dense(c));
    }
    for word in &mut words {
        let raw = text.get(word.at.clone()).unwrap_or_default();
        if raw.chars().next().is_some_and(is_dense) {
            // `先週の` is `先週` with a particle: cut at the first hiragana.
            let end = raw.find(|c| matches!(c, '\u{3041}'..='\u{309f}')).unwrap_or(raw.len());
            let end = match raw.chars().next() {
                Some(sign @ ('年' | '月' | '日')) => sign.len_utf8(),
                _ => end,
            };
            word.at.end = word.at.start + end.max(raw.chars().next().map_or(0, char::len_utf8));
            word.text = text.get(word.at.clone()).unwrap_or_default().to_owned();
        } else if raw.len() <= 16 {
            word.text = fold(raw);
        }
    }
    words
}

#[cfg(test)]
mod listed_tests;
#[cfg(test)]
mod tests;
