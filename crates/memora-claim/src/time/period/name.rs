//! What the words of a file's name, a folder's or a heading say of a time.
//!
//! The one rule to know: **a year alone is a time only where nothing else stands.** `2019` is a year's note, `2019 conference`
//! a conference; a month with its year, a week or a day is one among other words too.

use jiff::ToSpan;

use super::days::{Days, Named};
use crate::time::tokens::{Tokens, day, digits, listed, month, season, weekday, year};

/// Words beside a year that leave it a time: `2021 in review`.
const BESIDE_A_YEAR: &str = "annual diary year yearly journal log notes note review recap retrospective summary in of the my \
    jahr jahres jahresruckblick ruckblick tagebuch goals";

/// Words that lead to a date in a heading.
const LEADS: &str = "on the date journal diary log entry am den der vom week of woche semana kw wk wc from";

/// Words that count weeks.
const WEEKS: &str = "week wk w kw woche semana weeknote weeknotes wochennotizen";

/// A time in tokens: what, and how many of them.
type Found = Option<(Named, usize)>;

/// What a heading says, at a place of some days.
pub(super) fn of_heading(tokens: &Tokens<'_>, within: Option<Days>) -> Option<Named> {
    let mut at = 0;
    while listed(LEADS, word(tokens, at)) && at < 3 {
        at += 1;
    }
    // "Week 14", "week of 5 March" begin with a lead themselves.
    for start in [0, at] {
        let weekdays = usize::from(weekday(word(tokens, start)).is_some());
        if let Some((named, used)) = first(tokens, start + weekdays).filter(|(_, used)| *used > 0) {
            let end = start + weekdays + used;
            let alone = end == tokens.len();
            let fits = match named {
                Named::Known(days) => days.count() < 300 || alone || tokens.gap(end).contains('('),
                Named::MonthDay(..) => true,
                Named::Week(_) => alone || within.is_some_and(|within| within.count() > 7),
                Named::Months(..) | Named::Day(_) | Named::Weekday(_) => alone,
                Named::Number(_) => alone && within.is_some_and(|within| within.count() < 45),
                Named::Pair(..) => alone,
            };
            if fits {
                return Some(named);
            }
        }
        if weekdays == 1 && tokens.len() == start + 1 {
            return Some(Named::Weekday(weekday(word(tokens, start))?));
        }
    }
    anywhere(tokens, 1)
}

/// What a file's or folder's name says, in a folder of some days.
pub(super) fn of_name(tokens: &Tokens<'_>, within: Option<Days>) -> Option<Named> {
    if let Some(named) = anywhere(tokens, 100) {
        return Some(named);
    }
    let (named, used) = match month(word(tokens, 1)) {
        // `03-March` is March, and no third of March.
        Some(month) if small(word(tokens, 0), 1..=12) == Some(month) && tokens.len() == 2 => (Named::Number(month), 2),
        _ => first(tokens, 0)?,
    };
    let alone = used == tokens.len();
    let beside = |at: usize| listed(BESIDE_A_YEAR, &folded(word(tokens, at)));
    match named {
        // A year.
        Named::Known(_) => alone.then_some(named),
        _ if within.is_none() => None,
        // `12 Tuesday`.
        Named::Number(_) | Named::Day(_) if used + 1 == tokens.len() => {
            weekday(word(tokens, used)).is_some().then_some(named)
        }
        _ => alone.then_some(named),
    }
    .or_else(|| {
        let years: Vec<usize> = (0..tokens.len()).filter(|at| year(word(tokens, *at)).is_some()).collect();
        let [at] = years.as_slice() else { return None };
        let of_year = (0..tokens.len()).all(|other| other == *at || beside(other));
        of_year.then(|| whole_year(year(word(tokens, *at))?)).flatten()
    })
}

/// The first time with its year among other words, of so many days at most.
fn anywhere(tokens: &Tokens<'_>, most: i32) -> Option<Named> {
    let known = |at: usize| match first(tokens, at)? {
        (Named::Known(days), used) if days.count() <= most => Some((days, at + used)),
        _ => None,
    };
    let (days, end) = (0..tokens.len()).find_map(known)?;
    // `2021-03-01 to 2021-03-07`.
    let end = if matches!(word(tokens, end), "to" | "bis" | "until") { end + 1 } else { end };
    let last = known(end).map(|(last, _)| last).filter(|last| last.count() == days.count() && days.0 < last.0);
    let until = last.filter(|last| most > 1 && Days(days.0, last.1).count() < 400).unwrap_or(days).1;
    Some(Named::Known(Days::new(days.0, until)?))
}

/// The number of the week that a heading names: `Week 6`, `Weeknotes 06`.
pub(super) fn week_number(tokens: &Tokens<'_>) -> Option<i8> {
    let at = (0..tokens.len()).find(|at| listed(WEEKS, word(tokens, *at)))?;
    let number = small(word(tokens, at + 1), 1..=53)?;
    (at < 2).then_some(number)
}

