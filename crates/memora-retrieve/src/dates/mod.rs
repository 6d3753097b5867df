//! The dates that a text names: `2024-03`, `14 March 2025`, `last Tuesday`, `gestern`, `2025年4月12日`.
//!
//! Read are whole expressions with a year, and those relative to a day that is passed in; this crate never looks at a
//! clock. A month without a year, or a bare `2024` without a preposition, is left to the words: a wrong filter would
//! hide the answer, a missing one only ranks it lower.

use std::ops::Range;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use memora_vault::PartialDate;

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

/// The dates named in `text`, in order. Relative ones need `today` to be a whole date.
#[must_use]
pub fn dates_in(text: &str, today: PartialDate) -> Vec<DateRange> {
    let reader = Reader { words: words(text), text, today: civil(today) };
    let mut found = Vec::new();
    let mut at = 0;
    while at < reader.words.len() {
        let Some(((from, until), used)) = reader.expression(at) else {
            at += 1;
            continue;
        };
        let words = reader.words.get(at..at + used).unwrap_or_default();
        if let (Some(first), Some(last)) = (words.first(), words.last()) {
            found.extend(range(from, until, first.from..last.to));
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
    dates_in(text, base).into_iter().map(|range| (range.from, range.until)).collect()
}

fn range(from: Date, until: Date, text: Range<usize>) -> Option<DateRange> {
    let whole = |date: Date| PartialDate::ymd(date.year(), date.month(), date.day());
    Some(DateRange { from: whole(from)?, until: whole(until)?, text })
}

fn civil(date: PartialDate) -> Option<Date> {
    Date::new(date.year(), date.month()?, date.day()?).ok()
}

/// A run of letters or of digits.
struct Word {
    from: usize,
    to: usize,
    /// Folded; empty for a word too long to be part of a date.
    text: String,
}

/// First and last day, and how many words said so.
type Found = Option<((Date, Date), usize)>;

struct Reader<'t> {
    text: &'t str,
    words: Vec<Word>,
    today: Option<Date>,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.text.as_str())
    }

    /// What stands between word `at - 1` and word `at`.
    fn gap(&self, at: usize) -> &str {
        let (Some(left), Some(right)) = (at.checked_sub(1).and_then(|l| self.words.get(l)), self.words.get(at)) else {
            return "";
        };
        self.text.get(left.to..right.from).unwrap_or_default()
    }

    fn expression(&self, at: usize) -> Found {
        if self.word(at).is_empty() {
            return None;
        }
        let plain = |at| self.absolute(at).or_else(|| self.relative(at));
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
        let near =
            |at: usize| self.gap(at).chars().all(|c| matches!(c, ' ' | '.' | ',' | '\u{a0}')) && self.gap(at).len() < 4;
        if let Some(day) = ordinal(self.word(at)) {
            let month_at = if self.word(at + 1) == "of" { at + 2 } else { at + 1 };
            let date = Date::new(year(self.word(month_at + 1))?, month(self.word(month_at))?, day).ok()?;
            return (near(month_at) && near(month_at + 1)).then_some(((date, date), month_at + 2 - at));
        }
        let month = month(self.word(at))?;
        if !near(at + 1) {
            return None;
        }
        if let Some(year) = year(self.word(at + 1)) {
            return Some((whole_month(year, month)?, 2));
        }
        let date = Date::new(year(self.word(at + 2))?, month, ordinal(self.word(at + 1))?).ok()?;
        near(at + 2).then_some(((date, date), 3))
    }

    fn relative(&self, at: usize) -> Found {
        let today = self.today?;
        let days = |back: i64| today.checked_sub(back.days()).ok().map(|date| ((date, date), 1));
        match self.word(at) {
            "today" | "heute" | "今日" => return days(0),
            "yesterday" | "gestern" | "昨日" | "昨天" => return days(1),
            "tomorrow" | "morgen" | "明日" | "明天" => return days(-1),
            "vorgestern" => return days(2),
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
            return Some((self.ago(count, self.word(at + 1), today)?, 3));
        }
        let step = match self.word(at) {
            "last" | "letzte" | "letzten" | "letztes" | "letzter" | "vorige" | "vorigen" | "voriges" => -1,
            "this" | "diese" | "diesen" | "dieses" | "dieser" | "diesem" => 0,
            "next" | "nachste" | "nachsten" | "nachstes" => 1,
            _ => return None,
        };
        let days = match self.word(at + 1) {
            "week" | "woche" => week(today, step)?,
            "month" | "monat" => months(today, step)?,
            "year" | "jahr" => whole_year(today.year().checked_add(i16::try_from(step).ok()?)?)?,
            name => {
                let day = today.nth_weekday(if step < 0 { -1 } else { 1 }, weekday(name)?).ok()?;
                (day, day)
            }
        };
        Some((days, 2))
    }

    fn ago(&self, count: i32, unit: &str, today: Date) -> Option<(Date, Date)> {
        match unit.strip_suffix('s').unwrap_or(unit) {
            "day" => today.checked_sub(count.days()).ok().map(|date| (date, date)),
            "week" => week(today, -count),
            "month" => months(today, -count),
            "year" => whole_year(today.year().checked_sub(i16::try_from(count).ok()?)?),
            _ => None,
        }
    }
}

