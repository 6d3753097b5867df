//! Value types recognized by form: sums, dates, versions, addresses.

use memora_nlp::language::Language;
use memora_nlp::lexicon::{DAY_WORDS, MONTHS, NUMERALS, WEEKDAY_HABITS, WEEKDAYS};
use memora_nlp::unit::find_unit_in;
use memora_nlp::word_lists::WordSet;

use crate::lists::{CLOCK_WORDS, DURATION_COUNTS, FREQUENCY_WORDS, NON_KIND_WORDS, VAGUE_DATES};

/// Whether this is the name of a built-in value type.
pub(crate) fn is_builtin_type(class: &str) -> bool {
    BUILTIN.contains(&class)
}

const BUILTIN: &[&str] = &[
    "age",
    "area",
    "bytes",
    "date",
    "duration",
    "thousands",
    "years",
    "frequency",
    "kind",
    "length",
    "mail",
    "money",
    "name",
    "number",
    "organisation",
    "percent",
    "phone",
    "time",
    "version",
    "weight",
];

/// Whether words have the given value type.
pub(crate) fn matches_type(class: &str, words: &str) -> bool {
    let lower = words.to_lowercase();
    let parts = split_measures(&lower);
    let has = |list: &[&str]| parts.iter().any(|part| list.contains(part));
    let has_listed = |list: &WordSet<'_>| parts.iter().any(|part| list.contains(part));
    let number = parts.iter().any(|part| is_number_word(part));
    let measures = |dimension: &str| (0..parts.len()).any(|at| is_unit_at(&parts, at, dimension));
    match class {
        "number" => parts.first().is_some_and(|part| is_number_word(part)) && parts.len() <= 3,
        "money" => number && measures("money:") && !is_formula(&lower),
        "percent" => number && measures("share"),
        "weight" => number && (measures("mass") || has(&["pound", "pounds"])),
        "length" => number && (measures("length") || has(&["in"])),
        "area" => number && (measures("area") || has(&["square"])),
        "bytes" => number && measures("bytes"),
        "duration" => (number || has_listed(&DURATION_COUNTS)) && measures("time") && !has_listed(&FREQUENCY_WORDS),
        "frequency" => has_listed(&FREQUENCY_WORDS),
        "age" => {
            number
                && (parts.len() == 1 && parts.first().is_some_and(|n| n.len() <= 3) && !lower.contains(['.', ',', ':'])
                    || lower.contains("years old")
                    || lower.contains("year old"))
        }
        "years" => lower.contains("years old") || lower.contains("year old") || lower.contains("years of age"),
        "thousands" => {
            parts.windows(2).any(|pair| is_number_word(pair.first().unwrap_or(&"")) && pair.get(1) == Some(&"k"))
        }
        "date" => is_date_value(&lower, &parts),
        "time" => lower.contains(':') && number || has_listed(&CLOCK_WORDS) || number && parts.len() == 1,
        "version" => is_version(&lower),
        "mail" => lower.contains('@') && lower.contains('.') && !lower.contains(' '),
        "phone" => is_phone(&lower),
        "name" | "organisation" => words
            .split_whitespace()
            .find(|word| !matches!(*word, "the" | "The" | "a" | "an"))
            .is_some_and(|word| word.starts_with(char::is_uppercase)),
        "kind" => is_kind_phrase(&lower),
        _ => false,
    }
}

/// Whether a part is an English unit of a dimension; a short one must follow its number, since `us` need not be
/// microseconds.
fn is_unit_at(parts: &[&str], at: usize, dimension: &str) -> bool {
    let Some(part) = parts.get(at) else { return false };
    let is_short = part.len() < 3 && part.chars().all(char::is_alphabetic);
    let behind = at.checked_sub(1).and_then(|before| parts.get(before)).is_some_and(|before| is_number_word(before));
    let unit = find_unit_in(Language::English, part).filter(|unit| unit.dimension.starts_with(dimension));
    unit.is_some() && *part != "us" && (!is_short || behind)
}

/// Returns words and numbers, with units separated from their numbers.
fn split_measures(lower: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for word in lower.split_whitespace() {
        let word = word.trim_matches(|c: char| matches!(c, ',' | ';' | ':' | '!' | '?' | '(' | ')' | '"'));
        let digit = word.find(|c: char| c.is_ascii_digit());
        let behind = digit
            .and_then(|at| word.get(at..))
            .and_then(|rest| rest.find(|c: char| c.is_alphabetic() || matches!(c, '%' | '€' | '$' | '£')));
        match (digit, behind) {
            (Some(at), Some(behind)) => {
                let (before, rest) = word.split_at_checked(at).unwrap_or((word, ""));
                let (number, unit) = rest.split_at_checked(behind).unwrap_or((rest, ""));
                found.extend([before, number, unit].into_iter().filter(|part| !part.is_empty()));
            }
            (Some(at), None) => {
                let (before, number) = word.split_at_checked(at).unwrap_or((word, ""));
                found.extend([before, number].into_iter().filter(|part| !part.is_empty()));
            }
            _ => found.push(word),
        }
    }
    found
}

