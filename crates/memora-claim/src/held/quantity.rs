//! Numbers with units, so that 3 km are 3000 m and "about 40" may be 41.
//!
//! The one rule to know: **what cannot be compared is not compared.** Euros and dollars, "40 a month" and "40", "5 MB" and
//! "200 MB per file" are different kinds of things, and neither equal nor unequal.

use std::collections::HashMap;
use std::sync::LazyLock;

/// How far "about" reaches, as a share of the number.
const ABOUT: f64 = 0.15;

/// Equal up to what conversion loses.
const ROUNDING: f64 = 1e-9;

/// An amount: from `low` to `high` in the base unit of its kind.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Quantity {
    low: f64,
    high: f64,
    kind: String,
}

/// How two amounts stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amounts {
    Equal,
    /// They may be the same.
    Overlap,
    Apart,
    /// They measure different things.
    OfOtherKinds,
}

/// Unit, kind, how many of the kind's base unit.
const UNITS: &[(&str, &str, f64)] = &[
    ("mm", "length", 0.001),
    ("cm", "length", 0.01),
    ("m", "length", 1.0),
    ("metre", "length", 1.0),
    ("meter", "length", 1.0),
    ("km", "length", 1000.0),
    ("kilometre", "length", 1000.0),
    ("kilometer", "length", 1000.0),
    ("mile", "length", 1609.344),
    ("ft", "length", 0.3048),
    ("feet", "length", 0.3048),
    ("foot", "length", 0.3048),
    ("inch", "length", 0.0254),
    ("inche", "length", 0.0254),
    ("mg", "mass", 0.001),
    ("g", "mass", 1.0),
    ("gram", "mass", 1.0),
    ("kg", "mass", 1000.0),
    ("kilo", "mass", 1000.0),
    ("kilogram", "mass", 1000.0),
    ("t", "mass", 1e6),
    ("tonne", "mass", 1e6),
    ("lb", "mass", 453.592_37),
    ("oz", "mass", 28.349_523_125),
    ("ms", "time", 0.001),
    ("s", "time", 1.0),
    ("sec", "time", 1.0),
    ("second", "time", 1.0),
    ("min", "time", 60.0),
    ("minute", "time", 60.0),
    ("h", "time", 3600.0),
    ("hr", "time", 3600.0),
    ("hour", "time", 3600.0),
    ("day", "time", 86_400.0),
    ("week", "time", 604_800.0),
    ("month", "months", 1.0),
    ("year", "months", 12.0),
    ("byte", "data", 1.0),
    ("kb", "data", 1e3),
    ("mb", "data", 1e6),
    ("gb", "data", 1e9),
    ("tb", "data", 1e12),
    ("kib", "data", 1024.0),
    ("mib", "data", 1_048_576.0),
    ("gib", "data", 1_073_741_824.0),
    ("tib", "data", 1_099_511_627_776.0),
    ("ml", "volume", 0.001),
    ("cl", "volume", 0.01),
    ("dl", "volume", 0.1),
    ("l", "volume", 1.0),
    ("litre", "volume", 1.0),
    ("liter", "volume", 1.0),
    ("%", "percent", 1.0),
    ("percent", "percent", 1.0),
    ("pct", "percent", 1.0),
    ("m²", "area", 1.0),
    ("m2", "area", 1.0),
    ("sqm", "area", 1.0),
    ("ha", "area", 10_000.0),
    ("hectare", "area", 10_000.0),
    ("km²", "area", 1e6),
    ("px", "pixels", 1.0),
    ("pixel", "pixels", 1.0),
    ("€", "euros", 1.0),
    ("eur", "euros", 1.0),
    ("euro", "euros", 1.0),
    ("$", "dollars", 1.0),
    ("usd", "dollars", 1.0),
    ("dollar", "dollars", 1.0),
    ("£", "pounds", 1.0),
    ("gbp", "pounds", 1.0),
    ("pound", "pounds", 1.0),
    ("chf", "francs", 1.0),
    ("franc", "francs", 1.0),
    ("¥", "yen", 1.0),
    ("yen", "yen", 1.0),
];

static BY_NAME: LazyLock<HashMap<&str, (&str, f64)>> =
    LazyLock::new(|| UNITS.iter().map(|(name, kind, factor)| (*name, (*kind, *factor))).collect());

/// Words that make a number a rough one.
const ROUGHLY: &[&str] =
    &["about", "around", "roughly", "approximately", "approx", "ca", "circa", "~", "≈", "some", "nearly", "almost"];
