//! Finds the dates in a text: `2024-03`, `14 March 2025`, `last Tuesday`, `gestern`, `2025年4月12日`.
//!
//! Parsed are whole expressions with a year, and those relative to a day that is passed in; this crate never reads a
//! clock. Questions allow more (`asked`): months, seasons and weekdays without a year, which mean the most recent ones,
//! and ranges. A bare `2024` without a preposition, or `May` without one, stays a word: a wrong filter would hide the
//! answer, a missing one only ranks it lower.
//!
//! Invariant: **text in quotation marks is words**, and never a date of a question.

mod calendar;
mod question_dates;
mod ranges;

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::Date;
use memora_claim::time::Period as NotePeriod;
use memora_nlp::lexicon::DAY_WORDS;
use memora_nlp::number::parse_count;
use memora_nlp::time::{TextRun, TextRuns};
use memora_nlp::unit::CalendarPeriod;
use memora_vault::PartialDate;

use self::calendar::{
    month_at_offset, month_span, parse_period_unit, parse_short_number, parse_step, parse_weekday, parse_year,
    week_at_offset, year_span,
};
use crate::lists::YEAR_LEADS;
use crate::normalize::{fold_word, is_unspaced_script};

/// The days that an expression in a question denotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DateRange {
    /// The first day, complete.
    pub from: PartialDate,
    /// The last day, complete.
    pub until: PartialDate,
    /// The byte range of the expression in the question.
    pub text: Range<usize>,
}

/// Finds the dates in a question, in order. Relative ones need `today` to be a complete date.
#[must_use]
pub fn find_dates(text: &str, today: PartialDate) -> Vec<DateRange> {
    let mut words = split_words(text);
    for quoted in question_dates::find_quoted_ranges(text) {
        words.iter_mut().filter(|word| quoted.contains(&word.at.start)).for_each(|word| word.text.clear());
    }
    collect_dates(&DateExpressionParser { words: TextRuns::new(text, words), today: to_civil(today), asked: true })
}

fn collect_dates(reader: &DateExpressionParser<'_>) -> Vec<DateRange> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < reader.words.len() {
        let Some(((from, until), used)) = reader.parse_expression(at) else {
            at += 1;
            continue;
        };
        if let Some(words) = reader.words.range(at, at + used) {
            found.extend(to_date_range(from, until, words));
        }
        at += used.max(1);
    }
    found
}

/// Returns the first and last day of each date in a statement; relative dates count from its own day, if known.
pub(crate) fn find_named_dates(text: &str, own: Option<PartialDate>) -> Vec<(PartialDate, PartialDate)> {
    if own.is_none() && !text.bytes().any(|b| b.is_ascii_digit() || b == 0xef) {
        return Vec::new();
    }
    let Some(base) = own.or_else(|| PartialDate::from_year(1)) else { return Vec::new() };
    // An address may contain the date of the linked text.
    let text: Vec<&str> = text.split_whitespace().filter(|word| !word.contains("://")).collect();
    let text = &text.join(" ");
    let reader =
        DateExpressionParser { words: TextRuns::new(text, split_words(text)), today: to_civil(base), asked: false };
    collect_dates(&reader).into_iter().map(|range| (range.from, range.until)).collect()
}

/// Returns the periods that a statement's words name, for [`crate::SearchFilter::dates`]; `own` is the day it was written on.
#[must_use]
pub fn find_named_periods(text: &str, own: Option<PartialDate>) -> Vec<NotePeriod> {
    find_named_dates(text, own).into_iter().filter_map(|(from, until)| NotePeriod::from_dates(from, until)).collect()
}

fn to_date_range(from: Date, until: Date, text: Range<usize>) -> Option<DateRange> {
    let whole = |date: Date| PartialDate::from_ymd(date.year(), date.month(), date.day());
    Some(DateRange { from: whole(from)?, until: whole(until)?, text })
}

fn to_civil(date: PartialDate) -> Option<Date> {
    Date::new(date.year(), date.month()?, date.day()?).ok()
}

/// The first and last day, and the number of words used.
type DateMatch = Option<((Date, Date), usize)>;

struct DateExpressionParser<'t> {
    /// Folded words.
    words: TextRuns<'t>,
    today: Option<Date>,
    /// Whether the text is a question rather than a statement.
    asked: bool,
}