/// Cuts between letters and digits only where a dense script begins or ends: `14th` is one word, `4月` two.
fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut dense = None;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() && !crate::fold::is_mark(c) {
            dense = None;
            continue;
        }
        let end = at + c.len_utf8();
        match words.last_mut() {
            Some(word) if dense == Some(is_dense(c)) => word.to = end,
            _ => words.push(Word { from: at, to: end, text: String::new() }),
        }
        dense = Some(is_dense(c));
    }
    for word in &mut words {
        let raw = text.get(word.from..word.to).unwrap_or_default();
        if raw.chars().next().is_some_and(is_dense) {
            // `先週の` is `先週` with a particle: cut at the first hiragana.
            let end = raw.find(|c| matches!(c, '\u{3041}'..='\u{309f}')).unwrap_or(raw.len());
            let end = match raw.chars().next() {
                Some(sign @ ('年' | '月' | '日')) => sign.len_utf8(),
                _ => end,
            };
            word.to = word.from + end.max(raw.chars().next().map_or(0, char::len_utf8));
            word.text = text.get(word.from..word.to).unwrap_or_default().to_owned();
        } else if raw.len() <= 16 {
            word.text = fold(raw);
        }
    }
    words
}

fn year(text: &str) -> Option<i16> {
    let digits = text.len() == 4 && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten().filter(|year| (1500..=2200).contains(year))
}

fn number(text: &str) -> Option<i8> {
    (text.len() <= 2).then(|| text.parse().ok()).flatten()
}