const AT_LEAST: &[&str] = &["over", "least", "min", "minimum", "above", ">", "≥", ">="];
const AT_MOST: &[&str] = &["under", "most", "below", "max", "maximum", "up", "<", "≤", "<="];

/// Words in front of a number that say nothing else.
const FILLERS: &[&str] = &["at", "to", "more", "less", "than", "just", "exactly", "only", "now", "the", "a", "an"];

const NUMBER_WORDS: &[&str] =
    &["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

impl Quantity {
    /// The amount that words name from the first to the last; `None` for any other words.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let lower = text.to_lowercase();
        let mut pieces = pieces(&lower).into_iter().peekable();
        let (mut rough, mut at_least, mut at_most) = (false, false, false);
        let mut currency = None;
        while let Some(word) = pieces.peek() {
            if number(word).is_some() {
                break;
            }
            match word.as_str() {
                word if ROUGHLY.contains(&word) => rough = true,
                word if AT_LEAST.contains(&word) => at_least = true,
                word if AT_MOST.contains(&word) => at_most = true,
                word if FILLERS.contains(&word) => {}
                word => currency = Some(unit(word).filter(|(kind, _)| is_currency(kind))?.0.to_owned()),
            }
            pieces.next();
        }
        let (mut low, mut step) = number(&pieces.next()?)?;
        let mut high = low;
        // "30-40", "30 to 40"
        if pieces.peek().is_some_and(|word| matches!(word.as_str(), "-" | "–" | "to")) {
            pieces.next();
            (high, step) = number(&pieces.next()?)?;
        }
        if pieces.peek().is_some_and(|word| word == "+") {
            at_least = true;
            pieces.next();
        }
        let multiplier = pieces.peek().and_then(|word| match word.as_str() {
            "k" | "thousand" => Some(1e3),
            "million" | "millions" | "mio" => Some(1e6),
            "billion" | "billions" | "bn" => Some(1e9),
            _ => None,
        });
        if let Some(times) = multiplier {
            pieces.next();
            // "84k" is what was rounded to thousands.
            (low, high) = ((low - step / 2.0) * times, (high + step / 2.0) * times);
        }
        let mut rest: Vec<String> = pieces.filter(|word| !matches!(word.as_str(), "." | ",")).collect();
        let named = rest.first().and_then(|word| unit(word)).map(|(kind, factor)| (kind.to_owned(), factor));
        if named.is_some() {
            rest.remove(0);
        }
        let (kind, factor) = match (currency, named) {
            (Some(currency), None) => (currency, 1.0),
            (None, Some(named)) => named,
            (Some(_), Some(_)) => return None,
            (None, None) => ("number".to_owned(), 1.0),
        };
        // "40 euros a month" and "480 a year" are of one kind.
        let (per, share) = period(&rest).map_or((None, 1.0), |(words, months)| (Some(words), months));
        let rest = rest.get(per.unwrap_or(0)..).unwrap_or_default();
        let factor = factor / share;
        let every = if per.is_some() { " a month" } else { "" };
        let rest: String = rest.iter().map(|word| format!(" {}", singular(word))).collect();
        if rough {
            (low, high) = (low * (1.0 - ABOUT), high * (1.0 + ABOUT));
        }
        if at_least {
            high = f64::INFINITY;
        }
        if at_most {
            low = f64::NEG_INFINITY;
        }
        Some(Self { low: low * factor, high: high * factor, kind: format!("{kind}{every}{rest}") })
    }

    pub(super) fn compare(&self, other: &Self) -> Amounts {
        if self.kind != other.kind {
            return Amounts::OfOtherKinds;
        }
        let near = |a: f64, b: f64| a == b || (a - b).abs() <= ROUNDING * a.abs().max(b.abs());
        if near(self.low, other.low) && near(self.high, other.high) {
            return Amounts::Equal;
        }
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        if low <= high || near(low, high) { Amounts::Overlap } else { Amounts::Apart }
    }
}

fn is_currency(kind: &str) -> bool {
    matches!(kind, "euros" | "dollars" | "pounds" | "francs" | "yen")
}

fn unit(word: &str) -> Option<(&'static str, f64)> {
    BY_NAME.get(word).or_else(|| BY_NAME.get(word.strip_suffix('s')?)).copied()
}

fn singular(word: &str) -> &str {
    word.strip_suffix('s').filter(|stem| stem.len() > 2).unwrap_or(word)
}

