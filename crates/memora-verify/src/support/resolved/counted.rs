//! Days counted from another one that the words name: `two days later`, `the Monday after`, `24 months from 15 January`; and a
//! few that have names: `Christmas Eve`, `the new year`.

use std::ops::Range;

use memora_claim::time::{Role, Rule, Time, When};
use memora_vault::PartialDate;

use super::anchor::Anchor;
use super::choose::moved;

/// A word of a text, in lower case.
pub(super) struct Word {
    pub(super) at: Range<usize>,
    pub(super) lower: String,
}

/// The words of a text: runs of letters and digits.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let mut goes_on = false;
    for (at, letter) in text.char_indices() {
        if !letter.is_alphanumeric() {
            goes_on = false;
            continue;
        }
        let end = at + letter.len_utf8();
        match found.last_mut() {
            Some(word) if goes_on => {
                word.at.end = end;
                word.lower.extend(letter.to_lowercase());
            }
            _ => found.push(Word { at: at..end, lower: letter.to_lowercase().collect() }),
        }
        goes_on = true;
    }
    found
}

/// An expression of this kind.
pub(super) struct Counted {
    pub(super) words: Range<usize>,
    pub(super) role: Role,
    pub(super) what: What,
}

pub(super) enum What {
    /// So many days behind the last one that was named.
    Later(i32),
    /// The first such weekday behind it; Monday is 1.
    Weekday(usize),
    /// So many days, or months, behind or before a day that is written beside it.
    From(PartialDate, Unit, i32),
    /// The same day so many years, months or days ago.
    AgoToday(Unit, i32),
    NewYear,
    /// A day of any year.
    Feast(u32, u32),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Days,
    Months,
}

impl Counted {
    /// What it means, where the last day that was named before it is known.
    pub(super) fn resolve(&self, before: Option<PartialDate>, anchor: &Anchor) -> Option<(PartialDate, PartialDate)> {
        let one = match &self.what {
            What::Later(days) => moved(before?, *days)?,
            What::Weekday(day) => {
                const SHORT: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
                When::parse(&format!("@{}>", SHORT.get(*day)?))?.resolve(before)?.0
            }
            What::From(day, unit, by) => by_unit(*day, *unit, *by)?,
            What::AgoToday(unit, by) => by_unit(anchor.date().filter(|date| date.day().is_some())?, *unit, -by)?,
            What::NewYear => {
                let date = anchor.date()?;
                let year = match date.month()? {
                    11 | 12 => date.year().checked_add(1)?,
                    1 => date.year(),
                    _ => return None,
                };
                PartialDate::y(year)?
            }
            // Which year, only the tense could say.
            What::Feast(..) => return None,
        };
        Some((one, one))
    }
}

fn by_unit(day: PartialDate, unit: Unit, by: i32) -> Option<PartialDate> {
    match unit {
        Unit::Days => moved(day, by),
        Unit::Months => {
            let sign = if by > 0 { "+" } else { "" };
            let month = When::parse(&format!("@{sign}{by}m"))?.resolve(Some(day))?.0;
            PartialDate::ymd(month.year(), month.month()?, day.day()?)
        }
    }
}

/// The expressions of a text, in order; `read` are the times in it.
pub(super) fn counted(text: &str, words: &[Word], read: &[Time]) -> Vec<Counted> {
    let finder = Finder { text, words, read };
    let mut found: Vec<Counted> = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match finder.at(at) {
            Some((counted, used)) => {
                found.push(counted);
                at += used.max(1);
            }
            None => at += 1,
        }
    }
    found
}

struct Finder<'t> {
    text: &'t str,
    words: &'t [Word],
    read: &'t [Time],
}

