//! Quantities with units: 3 km equal 3000 m, and "about 40" may be 41.
//!
//! Invariant: **incomparable quantities are never compared.** Euros and dollars, "40 a month" and "40", "5 MB" and
//! "200 MB per file" are of different kinds, and neither equal nor unequal.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{BOUNDS, BoundWord, NUMERALS, SCALES};
use memora_nlp::number::parse_number_words;
use memora_nlp::unit::find_unit as listed_unit;

use crate::lists::QUANTITY_FILLERS;

/// Tolerance of "about", as a share of the number.
const ABOUT_TOLERANCE: f64 = 0.15;

/// Relative tolerance for conversion errors.
const ROUNDING_TOLERANCE: f64 = 1e-9;

/// An amount: from `low` to `high` in the base unit of its kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct QuantityRange {
    low: f64,
    high: f64,
    kind: String,
    /// Whether it was written with two ends: "30-50".
    is_span: bool,
}

/// The relation between two amounts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuantityRelation {
    Equal,
    /// They may be equal.
    Overlap,
    Disjoint,
    /// They measure different things.
    Incomparable,
}

impl QuantityRange {
    /// Parses an amount that spans the whole text; `None` for any other text.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let pieces = tokenize_amount(&lower);
        let piece = |at: usize| pieces.get(at).map_or("", String::as_str);
        let (mut rough, mut at_least, mut at_most, mut between) = (false, false, false, false);
        let mut currency = None;
        let mut at = 0;
        let (mut low, mut step, mut end) = loop {
            if let Some(number) = parse_number_at(&piece, at) {
                break number;
            }
            match (piece(at), BOUNDS.get_in(Language::English, piece(at))) {
                (word, _) if QUANTITY_FILLERS.contains(word) => {}
                ("between", _) => between = true,
                (_, Some(BoundWord::About)) => rough = true,
                (_, Some(BoundWord::Over)) => at_least = true,
                (_, Some(BoundWord::Under)) => at_most = true,
                (word, None) => currency = Some(resolve_unit(word).filter(|(kind, _)| is_currency(kind))?.0),
            }
            at += 1;
        };
        let mut high = low;
        // "30-40", "30 to 40"
        let is_span = matches!(piece(end), "-" | "–" | "to") || between && piece(end) == "and";
        if is_span {
            (high, step, end) = parse_number_at(&piece, end + 1)?;
        }
        if between && !is_span {
            return None;
        }
        if piece(end) == "+" {
            at_least = true;
            end += 1;
        }
        if let Some(times) = scale_factor(piece(end)) {
            end += 1;
            // "84k" is what was rounded to thousands.
            (low, high) = ((low - step / 2.0) * times, (high + step / 2.0) * times);
        }
        let behind = pieces.get(end..).unwrap_or_default();
        let mut rest: Vec<&str> =
            behind.iter().map(String::as_str).filter(|word| !matches!(*word, "." | ",")).collect();
        // A sign and a letter are two pieces.
        let degrees = match rest.as_slice() {
            ["°", "c", ..] => Some("°c"),
            ["°", "f", ..] => Some("°f"),
            _ => None,
        };
        if let (Some(degrees), Some(sign)) = (degrees, rest.first_mut()) {
            *sign = degrees;
            rest.remove(1);
        }
        let named = rest.first().and_then(|word| resolve_unit(word));
        if named.is_some() {
            rest.remove(0);
        }
        let (kind, factor) = match (currency, named) {
            (Some(currency), None) => (currency, 1.0),
            (None, Some(named)) => named,
            (Some(_), Some(_)) => return None,
            (None, None) => ("number", 1.0),
        };
        // "40 euros a month" and "480 a year" are of one kind.
        let (per, share) = parse_period(&rest).map_or((None, 1.0), |(words, months)| (Some(words), months));
        let rest = rest.get(per.unwrap_or(0)..).unwrap_or_default();
        let factor = factor / share;
        let every = if per.is_some() { " a month" } else { "" };
        let rest: String = rest.iter().map(|word| format!(" {}", strip_plural(word))).collect();
        if rough {
            (low, high) = (low * (1.0 - ABOUT_TOLERANCE), high * (1.0 + ABOUT_TOLERANCE));
        }
        if at_least {
            high = f64::INFINITY;
        }
        if at_most {
            low = f64::NEG_INFINITY;
        }
        Some(Self { low: low * factor, high: high * factor, kind: format!("{kind}{every}{rest}"), is_span })
    }

    /// Returns whether both were written with two ends, and neither is within the other.
    pub(super) fn is_another_span(&self, other: &Self) -> bool {
        let is_within = |a: &Self, b: &Self| b.low <= a.low && a.high <= b.high;
        let are_spans = self.is_span && other.is_span && self.kind == other.kind;
        are_spans && !is_within(self, other) && !is_within(other, self)
    }

    pub(super) fn compare(&self, other: &Self) -> QuantityRelation {
        if self.kind != other.kind {
            return QuantityRelation::Incomparable;
        }
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= ROUNDING_TOLERANCE * a.abs().max(b.abs());
        if near(self.low, other.low) && near(self.high, other.high) {
            return QuantityRelation::Equal;
        }
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high || near(low, high) { QuantityRelation::Overlap } else { QuantityRelation::Disjoint }
    }
}