/// Whether a file's name without `.md` is a year and the number of a week that is no month's: `2024-32`.
#[must_use]
pub fn is_week_number(name: &str) -> bool {
    let tokens = Tokens::of(name);
    tokens.len() == 2 && year(word(&tokens, 0)).is_some() && small(word(&tokens, 1), 13..=53).is_some()
}

/// Whether a name begins with a year and a number of two digits, as months are written.
pub(super) fn is_year_and_number(tokens: &Tokens<'_>) -> bool {
    year(word(tokens, 0)).is_some() && digits(word(tokens, 1), 2, 2).is_some()
}

fn word<'t>(tokens: &'t Tokens<'_>, at: usize) -> &'t str {
    tokens.word(at)
}

/// What stands at a token.
fn first(tokens: &Tokens<'_>, at: usize) -> Found {
    compact(word(tokens, at))
        .or_else(|| numeric(tokens, at))
        .or_else(|| week(tokens, at))
        .or_else(|| part(tokens, at))
        .or_else(|| written(tokens, at))
        .or_else(|| {
            let (number, ordinal) = day(word(tokens, at))?;
            let (pair, gap) = (small(word(tokens, at + 1), 1..=31), tokens.gap(at + 1));
            match pair {
                Some(second) if gap == "-" && number <= 12 => Some((Named::Pair(number, second), 2)),
                Some(first) if gap == "." && first <= 12 => Some((Named::Pair(first, number), 2)),
                Some(second) if gap == "/" => Some((Named::Pair(number, second), 2)),
                _ if ordinal => Some((Named::Day(number), 1)),
                _ => Some((Named::Number(number), 1)),
            }
        })
        .or_else(|| Some((whole_year(year(word(tokens, at))?)?, 1)))
}

/// `20240312`, `202403121530`, `2022w14`.
fn compact(word: &str) -> Found {
    let days = match word.len() {
        8 | 12 | 14 if word.bytes().all(|b| b.is_ascii_digit()) => {
            let part = |from: usize, to: usize| word.get(from..to)?.parse::<i8>().ok();
            let time = word.len() == 8 || part(8, 10)? < 24 && part(10, 12)? < 60;
            let year = year(word.get(..4)?).filter(|year| time && (1900..2100).contains(year))?;
            Days::day(year, part(4, 6)?, part(6, 8)?)?
        }
        6 | 7 => Days::week(year(word.get(..4)?)?, small(word.get(4..)?.strip_prefix('w')?, 1..=53)?)?,
        _ => return None,
    };
    Some((Named::Known(days), 1))
}

/// `2024-03-12`, `2024/03/12T09`, `12.03.2024`, `2024-03`, `2024年3月12日`.
fn numeric(tokens: &Tokens<'_>, at: usize) -> Found {
    let (left, right) = (tokens.gap(at + 1).trim(), tokens.gap(at + 2).trim());
    let joined = |gap: &str| matches!(gap, "-" | "/" | "." | "_" | "–");
    let number = |at: usize, most: i8| small(word(tokens, at), 1..=most);
    if let Some(year) = year(word(tokens, at)).filter(|_| joined(left)) {
        let month = number(at + 1, 53)?;
        let raw = word(tokens, at + 2);
        let raw = raw.split_once('t').map_or(raw, |(day, _)| day);
        if let Some(day) = small(raw, 1..=31).filter(|_| right == left || joined(right) && left == "-" && right != "_")
        {
            return Some((Named::Known(Days::day(year, month, day)?), 3));
        }
        let written = digits(word(tokens, at + 1), 2, 2).is_some();
        let days = if month > 12 { Days::week(year, month) } else { Days::months(year, month, month) };
        // A number behind it makes it something else: a version, an id.
        let goes_on = joined(right) && raw.len() > 4;
        return days.filter(|_| written && !goes_on).map(|days| (Named::Known(days), 2));
    }
    let year = year(word(tokens, at + 2)).filter(|_| joined(left) && left == right)?;
    let (first, second) = (number(at, 31)?, number(at + 1, 31)?);
    let (day, month) = match (left, first > 12, second > 12) {
        (".", ..) | (_, true, false) => (first, second),
        (_, false, true) => (second, first),
        _ if first == second => (first, second),
        _ => return None,
    };
    Some((Named::Known(Days::day(year, month, day)?), 3))
}

