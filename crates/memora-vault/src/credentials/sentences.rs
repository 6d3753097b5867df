//! Passwords that are said in a sentence: "the password for the server is …", "das Passwort lautet …", "密码是 …".
//!
//! What it is called, maybe what it is for, a word that joins them, and a value that looks like nothing but a password. The words are data
//! (`data/said_passwords.txt`). A value that may be an ordinary word is none: "the password for the server is in the safe".

use std::collections::HashMap;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::keywords::{is_non_value, is_plausible_password, is_random_looking};
use super::kind::{CredentialKind, CredentialRanges};

/// How far behind its name a value may stand, in bytes, and how many words may stand between.
const NEAR_BYTES: usize = 120;
const BETWEEN_MAX: usize = 9;
/// The shortest password that is looked for.
const VALUE_CHARS_MIN: usize = 6;

/// What a word is to a sentence that says a password.
#[derive(Clone, Copy, PartialEq, Eq, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Role {
    Password,
    Pin,
    Token,
    Copula,
    Changed,
    Into,
    Told,
    Still,
    Of,
    Article,
}

/// The words by role; a word may have several.
struct SaidWords {
    roles: HashMap<String, Vec<Role>>,
    /// Names of several words, each with the last of them.
    phrases: Vec<(String, Role)>,
}

static WORDS: LazyLock<SaidWords> = LazyLock::new(|| {
    let mut words = SaidWords { roles: HashMap::new(), phrases: Vec::new() };
    let lines = include_str!("../../data/said_passwords.txt").lines().filter(|line| !line.starts_with('#'));
    for (role, said) in lines.filter_map(|line| line.split_once('\t')) {
        let Ok(role) = role.parse::<Role>() else { continue };
        for word in said.split(if said.contains('|') { '|' } else { ' ' }) {
            match word.contains(' ') {
                true => words.phrases.push((word.to_owned(), role)),
                false => words.roles.entry(word.to_owned()).or_default().push(role),
            }
        }
    }
    words
});

/// A word of a sentence, or a sign that joins.
struct Word<'t> {
    range: Range<usize>,
    /// Without what surrounds it.
    bare: &'t str,
    /// What stands between the quotation marks that it begins.
    quoted: Option<Range<usize>>,
    lower: String,
    /// Whether the sentence ends behind it, and whether it pauses there or the line ends.
    ends: bool,
    pauses: bool,
}

/// Finds the passwords that a text says, in those of its lines that have a name.
pub(super) fn find_in_sentences(text: &str, lines: Vec<Range<usize>>, found: &mut CredentialRanges) {
    // What a value has: a digit, a sign, quotation marks. Most of a vault's lines have not.
    let may_have_value = |line: &Range<usize>| {
        let bytes = text.as_bytes().get(line.clone()).unwrap_or_default();
        bytes.iter().any(|byte| byte.is_ascii_digit() || !byte.is_ascii() || b"!@#$%^&*+=~?\\\"`:".contains(byte))
    };
    for line in lines.into_iter().filter(may_have_value) {
        let words = words_of(text, line);
        for at in 0..words.len() {
            let Some(name) = name_at(&words, at) else { continue };
            let value = find_value_behind(&words, at, &name).or_else(|| find_value_in_front(&words, &name));
            found.extend(value.map(|range| (range, CredentialKind::Password)));
        }
    }
    find_in_other_scripts(text, found);
}

