//! Numbers with their units: `40 ms`, `a dozen`, `over $2.3M`, `two thirds`, `the third`.
//!
//! Invariant: **numbers are compared by value, not by notation**; the byte range is kept, so that the original text
//! can be shown. Not here: dates and times of day ([`crate::time`]), which are found first and whose tokens are
//! skipped, and whether two numbers agree.

use super::number_words::{number_word_value, parse_number_words};
use super::numerals::{find_national_currency, is_not_year, parse_numeral, vulgar_fraction_value};
use super::quantity::{Quantity, QuantityBound, QuantityForm};
use super::unit_sharing::{join_durations, share_trailing_units};
use crate::lexicon::{BOUND_FILLERS, BOUNDS, BoundWord, FRACTIONS, MULTIPLES, ORDINALS, SCALES};
use crate::token::{Token, TokenKind, find_token_unit};
use crate::unit::{MeasureUnit, find_unit};

/// Finds the numbers of a text; tokens marked in `taken` are skipped.
#[must_use]
pub fn find_quantities(tokens: &[Token], taken: &[bool]) -> Vec<Quantity> {
    let reader = QuantityParser { tokens, taken };
    let mut found: Vec<Quantity> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match reader.parse_quantity(at) {
            Some(quantity) => {
                at = quantity.tokens.end.max(at + 1);
                found.push(quantity);
            }
            None => at += 1,
        }
    }
    share_trailing_units(tokens, &mut found);
    join_durations(tokens, found)
}

struct QuantityParser<'t> {
    tokens: &'t [Token],
    taken: &'t [bool],
}

/// A number without its unit and bound.
struct BareNumber {
    value: f64,
    other: Option<f64>,
    end: usize,
    form: QuantityForm,
    weak: bool,
}

