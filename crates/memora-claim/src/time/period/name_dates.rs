//! Parses times in names of files and folders, and in headings.
//!
//! Invariant: **a year is a time only if it stands alone.** `2019` is a yearly note, `2019 conference` is
//! a conference; a month with its year, a week or a day is a time among other words too.

use jiff::ToSpan;

use super::days::{NamedTime, Period};
use crate::lists::{HEADING_LEAD_WORDS, WEEK_LINKS, WEEK_WORDS, YEAR_NOTE_WORDS};
use crate::time::forms::{parse_numbered_week, parse_year_part};
use crate::time::mention::TimeRule;
use memora_nlp::time::{
    TextRuns as Tokens, month_number, parse_day, parse_digits, parse_year, season_months, weekday_number,
};

/// A named time, and the number of its tokens.
type NamedTimeMatch = Option<(NamedTime, usize)>;

/// Parses the time in a heading, in a context of known days.
pub(super) fn parse_heading(tokens: &Tokens<'_>, within: Option<Period>) -> Option<NamedTime> {
    let mut at = 0;
    while HEADING_LEAD_WORDS.contains(tokens.word(at)) && at < 3 {
        at += 1;
    }
    // "Week 14" and "the week of 5 March" have such a word of their own.
    for start in 0..=at {
        let weekdays = usize::from(weekday_number(tokens.word(start)).is_some());
        if let Some((named, used)) = parse_time_at(tokens, start + weekdays).filter(|(_, used)| *used > 0) {
            let end = start + weekdays + used;
            let alone = end == tokens.len();
            let fits = match named {
                NamedTime::Known(days) => days.day_count() < 300 || alone || tokens.gap_before(end).contains('('),
                NamedTime::MonthDay(..) => true,
                NamedTime::Week(_) => alone || within.is_some_and(|within| within.day_count() > 7),
                NamedTime::Months(..) | NamedTime::Day(_) | NamedTime::Weekday(_) => alone,
                NamedTime::Number(_) => alone && within.is_some_and(|within| within.day_count() < 45),
                NamedTime::Pair(..) => alone,
            };
            if fits {
                return Some(named);
            }
        }
        if weekdays == 1 && tokens.len() == start + 1 {
            return Some(NamedTime::Weekday(weekday_number(tokens.word(start))?));
        }
    }
    find_anywhere(tokens, 1)
}

/// Parses the time in a file or folder name, in a folder of known days.
pub(super) fn parse_file_name(tokens: &Tokens<'_>, within: Option<Period>) -> Option<NamedTime> {
    if let Some(named) = find_anywhere(tokens, 100) {
        return Some(named);
    }
    let (named, used) = match month_number(tokens.word(1)) {
        // `03-March` is March, not the third of March.
        Some(month) if parse_small_number(tokens.word(0), 1..=12) == Some(month) && tokens.len() == 2 => {
            (NamedTime::Number(month), 2)
        }
        _ => parse_time_at(tokens, 0)?,
    };
    let alone = used == tokens.len();
    let beside = |at: usize| YEAR_NOTE_WORDS.contains(fold_umlauts(tokens.word(at)).as_str());
    match named {
        // A year.
        NamedTime::Known(_) => alone.then_some(named),
        _ if within.is_none() => None,
        // `12 Tuesday`.
        NamedTime::Number(_) | NamedTime::Day(_) if used + 1 == tokens.len() => {
            weekday_number(tokens.word(used)).is_some().then_some(named)
        }
        _ => alone.then_some(named),
    }
    .or_else(|| {
        let years: Vec<usize> = (0..tokens.len()).filter(|at| parse_year(tokens.word(*at)).is_some()).collect();
        let [at] = years.as_slice() else { return None };
        let of_year = (0..tokens.len()).all(|other| other == *at || beside(other));
        of_year.then(|| build_whole_year(parse_year(tokens.word(*at))?)).flatten()
    })
}

/// Finds the first complete time among other words, of at most `most` days.
fn find_anywhere(tokens: &Tokens<'_>, most: i32) -> Option<NamedTime> {
    let known = |at: usize| match parse_time_at(tokens, at)? {
        (NamedTime::Known(days), used) if days.day_count() <= most => Some((days, at + used)),
        _ => None,
    };
    let (days, end) = (0..tokens.len()).find_map(known)?;
    // `2021-03-01 to 2021-03-07`.
    let end = if matches!(tokens.word(end), "to" | "bis" | "until") { end + 1 } else { end };
    let last = known(end)
        .map(|(last, _)| last)
        .filter(|last| last.day_count() == days.day_count() && days.first() < last.first());
    let whole = |last: Period| Period::from_days(days.first(), last.last()).filter(|whole| whole.day_count() < 400);
    Some(NamedTime::Known(last.filter(|_| most > 1).and_then(whole).unwrap_or(days)))
}