/// The lines with a name.
pub(super) fn lines_with_names(text: &str) -> Vec<Range<usize>> {
    static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let is_name = |role: &Role| matches!(role, Role::Password | Role::Pin | Role::Token);
        let single = WORDS.roles.iter().filter(|(_, roles)| roles.iter().any(is_name)).map(|(word, _)| word.as_str());
        let last = |phrase: &'static str| phrase.rsplit(' ').next().unwrap_or_default();
        let phrases = WORDS.phrases.iter().filter(|(_, role)| is_name(role)).map(|(phrase, _)| last(phrase.as_str()));
        let names: Vec<String> = single.chain(phrases).chain(UNSPACED_NAMES).map(regex::escape).collect();
        Regex::new(&format!("(?i){}", names.join("|"))).ok()
    });
    let mut lines: Vec<Range<usize>> = Vec::new();
    for name in NAMES.iter().flat_map(|names| names.find_iter(text)) {
        if lines.last().is_some_and(|line| name.start() < line.end) {
            continue;
        }
        let bytes = text.as_bytes();
        let start = memchr::memrchr(b'\n', bytes.get(..name.start()).unwrap_or_default()).map_or(0, |at| at + 1);
        let length = memchr::memchr(b'\n', bytes.get(name.end()..).unwrap_or_default());
        let end = length.map_or(text.len(), |length| name.end() + length);
        lines.push(start..end);
    }
    lines
}

/// The words of a line.
fn words_of(text: &str, line: Range<usize>) -> Vec<Word<'_>> {
    let mut words = Vec::new();
    let (mut at, end) = (line.start, line.end);
    for part in text.get(line).unwrap_or_default().split_inclusive(char::is_whitespace) {
        let start = at;
        at += part.len();
        let written = part.trim_end();
        let inner = written.trim_start_matches(is_around);
        // A marker or a comment may follow without a space.
        let inner = ["<!--", "%%"].iter().fold(inner, |inner, sign| inner.split(sign).next().unwrap_or(inner));
        let from = start + written.len() - written.trim_start_matches(is_around).len();
        let bare =
            inner.trim_end_matches(|c: char| is_around(c) || matches!(c, '.' | ',' | ';' | ':' | '：' | '!' | '?'));
        let tail = inner.get(bare.len()..).unwrap_or_default();
        let ends = tail.contains(['.', '!', '?', ';']);
        let pauses = ends || tail.contains([',', ')']) || at == end;
        let opened = part.char_indices().find(|(_, c)| !matches!(c, '*' | '_' | '(')).map_or(0, |(at, _)| at);
        let mark = text.get(start + opened..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        let length = text.get(start + opened..end).and_then(quoted_length);
        let mut quoted = length.map(|length| start + opened + mark..start + opened + mark + length);
        if !bare.is_empty() {
            let quoted = quoted.take();
            words.push(Word { range: from..from + bare.len(), bare, quoted, lower: bare.to_lowercase(), ends, pauses });
        }
        if bare.is_empty() && !written.is_empty() || tail.contains([':', '：']) {
            let sign = if bare.is_empty() { written } else { ":" };
            words.push(Word {
                range: from + bare.len()..from + inner.len(),
                bare: sign,
                quoted,
                lower: sign.to_owned(),
                ends: false,
                pauses: false,
            });
        }
    }
    words
}

/// A quotation mark, a bracket, a sign of markup.
pub(super) fn is_around(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '“'
            | '”'
            | '„'
            | '‘'
            | '’'
            | '«'
            | '»'
            | '`'
            | '*'
            | '_'
            | '('
            | ')'
            | '['
            | ']'
            | '<'
            | '>'
            | '¿'
            | '¡'
            | '「'
            | '」'
    )
}

fn has(word: &Word<'_>, role: Role) -> bool {
    WORDS.roles.get(&word.lower).is_some_and(|roles| roles.contains(&role))
}

/// What a password is called, at some words.
struct Name {
    role: Role,
    /// Its first word.
    start: usize,
    /// Whether it may be a part of an English compound, as "password manager" is.
    is_english: bool,
}

