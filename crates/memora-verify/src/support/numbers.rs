//! Numbers among the tokens of a text: `1,000`, `one hundred and thirty-four`, `40 ms`, `€12`, `3 p.m.`.
//!
//! The one rule to know: **a number means the same however it is written**, and another one in another unit.

use super::hours::{halves, hour};
use super::lexicon::{NUMBERS, ORDINALS, SCALES};
use super::rates::rate;
use super::shares::share;
use super::tokens::{Kind, Number, Token};
use super::units::{base, unit};

/// The value of one, in millionths.
pub(super) const ONE: i128 = 1_000_000;

/// Minutes since midnight.
pub(super) const CLOCK: &str = "clock";

/// The value of digits in millionths: `1,000`, `1'000` and `0,5` as well. `None` for a version or a time.
pub(super) fn value(word: &str) -> Option<i128> {
    let (negative, digits) = word.strip_prefix('-').map_or((false, word), |rest| (true, rest));
    if !digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b',' | b'\'')) || digits.len() > 24 {
        return None;
    }
    let groups: Vec<&str> = digits.split([',', '\'']).collect();
    if let Some(value) = continental(digits) {
        return Some(if negative { -value } else { value });
    }
    let thousands = groups.len() > 1
        && groups.iter().skip(1).all(|group| group.split('.').next().is_some_and(|whole| whole.len() == 3))
        && groups.first().is_some_and(|first| (1..=3).contains(&first.len()) && !first.contains('.'));
    let plain = if thousands { groups.concat() } else { digits.replace(',', ".") };
    let (whole, part) = plain.split_once('.').unwrap_or((&plain, ""));
    if part.contains('.') || whole.is_empty() || plain.contains('\'') {
        return None;
    }
    in_millionths(negative, whole, part)
}

/// The value of `1.050,00`, which can be read in one way only.
fn continental(digits: &str) -> Option<i128> {
    let (whole, part) = digits.split_once(',')?;
    let mut groups = whole.split('.');
    let begins = groups.next().is_some_and(|first| (1..=3).contains(&first.len()));
    let is_grouped = begins && whole.contains('.') && groups.all(|group| group.len() == 3);
    let is_part = (1..=2).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
    if is_grouped && is_part && !whole.contains('\'') {
        in_millionths(false, &whole.replace('.', ""), part)
    } else {
        None
    }
}

/// The value of the digits in front of a decimal sign and behind it.
pub(super) fn in_millionths(negative: bool, whole: &str, part: &str) -> Option<i128> {
    let fraction: i128 = format!("{part:0<6}").parse().ok().filter(|_| part.len() <= 6)?;
    let value = whole.parse::<i128>().ok()?.checked_mul(ONE)?.checked_add(fraction)?;
    Some(if negative { -value } else { value })
}

/// Reads number words, scales, units and times of day.
pub(super) fn numbers(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    for mut token in joined(spelled(tokens), share) {
        if let Some(sign) = found.pop_if(|t| matches!(t.kind, Kind::Mark('$' | '€' | '£' | '¥')) && is_number(&token))
            && let Kind::Number(number) = token.kind
        {
            token.kind = Kind::Number(measured(number.value, &sign.lower));
            token.raw = format!("{}{}", sign.raw, token.raw);
        }
        // `6-digit`, `40-ms`: a hyphen may stand between.
        let at = found.iter().rposition(|t| t.kind != Kind::Mark('-'));
        if let Some(last) = at.and_then(|at| found.get_mut(at))
            && let Some(number) = continued(last, &token)
        {
            last.raw = format!("{} {}", last.raw, token.raw);
            last.kind = Kind::Number(number);
            found.truncate(at.map_or(0, |at| at + 1));
            continue;
        }
        if let Some(minutes) = time(&token.raw) {
            token.kind = Kind::Number(Number { value: minutes * ONE, unit: Some(CLOCK) });
        }
        if let Some(value) = lasting(&token.raw).filter(|_| found.last().is_none_or(|t| t.lower != "at")) {
            token.kind = Kind::Number(Number { value, unit: Some("ns") });
        }
        if let Some(number) = single(&token, &found) {
            token.kind = Kind::Number(number);
        }
        if let Some(at) = ORDINALS.iter().position(|ordinal| *ordinal == token.lower) {
            let ending = ["st", "nd", "rd"].get(at).copied().unwrap_or("th");
            token.lower = format!("{}{ending}", at + 1);
            token.stem.clone_from(&token.lower);
        }
        found.push(token);
    }
    let mut found = joined(joined(joined(found, degrees_or_dollars), hour), rate);
    halves(&mut found);
    ranges(&mut found);
    found
}

