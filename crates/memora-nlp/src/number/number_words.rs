//! Number words: `twenty-five`, `two hundred and ten`, `a dozen`, `fünfundzwanzig`.

use crate::lexicon::{COUNTED_NUMERALS, INDEFINITE_ARTICLES, NUMERALS};

/// A number written in words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpelledNumber {
    /// Its value.
    pub value: f64,
    /// The index behind its last token.
    pub end: usize,
}

/// Returns the value of one lower-case word, with or without umlauts: `seven`, `hundert`, `fünfundzwanzig`, `zwolf`.
#[must_use]
pub fn number_word_value(word: &str) -> Option<f64> {
    NUMERALS.get_folded(word).or_else(|| compound_value(word))
}

/// Parses number words from token `at` on.
///
/// `word` returns a token in lower case, or an empty string for a token that cannot be part of the number. A hyphen may
/// be a token (`-`) or absent.
#[must_use]
pub fn parse_number_words<'t>(word: impl Fn(usize) -> &'t str, at: usize) -> Option<SpelledNumber> {
    let article = matches!(word(at), "a" | "an");
    if article && !COUNTED_NUMERALS.contains(word(at + 1)) {
        return None;
    }
    let (mut sum, mut part, mut end) = (0.0, 0.0, at + usize::from(article));
    let mut words = 0;
    loop {
        let joined = words > 0 && matches!(word(end), "and" | "-");
        let here = end + usize::from(joined);
        let Some(value) = number_word_value(word(here)) else { break };
        if value >= 1000.0 {
            sum += f64::max(part, 1.0) * value;
            part = 0.0;
        } else if value == 100.0 || (value == 12.0 && word(here) == "dozen") {
            part = f64::max(part, 1.0) * value;
        } else if part == 0.0
            || (part >= 20.0 && value < 10.0 && part % 10.0 == 0.0)
            || (part >= 100.0 && part % 100.0 == 0.0)
        {
            part += value;
        } else {
            break;
        }
        if joined && part < 20.0 && sum == 0.0 {
            return None;
        }
        (end, words) = (here + 1, words + 1);
    }
    (words > 0).then_some(SpelledNumber { value: sum + part, end })
}

/// Parses a count from token `at` on; returns it with its number of tokens: `3`, `twenty-five`, `a`, `zwei`.
///
/// `word` is as for [`parse_number_words`]. A multiplier does not begin a count: `several thousand` is not one thousand.
#[must_use]
pub fn parse_count<'t>(word: impl Fn(usize) -> &'t str, at: usize) -> Option<(i32, usize)> {
    let first = word(at);
    if first.len() <= 4 && first.bytes().all(|b| b.is_ascii_digit()) {
        return Some((first.parse().ok().filter(|count| *count > 0)?, 1));
    }
    let multiplies = number_word_value(first).is_some_and(|value| value >= 100.0);
    match parse_number_words(&word, at).filter(|number| (1.0..10_000.0).contains(&number.value)) {
        // Whole, as number words are.
        Some(number) => (!multiplies).then_some((number.value as i32, number.end - at)),
        None => INDEFINITE_ARTICLES.contains(first).then_some((1, 1)),
    }
}

/// Returns the value of a German compound: `fünfundzwanzig`.
fn compound_value(word: &str) -> Option<f64> {
    // One byte, "und" and five more: most words need not be searched.
    if word.len() < 9 {
        return None;
    }
    let (ones, tens) = word.split_once("und").filter(|(ones, tens)| !ones.is_empty() && tens.len() > 4)?;
    let ones = if ones == "ein" { 1.0 } else { NUMERALS.get_folded(ones)? };
    let tens = NUMERALS.get_folded(tens)?;
    (ones < 10.0 && (20.0..100.0).contains(&tens)).then_some(ones + tens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_small_and_whole() {
        for (text, expect) in [
            ("3 years", Some((3, 1))),
            ("a year", Some((1, 1))),
            ("a hundred years", Some((100, 2))),
            ("twenty - five", Some((25, 3))),
            ("thousand years", None),
            ("two hundred thousand years", None),
            ("zero years", None),
            ("0 years", None),
            ("12345", None),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(parse_count(|at| words.get(at).copied().unwrap_or_default(), 0), expect, "{text:?}");
        }
    }

    #[test]
    fn number_words_are_read_together() {
        for (text, value, end) in [
            ("twenty five years", 25.0, 2),
            ("twenty - five", 25.0, 3),
            ("two hundred and ten", 210.0, 4),
            ("a dozen eggs", 12.0, 2),
            ("three thousand", 3000.0, 2),
            ("two or three", 2.0, 1),
            ("two three", 2.0, 1),
            ("fünfundzwanzig", 25.0, 1),
        ] {
            let words: Vec<&str> = text.split(' ').collect();
            let found = parse_number_words(|at| words.get(at).copied().unwrap_or_default(), 0);
            assert_eq!(found, Some(SpelledNumber { value, end }), "{text:?}");
        }
        for text in ["", "a year", "first", "and two"] {
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(parse_number_words(|at| words.get(at).copied().unwrap_or_default(), 0), None, "{text:?}");
        }
    }
}
