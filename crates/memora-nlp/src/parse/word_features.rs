//! A word as tagger and parser see it: [`WordFeatures`], a handful of hashes and bits.
//!
//! Invariant: **all digits are equal**, so that 1987 and 1994 share their weights. Not here: neighbours. A word's
//! features are the same wherever it occurs.

use crate::parse::hash;
use crate::parse::parser_lexicon::ParserLexicon;

/// The features of a word.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct WordFeatures {
    /// The form as written; for a form with digits, `low`.
    pub(crate) raw: u32,
    /// The form in lower case.
    pub(crate) low: u32,
    /// The sequence of character classes: runs of capitals, letters and digits, and the other signs.
    pub(crate) shape: u32,
    /// The last 1 to 5 characters; 0 if there are fewer.
    pub(crate) suffixes: [u32; 5],
    /// The first 1 to 3 characters; 0 if nothing follows them.
    pub(crate) prefixes: [u32; 3],
    /// The last three characters, or the whole of a shorter word.
    pub(crate) ending: u32,
    /// A union of the bits below.
    pub(crate) flags: u32,
    /// Two semantic clusterings of words, with 60 and 250 clusters, numbered from 1.
    pub(crate) coarse: u32,
    pub(crate) fine: u32,
    /// Parts of speech, see [`ParserLexicon::parts_of_speech`].
    pub(crate) parts: u32,
}

/// Bits of `WordFeatures::flags`.
pub(crate) const CAPITAL: u32 = 1;
const CAPITALS_ONLY: u32 = 1 << 1;
const DIGITS: u32 = 1 << 2;
const HYPHEN: u32 = 1 << 3;
pub(crate) const ALPHANUMERIC: u32 = 1 << 4;

impl WordFeatures {
    /// Computes the features of `form`, whose lower case is `lower`.
    pub(crate) fn new(form: &str, lower: &str, lexicon: &ParserLexicon) -> Self {
        let usual = treebank_form(form);
        // None of the forms with variants has a letter in another case.
        let lower = if usual == form { lower } else { usual };
        let signs = CharacterShape::new(usual);
        let low = digitless_key(lower);
        let suffixes = suffix_keys(lower);
        let mut word = Self {
            raw: if signs.flags & DIGITS == 0 { hash::text_key(usual.as_bytes()) } else { low },
            low,
            shape: signs.shape,
            suffixes,
            prefixes: prefix_keys(lower),
            ending: if lower.chars().nth(3).is_some() { suffixes[2] } else { low },
            flags: signs.flags,
            parts: lexicon.parts_of_speech(lower.as_bytes()),
            ..Self::default()
        };
        (word.coarse, word.fine) = lexicon.clusters(low);
        word
    }
}

/// Returns the treebank's form of signs with several variants: quotes, brackets, dashes.
fn treebank_form(form: &str) -> &str {
    match form {
        "``" | "''" | "\u{201c}" | "\u{201d}" | "\u{201e}" => "\"",
        "-LRB-" => "(",
        "-RRB-" => ")",
        "-LSB-" => "[",
        "-RSB-" => "]",
        "-LCB-" => "{",
        "-RCB-" => "}",
        "\u{2019}" | "\u{2018}" | "`" => "'",
        "\u{2019}s" => "'s",
        "n\u{2019}t" => "n't",
        "\u{2013}" | "\u{2014}" | "--" | "---" => "-",
        "\u{2026}" => "...",
        _ => form,
    }
}

fn digitless_key(lower: &str) -> u32 {
    let mut text = hash::TextHasher::new();
    for byte in lower.bytes() {
        text.push(&[if byte.is_ascii_digit() { b'0' } else { byte }]);
    }
    text.finish()
}

fn suffix_keys(lower: &str) -> [u32; 5] {
    let bytes = lower.as_bytes();
    let mut found = [0; 5];
    for (suffix, (start, _)) in found.iter_mut().zip(lower.char_indices().rev()) {
        *suffix = bytes.get(start..).map_or(0, hash::text_key);
    }
    found
}

fn prefix_keys(lower: &str) -> [u32; 3] {
    let bytes = lower.as_bytes();
    let mut found = [0; 3];
    for (prefix, (end, _)) in found.iter_mut().zip(lower.char_indices().skip(1)) {
        *prefix = bytes.get(..end).map_or(0, hash::text_key);
    }
    found
}

/// The shape of a word, and flags of its characters.
struct CharacterShape {
    shape: u32,
    flags: u32,
}

impl CharacterShape {
    fn new(form: &str) -> Self {
        let (mut shape, mut last) = (hash::TextHasher::new(), ' ');
        let (mut flags, mut count, mut capitals, mut small) = (0, 0, 0, 0);
        for sign in form.chars() {
            let class = if sign.is_uppercase() {
                capitals += 1;
                flags |= if count == 0 { CAPITAL } else { 0 };
                'X'
            } else if sign.is_alphabetic() {
                'x'
            } else if sign.is_ascii_digit() {
                flags |= DIGITS;
                'd'
            } else {
                flags |= if sign == '-' { HYPHEN } else { 0 };
                sign
            };
            if sign.is_alphanumeric() {
                flags |= ALPHANUMERIC;
            }
            small += usize::from(sign.is_lowercase());
            count += 1;
            if class != last {
                shape.push(class.encode_utf8(&mut [0; 4]).as_bytes());
            }
            last = class;
        }
        if count > 1 && small == 0 && capitals > 0 {
            flags |= CAPITALS_ONLY;
        }
        Self { shape: shape.finish(), flags }
    }
}
