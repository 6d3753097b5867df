//! Opaque tokens, which the parser sees as one word: links, code, quantities, words with hyphens.
//!
//! A treebank splits "480 €" and "second-hand"; a person reading a note does not, and neither should a claim.
//! If the parser would not know such a word, it gets a plain one instead: the number of a quantity, the last word of
//! a link. The words of a claim are always those of the text.

use std::ops::Range;

use memora_claim::time::TimeMention;

use crate::lists::{DATE_PREPOSITIONS, MEASURE_UNITS, RATE_UNITS};

/// A range that the parser sees as one word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OpaqueToken {
    pub(super) range: Range<usize>,
    /// Its form for the parser.
    pub(super) shown: ParserForm,
}

/// The form of an opaque token for the parser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ParserForm {
    /// The original text.
    AsWritten,
    /// A part of it.
    Part(Range<usize>),
    /// A known word instead.
    Word(&'static str),
}

/// Finds the opaque tokens of a text; `marked` are its links and code, `times` its dates, both in order.
pub(super) fn find_opaque_tokens(text: &str, marked: &[Range<usize>], times: &[TimeMention]) -> Vec<OpaqueToken> {
    let mut given: Vec<OpaqueToken> = marked.iter().map(|range| link_token(text, range.clone())).collect();
    let apart =
        |time: &&TimeMention| !marked.iter().any(|range| range.start < time.words.end && time.words.start < range.end);
    given.extend(times.iter().filter(apart).map(|time| date_token(text, time)));
    given.sort_by_key(|solid| solid.range.start);
    let mut found: Vec<OpaqueToken> = Vec::new();
    let mut words = WhitespaceWords { text, at: 0 };
    let mut given = given.into_iter().peekable();
    while let Some(word) = words.next() {
        while given.peek().is_some_and(|solid| solid.range.end <= word.start) {
            given.next();
        }
        if let Some(solid) = given.next_if(|solid| solid.range.start < word.end) {
            words.at = solid.range.end;
            found.push(solid);
            continue;
        }
        let limit = given.peek().map_or(text.len(), |solid| solid.range.start);
        if let Some(solid) = quantity_token(text, &word, limit)
            .or_else(|| hyphenated_token(text, &word))
            .or_else(|| handle_token(text, &word))
        {
            words.at = solid.range.end;
            found.push(solid);
        }
    }
    found
}

/// Iterates over the words of a text, separated by white space.
struct WhitespaceWords<'t> {
    text: &'t str,
    at: usize,
}

impl Iterator for WhitespaceWords<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let rest = self.text.get(self.at..)?;
        let trimmed = rest.trim_start();
        if trimmed.is_empty() {
            return None;
        }
        let start = self.at + (rest.len() - trimmed.len());
        let end = start + trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        self.at = end;
        Some(start..end)
    }
}

/// Returns the token of a link or code: its last word in letters if it has several, and a plain name for code.
fn link_token(text: &str, range: Range<usize>) -> OpaqueToken {
    let words = text.get(range.clone()).unwrap_or_default();
    let parts: Vec<Range<usize>> = WhitespaceWords { text: words, at: 0 }.collect();
    let code = words.contains(['(', '{', '=', '<', '|', '"', '`', '#', ':']);
    let sign = !words.starts_with(|c: char| c.is_alphanumeric());
    if parts.len() > 1 && code || sign || words.len() == 1 {
        return OpaqueToken { range, shown: ParserForm::Word(NAME) };
    }
    let lettered =
        |part: &&Range<usize>| words.get((*part).clone()).is_some_and(|word| word.starts_with(char::is_alphabetic));
    let last = parts.iter().rev().find(lettered).filter(|_| parts.len() > 1);
    let shown =
        last.map_or(ParserForm::AsWritten, |part| ParserForm::Part(range.start + part.start..range.start + part.end));
    OpaqueToken { range, shown }
}

/// A frequent name that replaces code.
const NAME: &str = "Linux";

/// Returns the token of a date: a frequent form of one, behind a preposition or without.
fn date_token(text: &str, time: &TimeMention) -> OpaqueToken {
    let before = text.get(..time.words.start).unwrap_or_default();
    let last = before.split_whitespace().next_back().unwrap_or_default().to_lowercase();
    let governed = before.ends_with(char::is_whitespace) && DATE_PREPOSITIONS.contains(last.as_str());
    let single = text.get(time.words.clone()).is_some_and(|words| !words.contains(char::is_whitespace));
    let shown = match (single, governed) {
        (true, _) => ParserForm::AsWritten,
        (false, true) => ParserForm::Word("March"),
        (false, false) => ParserForm::Word("yesterday"),
    };
    OpaqueToken { range: time.words.clone(), shown }
}

