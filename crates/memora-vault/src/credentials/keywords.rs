//! Secrets that follow "password:" and similar keywords.
//!
//! There are two kinds of keywords: after some, a single plain word is taken for the secret ("password: gullholm");
//! others have other uses, too ("token: noun"), so the value has to look random.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::kind::{CredentialKind, CredentialRanges};

/// How strongly a keyword suggests a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Keyword {
    Password,
    Token,
    Pin,
    /// `pass`, which is a word of its own.
    Pass,
}

/// How far after a keyword its colon may be ("password for the router: …").
const PHRASE_MAX: usize = 48;

const PASSWORD_KEYWORDS: [&[u8]; 10] = [
    b"pw",
    b"password",
    b"passwort",
    b"passwd",
    b"passphrase",
    b"passcode",
    b"kennwort",
    b"pwd",
    b"wachtwoord",
    b"senha",
];

/// Lower-case words in the place of a password that are not one.
const NON_VALUES: [&str; 58] = [
    "1password",
    "argon2",
    "argon2id",
    "authy",
    "base64",
    "bcrypt",
    "bitwarden",
    "bool",
    "boolean",
    "changed",
    "dashlane",
    "empty",
    "enpass",
    "false",
    "forgot",
    "forgotten",
    "geändert",
    "hidden",
    "int",
    "integer",
    "keepass",
    "keepassxc",
    "keiner",
    "keines",
    "keins",
    "keychain",
    "lastpass",
    "masked",
    "md5",
    "missing",
    "n/a",
    "needed",
    "nein",
    "nil",
    "none",
    "null",
    "number",
    "oauth2",
    "optional",
    "pbkdf2",
    "redacted",
    "required",
    "reset",
    "same",
    "secret",
    "sha1",
    "sha256",
    "sha512",
    "siehe",
    "str",
    "string",
    "tbd",
    "text",
    "todo",
    "true",
    "unbekannt",
    "undefined",
    "unknown",
];

/// Whether a word with these last two letters can be a keyword; a cheap filter for every word of a vault.
pub(super) fn may_end_keyword(before_last: u8, last: u8) -> bool {
    match last | 0x20 {
        b'd' => matches!(before_last | 0x20, b'r' | b'w'),
        b't' => matches!(before_last | 0x20, b'r' | b'e'),
        b'e' => matches!(before_last | 0x20, b's' | b'd'),
        b'n' => matches!(before_last | 0x20, b'e' | b'i'),
        b'y' => before_last | 0x20 == b'e',
        b'a' => before_last | 0x20 == b'h',
        b's' => before_last | 0x20 == b's',
        b'w' => before_last | 0x20 == b'p',
        _ => false,
    }
}

/// The value that follows if the word at `start..end` ends in a keyword.
pub(super) fn find_value_after(text: &str, start: usize, end: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let keyword = match_keyword(bytes, start, end)?;
    let (value_start, direct) = find_value_start(bytes, end, keyword)?;
    let mut value = value_range(text, value_start)?;
    if is_in_query(bytes, start) {
        // `?token=…&lang=…` in an address: the parameter alone, and no number.
        let length = text.get(value.clone())?.find(['&', '#', ')', '>']).unwrap_or(value.len());
        value.end = value.start + length;
        return is_random_looking(text.get(value.clone())?, 12).then_some(value);
    }
    let written = text.get(value.clone())?;
    let first = written.split_whitespace().next()?;
    let rest = written.get(first.len()..)?.trim_start();
    // A remark, a tag or a block id behind it leaves a single word a single word. A code span is one thing, spaces or no.
    let code_span = text.as_bytes().get(value_start.wrapping_sub(1)) == Some(&b'`');
    let single = code_span || rest.is_empty() || rest.starts_with(['(', '#', '^', '–', '—', '<', '✅']);
    let fits = match keyword {
        Keyword::Pin => direct == DelimiterPosition::Adjacent && (4..=8).contains(&first.len()) && is_all_digits(first),
        Keyword::Pass => direct == DelimiterPosition::Adjacent && is_random_looking(first, 6),
        Keyword::Password if direct == DelimiterPosition::Adjacent && single => is_plausible_password(first),
        Keyword::Password => is_random_looking(first, 6),
        Keyword::Token if single => is_random_looking(first, 8),
        Keyword::Token => is_random_looking(first, 12),
    };
    fits.then_some(value)
}

