//! Access tokens of known forms: what a prefix tells apart, JSON web tokens, and the tokens of Telegram's bots.
//!
//! The forms are data (`data/token_forms.txt`). Every word of a vault is looked up, so the forms stand by their first byte.

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