/// What a line or a cell is the label of, if it is one: "Password", "Wifi password:", "Passwort für den Router", and not "Password policy".
pub(super) fn is_label(text: &str) -> Option<Role> {
    const WORDS_MAX: usize = 5;
    /// The longest label without spaces, in characters.
    const UNSPACED_MAX: usize = 12;
    let bare = text.trim_matches(|c: char| !c.is_alphanumeric());
    if UNSPACED_NAMES.iter().any(|name| bare.ends_with(name)) && bare.chars().count() <= UNSPACED_MAX {
        return Some(Role::Password);
    }
    let mut words = words_of(text, 0..text.len());
    while words.pop_if(|word| word.lower == ":" || word.lower == "=").is_some() {}
    let last = words.len().checked_sub(1).filter(|last| *last < WORDS_MAX)?;
    let begins = |name: &Name, at: usize| {
        let next = words.get(at + 1);
        name.start == 0
            && next.is_some_and(|next| {
                has(next, Role::Of) || text.get(..next.range.start).is_some_and(|text| text.ends_with('('))
            })
    };
    let first = |at: usize| name_at(&words, at).filter(|name| begins(name, at));
    name_at(&words, last).or_else(|| (0..last).find_map(first)).map(|name| name.role)
}

/// What a text names.
pub(super) fn says_name(text: &str) -> Option<Role> {
    let words = words_of(text, 0..text.len());
    (0..words.len()).rev().take(2 * BETWEEN_MAX).find_map(|at| name_at(&words, at)).map(|name| name.role)
}

