//! Access tokens of known forms: what a prefix tells apart, JSON web tokens, and the tokens of Telegram's bots.
//!
//! The forms are data (`data/token_forms.txt`). Every word of a vault is looked up, so the forms stand by their first byte.

use std::ops::Range;
use std::sync::LazyLock;

use strum::EnumString;

/// A token form: its prefix, and the length and alphabet of what follows.
struct TokenForm {
    prefix: &'static [u8],
    /// Fewest characters behind the prefix.
    least: usize,
    alphabet: Alphabet,
}

/// The characters of a token behind its prefix, as `data/token_forms.txt` describes them.
#[derive(Clone, Copy, PartialEq, Eq, EnumString)]
#[strum(serialize_all = "lowercase")]
enum Alphabet {
    Alphanumeric,
    Exact,
    Capitals,
    Hex,
    Url,
    Dense,
    Dotted,
    Base64,
    Path,
}

impl Alphabet {
    fn has(self, byte: u8) -> bool {
        match self {
            Self::Alphanumeric | Self::Exact => byte.is_ascii_alphanumeric(),
            Self::Capitals => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Url | Self::Dense => is_url_safe(byte),
            Self::Dotted => is_url_safe(byte) || matches!(byte, b'.' | b'='),
            Self::Base64 => is_url_safe(byte) || matches!(byte, b'+' | b'/' | b'='),
            Self::Path => is_url_safe(byte) || matches!(byte, b'+' | b'/' | b'=' | b'.'),
        }
    }

    /// Whether a body, the longest run of this alphabet, may be a token's; `next` is the byte behind it.
    fn fits(self, body: &[u8], least: usize, next: Option<u8>) -> bool {
        let goes_on = next.is_some_and(|byte| byte.is_ascii_alphanumeric());
        let has_digit = |run: &[u8]| run.iter().any(u8::is_ascii_digit);
        let long = body.len() >= least;
        match self {
            Self::Alphanumeric => long,
            Self::Capitals | Self::Exact => body.len() == least && !goes_on,
            Self::Hex => long && !goes_on,
            Self::Url | Self::Dotted | Self::Base64 | Self::Path => long && has_digit(body),
            Self::Dense => {
                long && body.split(|b| !b.is_ascii_alphanumeric()).any(|run| run.len() >= 16 && has_digit(run))
            }
        }
    }
}

/// The forms that begin with a byte.
#[derive(Default)]
struct FormsByStart {
    /// The bits of their second bytes, all of them ASCII: few words of a vault begin as a form does.
    seconds: u128,
    forms: Vec<TokenForm>,
}

/// The forms by their first byte.
static TOKEN_FORMS: LazyLock<Vec<FormsByStart>> = LazyLock::new(|| {
    let mut starts: Vec<FormsByStart> = std::iter::repeat_with(FormsByStart::default).take(256).collect();
    for form in include_str!("../../data/token_forms.txt").lines().filter_map(read_form) {
        if let [first, second, ..] = form.prefix
            && let Some(start) = starts.get_mut(usize::from(*first))
        {
            start.seconds |= 1 << (second & 127);
            start.forms.push(form);
        }
    }
    starts
});

fn read_form(line: &'static str) -> Option<TokenForm> {
    let mut columns = line.split('\t');
    let (prefix, least, alphabet) = (columns.next()?, columns.next()?, columns.next()?);
    Some(TokenForm { prefix: prefix.as_bytes(), least: least.parse().ok()?, alphabet: alphabet.parse().ok()? })
}

/// The length of the token that `text` begins with.
pub(super) fn token_length(text: &[u8]) -> Option<usize> {
    let [first, second, ..] = text else { return None };
    let start = TOKEN_FORMS.get(usize::from(*first)).filter(|start| start.seconds >> (second & 127) & 1 == 1);
    let forms = start.map(|start| start.forms.as_slice()).unwrap_or_default();
    forms.iter().find_map(|form| form.length_in(text)).or_else(|| json_web_token_length(text))
}

impl TokenForm {
    fn length_in(&self, text: &[u8]) -> Option<usize> {
        let body = text.strip_prefix(self.prefix)?;
        let mut length = body.iter().position(|byte| !self.alphabet.has(*byte)).unwrap_or(body.len());
        // The full stop of a sentence.
        while matches!(self.alphabet, Alphabet::Dotted | Alphabet::Path) && body.get(..length)?.last() == Some(&b'.') {
            length -= 1;
        }
        let next = body.get(length).copied();
        let body = body.get(..length)?;
        (self.alphabet.fits(body, self.least, next) && !is_placeholder(body)).then_some(self.prefix.len() + length)
    }
}

/// Whether a text has so few different characters that it only shows a form: `ghp_xxxxxxxx`.
fn is_placeholder(body: &[u8]) -> bool {
    const DIFFERENT_MIN: u32 = 5;
    let seen = body.iter().fold(0_u128, |seen, byte| seen | 1 << (byte & 127));
    seen.count_ones() < DIFFERENT_MIN
}

