//! What the lines of a head say.

use std::borrow::Cow;
use std::collections::BTreeSet;

use gray_matter::Pod;

use super::line::{HeadLine, LineKind, is_invisible};
use super::{DisplacedHead, HeadWords};
use crate::frontmatter::{
    PrivacyWord, collect_nested_bands, find_privacy_words, is_tags_key, parse_block, parse_entries, to_property_value,
};
use crate::{Band, privacy_markers};

/// What a key of a line names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyName {
    Privacy,
    Machine,
    Tags,
    /// `privacy::` or `memora::`, which needs no head.
    Field,
}

/// What `memora` may call a note of a machine's.
const MACHINE_WORDS: [&str; 6] = ["memory", "captured", "review", "log", "scratchpad", "session"];

/// The most words of a value that names a band.
const VALUE_WORDS_MAX: usize = 3;

fn name_of_key(key: &str) -> Option<KeyName> {
    let key = without_invisible(key);
    match () {
        () if key.eq_ignore_ascii_case("privacy") => Some(KeyName::Privacy),
        () if key.eq_ignore_ascii_case("memora") => Some(KeyName::Machine),
        () if is_tags_key(&key) => Some(KeyName::Tags),
        () => None,
    }
}

fn without_invisible(text: &str) -> Cow<'_, str> {
    match text.contains(is_invisible) {
        true => Cow::Owned(text.chars().filter(|c| !is_invisible(*c)).collect()),
        false => Cow::Borrowed(text),
    }
}

/// Whether a text has a key that names something: cheap, and never wrongly no.
pub(super) fn may_name(text: &str) -> bool {
    let bytes = text.as_bytes();
    // The first byte of wide signs is that of `：` and `＝`.
    memchr::memchr3_iter(b':', b'=', 0xef, bytes).any(|at| {
        let before = text.get(..at).unwrap_or_default();
        let is_between = |c: &char| c.is_whitespace() || is_quote(*c) || matches!(c, '*' | '_' | '>');
        let letters =
            before.chars().rev().filter(|c| !is_invisible(*c)).skip_while(is_between).map(|c| c.to_ascii_lowercase());
        let ends = |key: &str| letters.clone().take(key.len()).eq(key.chars().rev());
        ends("privacy") || ends("memora") || ends("tags") || ends("tag")
    })
}

fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»')
}

/// Splits `key: value` as heads are written anywhere: with quotation marks, wide signs, `=`, and no space where the key names
/// something.
pub(super) fn split_line(bare: &str) -> Option<(&str, &str)> {
    const KEY_CHARS_MAX: usize = 40;
    const KEY_WORDS_MAX: usize = 4;
    let (at, sign) = bare.char_indices().find(|(at, c)| {
        let behind = bare.get(at + c.len_utf8()..).unwrap_or_default();
        let is_key = || name_of_key(trim_key(bare.get(..*at).unwrap_or_default())).is_some();
        match c {
            '：' | '＝' => true,
            ':' => behind.is_empty() || behind.starts_with([' ', '\t', '\u{a0}', ':']) || is_key(),
            '=' => behind.starts_with([' ', '\t', '"', '\'']) || is_key(),
            _ => false,
        }
    })?;
    let key = trim_key(bare.get(..at)?);
    let is_name = key.starts_with(char::is_alphanumeric) || key.starts_with(['_', '<']);
    let fits = key.chars().count() <= KEY_CHARS_MAX
        && key.split_whitespace().count() <= KEY_WORDS_MAX
        && !key.contains(['.', '!', '?', ';', '(', ')', '[', ']', '|', '`', '\\']);
    let value = bare.get(at + sign.len_utf8()..)?.trim_start_matches([':', '=']);
    (is_name && fits).then(|| (key, value.trim()))
}

fn trim_key(key: &str) -> &str {
    key.trim_matches(|c: char| c.is_whitespace() || is_invisible(c) || is_quote(c) || matches!(c, '*' | '_' | '{'))
}

/// What a line names: by the key it begins with, in a list or in braces too, or by a field.
pub(super) fn name_of_line(bare: &str) -> Option<KeyName> {
    if find_field(bare).is_some() {
        return Some(KeyName::Field);
    }
    let words = bare.trim_start_matches(['-', '–', '*', '+', '?', '{', ' ', '\t']);
    let named = split_line(words).and_then(|(key, _)| name_of_key(key));
    // In braces it may be any of several, and `? privacy` has its value on the next line.
    let is_complex = bare.starts_with(['{', '?', ':', '<', '"', '\'']) || bare.contains(['{', '}']);
    let any = || {
        let mut words = bare.split(|c: char| !c.is_alphanumeric());
        words.find_map(name_of_key)
    };
    named.or_else(|| if is_complex { any() } else { None })
}