/// A number at the beginning of tokens, and of how many it is made.
pub(super) struct Read {
    pub(super) number: Number,
    pub(super) length: usize,
}

/// Joins what `read` takes for one number, by what stands before it and from it on.
fn joined(tokens: Vec<Token>, read: fn(&[Token], &[Token]) -> Option<Read>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let [token, ..] = rest {
        let length = match read(&found, rest) {
            Some(Read { number, length }) => {
                let parts = rest.get(..length).unwrap_or_default();
                let raws: Vec<&str> = parts.iter().map(|t| t.raw.as_str()).collect();
                // A `half` stays one: it tells that not all is meant.
                let named = parts.iter().find(|t| !matches!(t.lower.as_str(), "a" | "every")).unwrap_or(token);
                found.push(Token { raw: raws.join(" "), kind: Kind::Number(number), ..named.clone() });
                length.max(1)
            }
            None => {
                found.push(token.clone());
                1
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

/// A word in lower case; empty behind the end.
pub(super) fn word(tokens: &[Token], at: usize) -> &str {
    tokens.get(at).map(|t| t.lower.as_str()).unwrap_or_default()
}

/// A whole number without a unit, in digits or as a word.
pub(super) fn small(token: &Token) -> Option<i128> {
    let value = match token.kind {
        Kind::Number(Number { value, unit: None }) => Some(value),
        Kind::Word => word_value(&token.lower),
        _ => None,
    };
    value.filter(|value| value % ONE == 0 && *value >= 0).map(|value| value / ONE)
}

/// `180 °C`, `180 degrees Celsius`, `180°`; `50 US dollars`.
fn degrees_or_dollars(_before: &[Token], rest: &[Token]) -> Option<Read> {
    let Kind::Number(Number { value, unit: None }) = rest.first()?.kind else { return None };
    let (unit, length) = match (word(rest, 1), word(rest, 2)) {
        ("°" | "degrees" | "degree", "c" | "celsius" | "centigrade") => ("c", 3),
        ("°" | "degrees" | "degree", "f" | "fahrenheit") => ("f", 3),
        ("°" | "degrees" | "degree", _) => (DEGREES, 2),
        ("us" | "u.s", "dollars" | "dollar") => ("usd", 3),
        _ => return None,
    };
    Some(Read { number: Number { value, unit: Some(unit) }, length })
}

/// Degrees of which it isn't said on which scale, or that they are an angle's.
pub(super) const DEGREES: &str = "°";

/// `from 900 MB down to 300`: of MB both times, and down is where it goes.
fn ranges(tokens: &mut [Token]) {
    for at in 1..tokens.len() {
        let way = usize::from(matches!(word(tokens, at + 1), "down" | "up"));
        let to = at + way + 2;
        let is_range = word(tokens, at - 1) == "from" && word(tokens, to - 1) == "to";
        let (Some(Kind::Number(from)), Some(Kind::Number(goal))) =
            (tokens.get(at).map(|t| t.kind), tokens.get(to).map(|t| t.kind).filter(|_| is_range))
        else {
            continue;
        };
        let ends = tokens.get(to + 1).is_none_or(|t| matches!(t.kind, Kind::Function | Kind::Mark(_)));
        let is_shared = goal.unit.is_none() && from.unit.is_some() && ends;
        let value = unit_factor(tokens.get(at)).and_then(|factor| goal.value.checked_mul(factor));
        let goal = match value {
            Some(value) if is_shared => Number { value, unit: from.unit },
            _ => goal,
        };
        let is_down = word(tokens, at + 1) == "down";
        let is_so = goal.unit == from.unit && goal.value != from.value && (goal.value < from.value) == is_down;
        if let Some(token) = tokens.get_mut(to) {
            token.kind = Kind::Number(goal);
        }
        if let Some(token) = tokens.get_mut(at + 1).filter(|_| way > 0 && is_so) {
            token.kind = Kind::Function;
        }
    }
}

/// How many of its base one of the unit is that a number is written with; `None` if it is written otherwise.
pub(super) fn unit_factor(token: Option<&Token>) -> Option<i128> {
    let token = token?;
    let written = token.raw.split_whitespace().next_back().map(str::to_lowercase)?;
    let sign = token.raw.chars().next().filter(|sign| "$€£¥".contains(*sign)).map(String::from);
    let unit = unit(&written).or_else(|| sign.as_deref().and_then(unit))?;
    Some(base(unit).map_or(1, |(_, factor)| factor))
}

/// What a number becomes by the scale, the unit or the digits behind it; `None` if those are no part of it.
fn continued(last: &Token, next: &Token) -> Option<Number> {
    let Kind::Number(number) = last.kind else { return None };
    let half = ["am", "pm"].into_iter().find(|half| next.lower.replace('.', "") == *half);
    if let Some(half) = half.filter(|_| number.unit.is_none_or(|unit| unit == CLOCK)) {
        return half_day(number, half);
    }
    let is_scaled = SCALES.iter().any(|(name, _)| *name == next.lower);
    let is_price = last.raw.starts_with(['$', '€', '£', '¥']) && !last.raw.contains(' ');
    if number.unit.is_some() && !(is_price && is_scaled) {
        return None;
    }
    if let Some((_, factor)) = SCALES.iter().find(|(name, _)| *name == next.lower) {
        return Some(Number { value: (number.value as f64 * factor).round() as i128, ..number });
    }
    // `50 US dollars` are no microseconds.
    if unit(&next.lower).is_some() && next.raw != "US" {
        return Some(measured(number.value, &next.lower));
    }
    // `10 000`
    let is_short = last.raw.len() <= 3 && last.raw.bytes().all(|b| b.is_ascii_digit());
    match next.kind {
        Kind::Number(low) if is_short && next.raw.len() == 3 && next.raw.bytes().all(|b| b.is_ascii_digit()) => {
            number.value.checked_mul(1000).map(|high| Number { value: high + low.value, unit: None })
        }
        _ => None,
    }
}

/// A number of units, in the one that all of their kind are counted in.
pub(super) fn measured(value: i128, written: &str) -> Number {
    let unit = unit(written);
    match unit.and_then(base) {
        Some((base, factor)) if value.checked_mul(factor).is_some() => {
            Number { value: value * factor, unit: Some(base) }
        }
        _ => Number { value, unit },
    }
}

/// `3 p.m.` is 15:00.
fn half_day(number: Number, half: &str) -> Option<Number> {
    let minutes = if number.unit.is_none() { number.value.checked_mul(60)? } else { number.value } / ONE;
    let late = if half == "pm" { 12 * 60 } else { 0 };
    (60..13 * 60).contains(&minutes).then(|| Number { value: (minutes % (12 * 60) + late) * ONE, unit: Some(CLOCK) })
}

/// The minutes since midnight of `15:00`.
fn time(word: &str) -> Option<i128> {
    let (hours, minutes) = word.split_once(':')?;
    clock(hours, minutes)
}

/// The nanoseconds, in millionths, of `3:58:20`.
fn lasting(word: &str) -> Option<i128> {
    let parts: Vec<i128> =
        word.split(':').map(|part| part.parse::<u8>().ok().map(i128::from)).collect::<Option<_>>()?;
    let is_written = word.len() >= 7 && word.bytes().all(|b| b.is_ascii_digit() || b == b':');
    match parts.as_slice() {
        [hours, minutes @ 0..60, seconds @ 0..60] if is_written => {
            Some((hours * 3600 + minutes * 60 + seconds) * 1_000_000_000 * ONE)
        }
        _ => None,
    }
}

/// The minutes since midnight of hours and minutes in digits.
pub(super) fn clock(hours: &str, minutes: &str) -> Option<i128> {
    let read = |part: &str| part.bytes().all(|b| b.is_ascii_digit()).then(|| part.parse::<i128>().ok()).flatten();
    let is_time = hours.len() <= 2 && minutes.len() == 2;
    let (hours, minutes) = (read(hours).filter(|_| is_time)?, read(minutes)?);
    (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
}

/// A word that is a number by itself: `twelve`, and the `a week` of `within a week`.
fn single(token: &Token, before: &[Token]) -> Option<Number> {
    const DETERMINERS: [&str; 10] = ["no", "any", "every", "this", "that", "the", "each", "some", "which", "another"];
    const LASTING: [&str; 10] = ["within", "after", "in", "for", "lasts", "lasted", "takes", "took", "is", "was"];
    if token.kind != Kind::Word {
        return None;
    }
    let mut front = before.iter().rev().map(|t| t.lower.as_str());
    let (last, second) = (front.next().unwrap_or_default(), front.next().unwrap_or_default());
    if ["a", "an"].contains(&last) && LASTING.contains(&second) && unit(&token.lower).is_some_and(is_time_unit) {
        return Some(measured(ONE, &token.lower));
    }
    let is_pronoun = token.lower == "one" && DETERMINERS.contains(&last);
    word_value(&token.lower).filter(|_| !is_pronoun).map(|value| Number { value, unit: None })
}

/// Whether a unit tells how long.
pub(super) fn is_time_unit(unit: &str) -> bool {
    matches!(unit, "s" | "min" | "h" | "d" | "week" | "month" | "year")
}

/// Joins what is written in several words: `twenty-five`, `one hundred and thirty-four`.
fn spelled(tokens: Vec<Token>) -> Vec<Token> {
    let mut found: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut rest = tokens.as_slice();
    while let [token, ..] = rest {
        let words = spelled_here(rest).filter(|(_, length)| *length > 1);
        let whole = |(value, length)| (Number { value: value * ONE, unit: None }, length);
        let length = match halved(rest).or_else(|| words.map(whole)) {
            Some((number, length)) => {
                let raws: Vec<&str> = rest.iter().take(length).map(|t| t.raw.as_str()).collect();
                let raw = raws.join(" ");
                found.push(Token {
                    lower: raw.to_lowercase(),
                    stem: raw.to_lowercase(),
                    raw,
                    kind: Kind::Number(number),
                });
                length
            }
            None => {
                found.push(token.clone());
                1
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    found
}

/// `half a`, `two and a half`, `an hour and a half` at the beginning, and in how many tokens.
fn halved(tokens: &[Token]) -> Option<(Number, usize)> {
    let word = |at: usize| tokens.get(at).map(|t| t.lower.as_str()).unwrap_or_default();
    let is_one = |at: usize| matches!(word(at), "a" | "an");
    let and_half = |at: usize| word(at) == "and" && is_one(at + 1) && word(at + 2) == "half";
    let value = match tokens.first()?.kind {
        Kind::Number(Number { value, unit: None }) => Some(value),
        _ => word_value(word(0)),
    };
    match value {
        Some(_) if word(0) == "half" && is_one(1) && unit(word(2)).is_some() => {
            Some((Number { value: ONE / 2, unit: None }, 2))
        }
        Some(value) if and_half(1) => Some((Number { value: value.checked_add(ONE / 2)?, unit: None }, 4)),
        None if is_one(0) && unit(word(1)).is_some() && and_half(2) => Some((measured(ONE + ONE / 2, word(1)), 5)),
        _ => None,
    }
}

/// The number that is written in words at the beginning, and in how many tokens.
fn spelled_here(tokens: &[Token]) -> Option<(i128, usize)> {
    let whole = |token: &Token| word_value(&token.lower).filter(|v| v % ONE == 0 && *v > 0).map(|v| v / ONE);
    let plain = |token: &Token| whole(token).filter(|_| !["dozen", "twice"].contains(&token.lower.as_str()));
    let (mut sum, mut group) = (0, plain(tokens.first()?)?);
    let mut length = 1;
    loop {
        let rest = tokens.get(length..).unwrap_or_default();
        let joined = rest.first().is_some_and(|t| t.kind == Kind::Mark('-') || (t.lower == "and" && group % 100 == 0));
        let Some(token) = rest.get(usize::from(joined)) else { break };
        let scale =
            ["hundred", "thousand", "million"].into_iter().zip([100, 1000, ONE]).find(|(name, _)| *name == token.lower);
        match (scale, plain(token)) {
            (Some((_, 100)), _) if !joined && group < 100 => group *= 100,
            (Some((_, scale)), _) if !joined && scale > 100 && group < 1000 && (sum == 0 || scale < sum) => {
                sum += group * scale;
                group = 0;
            }
            (None, Some(low))
                if (low < 10 && group % 100 >= 20 && group % 10 == 0)
                    || (low < 100 && group % 100 == 0 && (group > 0 || sum > 0)) =>
            {
                group += low;
            }
            _ => break,
        }
        length += 1 + usize::from(joined);
    }
    Some((sum + group, length))
}

fn is_number(token: &Token) -> bool {
    matches!(token.kind, Kind::Number(_))
}

fn word_value(word: &str) -> Option<i128> {
    NUMBERS.iter().find(|(name, _)| *name == word).map(|(_, value)| (value * 1e6) as i128)
}