/// `2022-W14`, `W14 2022`, `week 14 of 2022`, `KW 14`, `week of 2021-10-25`.
fn week(tokens: &Tokens<'_>, at: usize) -> Found {
    let numbered = |at: usize| {
        let text = word(tokens, at);
        if let Some(number) = text.strip_prefix("kw").or_else(|| text.strip_prefix('w')) {
            return small(number, 1..=53).map(|week| (week, 1)).or_else(|| {
                let after = listed(WEEKS, text).then(|| small(word(tokens, at + 1), 1..=53)).flatten()?;
                Some((after, 2))
            });
        }
        let after = listed(WEEKS, text).then(|| small(word(tokens, at + 1), 1..=53)).flatten()?;
        Some((after, 2))
    };
    if let Some(year) = year(word(tokens, at)) {
        let (week, used) = numbered(at + 1)?;
        return Some((Named::Known(Days::week(year, week)?), used + 1));
    }
    if let Some((week, used)) = numbered(at) {
        let of = usize::from(matches!(word(tokens, at + used), "of" | "in"));
        return match year(word(tokens, at + used + of)) {
            Some(year) => Some((Named::Known(Days::week(year, week)?), used + of + 1)),
            None => Some((Named::Week(week), used)),
        };
    }
    if !listed(WEEKS, word(tokens, at)) {
        return None;
    }
    let skipped = (at + 1..at + 4).take_while(|at| listed("of from the vom ab", word(tokens, *at))).count() + 1;
    let (named, used) = compact(word(tokens, at + skipped))
        .or_else(|| numeric(tokens, at + skipped))
        .or_else(|| written(tokens, at + skipped))?;
    match named {
        Named::Known(days) if days.count() == 1 => {
            let week = Days::new(days.0, days.0.checked_add(6.days()).ok()?)?;
            Some((Named::Known(week), skipped + used))
        }
        _ => None,
    }
}

/// `2021-Q3`, `Q3 2021`, `summer of 2019`, `winter 2019/20`.
fn part(tokens: &Tokens<'_>, at: usize) -> Found {
    let months = |at: usize| {
        let quarter = word(tokens, at).strip_prefix('q').and_then(|number| small(number, 1..=4));
        quarter.map(|quarter| (quarter * 3 - 2, quarter * 3)).or_else(|| season(word(tokens, at)))
    };
    if let Some(year) = year(word(tokens, at)) {
        let (first, last) = months(at + 1)?;
        return Some((Named::Known(Days::months(year, first, last)?), 2));
    }
    let (first, last) = months(at)?;
    let of = usize::from(word(tokens, at + 1) == "of");
    let Some(year) = year(word(tokens, at + 1 + of)) else { return Some((Named::Months(first, last), 1)) };
    let split = usize::from(tokens.gap(at + 2 + of) == "/" && digits(word(tokens, at + 2 + of), 2, 4).is_some());
    Some((Named::Known(Days::months(year, first, last)?), 2 + of + split))
}

/// `June 2nd 2020`, `24 July 2019`, `2018-july`, `July 2021`, `June 29th`, `29. Juni`, `June`.
fn written(tokens: &Tokens<'_>, at: usize) -> Found {
    let ordinal = |at: usize| day(word(tokens, at)).map(|(day, _)| day);
    if let Some(year) = year(word(tokens, at)) {
        let month = month(word(tokens, at + 1))?;
        if let Some(day) = ordinal(at + 2).and_then(|day| Days::day(year, month, day)) {
            return Some((Named::Known(day), 3));
        }
        return Some((Named::Known(Days::months(year, month, month)?), 2));
    }
    if let Some(day) = ordinal(at) {
        let of = usize::from(word(tokens, at + 1) == "of");
        let month = month(word(tokens, at + 1 + of))?;
        return match year(word(tokens, at + 2 + of)) {
            Some(year) => Some((Named::Known(Days::day(year, month, day)?), 3 + of)),
            None => Some((Named::MonthDay(month, day), 2 + of)),
        };
    }
    let month = month(word(tokens, at))?;
    if let Some(year) = year(word(tokens, at + 1)) {
        return Some((Named::Known(Days::months(year, month, month)?), 2));
    }
    let the = usize::from(word(tokens, at + 1) == "the");
    if let Some(day) = ordinal(at + 1 + the) {
        return match year(word(tokens, at + 2 + the)) {
            Some(year) => Some((Named::Known(Days::day(year, month, day)?), 3 + the)),
            None => Some((Named::MonthDay(month, day), 2 + the)),
        };
    }
    Some((Named::Months(month, month), 1))
}

fn whole_year(year: i16) -> Option<Named> {
    Some(Named::Known(Days::months(year, 1, 12)?))
}

fn small(text: &str, within: std::ops::RangeInclusive<i8>) -> Option<i8> {
    digits(text, 1, 2).and_then(|number| i8::try_from(number).ok()).filter(|number| within.contains(number))
}

/// Umlauts as the list has them.
fn folded(text: &str) -> String {
    text.to_lowercase().replace('ä', "a").replace('ö', "o").replace('ü', "u")
}