/// The signs of a line that stand behind a key that names something, and are not escaped; the mark of a key whose value is on the next line.
pub(super) fn find_signs(bare: &str) -> Vec<usize> {
    let signs = bare.char_indices().filter(|(_, c)| matches!(c, ':' | '=' | '：' | '＝'));
    let names = |at: &usize| {
        let key = bare
            .get(..*at)
            .unwrap_or_default()
            .trim_end_matches(|c: char| c.is_whitespace() || is_quote(c) || matches!(c, '*' | '_'));
        let start = key.rfind(|c: char| !c.is_alphanumeric() && !is_invisible(c)).map_or(0, |at| at + 1);
        let start = (start..=key.len()).find(|at| key.is_char_boundary(*at)).unwrap_or(key.len());
        key.get(start..).and_then(name_of_key).is_some()
    };
    let mut found: Vec<usize> = signs.map(|(at, _)| at).filter(names).collect();
    if found.is_empty() && bare.starts_with('?') {
        found.push(0);
    }
    found
}

/// A Dataview field that names a band or a machine, `privacy:: secret` or `[privacy:: secret]`: its key and its value.
fn find_field(bare: &str) -> Option<(KeyName, &str)> {
    let mut from = 0;
    while let Some(sign) = bare.get(from..)?.find("::").map(|at| from + at) {
        from = sign + 2;
        let before = bare.get(..sign)?;
        if before.matches('`').count() % 2 == 1 {
            continue;
        }
        let start = before.rfind(['[', '(']).map_or(0, |open| open + 1);
        let key = before.get(start..)?.trim_start_matches(['-', '–', '*', '+', '>', ' ', '\t']);
        let value = bare.get(from..)?;
        let end = if start > 0 { value.find([']', ')']).unwrap_or(value.len()) } else { value.len() };
        if let Some(name @ (KeyName::Privacy | KeyName::Machine)) = name_of_key(trim_key(key)) {
            return Some((name, value.get(..end)?.trim_matches('*').trim()));
        }
    }
    None
}

/// Reads the field of a line.
pub(super) fn read_field(line: &HeadLine<'_>) -> Option<DisplacedHead> {
    let (name, value) = find_field(line.bare)?;
    let mut words = HeadWords::default();
    match name {
        KeyName::Machine => words.machine.extend(machine_word(value, false)),
        _ => words.privacy.push(privacy_word(value, line)),
    }
    (!words.is_empty()).then_some(DisplacedHead { at: line.start, words })
}

fn privacy_word(word: &str, line: &HeadLine<'_>) -> PrivacyWord {
    PrivacyWord { word: word.to_owned(), range: line.start..line.start + line.bare.len(), by_tag: false }
}

/// The word by which a value calls a note a machine's. A certain head may say anything, as front matter may.
fn machine_word(value: &str, is_certain: bool) -> Option<String> {
    let word = without_invisible(value).trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let known = MACHINE_WORDS.iter().find(|known| word.starts_with(**known));
    known.map(|known| (*known).to_owned()).or_else(|| is_certain.then_some(word))
}