fn is_currency(kind: &str) -> bool {
    kind.starts_with("money:")
}

/// Returns the dimension of a unit and its factor to the base unit. Months vary in length, so they are not days;
/// neither is a night.
fn resolve_unit(word: &str) -> Option<(&'static str, f64)> {
    const MONTH: f64 = 2_629_746.0;
    let singular = word.strip_suffix('s').filter(|word| word.len() > 1);
    let unit = listed_unit(word).or_else(|| listed_unit(singular?))?;
    match unit.name {
        "month" | "year" | "decade" | "century" => Some(("months", unit.factor / MONTH)),
        _ if matches!(word, "night" | "nights") => None,
        _ => Some((unit.dimension, unit.factor)),
    }
}

/// Returns the multiplier of a word behind a number; a lone letter other than `k` is a unit.
fn scale_factor(word: &str) -> Option<f64> {
    SCALES.get_in(Language::English, word).filter(|_| word.len() > 1 || word == "k")
}

fn strip_plural(word: &str) -> &str {
    word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word)
}

/// Parses a period: the number of words in it, and of months.
fn parse_period(words: &[&str]) -> Option<(usize, f64)> {
    let (first, behind) = words.split_first()?;
    let months = |word: &str| match word {
        "month" | "mo" | "monthly" => Some(1.0),
        "year" | "yr" | "yearly" | "annum" | "annually" => Some(12.0),
        _ => None,
    };
    match *first {
        "per" | "a" | "/" | "each" => Some((2, months(behind.first()?)?)),
        word if word.ends_with("ly") => Some((1, months(word)?)),
        _ => None,
    }
}

/// Parses the number at a token: its value, the value of its last digit, and the next token.
fn parse_number_at<'t>(piece: &impl Fn(usize) -> &'t str, at: usize) -> Option<(f64, f64, usize)> {
    // "a" is a filler, a multiplier shows how a number was rounded, and "elf" and "null" are not German numbers here.
    let is_small = |word: &str| {
        matches!(word, "and" | "-")
            || NUMERALS.get_in(Language::English, word).is_some_and(|_| scale_factor(word).is_none())
    };
    let small = |at: usize| if is_small(piece(at)) { piece(at) } else { "" };
    if let Some(words) = parse_number_words(small, at) {
        return Some((words.value, 1.0, words.end));
    }
    parse_digits(piece(at)).map(|(value, step)| (value, step, at + 1))
}

fn parse_digits(word: &str) -> Option<(f64, f64)> {
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let groups: Vec<&str> = word.split(',').collect();
    let plain = match groups.as_slice() {
        // "84,000": thousands. "3,5": a decimal comma.
        [_, rest @ ..]
            if !rest.is_empty() && rest.iter().all(|g| g.split('.').next().is_some_and(|g| g.len() == 3)) =>
        {
            groups.concat()
        }
        [whole, part] => format!("{whole}.{part}"),
        [_] => word.to_owned(),
        _ => return None,
    };
    let decimals = plain.split_once('.').map_or(0, |(_, part)| part.len());
    let step = 10_f64.powi(-i32::try_from(decimals).ok()?);
    plain.parse().ok().filter(|value: &f64| value.is_finite()).map(|value| (value, step))
}