/// Whether the word at `start` ends a parameter name after `?` or `&`.
fn is_in_query(bytes: &[u8], start: usize) -> bool {
    let before = bytes.get(start.saturating_sub(24)..start).unwrap_or_default();
    let sign = before.iter().rev().find(|byte| !byte.is_ascii_alphanumeric() && !b"_-".contains(byte));
    matches!(sign, Some(b'?' | b'&'))
}

fn is_all_digits(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

fn match_keyword(bytes: &[u8], start: usize, end: usize) -> Option<Keyword> {
    let word = bytes.get(start..end)?;
    let ends = |tail: &[u8]| {
        word.len().checked_sub(tail.len()).and_then(|at| word.get(at..)).is_some_and(|w| w.eq_ignore_ascii_case(tail))
    };
    let after = |head: &[u8]| {
        // "api key", "api_key", "api-key".
        let at = start.checked_sub(head.len() + 1)?;
        bytes.get(at..at + head.len())?.eq_ignore_ascii_case(head).then_some(())?;
        matches!(bytes.get(start - 1), Some(b' ' | b'_' | b'-')).then_some(())
    };
    if PASSWORD_KEYWORDS.iter().any(|password| ends(password)) || (ends(b"passe") && after(b"mot de").is_some()) {
        return Some(Keyword::Password);
    }
    if ends(b"secret") || ends(b"token") || ends(b"apikey") {
        return Some(Keyword::Token);
    }
    if word.eq_ignore_ascii_case(b"key") && [&b"api"[..], b"access", b"secret"].iter().any(|h| after(h).is_some()) {
        return Some(Keyword::Token);
    }
    if word.eq_ignore_ascii_case(b"pass") {
        return Some(Keyword::Pass);
    }
    word.eq_ignore_ascii_case(b"pin").then_some(Keyword::Pin)
}

/// Whether the delimiter directly follows the keyword.
#[derive(Clone, Copy, PartialEq, Eq)]
enum DelimiterPosition {
    Adjacent,
    /// Other words, a table's `|`, or "is" stand between: the value must look random.
    Apart,
}

/// The offset at which the value begins.
fn find_value_start(bytes: &[u8], end: usize, keyword: Keyword) -> Option<(usize, DelimiterPosition)> {
    let skip = |mut at: usize, skipped: &[u8]| {
        while bytes.get(at).is_some_and(|byte| skipped.contains(byte)) {
            at += 1;
        }
        at
    };
    let at = skip(end, b" \t*_`\"'");
    if let Some(value) = skip_delimiter(bytes, at) {
        return Some((value, DelimiterPosition::Adjacent));
    }
    if bytes.get(at) == Some(&b'|') {
        return Some((skip(at + 1, b" \t*`\"'"), DelimiterPosition::Apart));
    }
    if matches!(keyword, Keyword::Pin | Keyword::Pass) {
        return None;
    }
    let rest = bytes.get(end..)?;
    for verb in [&b" is "[..], b" ist ", b" lautet ", b" was "] {
        if rest.starts_with(verb) {
            return Some((skip(end + verb.len(), b" \t*`\"':"), DelimiterPosition::Apart));
        }
    }
    // "Password for the router: …", within the sentence.
    let near = rest.get(..PHRASE_MAX).unwrap_or(rest);
    let stop = near.iter().position(|byte| b":=.!?;,|\n".contains(byte) || *byte == 0xef)?;
    let near_word = matches!(near.first(), Some(b' ' | b'\t' | b'*' | b'_' | b'`' | b'('));
    skip_delimiter(bytes, end + stop).filter(|_| near_word).map(|value| (value, DelimiterPosition::Apart))
}

/// The offset of the value after `:`, `::`, `=`, `=>`, `:=` or their full-width forms at `at`.
fn skip_delimiter(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    let wide = ["：".as_bytes(), "＝".as_bytes()].iter().any(|sign| rest.starts_with(sign));
    let mut end = match rest {
        [b'=', b'=' | b'~', ..] | [b':', b'/', ..] => return None,
        [b'=', ..] if matches!(at.checked_sub(1).and_then(|at| bytes.get(at)), Some(b'!' | b'<' | b'>')) => {
            return None;
        }
        [b':', b':' | b'=', ..] | [b'=', b'>', ..] => at + 2,
        [b':' | b'=', ..] => at + 1,
        _ if wide => at + 3,
        _ => return None,
    };
    while bytes.get(end).is_some_and(|byte| b" \t*`\"'".contains(byte)) {
        end += 1;
    }
    if bytes.get(end..).is_some_and(|rest| rest.starts_with("\u{3000}".as_bytes())) {
        end += 3;
    }
    Some(end)
}

/// The rest of the line from `start`, without closing quotes and brackets.
fn value_range(text: &str, start: usize) -> Option<Range<usize>> {
    /// Longer than any password: what follows is not one, and no line is scanned whole for every keyword in it.
    const VALUE_MAX: usize = 512;
    let rest = text.get(start..)?;
    let mut end = rest.len().min(VALUE_MAX);
    while !rest.is_char_boundary(end) {
        end -= 1;
    }
    let mut value = rest.get(..end)?;
    let opened = start.checked_sub(1).and_then(|at| text.as_bytes().get(at));
    if let Some(quote @ (b'`' | b'"' | b'\'')) = opened {
        // In quotes or a code span it ends where they do.
        let close = value.bytes().position(|byte| byte == *quote || byte == b'\n');
        value = value.get(..close.unwrap_or(value.len()))?;
    }
    value = value.split(['\n', '\r']).next()?;
    for close in ["<!--", " | ", "%%"] {
        value = value.split(close).next()?;
    }
    // Chinese and Japanese prose goes on without a space: the secret ends where it begins.
    value = value.split(is_cjk_char).next()?;
    value = value.trim_end().trim_end_matches(['*', '`', '"', '\'', ',', ';', '|']).trim_end();
    for (open, close) in [('[', ']'), ('(', ')'), ('{', '}')] {
        if !value.contains(open) {
            value = value.trim_end_matches(close);
        }
    }
    (!value.is_empty()).then_some(start..start + value.len())
}

fn is_cjk_char(c: char) -> bool {
    matches!(c, '\u{3000}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ff00}'..='\u{ffef}')
}

/// Whether a word is a plausible password because it directly follows "password:".
pub(super) fn is_plausible_password(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', '!', '?', ':']);
    if !(3..=128).contains(&bare.chars().count()) || is_placeholder(word) {
        return false;
    }
    // A call: `password = input("…")`.
    let call =
        bare.split_once('(').is_some_and(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || "._".contains(c)));
    !call && !is_non_value(bare)
}