/// Reads lines as a head; `None` if they name neither a band nor a machine.
pub(super) fn read_block(lines: &[HeadLine<'_>], is_certain: bool) -> Option<DisplacedHead> {
    let mut words = read_entries(lines, is_certain);
    read_as_yaml(lines, &mut words);
    let first = lines.iter().find(|line| name_of_line(line.bare).is_some()).or(lines.first())?;
    (!words.is_empty()).then_some(DisplacedHead { at: first.start, words })
}

/// Reads the entries of a head that have a line each.
pub(super) fn read_entries(lines: &[HeadLine<'_>], is_certain: bool) -> HeadWords {
    let mut words = HeadWords::default();
    let margin = margin_of(lines);
    for line in lines.iter().filter(|line| line.indent <= margin) {
        let Some((key, value)) = split_line(line.bare.trim_start_matches(['?', '{', ' '])) else { continue };
        match name_of_key(key) {
            Some(KeyName::Privacy) => {
                words.privacy.extend(band_word(value, is_certain).map(|word| privacy_word(&word, line)));
            }
            Some(KeyName::Machine) => words.machine.extend(machine_word(value, is_certain)),
            _ => {}
        }
    }
    words
}

/// How far the entries of a head are indented.
fn margin_of(lines: &[HeadLine<'_>]) -> usize {
    lines.iter().filter(|line| line.kind == LineKind::Key).map(|line| line.indent).min().unwrap_or(0)
}

/// What `memora` says at any depth of a head.
pub(super) fn read_machine_words(lines: &[HeadLine<'_>]) -> Vec<String> {
    let mut found = Vec::new();
    let block = normal_block(lines);
    // Hardly any front matter has the word.
    let has_word = || block.to_lowercase().contains("memora");
    if let Some(pod) = has_word().then(|| parse_block(&block)).flatten() {
        collect_machine_words(&pod, &mut found);
    }
    found
}

/// Lines as they would stand in front matter.
fn normal_block(lines: &[HeadLine<'_>]) -> String {
    let margin = margin_of(lines);
    lines.iter().map(|line| normal_line(line, margin)).collect()
}

/// Adds what YAML finds in a block, and what stands anywhere in one that is none.
fn read_as_yaml(lines: &[HeadLine<'_>], words: &mut HeadWords) {
    let block = normal_block(lines);
    let line_at = |at: usize| {
        let number = block.get(..at).unwrap_or_default().matches('\n').count();
        lines.get(number).or(lines.first())
    };
    let (entries, _) = parse_entries(&block, 0..block.len());
    for said in find_privacy_words(&block, &entries).into_iter().filter(|said| said.by_tag) {
        let line = line_at(said.range.start);
        words.privacy.extend(line.map(|line| PrivacyWord { by_tag: true, ..privacy_word(&said.word, line) }));
    }
    let mut nested = BTreeSet::new();
    match parse_block(&block) {
        Some(pod) => {
            collect_nested_bands(&pod, &mut nested);
            collect_machine_words(&pod, &mut words.machine);
        }
        // What is escaped names nothing.
        None if lines.iter().all(|line| find_signs(line.bare).is_empty()) => {}
        None => {
            let lower = block.to_lowercase();
            nested.extend(
                [Band::Secret, Band::Private]
                    .into_iter()
                    .find(|band| lower.contains(band.as_str()))
                    .map(|band| (band, false)),
            );
        }
    }
    let told = |words: &HeadWords, band: Band| {
        words.privacy.iter().any(|said| Band::parse(&said.word).is_ok_and(|other| other >= band))
    };
    for (band, by_tag) in nested {
        let line = lines.iter().find(|line| line.bare.to_lowercase().contains(band.as_str())).or(lines.first());
        if !told(words, band) {
            words.privacy.extend(line.map(|line| PrivacyWord { by_tag, ..privacy_word(band.as_str(), line) }));
        }
    }
}

/// A line as it would stand in front matter.
fn normal_line(line: &HeadLine<'_>, margin: usize) -> String {
    let mut text = " ".repeat(line.indent.saturating_sub(margin));
    let words = line.bare.chars().filter(|c| !is_invisible(*c)).map(|c| match c {
        '“' | '”' | '„' | '«' | '»' => '"',
        '‘' | '’' => '\'',
        '\u{a0}' | '\t' | '\u{3000}' => ' ',
        other => other,
    });
    let words: String = words.collect::<String>().replace(['：', '＝'], ": ");
    let words = words.strip_prefix("– ").map_or(words.clone(), |item| format!("- {item}"));
    match split_line(&words) {
        Some((key, value)) if line.kind == LineKind::Key && !words.contains(": ") => {
            text.push_str(&format!("{key}: {value}"));
        }
        _ if line.kind == LineKind::Rule => {}
        _ => text.push_str(&words),
    }
    text.push('\n');
    text
}

/// Collects what `memora` calls a note at any depth.
fn collect_machine_words(pod: &Pod, found: &mut Vec<String>) {
    match pod {
        Pod::Array(items) => items.iter().for_each(|item| collect_machine_words(item, found)),
        Pod::Hash(map) => {
            for (key, value) in map {
                if key.trim().eq_ignore_ascii_case("memora") {
                    let words = to_property_value(value, "").scalar_strings();
                    found.extend(words.iter().filter_map(|word| machine_word(word, false)));
                }
                collect_machine_words(value, found);
            }
        }
        _ => {}
    }
}

/// The word of a value that asks for a band: one that names it or nearly does; in a certain head also a single word that names none, or
/// nothing at all.
fn band_word(value: &str, is_certain: bool) -> Option<String> {
    let value = without_invisible(value.split(" #").next().unwrap_or(value));
    let words: Vec<String> =
        value.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let strict = [Band::Secret, Band::Private, Band::Public];
    let named = strict
        .into_iter()
        .find(|band| words.iter().any(|word| word == band.as_str()))
        .map(|band| band.as_str().to_owned());
    let meant =
        || words.iter().find_map(|word| privacy_markers::band_of_tag(word)).map(|band| band.as_str().to_owned());
    let slipped = || words.iter().find(|word| is_slip(word)).cloned();
    // Between rules a band may be followed by why: `secret (salaries of the team)`.
    let is_short = words.len() <= VALUE_WORDS_MAX;
    let said =
        named.filter(|_| is_short || is_certain).or_else(|| is_short.then(|| meant().or_else(slipped)).flatten());
    if said.is_some() {
        return said;
    }
    (is_certain && words.len() <= 1).then(|| words.into_iter().next().unwrap_or_default())
}

/// Whether a word is the word of a guarding band but for two letters.
fn is_slip(word: &str) -> bool {
    const LETTERS_MIN: usize = 4;
    let near = |band: &str| word.chars().count() >= LETTERS_MIN && edit_distance(word, band) <= 2;
    near("secret") || near("private") || near("confidential")
}

fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, c) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, d) in other.iter().enumerate() {
            let above = row[column + 1];
            row[column + 1] = (diagonal + usize::from(c != *d)).min(above + 1).min(row[column] + 1);
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}