/// `14`, `14th`, `1st`.
fn ordinal(text: &str) -> Option<i8> {
    let digits = ["st", "nd", "rd", "th"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    number(digits)
}

fn month(name: &str) -> Option<i8> {
    Some(match name {
        "january" | "jan" | "januar" | "janner" => 1,
        "february" | "feb" | "februar" => 2,
        "march" | "mar" | "marz" | "maerz" => 3,
        "april" | "apr" => 4,
        "may" | "mai" => 5,
        "june" | "jun" | "juni" => 6,
        "july" | "jul" | "juli" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" | "oktober" | "okt" => 10,
        "november" | "nov" => 11,
        "december" | "dec" | "dezember" | "dez" => 12,
        _ => return None,
    })
}

fn weekday(name: &str) -> Option<Weekday> {
    Some(match name {
        "monday" | "montag" => Weekday::Monday,
        "tuesday" | "dienstag" => Weekday::Tuesday,
        "wednesday" | "mittwoch" => Weekday::Wednesday,
        "thursday" | "donnerstag" => Weekday::Thursday,
        "friday" | "freitag" => Weekday::Friday,
        "saturday" | "samstag" | "sonnabend" => Weekday::Saturday,
        "sunday" | "sonntag" => Weekday::Sunday,
        _ => return None,
    })
}

fn whole_year(year: i16) -> Option<(Date, Date)> {
    Some((Date::new(year, 1, 1).ok()?, Date::new(year, 12, 31).ok()?))
}

fn whole_month(year: i16, month: i8) -> Option<(Date, Date)> {
    let first = Date::new(year, month, 1).ok()?;
    Some((first, first.last_of_month()))
}

fn months(today: Date, step: i32) -> Option<(Date, Date)> {
    let day = today.first_of_month().checked_add(step.months()).ok()?;
    Some((day, day.last_of_month()))
}

/// Monday to Sunday.
fn week(today: Date, step: i32) -> Option<(Date, Date)> {
    let monday =
        today.checked_sub(today.weekday().to_monday_zero_offset().days()).ok()?.checked_add(step.weeks()).ok()?;
    Some((monday, monday.checked_add(6.days()).ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Today is Wednesday, 16 April 2025.
    #[track_caller]
    fn check(text: &str, expect: &[(&str, &str, &str)]) {
        let today = PartialDate::parse("2025-04-16").expect("a date");
        let found: Vec<(String, String, &str)> = dates_in(text, today)
            .into_iter()
            .map(|range| (range.from.to_string(), range.until.to_string(), text.get(range.text).expect("in bounds")))
            .collect();
        let expect: Vec<(String, String, &str)> =
            expect.iter().map(|&(from, until, words)| (from.into(), until.into(), words)).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn absolute() {
        check(
            "on 2024-03-12, or 2024/03/13?",
            &[("2024-03-12", "2024-03-12", "2024-03-12"), ("2024-03-13", "2024-03-13", "2024/03/13")],
        );
        check(
            "2024-02 and 2024-03-12T09:30",
            &[("2024-02-01", "2024-02-29", "2024-02"), ("2024-03-12", "2024-03-12", "2024-03-12T09")],
        );
        check("what did March 2025 bring", &[("2025-03-01", "2025-03-31", "March 2025")]);
        check("14 March 2025", &[("2025-03-14", "2025-03-14", "14 March 2025")]);
        check("the 14th of March, 2025", &[("2025-03-14", "2025-03-14", "14th of March, 2025")]);
        check("March 14, 2025", &[("2025-03-14", "2025-03-14", "March 14, 2025")]);
        check("am 14. März 2025", &[("2025-03-14", "2025-03-14", "14. März 2025")]);
        check("am 3.4.2025", &[("2025-04-03", "2025-04-03", "3.4.2025")]);
        check("2025年4月12日に何", &[("2025-04-12", "2025-04-12", "2025年4月12日")]);
        check("２０２５年４月の", &[("2025-04-01", "2025-04-30", "２０２５年４月")]);
        check("in 2024", &[("2024-01-01", "2024-12-31", "in 2024")]);
        check("since March 2024", &[("2024-03-01", "9999-12-31", "since March 2024")]);
        check("before 2024", &[("0001-01-01", "2023-12-31", "before 2024")]);
    }

    #[test]
    fn relative() {
        check("yesterday", &[("2025-04-15", "2025-04-15", "yesterday")]);
        check("was war gestern", &[("2025-04-15", "2025-04-15", "gestern")]);
        check("last week", &[("2025-04-07", "2025-04-13", "last week")]);
        check("last month", &[("2025-03-01", "2025-03-31", "last month")]);
        check("this month", &[("2025-04-01", "2025-04-30", "this month")]);
        check("in the last year", &[("2024-01-01", "2024-12-31", "last year")]);
        check("last Tuesday", &[("2025-04-15", "2025-04-15", "last Tuesday")]);
        check("last Wednesday", &[("2025-04-09", "2025-04-09", "last Wednesday")]);
        check("3 days ago", &[("2025-04-13", "2025-04-13", "3 days ago")]);
        check("先月の会議", &[("2025-03-01", "2025-03-31", "先月")]);
        check("先月は何", &[("2025-03-01", "2025-03-31", "先月")]);
    }

    #[test]
    fn what_is_no_date_is_left_alone() {
        for text in
            ["", "may I ask", "2024 apples", "2025-13-40", "version 1.2.2024x", "in 10 minutes", "March", "12-03"]
        {
            check(text, &[]);
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,40}|([0-9]{1,5}|[-/. ]|March|last|in|since|年|月|日|ago|years){0,12}") {
            for range in dates_in(&text, PartialDate::parse("0001-01-01").expect("a date")) {
                prop_assert!(text.get(range.text.clone()).is_some());
                prop_assert!(range.from.day().is_some() && range.until.day().is_some());
            }
        }
    }
}
