//! The value of digits, with the separators between them.
//!
//! Not here: units, and the context of a number ([`super::quantity`]).

use crate::token::is_vulgar_fraction;
use crate::unit::{MeasureUnit, find_unit};

/// Returns the currency named by a country adjective before a noun: `Canadian dollars`.
pub(super) fn find_national_currency(country: &str) -> Option<&'static MeasureUnit> {
    let name = match country {
        "canadian" => "cad",
        "us" | "american" => "usd",
        "swiss" => "chf",
        "danish" => "dkk",
        "swedish" => "sek",
        "norwegian" => "nok",
        "czech" => "czk",
        "polish" => "pln",
        "indian" => "inr",
        _ => return None,
    };
    find_unit(name)
}

/// Whether the digits do not look like a year: `one in 2019`.
pub(super) fn is_not_year(digits: &str) -> bool {
    digits.len() != 4 || !digits.starts_with(['1', '2']) || digits.ends_with("00")
}

/// Returns the value of a vulgar fraction: `½`.
#[must_use]
pub fn vulgar_fraction_value(text: &str) -> Option<f64> {
    let mut letters = text.chars();
    let first = letters.next().filter(|c| is_vulgar_fraction(*c) && letters.next().is_none())?;
    Some(match first {
        '¼' => 0.25,
        '½' => 0.5,
        '¾' => 0.75,
        '⅓' => 1.0 / 3.0,
        '⅔' => 2.0 / 3.0,
        _ => 0.125,
    })
}

/// Returns the value of digits and an alternative reading: a point or comma before three digits may group thousands.
#[must_use]
pub fn parse_numeral(digits: &str) -> Option<(f64, Option<f64>)> {
    let digits: String = digits.chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    if digits.contains(':') {
        return None;
    }
    let plain = |text: String| text.parse::<f64>().ok().filter(|value| value.is_finite());
    let without = |sign: char| digits.chars().filter(|c| *c != sign).collect::<String>();
    let groups = |sign: char| digits.split(sign).skip(1).all(|group| group.len() == 3);
    let (points, commas) = (digits.matches('.').count(), digits.matches(',').count());
    match (points, commas) {
        (0, 0) => Some((plain(digits)?, None)),
        (1, 0) => {
            Some((plain(digits.clone())?, plain(without('.')).filter(|_| groups('.') && !digits.starts_with('0'))))
        }
        (0, 1) if groups(',') => Some((plain(without(','))?, plain(digits.replace(',', ".")))),
        (0, 1) => Some((plain(digits.replace(',', "."))?, None)),
        (_, 0) if groups('.') => Some((plain(without('.'))?, None)),
        (0, _) => Some((plain(without(','))?, None)),
        (1, _) if digits.rfind('.') > digits.rfind(',') => Some((plain(without(','))?, None)),
        (_, 1) if digits.rfind(',') > digits.rfind('.') => Some((plain(without('.').replace(',', "."))?, None)),
        _ => None,
    }
}
