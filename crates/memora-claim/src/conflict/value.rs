//! Objects of claims, compared by type: amount, version, date or words.

use memora_vault::PartialDate;

use super::quantity::{QuantityRange, QuantityRelation};
use crate::NameKey;
use crate::lists::{CLOCK_FILLERS, VALUE_DETERMINERS, VALUE_FILLERS};
use crate::time::find_times;

/// The relation between two objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueRelation {
    /// The same thing, by any name.
    Same,
    /// The first is more specific and implies the second: "Rust 1.80" and "Rust".
    Narrower,
    /// The second implies the first.
    Broader,
    /// Two different things, of which only one can hold.
    Incompatible,
    /// Undecidable by the words alone.
    Undetermined,
}

impl ValueRelation {
    /// The same, seen from the other side.
    #[must_use]
    pub fn reverse(self) -> Self {
        match self {
            Self::Narrower => Self::Broader,
            Self::Broader => Self::Narrower,
            same => same,
        }
    }

    fn from_containment(first_holds: bool, second_holds: bool) -> Self {
        match (first_holds, second_holds) {
            (true, true) => Self::Same,
            (true, false) => Self::Narrower,
            (false, true) => Self::Broader,
            (false, false) => Self::Incompatible,
        }
    }
}

/// An object of a claim, prepared for comparison.
///
/// Vault text, so it has no `Debug`.
#[derive(Clone, PartialEq)]
pub struct ObjectValue {
    kind: ValueKind,
    /// The note that the words name.
    note: Option<String>,
}

#[derive(Clone, PartialEq)]
enum ValueKind {
    Amount(QuantityRange),
    Version(Vec<String>),
    Date(PartialDate, PartialDate),
    Words(Vec<String>, NounType),
    /// A pronoun or demonstrative, or too long to be compared.
    Opaque,
}

/// How a noun refers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NounType {
    /// By a proper name: "Kiel".
    Proper,
    /// As one of a kind: "a flat". It may be in Kiel.
    Common,
    /// Undecidable: "vim".
    Unclear,
}

/// The year that stands for every year: it has a 29 February.
const LEAP_YEAR: i16 = 4;

/// Maximum words in a value; a longer text is not a value.
const VALUE_WORDS_MAX: usize = 8;

impl ObjectValue {
    /// Parses an object: `written` is the day from which "Friday" counts, `note` the note that it names, `version`
    /// whether the relation is about versions.
    #[must_use]
    pub fn parse(text: &str, written: Option<PartialDate>, note: Option<String>, version: bool) -> Self {
        Self { kind: ValueKind::classify(text, written, version), note }
    }

    /// Returns it without its year, if it is a day that comes every year: then no other year contradicts it.
    #[must_use]
    pub fn of_every_year(self, recurs: bool) -> Self {
        match self.kind {
            ValueKind::Date(from, until) if recurs && from == until && from.day().is_some() => {
                let leap = PartialDate::from_ymd(LEAP_YEAR, from.month().unwrap_or(1), from.day().unwrap_or(1));
                let day = leap.unwrap_or(from);
                Self { kind: ValueKind::Date(day, day), ..self }
            }
            _ => self,
        }
    }

    /// Returns whether both are amounts with two ends ("30-50 %") of which neither is within the other.
    #[must_use]
    pub fn is_another_span(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (ValueKind::Amount(a), ValueKind::Amount(b)) => a.is_another_span(b),
            _ => false,
        }
    }

    /// Compares it with another object.
    #[must_use]
    pub fn compare(&self, other: &Self) -> ValueRelation {
        if let (Some(a), Some(b)) = (&self.note, &other.note) {
            return if a == b { ValueRelation::Same } else { ValueRelation::Incompatible };
        }
        match (&self.kind, &other.kind) {
            (ValueKind::Amount(a), ValueKind::Amount(b)) => match a.compare(b) {
                QuantityRelation::Equal => ValueRelation::Same,
                QuantityRelation::Overlap | QuantityRelation::Incomparable => ValueRelation::Undetermined,
                QuantityRelation::Disjoint => ValueRelation::Incompatible,
            },
            (ValueKind::Version(a), ValueKind::Version(b)) => {
                ValueRelation::from_containment(a.starts_with(b), b.starts_with(a))
            }
            (ValueKind::Date(a, to_a), ValueKind::Date(b, to_b)) => compare_dates((*a, *to_a), (*b, *to_b)),
            (ValueKind::Words(a, _), ValueKind::Words(b, _)) if a == b => ValueRelation::Same,
            (ValueKind::Words(a, of_a), ValueKind::Words(b, of_b)) => {
                let within = |few: &[String], many: &[String]| few.iter().all(|word| many.contains(word));
                let mixed =
                    matches!((of_a, of_b), (NounType::Proper, NounType::Common) | (NounType::Common, NounType::Proper));
                match ValueRelation::from_containment(within(b, a), within(a, b)) {
                    ValueRelation::Incompatible if mixed => ValueRelation::Undetermined,
                    told => told,
                }
            }
            _ => ValueRelation::Undetermined,
        }
    }
}