/// Three parts of base64 joined by dots, the first a JSON object.
fn json_web_token_length(text: &[u8]) -> Option<usize> {
    if !text.starts_with(b"eyJ") {
        return None;
    }
    let mut length = 0;
    for part in 0..3 {
        if part > 0 {
            (text.get(length) == Some(&b'.')).then_some(())?;
            length += 1;
        }
        let rest = text.get(length..)?;
        let run = rest.iter().position(|byte| !is_url_safe(*byte)).unwrap_or(rest.len());
        (run >= 10).then_some(())?;
        length += run;
    }
    Some(length)
}

/// `123456789:AA…`: the number of a bot, a colon, `A` and 34 characters.
pub(super) fn telegram_token_length(text: &[u8]) -> Option<usize> {
    let number = text.iter().position(|byte| !byte.is_ascii_digit()).filter(|digits| (5..=16).contains(digits))?;
    let body = text.get(number..)?.strip_prefix(b":A")?;
    let length = body.iter().position(|byte| !is_url_safe(*byte)).unwrap_or(body.len());
    (length == 34 && !is_placeholder(body.get(..length)?)).then_some(number + 2 + length)
}

fn is_url_safe(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// The key that ends with the word at `start..end`: a long random body of letters and digits behind a prefix, `acme_live_9fK2…`.
///
/// Digests are none, nor are UUIDs, what stands in an address or a path, and the names of files.
pub(super) fn find_prefixed_key(bytes: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    const BODY_MIN: usize = 22;
    const PREFIX_MAX: usize = 32;
    let body = bytes.get(start..end).filter(|body| body.len() >= BODY_MIN)?;
    let before = bytes.get(start.saturating_sub(PREFIX_MAX)..start)?;
    let is_prefix = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let length = before.iter().rev().take_while(|byte| is_prefix(byte)).count();
    let prefix = before.get(before.len() - length..)?;
    let name = prefix.split_last().filter(|(sign, _)| matches!(sign, b'_' | b'-')).map(|(_, name)| name)?;
    let begins = name.first().is_some_and(u8::is_ascii_alphabetic) && name.len() >= 2;
    let is_digest = ["sha", "md5", "blake", "data", "urn", "uuid"]
        .iter()
        .any(|word| name.get(..word.len()).is_some_and(|name| name.eq_ignore_ascii_case(word.as_bytes())));
    let in_front = start.checked_sub(length + 1).and_then(|at| bytes.get(at));
    let is_apart = in_front.is_none_or(|byte| !matches!(byte, b'/' | b'.' | b'@' | b'#' | b'%' | b'\\' | b'+'));
    let ends = match bytes.get(end..) {
        Some([b'/' | b'@' | b'(' | b'_' | b'-', ..]) => false,
        Some([b'.', next, ..]) => !next.is_ascii_alphanumeric(),
        _ => true,
    };
    let is_random = is_random_body(body, is_named_a_key(name));
    (begins && !is_digest && is_apart && ends && is_random && !is_in_address(bytes, start)).then(|| start - length..end)
}

/// Whether a prefix says that a key follows: `acme_live_`, `stave-api-`.
fn is_named_a_key(prefix: &[u8]) -> bool {
    const WORDS: [&str; 8] = ["admin", "api", "key", "live", "prod", "secret", "test", "token"];
    let mut words = prefix.split(|byte| matches!(byte, b'_' | b'-'));
    words.any(|word| WORDS.iter().any(|known| word.eq_ignore_ascii_case(known.as_bytes())))
}

/// Whether letters and digits are mixed as chance mixes them, and not as words and numbers are. Behind the name of a key it is enough that
/// few come again: also of hexadecimal digits.
fn is_random_body(body: &[u8], is_named: bool) -> bool {
    const DIGIT_RUNS_MIN: usize = 3;
    let count = |is: fn(&u8) -> bool| body.iter().filter(|byte| is(byte)).count();
    let seen = body.iter().fold(0_u128, |seen, byte| seen | 1 << (byte & 127)).count_ones();
    let runs = body.chunk_by(|one, other| one.is_ascii_digit() == other.is_ascii_digit());
    let runs = runs.filter(|run| run.first().is_some_and(u8::is_ascii_digit)).count();
    if is_named {
        return runs > 0 && count(u8::is_ascii_alphabetic) > 0 && seen >= 10;
    }
    let beyond_hex = count(|byte| byte.is_ascii_alphabetic() && !byte.is_ascii_hexdigit());
    // Of letters of one kind, and digits, chance leaves more digits.
    let is_mixed = count(u8::is_ascii_uppercase) > 1 && count(u8::is_ascii_lowercase) > 1;
    beyond_hex >= 3 && runs >= DIGIT_RUNS_MIN + usize::from(!is_mixed) && seen >= 12
}

/// Whether a place is within an address: `://` stands in front of it in the same word.
fn is_in_address(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 2_000;
    let before = bytes.get(at.saturating_sub(LONGEST)..at).unwrap_or_default();
    let start = before
        .iter()
        .rposition(|byte| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'"'))
        .map_or(0, |at| at + 1);
    memchr::memmem::find(before.get(start..).unwrap_or_default(), b"://").is_some()
}