/// Splits text into words, with numbers apart from adjoining letters and signs: "€480", "84k", "30-40", "3 km".
fn tokenize_amount(text: &str) -> Vec<String> {
    #[derive(Clone, Copy, PartialEq)]
    enum CharClass {
        Digit,
        Letter,
        Sign,
        Space,
    }
    let kind = |c: char| match c {
        c if c.is_ascii_digit() => CharClass::Digit,
        c if c.is_alphabetic() || c == '²' => CharClass::Letter,
        c if c.is_whitespace() => CharClass::Space,
        _ => CharClass::Sign,
    };
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut last = CharClass::Space;
    for (at, c) in chars.iter().enumerate() {
        let mut now = kind(*c);
        let next_digit = chars.get(at + 1).is_some_and(char::is_ascii_digit);
        if matches!(c, '.' | ',') && last == CharClass::Digit && next_digit {
            now = CharClass::Digit;
        } else if *c == '2' && last == CharClass::Letter {
            // "m2"
            now = CharClass::Letter;
        }
        match out.last_mut() {
            Some(piece) if now == last && now != CharClass::Sign && now != CharClass::Space => piece.push(*c),
            _ if now == CharClass::Space => {}
            _ => out.push(c.to_string()),
        }
        last = now;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, expect: QuantityRelation) {
        let parse = |text: &str| QuantityRange::parse(text).unwrap_or_else(|| panic!("{text:?} is an amount"));
        assert_eq!(parse(a).compare(&parse(b)), expect, "{a:?} and {b:?}");
        assert_eq!(parse(b).compare(&parse(a)), expect, "{b:?} and {a:?}");
    }

    #[test]
    fn one_amount_in_two_units_is_one_amount() {
        check("3 km", "3000 m", QuantityRelation::Equal);
        check("1.5 hours", "90 minutes", QuantityRelation::Equal);
        check("€ 480 a year", "40 euros per month", QuantityRelation::Equal);
        check("84,000", "84000", QuantityRelation::Equal);
        check("3,5 kg", "3500 g", QuantityRelation::Equal);
        check("two weeks", "14 days", QuantityRelation::Equal);
        check("0.1 km", "100 m", QuantityRelation::Equal);
        check("twenty-five km", "25 km", QuantityRelation::Equal);
        check("a dozen", "12", QuantityRelation::Equal);
        check("2 GHz", "2000 MHz", QuantityRelation::Equal);
        check("3 Stunden", "180 min", QuantityRelation::Equal);
    }

    #[test]
    fn a_rough_number_may_be_any_near_it() {
        check("about 40", "41", QuantityRelation::Overlap);
        check("~40", "60", QuantityRelation::Disjoint);
        check("84k", "84,200", QuantityRelation::Overlap);
        check("84k", "90,000", QuantityRelation::Disjoint);
        check("30-40 km", "35 km", QuantityRelation::Overlap);
        check("at least 5 GB", "200 GB", QuantityRelation::Overlap);
        check("up to 5 MB", "200 MB", QuantityRelation::Disjoint);
        check("12+", "15", QuantityRelation::Overlap);
    }

    #[test]
    fn other_amounts_are_apart() {
        check("7 days", "14 days", QuantityRelation::Disjoint);
        check("3 nights", "4 days", QuantityRelation::Incomparable);
        check("64 MiB", "128 MiB", QuantityRelation::Disjoint);
        check("6,840 euros", "7,100 euros", QuantityRelation::Disjoint);
    }

    #[test]
    fn what_measures_other_things_is_not_compared() {
        check("40 €", "$40", QuantityRelation::Incomparable);
        check("40 € a month", "40 €", QuantityRelation::Incomparable);
        check("18 pixels in width", "16 pixels in height", QuantityRelation::Incomparable);
        check("200 MB per file", "5 MB", QuantityRelation::Incomparable);
        check("12 riders", "12", QuantityRelation::Incomparable);
    }

    #[test]
    fn every_listed_unit_and_number_is_read() {
        for (word, _, unit) in memora_nlp::unit::UNITS.iter() {
            let found = QuantityRange::parse(&format!("7 {word}")).map(|amount| amount.kind);
            let is_night = word.starts_with("night");
            let of_months = matches!(unit.name, "month" | "year" | "decade" | "century");
            let expect = if of_months { "months" } else { unit.dimension };
            assert!(is_night || found.is_some_and(|kind| kind.starts_with(expect)), "{word:?} is no {expect}");
        }
        for (word, language, value) in NUMERALS.iter().filter(|(_, _, value)| *value < 100.0) {
            let found = QuantityRange::parse(&format!("{word} km"));
            let expect = (language == Language::English).then_some(value * 1000.0);
            assert_eq!(found.map(|amount| amount.low), expect, "{word:?}");
        }
    }

    #[test]
    fn what_is_no_amount_is_none() {
        for text in ["", "Rust", "version 1.2.3", "1.2.3", "2025-03-01", "6a", "the 5 best", "€", "40 € $", "1,2,3"]
        {
            let found = QuantityRange::parse(text);
            assert!(
                found.as_ref().is_none_or(|q| !matches!(q.kind.as_str(), "number" | "euros" | "dollars")),
                "{text:?}: {found:?}"
            );
        }
    }
}
