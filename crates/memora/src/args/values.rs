//! Reads the values of arguments, so that a wrong one is refused before anything is opened.

use std::fmt;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use memora_engine::{ClaimId, Hint, MemoryId, NotePath, PartialDate};

/// Why a value cannot be read, and what to write instead.
#[derive(Debug)]
pub(crate) struct ArgumentError {
    message: String,
    hint: &'static str,
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ArgumentError {}

impl Hint for ArgumentError {
    fn hint(&self) -> &'static str {
        self.hint
    }
}

fn refuse<T>(message: impl Into<String>, hint: &'static str) -> Result<T, ArgumentError> {
    Err(ArgumentError { message: message.into(), hint })
}

/// Reads a day, month or year.
pub(super) fn parse_date(typed: &str) -> Result<PartialDate, ArgumentError> {
    PartialDate::parse(typed).map_or_else(|| refuse("this is not a date", "write 2024, 2024-03 or 2024-03-12"), Ok)
}

/// Reads the path of a note.
pub(super) fn parse_note_path(typed: &str) -> Result<NotePath, ArgumentError> {
    NotePath::new(typed).or_else(|error| refuse(error.to_string(), error.hint()))
}

/// Reads `key=value`.
pub(super) fn parse_property(typed: &str) -> Result<(String, String), ArgumentError> {
    match typed.split_once('=') {
        Some((key, value)) => Ok((key.trim().to_owned(), value.trim().to_owned())),
        None => refuse("--where needs a property and a value", "write --where status=active"),
    }
}

/// Reads one of these words, each with its help, as what the engine has of that name.
pub(super) fn one_of<T, E>(
    words: &'static [(&'static str, &'static str)],
    read: fn(&str) -> Result<T, E>,
) -> impl TypedValueParser<Value = T>
where
    T: Clone + Send + Sync + 'static,
    E: std::error::Error + Send + Sync + 'static,
{
    let words = words.iter().map(|(word, help)| PossibleValue::new(*word).help(*help));
    PossibleValuesParser::new(words).try_map(move |word| read(&word.replace('-', "_")))
}

/// The bands that something may be guarded with beyond its own.
pub(super) const GUARDS: &[(&str, &str)] = &[
    ("private", "Kept from cloud models, unless your configuration says otherwise"),
    ("secret", "Always kept from them"),
];

/// What a decision is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DecidedId {
    Claim(ClaimId),
    Memory(MemoryId),
}

/// Reads the id of a claim, or of a memory.
pub(super) fn parse_decided_id(typed: &str) -> Result<DecidedId, ArgumentError> {
    match MemoryId::parse(typed.trim_matches(['[', ']'])) {
        Some(id) => Ok(DecidedId::Memory(id)),
        None => parse_claim_id(typed).map(DecidedId::Claim),
    }
}

/// Reads the id of a claim, with or without the brackets of a citation.
pub(super) fn parse_claim_id(typed: &str) -> Result<ClaimId, ArgumentError> {
    let typed = ClaimId::strip_citation(typed);
    if typed.starts_with('~') {
        return refuse(
            "this is the handle of a guarded claim, which stands for it in what others may read",
            "ask for the claim on a terminal: memora claims",
        );
    }
    ClaimId::parse(typed).or_else(|error| {
        refuse(error.to_string(), "an id has twelve letters and digits, such as 7h3kq0v9x2ma; memora search shows them")
    })
}

/// Reads a question, or words to search for.
pub(super) fn parse_words(typed: &str) -> Result<String, ArgumentError> {
    if typed.trim().is_empty() {
        return refuse("there is nothing to look for", "put the words in quotes: memora ask \"…\"");
    }
    Ok(typed.to_owned())
}

/// Reads a name.
pub(super) fn parse_name(typed: &str) -> Result<String, ArgumentError> {
    if typed.trim().is_empty() {
        return refuse("there is no name to look for", "name a note, a person, a thing: memora entity Anna");
    }
    Ok(typed.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused_with_a_hint() {
        assert_eq!(parse_property("status = active").expect("a pair"), ("status".to_owned(), "active".to_owned()));
        assert_eq!(
            parse_claim_id("[claim:7h3kq0v9x2ma]").expect("an id"),
            parse_claim_id("7h3kq0v9x2ma").expect("an id")
        );
        let refused = [
            parse_date("2025-02-30").err(),
            parse_note_path("../Anna.md").err(),
            parse_property("status").err(),
            parse_claim_id("~2f").err(),
            parse_claim_id("nonsense").err(),
            parse_words(" \n").err(),
            parse_name("").err(),
        ];
        for error in refused {
            let error = error.expect("it is refused");
            assert!(!error.to_string().is_empty() && !error.hint().is_empty(), "{error}");
        }
    }
}
