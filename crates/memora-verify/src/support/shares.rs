//! Fractions among the tokens of a text: `3/4 h`, `half of the jars`, `two thirds`, `a quarter of an hour`.
//!
//! The one rule to know: **what stands in front of a unit is a number of it, what is a share of something is percent.** A
//! slash between two numbers is a fraction only in front of a unit: elsewhere it is a date, a rating, a page.

use super::lexicon::SCALES;
use super::numbers::{ONE, Read, small, word};
use super::tokens::{Kind, Number, Token};
use super::units::unit;

/// The unit of what a couple is. Two are a couple, and a couple is not always two.
pub(super) const COUPLE: &str = "couple";

/// Names of the parts of a whole, and into how many it is cut.
const PARTS: [(&str, i128); 10] = [
    ("half", 2),
    ("third", 3),
    ("thirds", 3),
    ("quarter", 4),
    ("quarters", 4),
    ("fifth", 5),
    ("fifths", 5),
    ("eighth", 8),
    ("tenth", 10),
    ("tenths", 10),
];

/// The fraction at the beginning of `rest`, if one stands there.
pub(super) fn share(before: &[Token], rest: &[Token]) -> Option<Read> {
    couple(rest).or_else(|| in_digits(before, rest)).or_else(|| in_words(before, rest))
}

/// `a couple of`.
fn couple(rest: &[Token]) -> Option<Read> {
    let is = word(rest, 0) == "a" && word(rest, 1) == "couple" && word(rest, 2) == "of";
    is.then_some(Read { number: Number { value: 2 * ONE, unit: Some(COUPLE) }, length: 3 })
}

/// `3/4 h`, and `¾` as it is composed: with a fraction slash.
fn in_digits(before: &[Token], rest: &[Token]) -> Option<Read> {
    let whole = rest.first().and_then(small).filter(|_| rest.get(1).is_some_and(|t| small(t).is_some()));
    let from = usize::from(whole.is_some());
    let slash = rest.get(from + 1).map(|t| t.kind)?;
    let (over, under) = (small(rest.get(from)?)?, small(rest.get(from + 2)?)?);
    let is_part = over < under && under <= 16;
    let is_composed = slash == Kind::Mark('⁄');
    let is_led_by_slash = before.last().is_some_and(|t| t.kind == Kind::Mark('/'));
    let is_measure = slash == Kind::Mark('/') && !is_led_by_slash && is_measure(word(rest, from + 3));
    if !is_part || !(is_composed || is_measure) {
        return None;
    }
    let value = whole.unwrap_or(0) * ONE + over * ONE / under;
    let length = from + 3;
    let is_share = whole.is_none() && unit(word(rest, length)).is_none() && word(rest, length) == "of";
    let number = if is_share { percent(over, under) } else { Number { value, unit: None } };
    Some(Read { number, length })
}

/// Whether a unit is one of which there are parts. Of `2/3 days` there are two or three.
fn is_measure(written: &str) -> bool {
    let is_plural = written.len() > 3 && written.ends_with('s');
    unit(written).is_some_and(|unit| !matches!(unit, "%" | "s" | "d" | "week" | "month" | "year")) && !is_plural
}

/// `two thirds`, `a quarter of the`, `half the`, `three-quarters of an hour`.
fn in_words(before: &[Token], rest: &[Token]) -> Option<Read> {
    let (over, hyphen) = match word(rest, 0) {
        "half" => (1, 0),
        "a" | "one" => (1, 1),
        _ => (rest.first().and_then(small).filter(|n| (2..16).contains(n))?, 1),
    };
    let at = hyphen + usize::from(hyphen > 0 && rest.get(1).is_some_and(|t| t.kind == Kind::Mark('-')));
    let name = word(rest, at);
    let under = PARTS.iter().find(|(part, _)| *part == name).map(|(_, under)| *under)?;
    let is_several = name.ends_with('s');
    // `The first half`, `in the third quarter of`: one of the parts of a year or a match.
    let is_one_of = before.last().is_some_and(|t| ["first", "second", "last", "other"].contains(&t.lower.as_str()));
    let next = word(rest, at + 1);
    let whole = ["the", "my", "your", "our", "their", "his", "her", "its", "them", "us", "all"];
    if over >= under || is_one_of || is_several != (over > 1) {
        return None;
    }
    // `Two quarters` may be half a year.
    let is_share = next == "of" || (name == "half" && whole.contains(&next)) || (is_several && under != 4);
    let of_one = next == "of" && ["a", "an"].contains(&word(rest, at + 2));
    let scale = SCALES.iter().find(|(name, _)| of_one && *name == word(rest, at + 3));
    if let Some((_, factor)) = scale {
        let value = (ONE as f64 * factor) as i128 * over / under;
        return Some(Read { number: Number { value, unit: None }, length: at + 4 });
    }
    if of_one && unit(word(rest, at + 3)).is_some() {
        return Some(Read { number: Number { value: over * ONE / under, unit: None }, length: at + 3 });
    }
    is_share.then(|| Read { number: percent(over, under), length: at + 1 })
}

/// A share, rounded to a millionth.
pub(super) fn percent(over: i128, under: i128) -> Number {
    Number { value: (over * 100 * ONE * 2 + under) / (under * 2), unit: Some("%") }
}