/// Whether a word looks random: letters and digits mixed, or symbols between letters.
pub(super) fn is_random_looking(word: &str, least: usize) -> bool {
    let bare = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')']);
    if bare.len() < least || !is_plausible_password(bare) || is_date_or_address(bare) {
        return false;
    }
    let pieces = || bare.split(['-', '_', '/', '.', '\'', '’']).filter(|piece| !piece.is_empty());
    if pieces().any(is_non_value) {
        return false;
    }
    let mixed = |piece: &str| {
        let digits = piece.bytes().filter(u8::is_ascii_digit).count();
        let letters = piece.chars().filter(|c| c.is_alphabetic()).count();
        digits > 0 && letters > 0 && piece.len() >= 4
    };
    let inner = bare.get(1..bare.len() - 1).unwrap_or_default();
    let sign = inner.contains(['!', '@', '#', '$', '%', '^', '&', '+', '~', '*', '?', '\\', '=']);
    let capitals =
        bare.as_bytes().windows(2).filter(|p| matches!(p, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()));
    pieces().any(mixed) || sign || (bare.len() >= 10 && capitals.count() >= 2)
}

pub(super) fn is_non_value(word: &str) -> bool {
    // The longest is nine letters; folding is for short words only.
    word.len() <= 12 && NON_VALUES.binary_search(&word.to_lowercase().as_str()).is_ok()
}