/// Returns the token of a number with its unit or currency on either side.
fn quantity_token(text: &str, word: &Range<usize>, limit: usize) -> Option<OpaqueToken> {
    let written = text.get(word.clone())?;
    let bare = written.trim_start_matches(['(', '~', '≈', '<', '>', '±', '−', '-', '+']);
    let start = word.start + (written.len() - bare.len());
    let sign = written.starts_with(['−', '-', '+', '~', '≈', '±']) && !written.starts_with("--");
    let number_start =
        if sign && start == word.start + written.chars().next().map_or(0, char::len_utf8) { word.start } else { start };
    let body = bare.trim_start_matches(['€', '$', '£', '¥']);
    let currency = body.len() < bare.len();
    let digits =
        body.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ':' | '\''))).unwrap_or(body.len());
    let number = body.get(..digits)?.trim_end_matches(['.', ',', ':', '\'']);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let first = start + (bare.len() - body.len());
    let shown = first..first + number.len();
    let behind = body.get(number.len()..)?;
    let unit = behind.trim_end_matches(['.', ',', ';', ')', '!', '?']);
    if is_unit_text(unit) {
        return Some(OpaqueToken { range: number_start..shown.end + unit.len(), shown: ParserForm::Part(shown) });
    }
    if currency && unit.is_empty() {
        return Some(OpaqueToken { range: number_start..shown.end, shown: ParserForm::Part(shown) });
    }
    if !behind.is_empty() {
        return None;
    }
    // The unit may be a separate word.
    let mut rest = WhitespaceWords { text, at: word.end };
    let next = rest.next().filter(|next| next.end <= limit)?;
    let unit = text.get(next.clone())?.trim_end_matches(['.', ',', ';', ')', '!', '?', ':']);
    let apart = is_unit_text(unit) && !matches!(unit, "a" | "A");
    if apart {
        return Some(OpaqueToken { range: number_start..next.start + unit.len(), shown: ParserForm::Part(shown) });
    }
    (number_start < start).then_some(OpaqueToken { range: number_start..shown.end, shown: ParserForm::Part(shown) })
}

/// Whether a text is a unit, or a ratio of units: "km/h", "€/month".
fn is_unit_text(unit: &str) -> bool {
    let lower = unit.to_lowercase();
    let (first, per) = lower.split_once('/').map_or((lower.as_str(), None), |(first, per)| (first, Some(per)));
    MEASURE_UNITS.contains(lower.as_str())
        || per.is_some_and(|per| {
            (MEASURE_UNITS.contains(first) || first.is_empty())
                && (RATE_UNITS.contains(per) || MEASURE_UNITS.contains(per))
        })
}

/// Returns the token of a handle, "@Ravi", without its sign.
fn handle_token(text: &str, word: &Range<usize>) -> Option<OpaqueToken> {
    let name = text.get(word.clone())?.strip_prefix('@')?.trim_end_matches(|c: char| !c.is_alphanumeric());
    let end = word.start + 1 + name.len();
    let plain = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    plain.then(|| OpaqueToken { range: word.start..end, shown: ParserForm::Part(word.start + 1..end) })
}

/// Returns the token of a hyphenated word, with letters on both sides of each hyphen: "second-hand", "gluten-free".
fn hyphenated_token(text: &str, word: &Range<usize>) -> Option<OpaqueToken> {
    let written = text.get(word.clone())?;
    let bare = written.trim_start_matches(['(', '"', '“', '\'']);
    let start = word.start + (written.len() - bare.len());
    let bare = bare.trim_end_matches(|c: char| !c.is_alphanumeric());
    let parts: Vec<&str> = bare.split('-').collect();
    let plain = |part: &&str| {
        part.chars().all(char::is_alphanumeric) && part.chars().any(char::is_alphabetic) && !part.is_empty()
    };
    (parts.len() > 1 && parts.iter().all(plain))
        .then(|| OpaqueToken { range: start..start + bare.len(), shown: ParserForm::AsWritten })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &[(&str, &str)]) {
        let cut = |range: &Range<usize>| text.get(range.clone()).unwrap_or("?").to_owned();
        let shown = |solid: &OpaqueToken| match &solid.shown {
            ParserForm::AsWritten => cut(&solid.range),
            ParserForm::Part(part) => cut(part),
            ParserForm::Word(word) => (*word).to_owned(),
        };
        let found: Vec<(String, String)> =
            find_opaque_tokens(text, &[], &[]).iter().map(|s| (cut(&s.range), shown(s))).collect();
        let expect: Vec<(String, String)> = expect.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn quantities_and_compounds_are_one_word() {
        check("paid 1,150 € for it", &[("1,150 €", "1,150")]);
        check("costs $40, or £620.", &[("$40", "40"), ("£620", "620")]);
        check("dies below -15 °C (about)", &[("-15 °C", "15")]);
        check("a second-hand bike with 64GB", &[("second-hand", "second-hand"), ("64GB", "64")]);
        check("2 a day, 3 m.", &[("3 m", "3")]);
        check("version 1.2-rc1 of a--b on 2024-03-01 at 10:30", &[]);
    }

    #[test]
    fn a_link_is_one_word() {
        let text = "the Platform Team owns it";
        let found = find_opaque_tokens(text, std::slice::from_ref(&(4..17)), &[]);
        assert_eq!(found, [OpaqueToken { range: 4..17, shown: ParserForm::Part(13..17) }]);
    }
}