/// How many of these words name a period, and how many months it has.
fn period(words: &[String]) -> Option<(usize, f64)> {
    let (first, behind) = words.split_first()?;
    let months = |word: &str| match word {
        "month" | "mo" | "monthly" => Some(1.0),
        "year" | "yr" | "yearly" | "annum" | "annually" => Some(12.0),
        _ => None,
    };
    match first.as_str() {
        "per" | "a" | "/" | "each" => Some((2, months(behind.first()?)?)),
        word if word.ends_with("ly") => Some((1, months(word)?)),
        _ => None,
    }
}

/// A number, and the worth of its last digit.
fn number(word: &str) -> Option<(f64, f64)> {
    if let Some(at) = NUMBER_WORDS.iter().position(|name| *name == word) {
        return Some((f64::from(u8::try_from(at).ok()?), 1.0));
    }
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

/// Words, numbers apart from the letters and signs beside them: "€480", "84k", "30-40", "3 km".
fn pieces(text: &str) -> Vec<String> {
    #[derive(Clone, Copy, PartialEq)]
    enum Kind {
        Digit,
        Letter,
        Sign,
        Space,
    }
    let kind = |c: char| match c {
        c if c.is_ascii_digit() => Kind::Digit,
        c if c.is_alphabetic() || c == '²' => Kind::Letter,
        c if c.is_whitespace() => Kind::Space,
        _ => Kind::Sign,
    };
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<String> = Vec::new();
    let mut last = Kind::Space;
    for (at, c) in chars.iter().enumerate() {
        let mut now = kind(*c);
        let next_digit = chars.get(at + 1).is_some_and(char::is_ascii_digit);
        if matches!(c, '.' | ',') && last == Kind::Digit && next_digit {
            now = Kind::Digit;
        } else if *c == '2' && last == Kind::Letter {
            // "m2"
            now = Kind::Letter;
        }
        match out.last_mut() {
            Some(piece) if now == last && now != Kind::Sign && now != Kind::Space => piece.push(*c),
            _ if now == Kind::Space => {}
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
    fn check(a: &str, b: &str, expect: Amounts) {
        let parse = |text: &str| Quantity::parse(text).unwrap_or_else(|| panic!("{text:?} is an amount"));
        assert_eq!(parse(a).compare(&parse(b)), expect, "{a:?} and {b:?}");
        assert_eq!(parse(b).compare(&parse(a)), expect, "{b:?} and {a:?}");
    }

    #[test]
    fn one_amount_in_two_units_is_one_amount() {
        check("3 km", "3000 m", Amounts::Equal);
        check("1.5 hours", "90 minutes", Amounts::Equal);
        check("€ 480 a year", "40 euros per month", Amounts::Equal);
        check("84,000", "84000", Amounts::Equal);
        check("3,5 kg", "3500 g", Amounts::Equal);
        check("two weeks", "14 days", Amounts::Equal);
        check("0.1 km", "100 m", Amounts::Equal);
    }

    #[test]
    fn a_rough_number_may_be_any_near_it() {
        check("about 40", "41", Amounts::Overlap);
        check("~40", "60", Amounts::Apart);
        check("84k", "84,200", Amounts::Overlap);
        check("84k", "90,000", Amounts::Apart);
        check("30-40 km", "35 km", Amounts::Overlap);
        check("at least 5 GB", "200 GB", Amounts::Overlap);
        check("up to 5 MB", "200 MB", Amounts::Apart);
        check("12+", "15", Amounts::Overlap);
    }

    #[test]
    fn other_amounts_are_apart() {
        check("7 days", "14 days", Amounts::Apart);
        check("64 MiB", "128 MiB", Amounts::Apart);
        check("6,840 euros", "7,100 euros", Amounts::Apart);
    }

    #[test]
    fn what_measures_other_things_is_not_compared() {
        check("40 €", "$40", Amounts::OfOtherKinds);
        check("40 € a month", "40 €", Amounts::OfOtherKinds);
        check("18 pixels in width", "16 pixels in height", Amounts::OfOtherKinds);
        check("200 MB per file", "5 MB", Amounts::OfOtherKinds);
        check("12 riders", "12", Amounts::OfOtherKinds);
    }

    #[test]
    fn what_is_no_amount_is_none() {
        for text in ["", "Rust", "version 1.2.3", "1.2.3", "2025-03-01", "6a", "the 5 best", "€", "40 € $", "1,2,3"]
        {
            let found = Quantity::parse(text);
            assert!(
                found.as_ref().is_none_or(|q| !matches!(q.kind.as_str(), "number" | "euros" | "dollars")),
                "{text:?}: {found:?}"
            );
        }
    }
}