fn is_number_word(part: &str) -> bool {
    if NUMERALS.get_in(Language::English, part).is_some() {
        return true;
    }
    part.starts_with(|c: char| c.is_ascii_digit())
        && part.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '\u{a0}' | '-' | '–' | '\''))
}

/// Whether words are a TeX formula between dollar signs: "$p < 0.05$", "$x_1 = 3$".
fn is_formula(words: &str) -> bool {
    words.contains(['\\', '{', '}', '^', '_', '=', '<', '>']) || words.matches('$').count() > 1 && words.ends_with('$')
}

fn is_date_value(lower: &str, parts: &[&str]) -> bool {
    let year = |part: &&str| {
        part.len() == 4
            && part.bytes().all(|b| b.is_ascii_digit())
            && (part.starts_with("19") || part.starts_with("20"))
    };
    // `jan.`, `march-april`.
    let named = |part: &&str| part.split(|c: char| !c.is_alphabetic()).any(is_day_or_month);
    let iso = lower.split_whitespace().any(|word| {
        let digits: Vec<&str> = word.split(['-', '/', '.']).collect();
        digits.len() == 3 && digits.iter().all(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    });
    iso || parts.iter().any(year) || parts.iter().any(named) || VAGUE_DATES.contains(lower)
}

fn is_day_or_month(word: &str) -> bool {
    let english = Language::English;
    MONTHS.get_in(english, word).is_some()
        || WEEKDAYS.get_in(english, word).is_some()
        || WEEKDAY_HABITS.get_in(english, word).is_some()
        || DAY_WORDS.get_in(english, word).is_some()
}

fn is_version(lower: &str) -> bool {
    let word = lower.trim_start_matches("version ").trim_start_matches("v");
    let first = word.split_whitespace().next().unwrap_or_default();
    let numbers: Vec<&str> = first.split('.').collect();
    word == first
        && (numbers.len() >= 2 || lower.starts_with('v'))
        && numbers.iter().all(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'))
        && first.starts_with(|c: char| c.is_ascii_digit())
}

fn is_phone(lower: &str) -> bool {
    let digits = lower.chars().filter(char::is_ascii_digit).count();
    (7..=15).contains(&digits)
        && lower.chars().all(|c| c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '(' | ')' | '/'))
}

/// Whether a noun phrase says what something is: "a frame shop", "the Japanese craft of …".
fn is_kind_phrase(lower: &str) -> bool {
    let mut words = lower.split_whitespace();
    let first = words.next();
    matches!(first, Some("a" | "an"))
        && words.next().is_some_and(|word| word.len() > 2 && !NON_KIND_WORDS.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A word added once is known here; notes are read in English.
    #[test]
    fn every_listed_unit_number_and_day_is_told() {
        let english = |language: &Language| *language == Language::English;
        // `m2` is cut as a letter and a number.
        let units = memora_nlp::unit::UNITS.iter().filter(|(word, ..)| !word.ends_with('2'));
        for (word, _, unit) in units.filter(|(_, language, _)| english(language)) {
            let class = match unit.dimension {
                "time" => "duration",
                "mass" => "weight",
                "share" => "percent",
                "length" | "area" | "bytes" => unit.dimension,
                _ if unit.is_currency() => "money",
                _ => continue,
            };
            assert!(word == "us" || matches_type(class, &format!("7 {word}")), "7 {word} is {class}");
        }
        for (word, ..) in NUMERALS.iter().filter(|(_, language, _)| english(language)) {
            assert!(matches_type("number", &format!("{word} people")), "{word}");
        }
        let months = MONTHS.iter().filter(|(_, language, _)| english(language)).map(|(word, ..)| word);
        let days = WEEKDAYS.iter().filter(|(_, language, _)| english(language)).map(|(word, ..)| word);
        for word in months.chain(days) {
            assert!(matches_type("date", word), "{word}");
        }
    }

    #[test]
    fn classes_are_told_by_form() {
        for (class, words) in [
            ("money", "4.2 million euros"),
            ("money", "€900"),
            ("money", "$4,000 per month"),
            ("date", "2025-06-30"),
            ("date", "March 2024"),
            ("date", "Friday"),
            ("version", "v5.2"),
            ("version", "1.0.210"),
            ("mail", "anna@example.org"),
            ("phone", "0151 2234981"),
            ("age", "40 years old"),
            ("age", "90"),
            ("duration", "three weeks"),
            ("frequency", "twice a day"),
            ("kind", "a frame shop behind the station"),
            ("weight", "82 kg"),
            ("weight", "82kg"),
            ("bytes", "64 GB RAM"),
        ] {
            assert!(matches_type(class, words), "{words} is {class}");
        }
        for (class, words) in [
            ("money", "euros"),
            ("money", "$p < 0.05$"),
            ("money", "$x_1 = 3$"),
            ("money", "$\\alpha$ of 2"),
            ("date", "10.0.0.4"),
            ("version", "3"),
            ("version", "1.5 cups"),
            ("phone", "40"),
            ("age", "4.2 million"),
            ("age", "40 %"),
            ("kind", "slow"),
            ("name", "the report"),
        ] {
            assert!(!matches_type(class, words), "{words} is not {class}");
        }
    }
}