impl DateExpressionParser<'_> {
    fn word_at(&self, at: usize) -> &str {
        self.words.word(at)
    }

    /// Returns the text between word `at - 1` and word `at`.
    fn gap_before(&self, at: usize) -> &str {
        if at == 0 || at >= self.words.len() { "" } else { self.words.gap_before(at) }
    }

    fn parse_expression(&self, at: usize) -> DateMatch {
        if self.word_at(at).is_empty() {
            return None;
        }
        if let Some(found) = self.parse_range(at).filter(|_| self.asked) {
            return Some(found);
        }
        let plain = |at| {
            // What a week is said to begin with names all of it, in a statement, too.
            let named = if self.asked { self.parse_bare_time(at) } else { self.parse_week_of(at) };
            named.or_else(|| self.parse_absolute(at)).or_else(|| self.parse_relative(at))
        };
        if self.asked
            && let Some(found) = self.parse_after_preposition(at, &plain)
        {
            return Some(found);
        }
        match self.word_at(at) {
            "since" | "seit" | "ab" => {
                let ((from, _), used) = self.parse_year_at(at + 1).or_else(|| plain(at + 1))?;
                Some(((from, Date::MAX), used + 1))
            }
            "after" | "nach" => {
                let ((_, until), used) = self.parse_year_at(at + 1).or_else(|| plain(at + 1))?;
                Some(((until.tomorrow().ok()?, Date::MAX), used + 1))
            }
            "before" | "vor" => {
                let ((from, _), used) = self.parse_year_at(at + 1).or_else(|| plain(at + 1))?;
                Some(((Date::new(1, 1, 1).ok()?, from.yesterday().ok()?), used + 1))
            }
            word if YEAR_LEADS.contains(word) => {
                let (days, used) = self.parse_year_at(at + 1).or_else(|| plain(at + 1))?;
                Some((days, used + 1))
            }
            _ => plain(at),
        }
    }

    /// Parses a bare year; only after a preposition, and not as the start of a longer date.
    fn parse_year_at(&self, at: usize) -> DateMatch {
        if self.parse_absolute(at).is_some() {
            return None;
        }
        let at_year = if matches!(self.word_at(at), "jahr" | "jahre" | "year") { at + 1 } else { at };
        let year = parse_year(self.word_at(at_year))?;
        Some((year_span(year)?, at_year + 1 - at))
    }

    fn parse_absolute(&self, at: usize) -> DateMatch {
        self.parse_numeric(at).or_else(|| self.parse_japanese(at)).or_else(|| self.parse_written(at))
    }

    /// `2024-03-12`, `2024/03/12`, `2024-03`, `12.3.2024`.
    fn parse_numeric(&self, at: usize) -> DateMatch {
        let (first, second, third) = (self.word_at(at), self.word_at(at + 1), self.word_at(at + 2));
        let signs = (self.gap_before(at + 1), self.gap_before(at + 2));
        if let Some(year) = parse_year(first)
            && matches!(signs.0, "-" | "/")
        {
            let month = parse_short_number(second)?;
            if signs.1 == signs.0 {
                // `2024-03-12T09:30` has letters and digits in one run after the last sign.
                let day = third.split_once('t').map_or(third, |(day, _)| day);
                let date = Date::new(year, month, parse_short_number(day)?).ok()?;
                return Some(((date, date), 3));
            }
            return (signs.0 == "-" && second.len() == 2).then_some((month_span(year, month)?, 2));
        }
        if signs.0.trim_end() == "." && signs.1.trim_end() == "." {
            let date = Date::new(parse_year(third)?, parse_short_number(second)?, parse_short_number(first)?).ok()?;
            return Some(((date, date), 3));
        }
        None
    }

    /// `2025年4月12日`, `2025年4月`, `2025年`.
    fn parse_japanese(&self, at: usize) -> DateMatch {
        let sign = |at: usize, sign: char| self.word_at(at).starts_with(sign);
        let year = parse_year(self.word_at(at))?;
        if !sign(at + 1, '年') {
            return None;
        }
        let Some(month) = parse_short_number(self.word_at(at + 2)).filter(|_| sign(at + 3, '月')) else {
            return Some((year_span(year)?, 2));
        };
        let Some(day) = parse_short_number(self.word_at(at + 4)).filter(|_| sign(at + 5, '日')) else {
            return Some((month_span(year, month)?, 4));
        };
        let date = Date::new(year, month, day).ok()?;
        Some(((date, date), 6))
    }

    /// `14 March 2025`, `14th of March 2025`, `March 14, 2025`, `March 2025`, `14. März 2025`.
    fn parse_written(&self, at: usize) -> DateMatch {
        let (parts, used) = self.words.parse_date_parts(at, false)?;
        let (year, month) = (parts.year?, parts.month?);
        let days = match parts.day {
            Some(day) => {
                let date = Date::new(year, month, day).ok()?;
                (date, date)
            }
            None => month_span(year, month)?,
        };
        Some((days, used))
    }

    fn parse_relative(&self, at: usize) -> DateMatch {
        let today = self.today?;
        let days = |back: i64| today.checked_sub(back.days()).ok().map(|date| ((date, date), 1));
        if let Some(away) = DAY_WORDS.get_folded(self.word_at(at)) {
            return days(-i64::from(away));
        }
        match self.word_at(at) {
            "今日" => return days(0),
            "昨日" | "昨天" => return days(1),
            "明日" | "明天" => return days(-1),
            "先週" => return Some((week_at_offset(today, -1)?, 1)),
            "先月" => return Some((month_at_offset(today, -1)?, 1)),
            "去年" => return Some((year_span(today.year() - 1)?, 1)),
            "今年" => return Some((year_span(today.year())?, 1)),
            _ => {}
        }
        if let Ok(count) = self.word_at(at).parse::<i32>()
            && self.word_at(at + 2) == "ago"
            && (0..10_000).contains(&count)
        {
            return Some((self.period_before(count, parse_period_unit(self.word_at(at + 1))?, today)?, 3));
        }
        let step = i32::from(parse_step(self.word_at(at))?);
        let days = match self.word_at(at + 1) {
            "week" | "woche" => week_at_offset(today, step)?,
            "month" | "monat" => month_at_offset(today, step)?,
            "year" | "jahr" => year_span(today.year().checked_add(i16::try_from(step).ok()?)?)?,
            name => {
                let day = today
                    .nth_weekday(if step < 0 { -1 } else { 1 }, parse_weekday(name, self.is_capitalized(at + 1))?)
                    .ok()?;
                (day, day)
            }
        };
        Some((days, 2))
    }

    fn period_before(&self, count: i32, unit: CalendarPeriod, today: Date) -> Option<(Date, Date)> {
        match unit {
            CalendarPeriod::Day => today.checked_sub(count.days()).ok().map(|date| (date, date)),
            CalendarPeriod::Week => week_at_offset(today, -count),
            CalendarPeriod::Month => month_at_offset(today, -count),
            CalendarPeriod::Year => year_span(today.year().checked_sub(i16::try_from(count).ok()?)?),
        }
    }

    /// Parses the count at a word, in digits or words, and returns it with the number of words used; `a` is one.
    fn parse_count_at(&self, at: usize) -> Option<(i32, usize)> {
        match self.word_at(at) {
            "couple" => return Some((2, 1)),
            "few" => return Some((3, 1)),
            _ => {}
        }
        let one_number = |next: usize| next == at || matches!(self.gap_before(next), " " | "-");
        parse_count(|next| if one_number(next) { self.word_at(next) } else { "" }, at)
    }

    /// Whether a word begins with a capital.
    fn is_capitalized(&self, at: usize) -> bool {
        self.words.is_capitalized(at)
    }
}

