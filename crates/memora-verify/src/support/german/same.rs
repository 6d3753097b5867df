//! Whether two German words say the same: in another form, by a synonym, to whom they are said.

use super::synonyms::are_words_alike;
use super::tokens::{Kind, Token};

/// Whether a word of theirs says as much as one of the sentence.
pub(super) fn is_same_word(own: &Token, theirs: &Token) -> bool {
    match (own.kind, theirs.kind) {
        (Kind::Number(a), Kind::Number(b)) => a == b,
        (Kind::Date(a), Kind::Date(b)) => a.is_said_by(b),
        (Kind::Weekday(a), Kind::Weekday(b)) => a == b,
        (Kind::Number(number), Kind::Date(date)) | (Kind::Date(date), Kind::Number(number)) => {
            let year = date.year.filter(|_| date.month.is_none());
            number.unit.is_none()
                && year.is_some_and(|year| number.value == i128::from(year) * super::super::numbers::ONE)
        }
        (Kind::Word | Kind::Noun, Kind::Word | Kind::Noun) => {
            let plain = |t: &Token| t.lower.replace('-', "");
            let describes = |t: &Token| t.kind == Kind::Word || t.initial;
            plain(own) == plain(theirs)
                || is_spoken_to(&own.lower, &theirs.lower)
                || are_words_alike(&own.lower, &theirs.lower)
                || (describes(own)
                    && describes(theirs)
                    && is_same_plain(uninflected(&own.lower), uninflected(&theirs.lower)))
        }
        _ => false,
    }
}

fn is_same_plain(own: &str, theirs: &str) -> bool {
    own == theirs || are_words_alike(own, theirs)
}

/// An answer may say *du* to whoever wrote *ich*.
fn is_spoken_to(own: &str, theirs: &str) -> bool {
    const PAIRS: [(&str, &str); 10] = [
        ("du", "ich"),
        ("dich", "mich"),
        ("dir", "mir"),
        ("dein", "mein"),
        ("ihr", "wir"),
        ("euch", "uns"),
        ("euer", "unser"),
        ("eur", "unser"),
        ("eur", "unsr"),
        ("euer", "unsr"),
    ];
    PAIRS.contains(&(own, theirs))
}

/// An adjective without its ending; a comparative keeps its own.
fn uninflected(word: &str) -> &str {
    let cut = ["en", "em", "er", "es", "e"].iter().find_map(|end| word.strip_suffix(end));
    cut.filter(|stem| stem.chars().count() > 2).unwrap_or(word)
}
