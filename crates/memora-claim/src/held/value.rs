//! Objects, compared as what they are: an amount, a version, a date, words.

use memora_vault::PartialDate;

use super::quantity::{Amounts, Quantity};
use crate::NameKey;
use crate::time::times;

/// How two objects stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// One thing, whatever it is called.
    Same,
    /// The first says more than the second, and implies it: "Rust 1.80" and "Rust".
    Narrower,
    /// The second implies the first.
    Broader,
    /// Two things, of which only one can be.
    Unlike,
    /// Nobody can tell by the words alone.
    Open,
}

impl Likeness {
    /// The same, seen from the other side.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Self::Narrower => Self::Broader,
            Self::Broader => Self::Narrower,
            same => same,
        }
    }

    fn of_parts(first_holds: bool, second_holds: bool) -> Self {
        match (first_holds, second_holds) {
            (true, true) => Self::Same,
            (true, false) => Self::Narrower,
            (false, true) => Self::Broader,
            (false, false) => Self::Unlike,
        }
    }
}

/// An object as it is compared.
///
/// Words of the vault, so it has no `Debug`.
#[derive(Clone, PartialEq)]
pub struct Value {
    kind: Kind,
    /// The note that the words are a name of.
    note: Option<String>,
}

#[derive(Clone, PartialEq)]
enum Kind {
    Amount(Quantity),
    Version(Vec<String>),
    Date(PartialDate, PartialDate),
    Words(Vec<String>, Naming),
    /// What points elsewhere, or is too long to be compared.
    Opaque,
}

/// How words name what they name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Naming {
    /// By a name: "Kiel".
    Name,
    /// As one of a kind: "a flat". It may be in Kiel.
    Kind,
    /// Nobody can tell: "vim".
    Either,
}

/// More words than that are a text, and no value.
const WORDS_MAX: usize = 8;

/// Words in front of a value that say which one is meant, or how many, and not what it is.
const POINTING: &[&str] = &[
    "each",
    "every",
    "some",
    "any",
    "one",
    "another",
    "other",
    "all",
    "both",
    "either",
    "this",
    "that",
    "these",
    "those",
    "your",
    "their",
    "his",
    "her",
    "its",
    "whatever",
    "different",
    "several",
    "many",
    "more",
    "less",
    "same",
];

impl Value {
    /// Reads an object: `written` is the day from which "Friday" counts, `note` the note whose name it is, `version` whether
    /// the relation speaks of versions.
    #[must_use]
    pub fn read(text: &str, written: Option<PartialDate>, note: Option<String>, version: bool) -> Self {
        Self { kind: Kind::read(text, written, version), note }
    }

    /// How it stands to another.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Likeness {
        if let (Some(a), Some(b)) = (&self.note, &other.note) {
            return if a == b { Likeness::Same } else { Likeness::Unlike };
        }
        match (&self.kind, &other.kind) {
            (Kind::Amount(a), Kind::Amount(b)) => match a.compare(b) {
                Amounts::Equal => Likeness::Same,
                Amounts::Overlap | Amounts::OfOtherKinds => Likeness::Open,
                Amounts::Apart => Likeness::Unlike,
            },
            (Kind::Version(a), Kind::Version(b)) => Likeness::of_parts(a.starts_with(b), b.starts_with(a)),
            (Kind::Date(a, to_a), Kind::Date(b, to_b)) => dates((*a, *to_a), (*b, *to_b)),
            (Kind::Words(a, _), Kind::Words(b, _)) if a == b => Likeness::Same,
            (Kind::Words(a, of_a), Kind::Words(b, of_b)) => {
                let within = |few: &[String], many: &[String]| few.iter().all(|word| many.contains(word));
                let mixed = matches!((of_a, of_b), (Naming::Name, Naming::Kind) | (Naming::Kind, Naming::Name));
                match Likeness::of_parts(within(b, a), within(a, b)) {
                    Likeness::Unlike if mixed => Likeness::Open,
                    told => told,
                }
            }
            _ => Likeness::Open,
        }
    }
}

impl Kind {
    fn read(text: &str, written: Option<PartialDate>, version: bool) -> Self {
        let words: Vec<String> = text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect();
        let points = words.first().is_some_and(|word| POINTING.contains(&word.as_str()));
        if words.is_empty()
            || words.len() > WORDS_MAX
            || points
            || NameKey::of_object(text).is_none() && words.len() < 3
        {
            return Self::Opaque;
        }
        if NameKey::of_object(text) == Some(NameKey::owner()) {
            return Self::Opaque;
        }
        if let Some(parts) = version_parts(&words, version) {
            return Self::Version(parts);
        }
        if let Some((from, until)) = date(text, written) {
            return Self::Date(from, until);
        }
        if let Some(amount) = Quantity::parse(text) {
            return Self::Amount(amount);
        }
        let told: Vec<String> = words.iter().filter(|word| !is_small(word)).cloned().collect();
        if told.is_empty() { Self::Opaque } else { Self::Words(told, naming(text)) }
    }
}