/// Splits between letters and digits only where an unspaced script begins or ends: `14th` is one word, `4月` two.
fn split_words(text: &str) -> Vec<TextRun> {
    let mut words: Vec<TextRun> = Vec::new();
    let mut dense = None;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() && !crate::normalize::is_mark(c) {
            dense = None;
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if dense == Some(is_unspaced_script(c)) => word.at.end = end,
            _ => words.push(TextRun { at: at..end, text: String::new(), capital: c.is_uppercase() }),
        }
        dense = Some(is_unspaced_script(c));
    }
    for word in &mut words {
        let raw = text.get(word.at.clone()).unwrap_or_default();
        if raw.chars().next().is_some_and(is_unspaced_script) {
            // `先週の` is `先週` with a particle: cut at the first hiragana.
            let end = raw.find(|c| matches!(c, '\u{3041}'..='\u{309f}')).unwrap_or(raw.len());
            let end = match raw.chars().next() {
                Some(sign @ ('年' | '月' | '日')) => sign.len_utf8(),
                _ => end,
            };
            word.at.end = word.at.start + end.max(raw.chars().next().map_or(0, char::len_utf8));
            word.text = text.get(word.at.clone()).unwrap_or_default().to_owned();
        } else if raw.len() <= 16 {
            word.text = fold_word(raw);
        }
    }
    words
}

#[cfg(test)]
mod listed_tests;
#[cfg(test)]
mod tests;