impl Finder<'_> {
    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| word.lower.as_str())
    }

    /// Whether only white space stands between the words from one on, so many.
    fn joined(&self, from: usize, count: usize) -> bool {
        self.words.get(from..from + count).is_some_and(|words| {
            words.windows(2).all(|pair| match pair {
                [a, b] => self.text.get(a.at.end..b.at.start).is_some_and(|gap| gap.trim().is_empty()),
                _ => false,
            })
        })
    }

    /// Whether a clause ends behind a word.
    fn ends(&self, at: usize) -> bool {
        let Some(word) = self.words.get(at) else { return false };
        let gap_end = self.words.get(at + 1).map_or(self.text.len(), |next| next.at.start);
        let gap = self.text.get(word.at.end..gap_end).unwrap_or_default();
        at + 1 == self.words.len() || super::parts(gap)
    }

    fn made(&self, from: usize, count: usize, what: What) -> Option<(Counted, usize)> {
        let (first, last) = (self.words.get(from)?, self.words.get(from + count - 1)?);
        let lead = from.checked_sub(1).map_or("", |at| self.word(at));
        let lead = if lead == "the" { from.checked_sub(2).map_or("", |at| self.word(at)) } else { lead };
        let role = match lead {
            "until" | "till" => Role::Until,
            "since" | "from" => Role::Since,
            "by" => Role::Due,
            "before" => Role::Before,
            "after" => Role::After,
            _ => Role::At,
        };
        Some((Counted { words: first.at.start..last.at.end, role, what }, count))
    }

    fn at(&self, at: usize) -> Option<(Counted, usize)> {
        self.later(at).or_else(|| self.weekday_after(at)).or_else(|| self.from(at)).or_else(|| self.named(at))
    }

    /// `two days later`, `the next day`, `the day after`.
    fn later(&self, at: usize) -> Option<(Counted, usize)> {
        if let (Some(count), "day" | "days") = (number(self.word(at)), self.word(at + 1))
            && matches!(self.word(at + 2), "later" | "afterwards")
            && self.joined(at, 3)
        {
            return self.made(at, 3, What::Later(count));
        }
        let follows = |next: &str| matches!(next, "next" | "following");
        let is_led = at > 0 && self.word(at - 1) == "the";
        if is_led && follows(self.word(at)) && self.word(at + 1) == "day" && self.joined(at, 2) {
            return self.made(at, 2, What::Later(1));
        }
        if is_led && self.word(at) == "day" && self.word(at + 1) == "after" && self.joined(at, 2) && self.ends(at + 1) {
            return self.made(at, 2, What::Later(1));
        }
        None
    }

    /// `the Monday after`, `the following Monday`.
    fn weekday_after(&self, at: usize) -> Option<(Counted, usize)> {
        let day = |at: usize| super::super::dates::weekday(self.word(at)).and_then(|day| usize::try_from(day - 1).ok());
        if at == 0 || self.word(at - 1) != "the" || !self.joined(at, 2) {
            return None;
        }
        match (day(at), day(at + 1)) {
            (Some(day), _) if self.word(at + 1) == "after" && self.ends(at + 1) => self.made(at, 2, What::Weekday(day)),
            (_, Some(day)) if self.word(at) == "following" => self.made(at, 2, What::Weekday(day)),
            _ => None,
        }
    }

    /// `24 months from 15 Jan 2024`, `two years ago today`.
    fn from(&self, at: usize) -> Option<(Counted, usize)> {
        let count = number(self.word(at))?;
        let (unit, each) = match self.word(at + 1) {
            "day" | "days" => (Unit::Days, 1),
            "week" | "weeks" => (Unit::Days, 7),
            "month" | "months" => (Unit::Months, 1),
            "year" | "years" => (Unit::Months, 12),
            _ => return None,
        };
        let by = count.checked_mul(each)?;
        if self.word(at + 2) == "ago" && self.word(at + 3) == "today" && self.joined(at, 4) {
            return self.made(at, 4, What::AgoToday(unit, by));
        }
        if !matches!(self.word(at + 2), "from" | "after") || !self.joined(at, 4) {
            return None;
        }
        let start = self.words.get(at + 3)?.at.start;
        let time = self.read.iter().find(|time| time.words.start == start && !matches!(time.rule, Rule::Year))?;
        let (first, last) = time.when.resolve(None)?;
        let day = Some(first).filter(|day| first == last && day.day().is_some())?;
        let used = self.words.iter().skip(at).take_while(|word| word.at.end <= time.words.end).count();
        let (counted, used) = self.made(at, used, What::From(day, unit, by))?;
        // So long does it last.
        Some((Counted { role: Role::Until, ..counted }, used))
    }

    /// `Christmas Eve`, `the new year`.
    fn named(&self, at: usize) -> Option<(Counted, usize)> {
        if !self.joined(at, 2) {
            return None;
        }
        match (self.word(at), self.word(at + 1)) {
            ("christmas", "eve") => self.made(at, 2, What::Feast(12, 24)),
            ("christmas", "day") => self.made(at, 2, What::Feast(12, 25)),
            ("boxing", "day") => self.made(at, 2, What::Feast(12, 26)),
            ("new", "year") if at > 0 && self.word(at - 1) == "the" && self.ends(at + 1) => {
                self.made(at, 2, What::NewYear)
            }
            _ => None,
        }
    }
}

fn number(word: &str) -> Option<i32> {
    const NAMED: [&str; 13] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let named = NAMED.iter().position(|name| *name == word).and_then(|at| i32::try_from(at).ok());
    let counted = named.or(if matches!(word, "a" | "an") { Some(1) } else { None });
    counted.or_else(|| word.parse().ok()).filter(|count| (1..=1000).contains(count))
}
