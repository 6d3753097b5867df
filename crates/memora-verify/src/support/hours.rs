//! Times of day in words: `half past seven`, `ten to midnight`, `ten o'clock`, `eight in the evening`.
//!
//! The one rule to know: **an hour without its half of the day is another unit** ([`DIAL`]): ten o'clock is what 10:00 and
//! 22:00 are, and neither follows from it.

use super::numbers::{CLOCK, ONE, Read, small, word};
use super::tokens::{Kind, Number, Token};

/// Minutes since noon or midnight, whichever it was.
pub(super) const DIAL: &str = "dial";

/// Minutes on the dial.
pub(super) const HALF_DAY: i128 = 12 * 60;

/// Words that lead to a time.
const LEADS: [&str; 12] =
    ["at", "by", "until", "till", "before", "after", "around", "about", "from", "since", "to", "between"];

/// The time at the beginning of `rest`, if one is written there in words.
pub(super) fn hour(before: &[Token], rest: &[Token]) -> Option<Read> {
    past(before, rest).or_else(|| o_clock(rest))
}

/// `half past seven`, `a quarter to ten`, `ten past midnight`.
fn past(before: &[Token], rest: &[Token]) -> Option<Read> {
    let from = usize::from(word(rest, 0) == "a");
    let (minutes, is_quarter) = match word(rest, from) {
        "quarter" => (15, true),
        "half" => (30, false),
        _ => (rest.get(from).and_then(minutes)?, false),
    };
    let sign = match word(rest, from + 1) {
        "past" => 1,
        "to" if minutes != 30 => -1,
        _ => return None,
    };
    let (hour, unit) = whole_hour(rest.get(from + 2)?)?;
    // `Nine to five`, `gave a quarter to ten people`, `won ten to three`.
    let is_led =
        before.last().is_some_and(|t| LEADS.contains(&t.lower.as_str()) && !["from", "to"].contains(&t.lower.as_str()));
    let counts = rest.get(from + 3).is_some_and(Token::is_content);
    let is_named = matches!(word(rest, from + 2), "midnight" | "noon");
    let is_sure = sign > 0 || is_named || (is_led && (is_quarter || minutes % 5 == 0)) || (is_quarter && !counts);
    let around = if unit == DIAL { HALF_DAY } else { 2 * HALF_DAY };
    let value = (hour + sign * minutes).rem_euclid(around) * ONE;
    is_sure.then_some(Read { number: Number { value, unit: Some(unit) }, length: from + 3 })
}

fn minutes(token: &Token) -> Option<i128> {
    const MINUTE: i128 = 60_000_000_000;
    let spelled = match token.kind {
        Kind::Number(Number { value, unit: Some("ns") }) if token.raw.to_lowercase().contains("min") => {
            Some(value / ONE / MINUTE)
        }
        _ => small(token),
    };
    spelled.filter(|minutes| (1..=30).contains(minutes))
}

/// The minutes of a full hour.
fn whole_hour(token: &Token) -> Option<(i128, &'static str)> {
    match (token.lower.as_str(), token.kind) {
        ("midnight", _) => Some((0, CLOCK)),
        ("noon", _) => Some((HALF_DAY, CLOCK)),
        (_, Kind::Number(Number { value, unit: Some(CLOCK) })) if value % (60 * ONE) == 0 => Some((value / ONE, CLOCK)),
        _ => on_dial(token),
    }
}

fn on_dial(token: &Token) -> Option<(i128, &'static str)> {
    let hour = small(token).filter(|hour| (1..=12).contains(hour))?;
    Some((hour * 60 % HALF_DAY, DIAL))
}

/// `ten o'clock`.
fn o_clock(rest: &[Token]) -> Option<Read> {
    let (minutes, unit) = rest.first().and_then(whole_hour).filter(|_| word(rest, 1) == "o'clock")?;
    Some(Read { number: Number { value: minutes * ONE, unit: Some(unit) }, length: 2 })
}

/// Reads the half of the day behind an hour: `8 in the evening` is 20:00. Its words stay.
pub(super) fn halves(tokens: &mut [Token]) {
    for at in 0..tokens.len() {
        let Some(part) = part_behind(tokens.get(at + 1..).unwrap_or_default()) else { continue };
        let is_led = at.checked_sub(1).is_some_and(|at| LEADS.contains(&word(tokens, at)));
        let time = tokens.get(at).and_then(|token| minutes_of(token, is_led));
        let read = time.and_then(|time| in_half(time, word(tokens, at + part)));
        if let (Some(minutes), Some(token)) = (read, tokens.get_mut(at)) {
            token.kind = Kind::Number(Number { value: minutes * ONE, unit: Some(CLOCK) });
        }
    }
}

/// How many words behind a time say in which part of the day it is.
fn part_behind(rest: &[Token]) -> Option<usize> {
    match (word(rest, 0), word(rest, 1)) {
        ("in", "the") => Some(3),
        ("at", "night") => Some(2),
        _ => None,
    }
}

/// How many words behind a time say only in which part of the day it is, as the time itself does: `in the evening`.
pub(super) fn said_by_time(time: Number, rest: &[Token]) -> Option<usize> {
    let length = part_behind(rest).filter(|_| time.unit == Some(CLOCK))?;
    in_half((time.value / ONE, true), word(rest, length - 1)).map(|_| length)
}

/// The minutes of a time, and whether its half of the day is known.
fn minutes_of(token: &Token, is_led: bool) -> Option<(i128, bool)> {
    match token.kind {
        Kind::Number(Number { value, unit: Some(DIAL) }) => Some((value / ONE, false)),
        Kind::Number(Number { value, unit: Some(CLOCK) }) => {
            let minutes = value / ONE;
            let is_written = token.raw.chars().any(char::is_alphabetic) || !(60..HALF_DAY + 60).contains(&minutes);
            Some((if is_written { minutes } else { minutes % HALF_DAY }, is_written))
        }
        // `Two in the morning, one at night` may be pills.
        _ => on_dial(token).filter(|_| is_led).map(|(minutes, _)| (minutes, false)),
    }
}

/// The minutes since midnight of a time in a part of the day; `None` if it is not in it.
fn in_half((minutes, is_known): (i128, bool), part: &str) -> Option<i128> {
    let hours = |from: i128, to: i128| from * 60..to * 60;
    let fits = |minutes: i128| match part {
        "morning" => hours(1, 12).contains(&minutes),
        "afternoon" => hours(12, 19).contains(&minutes),
        "evening" => hours(17, 24).contains(&minutes),
        "night" => hours(20, 24).contains(&minutes) || hours(0, 5).contains(&minutes),
        _ => false,
    };
    let late = if is_known { minutes } else { minutes + HALF_DAY };
    [minutes, late].into_iter().find(|minutes| fits(*minutes))
}
