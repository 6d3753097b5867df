//! How often something happens: `3x a week`, `three times per week`, `twice weekly`, `every 15 min`.
//!
//! The one rule to know: **a rate is one number**, with what it is counted by: three times a week is neither three nor three
//! times a month.

use super::numbers::{ONE, Read, small, word};
use super::tokens::{Kind, Number, Token};
use super::units::unit;

/// How often, without a span.
pub(super) const TIMES: &str = "times";

/// From when to when: `every 15 min`.
pub(super) const EVERY: &str = "every";

/// How often in what.
const RATES: [(&str, &str, &str); 6] = [
    ("min", "times/min", ""),
    ("h", "times/h", "hourly"),
    ("d", "times/d", "daily"),
    ("week", "times/week", "weekly"),
    ("month", "times/month", "monthly"),
    ("year", "times/year", "yearly"),
];

/// The number of times at the beginning of `rest`, with its span, if one stands there.
pub(super) fn rate(before: &[Token], rest: &[Token]) -> Option<Read> {
    every(rest).or_else(|| times(before, rest))
}

/// `every 15 min`: the number has its unit by now.
fn every(rest: &[Token]) -> Option<Read> {
    let Kind::Number(number) = rest.get(1)?.kind else { return None };
    let is_period = word(rest, 0) == "every" && number.unit == Some("ns");
    is_period.then_some(Read { number: Number { unit: Some(EVERY), ..number }, length: 2 })
}

fn times(before: &[Token], rest: &[Token]) -> Option<Read> {
    let (count, counted) = match word(rest, 0) {
        "once" => (1, 1),
        "twice" => (2, 1),
        "thrice" => (3, 1),
        "double"
            if ["the", "last", "what", "that", "our", "my", "your", "his", "her", "their"].contains(&word(rest, 1)) =>
        {
            (2, 1)
        }
        _ => {
            let is_sign = |t: &Token| matches!(t.lower.as_str(), "x" | "×" | "times" | "time");
            // `2 x 65 €` is a product.
            let is_product =
                rest.get(2).is_some_and(|t| matches!(t.kind, Kind::Number(_) | Kind::Mark('€' | '$' | '£')));
            let is_factor = before.last().is_some_and(|t| matches!(t.lower.as_str(), "x" | "×"));
            let is_times = rest.get(1).is_some_and(is_sign) && !is_product && !is_factor;
            (rest.first().and_then(small).filter(|_| is_times)?, 2)
        }
    };
    let next = word(rest, counted);
    let adverb = RATES.iter().find(|(.., adverb)| !adverb.is_empty() && *adverb == next);
    let led = ["a", "an", "per", "each", "every", "/"].contains(&next);
    let span = unit(word(rest, counted + 1)).filter(|_| led);
    let by_span = RATES.iter().find(|(name, ..)| Some(*name) == span);
    let (unit, length) = match (adverb, by_span) {
        (Some((_, unit, _)), _) => (*unit, counted + 1),
        (None, Some((_, unit, _))) => (*unit, counted + 2),
        // *Once* alone is a condition, or tells of the past.
        (None, None) if word(rest, 0) == "once" => return None,
        (None, None) => (TIMES, counted),
    };
    Some(Read { number: Number { value: count * ONE, unit: Some(unit) }, length })
}

/// The nanoseconds between one time and the next of a rate whose spans are all as long.
pub(super) fn period(number: Number) -> Option<i128> {
    const SPANS: [(&str, i128); 4] = [
        ("times/min", 60_000_000_000),
        ("times/h", 3_600_000_000_000),
        ("times/d", 86_400_000_000_000),
        ("times/week", 604_800_000_000_000),
    ];
    let (_, span) = SPANS.iter().find(|(unit, _)| Some(*unit) == number.unit)?;
    let count = Some(number.value / ONE).filter(|count| *count > 0 && number.value % ONE == 0 && span % count == 0)?;
    Some(span / count * ONE)
}