/// Returns the number of the week in a heading: `Week 6`, `Weeknotes 06`.
pub(super) fn find_week_number(tokens: &Tokens<'_>) -> Option<i8> {
    let at = (0..tokens.len()).find(|at| WEEK_WORDS.contains(tokens.word(*at)))?;
    let number = parse_small_number(tokens.word(at + 1), 1..=53)?;
    (at < 2).then_some(number)
}

/// Whether a file name without `.md` is a year and a week number that cannot be a month: `2024-32`.
#[must_use]
pub fn is_week_number(name: &str) -> bool {
    let tokens = Tokens::from_name(name);
    tokens.len() == 2 && parse_year(tokens.word(0)).is_some() && parse_small_number(tokens.word(1), 13..=53).is_some()
}

/// Whether a name begins with a year and a two-digit number, as months are written.
pub(super) fn has_year_and_number(tokens: &Tokens<'_>) -> bool {
    parse_year(tokens.word(0)).is_some() && parse_digits(tokens.word(1), 2, 2).is_some()
}

/// Parses the time at a token.
fn parse_time_at(tokens: &Tokens<'_>, at: usize) -> NamedTimeMatch {
    parse_compact(tokens.word(at))
        .or_else(|| parse_numeric(tokens, at))
        .or_else(|| parse_week(tokens, at))
        .or_else(|| parse_months(tokens, at))
        .or_else(|| parse_written(tokens, at))
        .or_else(|| {
            let (number, ordinal) = parse_day(tokens.word(at))?;
            let (pair, gap) = (parse_small_number(tokens.word(at + 1), 1..=31), tokens.gap_before(at + 1));
            match pair {
                Some(second) if gap == "-" && number <= 12 => Some((NamedTime::Pair(number, second), 2)),
                Some(first) if gap == "." && first <= 12 => Some((NamedTime::Pair(first, number), 2)),
                Some(second) if gap == "/" => Some((NamedTime::Pair(number, second), 2)),
                _ if ordinal => Some((NamedTime::Day(number), 1)),
                _ => Some((NamedTime::Number(number), 1)),
            }
        })
        .or_else(|| Some((build_whole_year(parse_year(tokens.word(at))?)?, 1)))
}

/// `20240312`, `202403121530`, `2022w14`.
fn parse_compact(word: &str) -> NamedTimeMatch {
    let days = match word.len() {
        8 | 12 | 14 if word.bytes().all(|b| b.is_ascii_digit()) => {
            let part = |from: usize, to: usize| word.get(from..to)?.parse::<i8>().ok();
            let time = word.len() == 8 || part(8, 10)? < 24 && part(10, 12)? < 60;
            let year = parse_year(word.get(..4)?).filter(|year| time && (1900..2100).contains(year))?;
            Period::from_day(year, part(4, 6)?, part(6, 8)?)?
        }
        6 | 7 => Period::from_iso_week(
            parse_year(word.get(..4)?)?,
            parse_small_number(word.get(4..)?.strip_prefix('w')?, 1..=53)?,
        )?,
        _ => return None,
    };
    Some((NamedTime::Known(days), 1))
}

/// `2024-03-12`, `2024/03/12T09`, `12.03.2024`, `2024-03`, `2024年3月12日`.
fn parse_numeric(tokens: &Tokens<'_>, at: usize) -> NamedTimeMatch {
    let (left, right) = (tokens.gap_before(at + 1).trim(), tokens.gap_before(at + 2).trim());
    let joined = |gap: &str| matches!(gap, "-" | "/" | "." | "_" | "–");
    let number = |at: usize, most: i8| parse_small_number(tokens.word(at), 1..=most);
    if let Some(year) = parse_year(tokens.word(at)).filter(|_| joined(left)) {
        let month = number(at + 1, 53)?;
        let raw = tokens.word(at + 2);
        let raw = raw.split_once('t').map_or(raw, |(day, _)| day);
        if let Some(day) =
            parse_small_number(raw, 1..=31).filter(|_| right == left || joined(right) && left == "-" && right != "_")
        {
            return Some((NamedTime::Known(Period::from_day(year, month, day)?), 3));
        }
        let written = parse_digits(tokens.word(at + 1), 2, 2).is_some();
        let days =
            if month > 12 { Period::from_iso_week(year, month) } else { Period::from_months(year, month, month) };
        // A longer number after it makes it something else: a version, an id.
        let goes_on = joined(right) && raw.len() > 4;
        return days.filter(|_| written && !goes_on).map(|days| (NamedTime::Known(days), 2));
    }
    let year = parse_year(tokens.word(at + 2)).filter(|_| joined(left) && left == right)?;
    let (first, second) = (number(at, 31)?, number(at + 1, 31)?);
    let (day, month) = match (left, first > 12, second > 12) {
        (".", ..) | (_, true, false) => (first, second),
        (_, false, true) => (second, first),
        _ if first == second => (first, second),
        _ => return None,
    };
    Some((NamedTime::Known(Period::from_day(year, month, day)?), 3))
}