impl ValueKind {
    fn classify(text: &str, written: Option<PartialDate>, version: bool) -> Self {
        let words: Vec<String> = text.split_whitespace().map(normalize_word).filter(|word| !word.is_empty()).collect();
        let points = words.first().is_some_and(|word| VALUE_DETERMINERS.contains(word.as_str()));
        if words.is_empty()
            || words.len() > VALUE_WORDS_MAX
            || points
            || NameKey::from_object(text).is_none() && words.len() < 3
        {
            return Self::Opaque;
        }
        if NameKey::from_object(text) == Some(NameKey::owner()) {
            return Self::Opaque;
        }
        if let Some(parts) = parse_version(&words, version) {
            return Self::Version(parts);
        }
        if let Some((from, until)) = parse_dates(text, written) {
            return Self::Date(from, until);
        }
        if let Some(amount) = QuantityRange::parse(text) {
            return Self::Amount(amount);
        }
        let told: Vec<String> = words.iter().filter(|word| !is_function_word(word)).cloned().collect();
        if told.is_empty() { Self::Opaque } else { Self::Words(told, classify_noun(text)) }
    }
}

fn classify_noun(text: &str) -> NounType {
    let first = text.split_whitespace().next().map(str::to_lowercase).unwrap_or_default();
    match first.as_str() {
        "a" | "an" => NounType::Common,
        _ if text.split_whitespace().any(|word| word.starts_with(|c: char| c.is_uppercase())) => NounType::Proper,
        _ => NounType::Unclear,
    }
}

/// Folds a word and trims its punctuation; text in brackets is part of it.
fn normalize_word(word: &str) -> String {
    let mark = |c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%' | '€' | '$' | '£' | '~' | '≈');
    memora_vault::fold_name(word.trim_matches(mark))
}

fn is_function_word(word: &str) -> bool {
    VALUE_FILLERS.contains(word)
}

/// Parses "version 1.1.2", "v2", "1.12.4"; with `version`, "1.5" and "17" too.
fn parse_version(words: &[String], version: bool) -> Option<Vec<String>> {
    let (last, before) = words.split_last()?;
    let told = before.iter().any(|word| matches!(word.as_str(), "version" | "release" | "v"));
    if !before.iter().all(|word| matches!(word.as_str(), "version" | "release" | "v")) {
        return None;
    }
    let digits = last.strip_prefix('v').unwrap_or(last);
    let parts: Vec<String> = digits.split('.').map(str::to_owned).collect();
    let is_part = |part: &String| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let begins = digits.starts_with(|c: char| c.is_ascii_digit());
    let plainly = told || version || digits.len() < last.len() || parts.len() > 2;
    (begins && plainly && parts.iter().all(is_part)).then_some(parts)
}

/// Parses the days that a text names, if it names nothing else but a time of day.
fn parse_dates(text: &str, written: Option<PartialDate>) -> Option<(PartialDate, PartialDate)> {
    let text = text.trim();
    if let Some(date) = PartialDate::parse(text).filter(|_| text.len() > 4) {
        return Some((date, date));
    }
    let found = find_times(text);
    let [only] = found.as_slice() else { return None };
    let (before, behind) = (text.get(..only.phrase.start)?, text.get(only.phrase.end..)?);
    let rest = format!("{before} {behind}");
    let clock = |word: &str| word.contains(':') && word.chars().any(|c| c.is_ascii_digit());
    let silent = |word: &str| {
        let plain = normalize_word(word);
        clock(word) || plain.is_empty() || CLOCK_FILLERS.contains(plain.as_str())
    };
    rest.split_whitespace().all(silent).then(|| only.when.resolve(written)).flatten()
}

