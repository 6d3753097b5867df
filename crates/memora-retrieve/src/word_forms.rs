//! The forms under which one word is indexed and looked up.
//!
//! A compound word (`drift-bench`, `MessagePack`, `v1.0.21`, `a@b.org`) has *parts*, which are at consecutive
//! positions, and *wholes*, which are at the position of the first part. A query term matches one of its wholes, or
//! all of its parts. German compounds are left whole: splitting them needs a dictionary.

use crate::lists::SPLIT_CLITICS;
use crate::normalize::{fold_word, is_ignorable};

/// Longer tokens are truncated: they are never typed, and base64 in a note must not fill the dictionary.
const TOKEN_BYTES_MAX: usize = 80;

/// A word's parts and wholes, folded but not stemmed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct WordForms {
    /// In order, at positions 0, 1, …
    pub(crate) parts: Vec<String>,
    /// All at position 0; the last is the word as written, the others are shorter ones inside it.
    pub(crate) wholes: Vec<String>,
    /// Only for the index: `412` in `412k`.
    pub(crate) extra: Vec<String>,
}

/// One run of letters and digits, and the sign before it.
struct WordSegment {
    sign: Option<char>,
    text: String,
}

/// Returns the forms of a chunk of kind `Word`.
pub(crate) fn split_forms(chunk: &str) -> WordForms {
    let mut forms = WordForms::default();
    if let Some(name) = chunk.strip_prefix('.') {
        forms = self::split_forms(name);
        forms.wholes.push(truncate_token(format!(".{}", fold_word(name))));
        return forms;
    }
    if chunk.ends_with("++") || chunk.ends_with('#') {
        forms.parts.push(truncate_token(fold_word(chunk)));
        return forms;
    }
    let pieces = split_at_joiners(chunk);
    let camel: Vec<Vec<String>> = pieces.iter().map(|piece| split_camel_case(&piece.text)).collect();
    for (piece, humps) in pieces.iter().zip(&camel) {
        forms.parts.extend(humps.iter().cloned().map(truncate_token));
        if humps.len() > 1 && pieces.len() > 1 {
            forms.wholes.push(truncate_token(fold_word(&piece.text)));
        }
        let digits: String = piece.text.chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() && digits.len() < piece.text.len() && piece.text.len() <= digits.len() + 3 {
            forms.extra.push(digits);
        }
    }
    if forms.parts.len() > 1 {
        push_dotted_wholes(&pieces, &mut forms.wholes);
        let whole = truncate_token(join_segments(&pieces));
        if forms.wholes.last() != Some(&whole) {
            forms.wholes.push(whole);
        }
    }
    forms
}

/// Splits at the joiners, and drops `'s` and the commas inside a number.
fn split_at_joiners(chunk: &str) -> Vec<WordSegment> {
    let mut pieces: Vec<WordSegment> = Vec::new();
    let mut sign = None;
    let mut rest = chunk;
    while !rest.is_empty() {
        let end = rest.find(is_joiner).unwrap_or(rest.len());
        let text: String = rest.get(..end).unwrap_or_default().chars().filter(|&c| !is_ignorable(c)).collect();
        let (head, tail) = (text, rest.get(end..).unwrap_or_default());
        let apostrophe = matches!(sign, Some('\'' | '\u{2019}' | '\u{2bc}'));
        match pieces.last_mut() {
            // `Anna's`, `we'll`; `don't` is kept in one.
            Some(_) if apostrophe && SPLIT_CLITICS.contains(fold_word(&head).as_str()) => {}
            Some(last) if apostrophe && fold_word(&head) == "t" => last.text.push_str(&head),
            Some(last) if sign == Some(',') && is_thousands_group(&last.text, &head) => last.text.push_str(&head),
            _ if head.is_empty() => {}
            _ => pieces.push(WordSegment { sign, text: head }),
        }
        sign = tail.chars().next();
        rest = tail.get(sign.map_or(0, char::len_utf8)..).unwrap_or_default();
    }
    // `v1.0` is normalized to `1.0`.
    if pieces.len() > 1
        && pieces.get(1).is_some_and(|piece| piece.sign == Some('.'))
        && let Some(first) = pieces.first_mut()
        && let Some(number) = first.text.strip_prefix(['v', 'V'])
        && number.bytes().all(|b| b.is_ascii_digit())
        && !number.is_empty()
    {
        first.text = number.to_owned();
    }
    pieces
}

fn is_joiner(c: char) -> bool {
    matches!(c, '-' | '\u{2010}' | '\u{2011}' | '_' | '.' | '@' | '&' | '\'' | '\u{2019}' | '\u{2bc}' | ',' | ':')
}

fn is_thousands_group(left: &str, right: &str) -> bool {
    let digits = right.chars().take_while(char::is_ascii_digit).count();
    digits == 3 && !left.is_empty() && left.bytes().all(|b| b.is_ascii_digit())
}