/// `2022-W14`, `W14 2022`, `week 14 of 2022`, `KW 14`, `week of 2021-10-25`.
fn parse_week(tokens: &Tokens<'_>, at: usize) -> NamedTimeMatch {
    let numbered = |at: usize| parse_numbered_week(tokens, at);
    if let Some(year) = parse_year(tokens.word(at)) {
        let (week, used) = numbered(at + 1)?;
        return Some((NamedTime::Known(Period::from_iso_week(year, week)?), used + 1));
    }
    if let Some((week, used)) = numbered(at) {
        let of = usize::from(matches!(tokens.word(at + used), "of" | "in"));
        return match parse_year(tokens.word(at + used + of)) {
            Some(year) => Some((NamedTime::Known(Period::from_iso_week(year, week)?), used + of + 1)),
            None => Some((NamedTime::Week(week), used)),
        };
    }
    if !WEEK_WORDS.contains(tokens.word(at)) {
        return None;
    }
    let skipped = (at + 1..at + 4).take_while(|at| WEEK_LINKS.contains(tokens.word(*at))).count() + 1;
    let (named, used) = parse_compact(tokens.word(at + skipped))
        .or_else(|| parse_numeric(tokens, at + skipped))
        .or_else(|| parse_written(tokens, at + skipped))?;
    match named {
        NamedTime::Known(days) if days.day_count() == 1 => {
            let week = Period::from_days(days.first(), days.first().checked_add(6.days()).ok()?)?;
            Some((NamedTime::Known(week), skipped + used))
        }
        _ => None,
    }
}

/// `2021-Q3`, `Q3 2021`, `summer of 2019`, `winter 2019/20`.
fn parse_months(tokens: &Tokens<'_>, at: usize) -> NamedTimeMatch {
    let months = |at: usize| {
        let season = || Some((season_months(tokens.word(at))?, TimeRule::Season));
        parse_year_part(tokens.word(at)).or_else(season)
    };
    if let Some(year) = parse_year(tokens.word(at)) {
        let ((first, last), _) = months(at + 1)?;
        return Some((NamedTime::Known(Period::from_months(year, first, last)?), 2));
    }
    let ((first, last), rule) = months(at)?;
    let of = usize::from(tokens.word(at + 1) == "of");
    let Some(year) = parse_year(tokens.word(at + 1 + of)) else {
        // `h1` alone is a heading of the first level.
        return (rule != TimeRule::HalfYear).then_some((NamedTime::Months(first, last), 1));
    };
    let split =
        usize::from(tokens.gap_before(at + 2 + of) == "/" && parse_digits(tokens.word(at + 2 + of), 2, 4).is_some());
    Some((NamedTime::Known(Period::from_months(year, first, last)?), 2 + of + split))
}

/// `June 2nd 2020`, `24 July 2019`, `2018-july`, `July 2021`, `June 29th`, `29. Juni`, `June`.
fn parse_written(tokens: &Tokens<'_>, at: usize) -> NamedTimeMatch {
    let year = parse_year(tokens.word(at));
    let start = at + usize::from(year.is_some());
    // `2018-july` begins with its month, `2024/03-March` does not.
    if year.is_some() && month_number(tokens.word(start)).is_none() {
        return None;
    }
    let (parts, used) = tokens.parse_date_parts(start, false)?;
    let (month, used) = (parts.month?, start - at + used);
    let named = match (year.or(parts.year), parts.day) {
        (Some(year), Some(day)) => NamedTime::Known(Period::from_day(year, month, day)?),
        (Some(year), None) => NamedTime::Known(Period::from_months(year, month, month)?),
        (None, Some(day)) => NamedTime::MonthDay(month, day),
        (None, None) => NamedTime::Months(month, month),
    };
    Some((named, used))
}

fn build_whole_year(year: i16) -> Option<NamedTime> {
    Some(NamedTime::Known(Period::from_months(year, 1, 12)?))
}

fn parse_small_number(text: &str, within: std::ops::RangeInclusive<i8>) -> Option<i8> {
    parse_digits(text, 1, 2).and_then(|number| i8::try_from(number).ok()).filter(|number| within.contains(number))
}

/// Folds umlauts as in the word list.
fn fold_umlauts(text: &str) -> String {
    text.to_lowercase().replace('ä', "a").replace('ö', "o").replace('ü', "u")
}