impl<'t> QuantityParser<'t> {
    fn token(&self, at: usize) -> Option<&'t Token> {
        self.tokens.get(at).filter(|_| !self.taken.get(at).copied().unwrap_or(false))
    }

    fn lower(&self, at: usize) -> &'t str {
        self.token(at).map_or("", |t| t.lower.as_str())
    }

    fn is_glued(&self, at: usize) -> bool {
        self.token(at).is_some_and(|t| t.glued)
    }

    fn parse_quantity(&self, at: usize) -> Option<Quantity> {
        let bare = self
            .parse_ratio(at)
            .or_else(|| self.parse_digits(at))
            .or_else(|| self.parse_vulgar_fraction(at))
            .or_else(|| self.parse_fraction(at))
            .or_else(|| self.parse_spelled(at))?;
        let (mut unit, mut end) = self.parse_trailing_unit(bare.end);
        let mut start = at;
        if unit.is_none_or(|unit| !unit.is_currency())
            && let Some(before) = at.checked_sub(1)
            && let Some(currency) = self.token(before).and_then(find_token_unit).filter(|unit| unit.is_currency())
            && currency.name != "ct"
        {
            unit = Some(currency);
            start = before;
        }
        let mut bound = self.leading_bound(start);
        if self.lower(end) == "+" {
            bound = QuantityBound::Over;
            end += 1;
        }
        let (first, last) = (self.tokens.get(start)?, self.tokens.get(end.checked_sub(1)?)?);
        let weak = bare.weak && (unit.is_none() || bare.form == QuantityForm::Ordinal);
        Some(Quantity {
            range: first.range.start..last.range.end,
            tokens: start..end,
            value: bare.value,
            other: bare.other,
            unit: unit.filter(|_| bare.form != QuantityForm::Ordinal),
            bound,
            form: bare.form,
            weak,
        })
    }

    /// Parses digits with a suffix or a scale: `1,200`, `3rd`, `4.1M`, `3x`, `3/4`.
    fn parse_digits(&self, at: usize) -> Option<BareNumber> {
        let token = self.token(at).filter(|t| t.kind == TokenKind::Numeral && !t.lower.contains(':'))?;
        let (mut value, mut other) = parse_numeral(&token.lower)?;
        let mut end = at + 1;
        let behind = self.lower(end);
        if self.is_glued(end) && matches!(behind, "st" | "nd" | "rd" | "th") {
            return Some(BareNumber { value, other: None, end: end + 1, form: QuantityForm::Ordinal, weak: false });
        }
        if matches!(behind, "x" | "×")
            && (self.is_glued(end) || behind == "×")
            && !self.token(end + 1).is_some_and(|t| t.kind == TokenKind::Numeral)
        {
            return Some(BareNumber { value, other, end: end + 1, form: QuantityForm::Multiple, weak: false });
        }
        if matches!(behind, "times" | "mal") {
            return Some(BareNumber { value, other, end: end + 1, form: QuantityForm::Multiple, weak: false });
        }
        if behind == "/"
            && self.is_glued(end)
            && self.is_glued(end + 1)
            && let Some((below, _)) =
                self.token(end + 1).filter(|t| t.kind == TokenKind::Numeral).and_then(|t| parse_numeral(&t.lower))
            && value < below
            && below <= 10.0
        {
            return Some(BareNumber {
                value: value / below,
                other: None,
                end: end + 2,
                form: QuantityForm::Fraction,
                weak: false,
            });
        }
        if let Some(scale) = self.scale_factor(end) {
            value *= scale;
            other = None;
            end += 1;
        }
        if self.token(end).is_some_and(|t| t.kind == TokenKind::Word) && self.is_and_a_half(end) {
            value += 0.5;
            end += 3;
        } else if let Some(part) = self.token(end).and_then(|t| vulgar_fraction_value(&t.lower)) {
            value += part;
            end += 1;
        }
        Some(BareNumber { value, other, end, form: QuantityForm::Cardinal, weak: false })
    }

    fn is_and_a_half(&self, at: usize) -> bool {
        self.lower(at) == "and" && self.lower(at + 1) == "a" && self.lower(at + 2) == "half"
    }

    fn scale_factor(&self, at: usize) -> Option<f64> {
        let token = self.token(at)?;
        let scale = SCALES.get(&token.lower)?;
        match token.lower.len() {
            // `5 m` are metres, `5M` millions.
            1 => (token.glued && (token.lower == "k" || token.capital)).then_some(scale),
            _ => Some(scale),
        }
    }

    /// Parses a ratio: `1 in 1000`, `one in ten`, `two out of three`.
    fn parse_ratio(&self, at: usize) -> Option<BareNumber> {
        let plain = |at: usize| {
            let token = self.token(at)?;
            let digits = (token.kind == TokenKind::Numeral).then(|| parse_numeral(&token.lower)).flatten();
            digits.map(|(value, _)| value).or_else(|| number_word_value(&token.lower))
        };
        let above = plain(at)?;
        let end = match (self.lower(at + 1), self.lower(at + 2)) {
            ("in", _) if above <= 3.0 => at + 2,
            ("out", "of") => at + 3,
            _ => return None,
        };
        let below = plain(end).filter(|below| *below > above && *below < 1e7 && is_not_year(self.lower(end)))?;
        Some(BareNumber { value: above / below, other: None, end: end + 1, form: QuantityForm::Fraction, weak: false })
    }

    fn parse_vulgar_fraction(&self, at: usize) -> Option<BareNumber> {
        let value = vulgar_fraction_value(self.lower(at))?;
        Some(BareNumber { value, other: None, end: at + 1, form: QuantityForm::Fraction, weak: false })
    }

    /// Parses a fraction: `half`, `a third`, `two thirds`, `three quarters`; not `the third`.
    fn parse_fraction(&self, at: usize) -> Option<BareNumber> {
        let fraction = |value: f64, end: usize, weak: bool| {
            Some(BareNumber { value, other: None, end, form: QuantityForm::Fraction, weak })
        };
        let lower = self.lower(at);
        if lower.starts_with("halv") || lower == "hälfte" || lower.starts_with("halbe") {
            return fraction(0.5, at + 1, true);
        }
        if lower == "half" {
            let behind = at + 1 + usize::from(matches!(self.lower(at + 1), "a" | "an"));
            let measured = self.token(behind).and_then(find_token_unit).is_some();
            return fraction(0.5, if measured { behind } else { at + 1 }, !measured);
        }
        let below = FRACTIONS.get(self.lower(at + 1))?;
        let above = match lower {
            "a" | "one" | "ein" => 1.0,
            word => number_word_value(word).filter(|above| *above < below && self.lower(at + 1).ends_with('s'))?,
        };
        // `a third time`, `a quarter to six` are no shares, and `a fifth of` is one.
        let of = self.lower(at + 2);
        let shares = matches!(of, "of" | "" | "." | "," | "more" | "less" | "der" | "des") || above > 1.0;
        let end = at + 2 + usize::from(of == "of" && matches!(self.lower(at + 3), "a" | "an"));
        if shares { fraction(above / below, end, below == 2.0 || below == 4.0) } else { None }
    }

    /// Parses number words: `twenty-five`, `two hundred and ten`, `a dozen`, `third`, `twice`.
    fn parse_spelled(&self, at: usize) -> Option<BareNumber> {
        let lower = self.lower(at);
        if self.token(at)?.kind != TokenKind::Word {
            return None;
        }
        if let Some(times) = MULTIPLES.get(lower) {
            return Some(BareNumber {
                value: times,
                other: None,
                end: at + 1,
                form: QuantityForm::Multiple,
                weak: true,
            });
        }
        if let Some(which) = ORDINALS.get(lower) {
            return Some(BareNumber {
                value: which,
                other: None,
                end: at + 1,
                form: QuantityForm::Ordinal,
                weak: which <= 2.0,
            });
        }
        let number = parse_number_words(|at| self.lower(at), at)?;
        let (mut value, mut end) = (number.value, number.end);
        if self.is_and_a_half(end) {
            value += 0.5;
            end += 3;
        }
        if matches!(self.lower(end), "times" | "mal") {
            return Some(BareNumber {
                value,
                other: None,
                end: end + 1,
                form: QuantityForm::Multiple,
                weak: value < 3.0,
            });
        }
        Some(BareNumber { value, other: None, end, form: QuantityForm::Cardinal, weak: value <= 1.0 })
    }

    /// Returns the unit behind a number, and the end of both.
    fn parse_trailing_unit(&self, at: usize) -> (Option<&'static MeasureUnit>, usize) {
        let dash = usize::from(self.token(at).is_some_and(|t| t.is_mark('-') && t.glued));
        let here = at + dash;
        let Some(token) = self.token(here) else { return (None, at) };
        if token.kind == TokenKind::Mark('°') {
            let scale = if self.lower(here + 1) == "f" { "°f" } else { "°c" };
            let letter = usize::from(matches!(self.lower(here + 1), "c" | "f"));
            return (find_unit(scale), here + 1 + letter);
        }
        if let Some(currency) = find_national_currency(&token.lower)
            .filter(|_| self.token(here + 1).and_then(find_token_unit).is_some_and(|unit| unit.is_currency()))
        {
            return (Some(currency), here + 2);
        }
        // `5 am` and `2 in three` have none; a lone letter is one only where it is small: `5 M`.
        let Some(unit) = find_token_unit(token) else { return (None, at) };
        let letter = token.lower.len() == 1 && token.kind == TokenKind::Word;
        if letter && (token.capital && !matches!(token.lower.as_str(), "w" | "v" | "l") || dash == 1) {
            return (None, at);
        }
        // `miles per hour`, `km/h`.
        let speed = match (unit.name, self.lower(here + 1), self.lower(here + 2)) {
            ("mile", "per" | "an", "hour") => Some("mph"),
            ("km", "per" | "an", "hour") | ("km", "/", "h") => Some("kmh"),
            _ => None,
        };
        match speed.and_then(crate::unit::find_unit) {
            Some(speed) => (Some(speed), here + 3),
            None => (Some(unit), here + 1),
        }
    }

    /// Returns the bound in front of a number.
    fn leading_bound(&self, at: usize) -> QuantityBound {
        let word = |back: usize| at.checked_sub(back).map_or("", |i| self.lower(i));
        let than = match (word(2), word(1)) {
            ("more" | "later" | "longer", "than") if matches!(word(3), "no" | "not") => Some(QuantityBound::Under),
            ("less" | "fewer", "than") if matches!(word(3), "no" | "not") => Some(QuantityBound::Over),
            ("more" | "greater" | "higher" | "longer" | "better", "than") => Some(QuantityBound::Over),
            ("less" | "fewer" | "lower" | "shorter", "than") | ("up", "to") => Some(QuantityBound::Under),
            (_, ">") => Some(QuantityBound::Over),
            (_, "<") => Some(QuantityBound::Under),
            _ => None,
        };
        let skip = 1 + usize::from(BOUND_FILLERS.contains(word(1)));
        let listed = BOUNDS.get(word(skip)).filter(|_| word(skip) != "up");
        than.unwrap_or(match listed {
            Some(BoundWord::About) => QuantityBound::About,
            Some(BoundWord::Over) => QuantityBound::Over,
            Some(BoundWord::Under) => QuantityBound::Under,
            _ => QuantityBound::Exact,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::tokenize;

    fn read(text: &str) -> Vec<String> {
        let tokens = tokenize(text);
        let found = find_quantities(&tokens, &[]);
        found
            .iter()
            .map(|q| {
                format!(
                    "{}{}{}",
                    (q.value * 1000.0).round() / 1000.0,
                    q.unit.map_or("", |u| u.name),
                    match q.bound {
                        QuantityBound::Exact => "",
                        QuantityBound::About => "~",
                        QuantityBound::Over => "+",
                        QuantityBound::Under => "-",
                    }
                )
            })
            .collect()
    }

    #[test]
    fn numbers_are_read_however_they_are_written() {
        for (text, expect) in [
            ("40ms and 1,200.5 kg", vec!["40ms", "1200.5kg"]),
            ("twenty-five people, two hundred and ten", vec!["25", "210"]),
            ("$2.3M, $350CAD, 412 €, CHF 640", vec!["2300000usd", "350cad", "412eur", "640chf"]),
            ("about a dozen, over 800, 800+", vec!["12~", "800+", "800+"]),
            ("a fifth of them, two thirds, half an hour", vec!["0.2", "0.667", "0.5h"]),
            ("3,5 Liter, 1.050,00 €", vec!["3.5l", "1050eur"]),
            ("fünfundzwanzig Minuten", vec!["25min"]),
            ("5–10 %", vec!["5%", "10%"]),
            ("3h10 in 2½ km", vec!["3.167h", "2.5km"]),
            ("no more than 3 days", vec!["3d-"]),
            ("4.1M, up from 3.3, 180k/month", vec!["4100000", "3.3", "180000"]),
            ("the third time", vec!["3"]),
        ] {
            assert_eq!(read(text), expect, "{text:?}");
        }
    }
}
