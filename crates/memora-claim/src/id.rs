//! Ids of statements and claims.

use std::borrow::Cow;
use std::fmt;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Lower-case Crockford base32: no i, l, o or u.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// The id of a statement: 12 characters of lower-case Crockford base32, 60 bits of blake3 over its words.
///
/// Statements with the same words have the same id in every place, unless they take their subject from their
/// context; then that subject is hashed too. A golden file pins the ids of `vault-example`, and no change of an
/// extractor may change one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId([u8; 12]);

impl StatementId {
    /// Computes the id of `words`, with the `subject` taken from the context (outermost first), if any.
    ///
    /// White space is folded and Unicode composed (NFC) first, so that ids survive a save by another system.
    #[must_use]
    pub fn from_words(words: &str, subject: &[&str]) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("memora 2026 statement id");
        // A NUL separates the words from the subject, so one in a note is replaced.
        let unparted = |text: &str| normalize_text(text).replace('\0', "\u{fffd}");
        hasher.update(unparted(words).as_bytes());
        for part in subject {
            hasher.update(&[0]);
            hasher.update(unparted(part).as_bytes());
        }
        Self(encode_base32(hasher.finalize().as_bytes()))
    }

    /// Returns the twelve characters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Parses twelve characters of Crockford base32, ignoring case.
    ///
    /// # Errors
    /// [`InvalidClaimId`] for anything else.
    pub fn parse(text: &str) -> Result<Self, InvalidClaimId> {
        parse_base32(text).map(Self)
    }
}

/// The id of a claim, or of the whole statement that it reads: `7h3kq0v9x2ma` or `7h3kq0v9x2ma.4t`.
///
/// The two characters behind the point are a hash of the reading. A citation may use either form; verification needs
/// the statement only.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClaimId {
    statement: StatementId,
    reading: Option<[u8; 2]>,
}

impl ClaimId {
    /// Computes the id of the reading `subject | predicate | object`. Omit `subject` if the note's title gives it.
    #[must_use]
    pub fn from_reading(statement: StatementId, subject: Option<&str>, predicate: &str, object: &str) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("memora 2026 claim id");
        for part in [subject.unwrap_or_default(), predicate, object] {
            hasher.update(normalize_text(part).as_bytes());
            hasher.update(&[0]);
        }
        Self { statement, reading: Some(encode_base32(hasher.finalize().as_bytes())) }
    }

    /// Parses either form, ignoring case.
    ///
    /// # Errors
    /// [`InvalidClaimId`] for anything else: another length, a character outside Crockford's alphabet.
    pub fn parse(text: &str) -> Result<Self, InvalidClaimId> {
        match text.split_once('.') {
            Some((statement, reading)) => {
                Ok(Self { statement: StatementId::parse(statement)?, reading: Some(parse_base32(reading)?) })
            }
            None => Ok(Self { statement: StatementId::parse(text)?, reading: None }),
        }
    }

    /// Strips the citation markup from a typed id: `7h3kq0v9x2ma` from `[claim:7h3kq0v9x2ma]`.
    #[must_use]
    pub fn strip_citation(typed: &str) -> &str {
        typed.trim().trim_start_matches('[').trim_start_matches("claim:").trim_end_matches(']').trim()
    }

    /// Returns the statement that it reads.
    #[must_use]
    pub fn statement(&self) -> StatementId {
        self.statement
    }

    /// Whether it names one reading, rather than the whole statement.
    #[must_use]
    pub fn is_reading(&self) -> bool {
        self.reading.is_some()
    }
}

impl From<StatementId> for ClaimId {
    fn from(statement: StatementId) -> Self {
        Self { statement, reading: None }
    }
}

impl fmt::Display for StatementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for StatementId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Display for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.statement.as_str())?;
        match &self.reading {
            Some(reading) => write!(f, ".{}", std::str::from_utf8(reading).unwrap_or_default()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for ClaimId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Not a valid claim id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a claim id")]
pub struct InvalidClaimId;

/// Folds white space to single spaces, trims, and composes to NFC.
pub(crate) fn normalize_text(text: &str) -> String {
    // Nearly all text is composed already, and checking is much cheaper than composing.
    let composed: Cow<'_, str> = if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        text.into()
    } else {
        text.nfc().collect::<String>().into()
    };
    let mut folded = String::with_capacity(composed.len());
    for word in composed.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Encodes the first `N` five-bit groups of a hash.
fn encode_base32<const N: usize>(hash: &[u8; 32]) -> [u8; N] {
    std::array::from_fn(|letter| {
        let bit = letter * 5;
        let pair = u16::from_be_bytes([hash[bit / 8], hash[bit / 8 + 1]]);
        let value = (pair >> (11 - bit % 8)) & 31;
        ALPHABET[usize::from(value)]
    })
}

fn parse_base32<const N: usize>(text: &str) -> Result<[u8; N], InvalidClaimId> {
    let bytes: &[u8; N] = text.as_bytes().try_into().map_err(|_| InvalidClaimId)?;
    let lower = bytes.map(|b| b.to_ascii_lowercase());
    if lower.iter().all(|b| IN_ALPHABET[usize::from(*b)]) { Ok(lower) } else { Err(InvalidClaimId) }
}

/// Whether a byte is in [`ALPHABET`]: each row of the store that names a statement is parsed.
const IN_ALPHABET: [bool; 256] = {
    let (mut table, mut at) = ([false; 256], 0);
    while at < ALPHABET.len() {
        table[ALPHABET[at] as usize] = true;
        at += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_and_composition_do_not_count() {
        let one = StatementId::from_words("drift is  fast", &[]);
        assert_eq!(one, StatementId::from_words(" drift\nis fast ", &[]));
        assert_eq!(StatementId::from_words("caf\u{e9}", &[]), StatementId::from_words("cafe\u{301}", &[]));
        assert_ne!(one, StatementId::from_words("drift is slow", &[]));
    }

    #[test]
    fn a_borrowed_subject_counts_and_cannot_be_shifted_into_the_words() {
        let a = StatementId::from_words("Price: 40", &["Offers", "Plan A"]);
        assert_ne!(a, StatementId::from_words("Price: 40", &["Offers", "Plan B"]));
        assert_ne!(a, StatementId::from_words("Price: 40", &["Offers Plan A"]));
        assert_ne!(StatementId::from_words("a b", &[]), StatementId::from_words("a", &["b"]));
        assert_ne!(StatementId::from_words("a\0b", &[]), StatementId::from_words("a", &["b"]));
    }

    #[test]
    fn both_forms_are_read_case_forgiven() {
        let id = ClaimId::from_reading(StatementId::from_words("drift is fast", &[]), Some("drift"), "is", "fast");
        assert_eq!(ClaimId::parse(&id.to_string().to_uppercase()), Ok(id));
        assert_eq!(ClaimId::parse(id.statement().as_str()), Ok(id.statement().into()));
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for bad in ["", "7h3k", "7h3kq0v9x2mu", "7h3kq0v9x2ma.", "7h3kq0v9x2ma.4", "7h3kq0v9x2ma.4t.4t", "7h3kq0v9é2m"]
        {
            assert_eq!(ClaimId::parse(bad), Err(InvalidClaimId), "{bad:?}");
        }
    }
}
