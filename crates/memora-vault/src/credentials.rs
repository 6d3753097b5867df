//! Detects passwords, keys and account numbers in a text.
//!
//! Runs on every note at index time, so it is one pass over the words plus a few searches for fixed strings, with
//! bounded look-ahead. Detection is a safety net, not a proof: what it finds becomes secret, and what it misses has to
//! be marked by hand.
//!
//! False positives hide a sentence from its owner's assistant, so a number has to pass its check digits, and a word
//! after "password:" has to look like a password.

mod fold;
mod keywords;
mod kind;
mod labels;
mod numbers;
mod sentences;
mod tokens;

use std::ops::Range;
use std::sync::LazyLock;

pub use self::kind::CredentialKind;
use self::kind::CredentialRanges;

/// Finds likely credentials: byte ranges on character boundaries, sorted, disjoint.
///
/// A range covers the secret itself, not the word that announces it. Overlapping matches are merged and take the kind
/// of the first.
#[must_use]
pub fn find_credentials(text: &str) -> Vec<(Range<usize>, CredentialKind)> {
    let Some(folded) = fold::fold(text) else { return find_in_folded(text) };
    let found = find_in_folded(&folded.text).into_iter();
    merge_overlapping(found.map(|(range, kind)| (folded.find_source(range), kind)).collect())
}

/// The same in a text without accents apart from their letters, full-width letters and characters that are not seen.
fn find_in_folded(text: &str) -> Vec<(Range<usize>, CredentialKind)> {
    let mut found = Vec::new();
    find_private_keys(text, &mut found);
    keywords::find_in_urls(text, &mut found);
    keywords::find_in_other_scripts(text, &mut found);
    let lines = sentences::lines_with_names(text);
    labels::find_beside_labels(text, &lines, &mut found);
    sentences::find_in_sentences(text, lines, &mut found);
    scan_words(text, &mut found);
    let mut found = merge_overlapping(found);
    if !found.is_empty() {
        let pictures = find_embedded_pictures(text);
        found.retain(|(range, _)| {
            !pictures.iter().any(|picture| picture.start <= range.start && range.end <= picture.end)
        });
    }
    found
}

/// The bytes of pictures in the text itself, `data:image/png;base64,…`: in so many letters any form stands somewhere.
fn find_embedded_pictures(text: &str) -> Vec<Range<usize>> {
    const BEGIN: &str = "data:image/";
    const CODED: &str = ";base64,";
    /// The longest name of a kind of picture, such as `svg+xml`.
    const KIND_MAX: usize = 40;
    let is_coded = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let mut pictures = Vec::new();
    for (at, _) in text.match_indices(BEGIN) {
        let kind = at + BEGIN.len();
        let head = text.as_bytes().get(kind..).map(|rest| rest.get(..KIND_MAX).unwrap_or(rest)).unwrap_or_default();
        if let Some(coded) = memchr::memmem::find(head, CODED.as_bytes()) {
            let start = kind + coded + CODED.len();
            let length =
                text.as_bytes().get(start..).unwrap_or_default().iter().take_while(|byte| is_coded(byte)).count();
            pictures.push(start..start + length);
        }
    }
    pictures
}

fn merge_overlapping(mut found: CredentialRanges) -> CredentialRanges {
    found.sort_unstable_by_key(|(range, kind)| (range.start, std::cmp::Reverse(range.end), *kind));
    let mut merged: CredentialRanges = Vec::with_capacity(found.len());
    for (range, kind) in found {
        match merged.last_mut() {
            Some((last, _)) if range.start < last.end => last.end = last.end.max(range.end),
            _ => merged.push((range, kind)),
        }
    }
    merged
}

/// `-----BEGIN … PRIVATE KEY…-----` to its `-----END`, or to the end of the text.
fn find_private_keys(text: &str, found: &mut CredentialRanges) {
    const BEGIN: &[u8] = b"-----BEGIN ";
    static BEGIN_FINDER: LazyLock<memchr::memmem::Finder<'static>> =
        LazyLock::new(|| memchr::memmem::Finder::new(BEGIN));
    const END: &[u8] = b"-----END ";
    let bytes = text.as_bytes();
    let mut from = 0;
    // Kept from one header to the next, as a line may have thousands.
    let (mut line_end, mut known_key) = (0, None);
    while let Some(at) = bytes.get(from..).and_then(|rest| BEGIN_FINDER.find(rest)).map(|at| from + at) {
        if line_end <= at {
            line_end = memchr::memchr(b'\n', bytes.get(at..).unwrap_or_default()).map_or(bytes.len(), |n| at + n);
        }
        let key = known_key
            .filter(|key| *key >= at)
            .unwrap_or_else(|| find_bytes(bytes, at, b"PRIVATE KEY").unwrap_or(bytes.len()));
        known_key = Some(key);
        if key >= line_end {
            from = at + BEGIN.len();
            continue;
        }
        let end = find_bytes(bytes, at + BEGIN.len(), END).map_or(bytes.len(), |end| {
            let label = end + END.len();
            find_bytes(bytes, label, b"-----").filter(|dashes| dashes - label < 80).map_or(label, |dashes| dashes + 5)
        });
        found.push((at..end, CredentialKind::PrivateKey));
        from = end;
    }
}

fn find_bytes(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    memchr::memmem::find(bytes.get(from..)?, needle).map(|at| from + at)
}

/// Scans every run of ASCII letters and digits once.
fn scan_words(text: &str, found: &mut CredentialRanges) {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Where a number was already looked at as a whole, its later groups are passed over.
    let mut numbers_from = 0;
    while at < bytes.len() {
        while bytes.get(at).is_some_and(|byte| !is_word_byte(*byte)) {
            at += 1;
        }
        let start = at;
        while bytes.get(at).is_some_and(|byte| is_word_byte(*byte)) {
            at += 1;
        }
        // The shortest that is anything: `hf`, `sk`.
        let Some(word @ [first, .., last]) = bytes.get(start..at) else { continue };
        let rest = bytes.get(start..).unwrap_or_default();
        if let Some(key) = tokens::find_prefixed_key(bytes, start, at) {
            found.push((key, CredentialKind::Token));
            continue;
        }
        if first.is_ascii_digit() {
            if let Some(length) = tokens::telegram_token_length(rest) {
                at = start + length;
                found.push((start..at, CredentialKind::Token));
                continue;
            }
            if start >= numbers_from {
                let (card, next) = numbers::find_card_number(bytes, start);
                found.extend(card.map(|range| (range, CredentialKind::Card)));
                numbers_from = next;
            }
            continue;
        }
        if let Some(length) = tokens::token_length(rest) {
            at = start + length;
            found.push((start..at, CredentialKind::Token));
            continue;
        }
        if word.get(2).is_some_and(u8::is_ascii_digit)
            && let Some(length) = numbers::iban_length(rest)
        {
            at = start + length;
            found.push((start..at, CredentialKind::Iban));
            continue;
        }
        let before_last = word.iter().nth_back(1).copied().unwrap_or_default();
        if keywords::may_end_keyword(before_last, *last) {
            found.extend(keywords::find_value_after(text, start, at).map(|range| (range, CredentialKind::Password)));
        }
    }
}

/// A lookup table, since this runs for every byte of a vault.
fn is_word_byte(byte: u8) -> bool {
    const WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = (byte as u8).is_ascii_alphanumeric();
            byte += 1;
        }
        table
    };
    WORD[usize::from(byte)]
}

#[cfg(test)]
mod tests;