fn is_placeholder(word: &str) -> bool {
    let starts = ["[[", "![", "http://", "https://", "<", "${", "$(", "{{", "{%", "process.env", "os.environ", "env."];
    let shell = |rest: &str| rest.len() > 1 && rest.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let mask = |c: char| matches!(c, '*' | 'x' | 'X' | '•' | '●' | '.' | '…' | '-' | '_' | '?');
    starts.iter().any(|start| word.starts_with(start))
        || word.strip_prefix('$').is_some_and(shell)
        || (word.starts_with('[') && word.contains("]("))
        || word.chars().all(mask)
}

fn is_date_or_address(word: &str) -> bool {
    let date = word.get(..10).is_some_and(|date| crate::PartialDate::parse(date).is_some());
    let address = word.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && host.bytes().all(|b| b.is_ascii_alphanumeric() || b".-".contains(&b))
    });
    date || address || word.contains("://")
}

/// Built once: for a short note, building them costs more than the search.
static KEYWORDS: LazyLock<[Finder<'static>; 8]> = LazyLock::new(|| {
    ["パスワード", "密码", "密碼", "口令", "비밀번호", "ароль", "contraseña", "hasło"].map(Finder::new)
});

/// The same for keywords in other scripts than ASCII.
pub(super) fn find_in_other_scripts(text: &str, found: &mut CredentialRanges) {
    if text.is_ascii() {
        return;
    }
    let bytes = text.as_bytes();
    for finder in KEYWORDS.iter() {
        for at in finder.find_iter(bytes) {
            let mut end = at + finder.needle().len();
            while bytes.get(end).is_some_and(|byte| b" *_`\"'".contains(byte)) {
                end += 1;
            }
            let range = skip_delimiter(bytes, end).and_then(|start| value_range(text, start));
            let written = range.clone().and_then(|range| text.get(range)).unwrap_or_default();
            let mut words = written.split_whitespace();
            let first = words.next().unwrap_or_default();
            if words.next().map_or(is_plausible_password(first), |_| is_random_looking(first, 6)) {
                found.extend(range.map(|range| (range, CredentialKind::Password)));
            }
        }
    }
}

/// The password in `scheme://user:password@host`.
pub(super) fn find_in_urls(text: &str, found: &mut CredentialRanges) {
    let bytes = text.as_bytes();
    let mut from = 0;
    static SCHEME_END: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("://"));
    while let Some(at) = bytes.get(from..).and_then(|rest| SCHEME_END.find(rest)) {
        from += at + 3;
        let rest = bytes.get(from..).unwrap_or_default();
        let near = rest.get(..256).unwrap_or(rest);
        let stop = near.iter().position(|byte| byte.is_ascii_whitespace() || b"/@?#<>\"`".contains(byte));
        let Some(stop) = stop.filter(|stop| near.get(*stop) == Some(&b'@')) else { continue };
        let Some(colon) = near.iter().take(stop).position(|byte| *byte == b':') else { continue };
        let range = from + colon + 1..from + stop;
        let word = text.get(range.clone()).unwrap_or_default();
        let example = ["password", "passwort", "pass", "pw"].contains(&word.to_lowercase().as_str());
        if is_plausible_password(word) && !example {
            found.push((range, CredentialKind::Password));
        }
    }
}