/// Joins the word without hyphens; with its signs if they carry meaning (`1.0.21`, `a@b.org`, `2025-03-14`, `R&D`).
fn join_segments(pieces: &[WordSegment]) -> String {
    let numeric = |text: &str| text.chars().all(char::is_numeric);
    let signs = pieces.iter().any(|piece| matches!(piece.sign, Some('.' | '@' | '&' | ':' | ',')))
        || pieces.iter().all(|piece| numeric(&piece.text));
    let mut whole = String::new();
    for piece in pieces {
        if let Some(sign) = piece.sign.filter(|_| signs) {
            whole.push(if matches!(sign, '\u{2010}' | '\u{2011}') { '-' } else { sign });
        }
        whole.push_str(&piece.text);
    }
    fold_word(&whole)
}

/// Adds dotted sub-forms: `1.0` and `1.0.21` in `1.0.21-beta`; `bench.md` in `drift-bench.md`.
fn push_dotted_wholes(pieces: &[WordSegment], wholes: &mut Vec<String>) {
    let mut run = String::new();
    let mut dotted = false;
    let mut numbers = true;
    for piece in pieces {
        let is_number = piece.text.bytes().all(|b| b.is_ascii_digit());
        if piece.sign == Some('.') && !run.is_empty() {
            if numbers && dotted {
                wholes.push(truncate_token(fold_word(&run)));
            }
            run.push('.');
            dotted = true;
        } else {
            if dotted {
                wholes.push(truncate_token(fold_word(&run)));
            }
            run.clear();
            dotted = false;
            numbers = true;
        }
        numbers &= is_number;
        run.push_str(&piece.text);
    }
    if dotted {
        wholes.push(truncate_token(fold_word(&run)));
    }
}

/// Splits a CamelCase word, folded; returns the word itself if it has one hump only.
fn split_camel_case(word: &str) -> Vec<String> {
    let letters: Vec<(usize, char)> = word.char_indices().filter(|&(_, c)| c.is_alphanumeric()).collect();
    let mut cuts = vec![0];
    for (i, &(at, c)) in letters.iter().enumerate().skip(1) {
        let (_, before) = letters[i - 1];
        let after = letters.get(i + 1).map(|&(_, c)| c);
        let lower_to_upper = before.is_lowercase() && c.is_uppercase();
        let acronym_ends = before.is_uppercase() && c.is_uppercase() && after.is_some_and(char::is_lowercase)
            // `PDFs` is a plural, not `PD` and `Fs`.
            && letters.get(i + 2).is_some_and(|&(_, c)| c.is_lowercase());
        if lower_to_upper || acronym_ends {
            cuts.push(at);
        }
    }
    if cuts.len() == 1 {
        return vec![fold_word(word)];
    }
    let ends = cuts.iter().copied().skip(1).chain([word.len()]);
    let humps: Vec<String> =
        cuts.iter().copied().zip(ends).filter_map(|(from, to)| word.get(from..to)).map(fold_word).collect();
    // `iPhone` is not a phone of kind i.
    if humps.iter().any(|hump| hump.chars().count() < 2) { vec![fold_word(word)] } else { humps }
}

pub(crate) fn truncate_token(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TOKEN_BYTES_MAX));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(chunk: &str, parts: &[&str], wholes: &[&str]) {
        let forms = split_forms(chunk);
        assert_eq!(forms.parts, parts, "parts of {chunk}");
        assert_eq!(forms.wholes, wholes, "wholes of {chunk}");
    }

    #[test]
    fn made_of_others() {
        check("drift-bench", &["drift", "bench"], &["driftbench"]);
        check("snake_case", &["snake", "case"], &["snakecase"]);
        check("MessagePack", &["message", "pack"], &["messagepack"]);
        check("HTTPServer", &["http", "server"], &["httpserver"]);
        check("iPhone", &["iphone"], &[]);
        check("PDFs", &["pdfs"], &[]);
        check("main.rs", &["main", "rs"], &["main.rs"]);
        check("anna@example.org", &["anna", "example", "org"], &["example.org", "anna@example.org"]);
    }

    #[test]
    fn numbers() {
        check("v1.0.21", &["1", "0", "21"], &["1.0", "1.0.21"]);
        check("1.0.21-beta", &["1", "0", "21", "beta"], &["1.0", "1.0.21", "1.0.21-beta"]);
        check("1,140", &["1140"], &[]);
        check("2025-03-14", &["2025", "03", "14"], &["2025-03-14"]);
        assert_eq!(split_forms("412k").extra, ["412"]);
    }

    #[test]
    fn apostrophes_and_signs() {
        check("Anna's", &["anna"], &[]);
        check("don’t", &["dont"], &[]);
        check("l'école", &["l", "ecole"], &["lecole"]);
        check("C++", &["c++"], &[]);
        check(".NET", &["net"], &[".net"]);
    }
}