fn compare_dates(a: (PartialDate, PartialDate), b: (PartialDate, PartialDate)) -> ValueRelation {
    let bounds =
        |(from, until): (PartialDate, PartialDate)| (from.first_and_last_day().0, until.first_and_last_day().1);
    let ((a, to_a), (b, to_b)) = (bounds(a), bounds(b));
    if to_a < b || to_b < a {
        return ValueRelation::Incompatible;
    }
    match ValueRelation::from_containment(b <= a && to_a <= to_b, a <= b && to_b <= to_a) {
        ValueRelation::Incompatible => ValueRelation::Undetermined,
        told => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> ObjectValue {
        ObjectValue::parse(text, PartialDate::parse("2025-03-12"), None, false)
    }

    #[track_caller]
    fn check(a: &str, b: &str, expect: ValueRelation) {
        assert_eq!(value(a).compare(&value(b)), expect, "{a:?} and {b:?}");
        assert_eq!(value(b).compare(&value(a)), expect.reverse(), "{b:?} and {a:?}");
    }

    #[test]
    fn words_are_compared_without_marks_case_and_determiners() {
        check("Rust", "“rust”", ValueRelation::Same);
        check("the relay", "relay", ValueRelation::Same);
        check("Go", "Rust", ValueRelation::Incompatible);
        check("Kestrel Optik", "Tidewell", ValueRelation::Incompatible);
        check("C", "C++", ValueRelation::Incompatible);
    }

    #[test]
    fn what_says_more_implies_what_says_less() {
        check("Rust with tokio", "Rust", ValueRelation::Narrower);
        check("Kiel", "a flat in Kiel", ValueRelation::Broader);
        check("version 1.2.3", "1.2.3", ValueRelation::Same);
        check("v1.2.3", "version 1.2", ValueRelation::Narrower);
        check("version 1.1.2", "version 1.0.21", ValueRelation::Incompatible);
        check("2025-03-14", "March 2025", ValueRelation::Narrower);
        check("14 March 2025", "2025-03-14", ValueRelation::Same);
        check("on Friday", "2025-03-14", ValueRelation::Same);
        check("2025-03-14 10:45", "2025-03-15", ValueRelation::Incompatible);
    }

    #[test]
    fn what_points_elsewhere_is_never_unlike() {
        for other in ["each of your devices", "me", "it", "somewhere else", "your data"] {
            assert_ne!(value("Kiel").compare(&value(other)), ValueRelation::Same);
        }
        check("me", "Mara", ValueRelation::Undetermined);
        check("each of your devices", "Kiel", ValueRelation::Undetermined);
        check("40 euros", "Kiel", ValueRelation::Undetermined);
        check("a flat", "Kiel", ValueRelation::Undetermined);
        check("a nurse", "a teacher", ValueRelation::Incompatible);
        check("", "Kiel", ValueRelation::Undetermined);
    }

    #[test]
    fn amounts_with_two_ends_are_others_unless_one_is_within_the_other() {
        let another = |a: &str, b: &str| value(a).is_another_span(&value(b)) && value(b).is_another_span(&value(a));
        assert!(another("30-50 %", "40-60 %") && another("2 to 5 minutes", "4 to 10 minutes"));
        assert!(another("30-50 %", "between 40 and 60 percent"));
        for other in ["30-50 %", "35-40 %", "20-60 %", "40 %", "about 60 %", "40-60 km", "40-60", "many"] {
            assert!(!another("30-50 %", other), "{other}");
        }
        check("between 10 and 20 %", "30-50 %", ValueRelation::Incompatible);
        check("between 30 and 50 %", "30-50 %", ValueRelation::Same);
    }

    #[test]
    fn a_day_that_comes_every_year_is_one_day() {
        let birthday = |text: &str| value(text).of_every_year(true);
        assert_eq!(birthday("2024-06-01").compare(&birthday("1 June 2025")), ValueRelation::Same);
        assert_eq!(birthday("2024-06-01").compare(&birthday("2025-06-02")), ValueRelation::Incompatible);
        assert_eq!(birthday("2024-02-29").compare(&birthday("29 February 2028")), ValueRelation::Same);
        check("2024-06-01", "2025-06-01", ValueRelation::Incompatible);
    }

    #[test]
    fn two_names_of_one_note_are_one_thing() {
        let named = |text: &str, note: &str| ObjectValue::parse(text, None, Some(note.to_owned()), false);
        assert_eq!(named("MessagePack", "a.md").compare(&named("msgpack", "a.md")), ValueRelation::Same);
        assert_eq!(named("Ben", "a.md").compare(&named("Ben", "b.md")), ValueRelation::Incompatible);
    }
}