fn naming(text: &str) -> Naming {
    let first = text.split_whitespace().next().map(str::to_lowercase).unwrap_or_default();
    match first.as_str() {
        "a" | "an" => Naming::Kind,
        _ if text.split_whitespace().any(|word| word.starts_with(|c: char| c.is_uppercase())) => Naming::Name,
        _ => Naming::Either,
    }
}

/// A word without marks, in lower case; what stands in brackets is part of it.
fn plain(word: &str) -> String {
    let mark = |c: char| !c.is_alphanumeric() && !matches!(c, '+' | '#' | '%' | '€' | '$' | '£' | '~' | '≈');
    memora_vault::fold(word.trim_matches(mark))
}

fn is_small(word: &str) -> bool {
    matches!(
        word,
        "a" | "an" | "the" | "my" | "our" | "now" | "currently" | "of" | "in" | "at" | "for" | "and" | "just"
    )
}

/// "version 1.1.2", "v2", "1.12.4"; with `version`, "1.5" and "17" too.
fn version_parts(words: &[String], version: bool) -> Option<Vec<String>> {
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

/// The days that words name, if they name nothing else but a time of day.
fn date(text: &str, written: Option<PartialDate>) -> Option<(PartialDate, PartialDate)> {
    let text = text.trim();
    if let Some(date) = PartialDate::parse(text).filter(|_| text.len() > 4) {
        return Some((date, date));
    }
    let found = times(text);
    let [only] = found.as_slice() else { return None };
    let (before, behind) = (text.get(..only.phrase.start)?, text.get(only.phrase.end..)?);
    let rest = format!("{before} {behind}");
    let clock = |word: &str| word.contains(':') && word.chars().any(|c| c.is_ascii_digit());
    let silent = |word: &str| clock(word) || matches!(plain(word).as_str(), "" | "at" | "on" | "the" | "am" | "pm");
    rest.split_whitespace().all(silent).then(|| only.when.resolve(written)).flatten()
}

fn dates(a: (PartialDate, PartialDate), b: (PartialDate, PartialDate)) -> Likeness {
    let bounds = |(from, until): (PartialDate, PartialDate)| (from.bounds().0, until.bounds().1);
    let ((a, to_a), (b, to_b)) = (bounds(a), bounds(b));
    if to_a < b || to_b < a {
        return Likeness::Unlike;
    }
    match Likeness::of_parts(b <= a && to_a <= to_b, a <= b && to_b <= to_a) {
        Likeness::Unlike => Likeness::Open,
        told => told,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Value {
        Value::read(text, PartialDate::parse("2025-03-12"), None, false)
    }

    #[track_caller]
    fn check(a: &str, b: &str, expect: Likeness) {
        assert_eq!(value(a).compare(&value(b)), expect, "{a:?} and {b:?}");
        assert_eq!(value(b).compare(&value(a)), expect.reversed(), "{b:?} and {a:?}");
    }

    #[test]
    fn words_are_compared_without_marks_case_and_determiners() {
        check("Rust", "“rust”", Likeness::Same);
        check("the relay", "relay", Likeness::Same);
        check("Go", "Rust", Likeness::Unlike);
        check("Kestrel Optik", "Tidewell", Likeness::Unlike);
        check("C", "C++", Likeness::Unlike);
    }

    #[test]
    fn what_says_more_implies_what_says_less() {
        check("Rust with tokio", "Rust", Likeness::Narrower);
        check("Kiel", "a flat in Kiel", Likeness::Broader);
        check("version 1.2.3", "1.2.3", Likeness::Same);
        check("v1.2.3", "version 1.2", Likeness::Narrower);
        check("version 1.1.2", "version 1.0.21", Likeness::Unlike);
        check("2025-03-14", "March 2025", Likeness::Narrower);
        check("14 March 2025", "2025-03-14", Likeness::Same);
        check("on Friday", "2025-03-14", Likeness::Same);
        check("2025-03-14 10:45", "2025-03-15", Likeness::Unlike);
    }

    #[test]
    fn what_points_elsewhere_is_never_unlike() {
        for other in ["each of your devices", "me", "it", "somewhere else", "your data"] {
            assert_ne!(value("Kiel").compare(&value(other)), Likeness::Same);
        }
        check("me", "Mara", Likeness::Open);
        check("each of your devices", "Kiel", Likeness::Open);
        check("40 euros", "Kiel", Likeness::Open);
        check("a flat", "Kiel", Likeness::Open);
        check("a nurse", "a teacher", Likeness::Unlike);
        check("", "Kiel", Likeness::Open);
    }

    #[test]
    fn two_names_of_one_note_are_one_thing() {
        let named = |text: &str, note: &str| Value::read(text, None, Some(note.to_owned()), false);
        assert_eq!(named("MessagePack", "a.md").compare(&named("msgpack", "a.md")), Likeness::Same);
        assert_eq!(named("Ben", "a.md").compare(&named("Ben", "b.md")), Likeness::Unlike);
    }
}