/// The name that ends with a word.
fn name_at(words: &[Word<'_>], at: usize) -> Option<Name> {
    const ENGLISH: [&str; 9] = ["password", "passphrase", "passcode", "passwd", "pwd", "pw", "pin", "token", "secret"];
    let word = words.get(at)?;
    // Several are called as one is, but for an "s".
    let lower = word.lower.strip_suffix('s').unwrap_or(&word.lower);
    for role in [Role::Password, Role::Pin, Role::Token] {
        if has(word, role) || WORDS.roles.get(lower).is_some_and(|roles| roles.contains(&role)) {
            return Some(Name { role, start: at, is_english: ENGLISH.contains(&lower) });
        }
    }
    let ends = ["passwort", "kennwort", "passwörter", "password", "wachtwoord"].iter().any(|end| lower.ends_with(end));
    if ends || lower.ends_with("-pin") {
        let role = if ends { Role::Password } else { Role::Pin };
        return Some(Name { role, start: at, is_english: lower.ends_with("password") });
    }
    let phrase = |(phrase, role): &(String, Role)| {
        let count = phrase.split(' ').count();
        let from = (at + 1).checked_sub(count)?;
        let said = words.get(from..=at)?.iter().map(|word| word.lower.replace('’', "'"));
        said.eq(phrase.split(' ')).then_some(Name { role: *role, start: from, is_english: false })
    };
    WORDS.phrases.iter().find_map(phrase)
}

/// The value behind a name: right behind a word that joins, within the same sentence.
fn find_value_behind(words: &[Word<'_>], at: usize, name: &Name) -> Option<Range<usize>> {
    let Name { role, is_english, .. } = *name;
    let last = words.get(at).filter(|last| !last.ends)?;
    let behind = words.get(at + 1..)?;
    let first = behind.first()?;
    let has_digit = first.bare.contains(|c: char| c.is_ascii_digit());
    let is_random = || role == Role::Password && has_digit && is_random_looking(first.bare, VALUE_CHARS_MIN);
    if looks_certain(first, role) || is_random() {
        return Some(first.range.clone());
    }
    // Alone behind a colon, any word is one.
    if let [sign, value] = behind
        && role == Role::Password
        && matches!(sign.lower.as_str(), ":" | "=")
        && is_plausible_password(value.bare)
    {
        return Some(value.range.clone());
    }
    // "The password manager is …" speaks of something else.
    let joins = |word: &Word<'_>| [Role::Copula, Role::Changed, Role::Into].iter().any(|role| has(word, *role));
    if is_english && !joins(first) && !has(first, Role::Of) && !has(first, Role::Still) {
        return None;
    }
    let near = behind.iter().take(BETWEEN_MAX).take_while(|word| word.range.start < last.range.end + NEAR_BYTES);
    let front = words.get(..name.start)?.iter().rev().take(3).take_while(|word| !word.ends);
    let is_told = front.chain(behind.iter().take(BETWEEN_MAX)).any(|word| has(word, Role::Told));
    for (number, word) in near.enumerate() {
        let is_changed = has(word, Role::Changed) || has(word, Role::Into);
        // "to" is one in Polish alone. "Changed to" joins as "is" does.
        let is_copula = has(word, Role::Copula) && !(is_english && is_changed) || is_told && has(word, Role::Into);
        if is_copula || is_changed {
            let rest = behind.get(number + 1..).unwrap_or_default();
            let skipped =
                rest.iter().take(3).take_while(|word| has(word, Role::Still) || has(word, Role::Copula)).count();
            let value = rest.get(skipped)?;
            if let Some(quoted) = value.quoted.clone().filter(|_| is_copula && role == Role::Password) {
                return Some(quoted);
            }
            let fits = if is_copula { looks_secret(value, role) } else { looks_certain(value, role) };
            if fits {
                return Some(value.range.clone());
            }
        } else if is_signed(word) && looks_certain(word, role) {
            return Some(word.range.clone());
        }
        if word.ends {
            return None;
        }
    }
    None
}

/// The value in front of a name: "… is the password for the server", "use … as the password".
fn find_value_in_front(words: &[Word<'_>], name: &Name) -> Option<Range<usize>> {
    const AS: [&str; 5] = ["as", "als", "comme", "como", "come"];
    let front = words.get(..name.start)?;
    let articles = front.iter().rev().take(3).take_while(|word| has(word, Role::Article) && !word.ends).count();
    let copula = front.len().checked_sub(articles + 1)?;
    let value = front.get(copula.checked_sub(1)?)?;
    let join = front.get(copula)?;
    let fits = match join.lower.as_str() {
        word if AS.contains(&word) => looks_certain(value, name.role),
        word => has(join, Role::Copula) && word.chars().any(char::is_alphabetic) && looks_secret(value, name.role),
    };
    fits.then(|| value.range.clone())
}

/// Whether a word behind a copula is a value.
fn looks_secret(word: &Word<'_>, role: Role) -> bool {
    let digits = word.bare.bytes().filter(u8::is_ascii_digit).count();
    let dashes = word.bare.bytes().filter(|byte| *byte == b'-').count();
    let is_number = digits + dashes == word.bare.len() && (4..=16).contains(&digits) && !is_date(word.bare);
    match role {
        Role::Pin => is_number && digits <= 8,
        Role::Token => is_random_looking(word.bare, 12),
        _ => is_number && word.pauses || is_random_looking(word.bare, VALUE_CHARS_MIN) || is_joined(word.bare),
    }
}

fn is_date(word: &str) -> bool {
    word.contains('-') && crate::PartialDate::parse(word).is_some()
}

/// Whether a word is words and a number with signs between them: `kiwi-77-banana`, `Tulip_2291`.
pub(super) fn is_joined(word: &str) -> bool {
    const CHARS_MIN: usize = 8;
    let pieces = || word.split(['-', '_', '.']).filter(|piece| !piece.is_empty());
    let words = pieces().filter(|piece| piece.chars().all(char::is_alphabetic)).count();
    let is_named = word.starts_with(char::is_uppercase) && word.contains('_');
    word.chars().count() >= CHARS_MIN
        && pieces().all(|piece| piece.chars().all(char::is_alphanumeric) && !is_non_value(piece))
        && word.contains(|c: char| c.is_ascii_digit())
        && words >= if is_named { 1 } else { 2 }
}

/// Whether a word has a sign within, letters and digits.
fn is_signed(word: &Word<'_>) -> bool {
    let inner = word.bare.get(1..).unwrap_or_default();
    let has = |is: fn(char) -> bool| word.bare.chars().any(is);
    inner.contains(['!', '@', '#', '$', '%', '^', '&', '+', '~', '?'])
        && has(char::is_alphabetic)
        && has(|c| c.is_ascii_digit())
}

/// Whether a word is a value whatever stands in front: it has a sign within, or letters of both kinds and digits.
fn looks_certain(word: &Word<'_>, role: Role) -> bool {
    let has = |is: fn(char) -> bool| word.bare.chars().any(is);
    let is_mixed =
        has(char::is_uppercase) && has(char::is_lowercase) && has(|c| c.is_ascii_digit()) && word.bare.len() >= 8;
    let least = if role == Role::Token { 12 } else { VALUE_CHARS_MIN };
    role != Role::Pin && (is_mixed || is_signed(word)) && is_random_looking(word.bare, least)
}

/// What stands between the quotation marks that a text begins with, on its line: a password, or words that are one.
fn quoted_length(text: &str) -> Option<usize> {
    const CHARS: Range<usize> = 5..80;
    const MARKS: [(char, char); 7] =
        [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»'), ('`', '`'), ('‘', '’'), ('「', '」')];
    let (open, close) = MARKS.into_iter().find(|(open, _)| text.starts_with(*open))?;
    let inner = text.get(open.len_utf8()..)?;
    // No further, as a line may have thousands.
    let mut near = inner.char_indices().take(CHARS.end + 1).take_while(|(_, c)| *c != '\n');
    let length = near.find(|(_, c)| *c == close)?.0;
    let said = inner.get(..length)?;
    let is_value = CHARS.contains(&said.chars().count()) && !said.split(' ').any(is_non_value) && !said.contains("://");
    // French puts a space within its marks.
    let begun = if open == '«' { said.trim_start() } else { said };
    (is_value && !begun.starts_with([' ', '<', '[', '$', '{'])).then_some(length)
}

/// Names in scripts that put no space between words.
const UNSPACED_NAMES: [&str; 14] = [
    "PIN码",
    "密钥",
    "密码",
    "密碼",
    "口令",
    "パスワード",
    "暗証番号",
    "合言葉",
    "비밀번호",
    "패스워드",
    "암호",
    "暗号",
    "รหัสผ่าน",
    "密鑰",
];

/// Finds values behind names in scripts that put no space between words, by the particles that join them.
fn find_in_other_scripts(text: &str, found: &mut CredentialRanges) {
    const JOINS: [&str; 17] =
        ["是", "为", "為", "爲", "成", "叫", "は", "が", "を", "는", "은", "가", "이", "를", "을", "คือ", ":"];
    /// How far behind its name a value may begin, in characters.
    const NEAR_CHARS: usize = 24;
    if text.is_ascii() {
        return;
    }
    for name in UNSPACED_NAMES {
        for (at, _) in text.match_indices(name) {
            let behind = text.get(at + name.len()..).unwrap_or_default();
            let limit = behind.char_indices().nth(NEAR_CHARS).map_or(behind.len(), |(end, _)| end);
            let near = behind.get(..limit).unwrap_or_default();
            let near = near.split(['\n', '。', '！', '？', '，', '、']).next().unwrap_or_default();
            let Some(join) = JOINS.iter().filter_map(|join| Some(near.find(join)? + join.len())).min() else {
                continue;
            };
            let lead = behind.get(join..).unwrap_or_default();
            let value = lead.trim_start_matches(|c: char| {
                c.is_whitespace() && c != '\n' || is_around(c) || matches!(c, ':' | '：' | '是' | '『')
            });
            let start = at + name.len() + join + lead.len() - value.len();
            let end = value.find(|c: char| c.is_whitespace() || !c.is_ascii()).unwrap_or(value.len());
            let value = value.get(..end).unwrap_or_default();
            let value = value.trim_end_matches(|c: char| is_around(c) || matches!(c, '.' | ',' | ';'));
            let is_number = (4..=16).contains(&value.len()) && value.bytes().all(|byte| byte.is_ascii_digit());
            if is_random_looking(value, VALUE_CHARS_MIN) || is_joined(value) || is_number && !is_non_value(value) {
                found.push((start..start + value.len(), CredentialKind::Password));
            }
        }
    }
}
