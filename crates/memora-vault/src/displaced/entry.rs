//! An entry of a head: `key: value`, as heads are written anywhere.

use super::says::KeyName;

/// Splits `key: value` as heads are written anywhere, folded: with quotation marks, `=`, and no space where the key names something.
pub(super) fn split_line(line: &str) -> Option<(&str, &str)> {
    const KEY_CHARS_MAX: usize = 40;
    const KEY_WORDS_MAX: usize = 4;
    // With the quotation marks and stars around it; further on there is no key, and a long line of signs costs no more than its bytes.
    const SIGN_CHARS_MAX: usize = 4 * KEY_CHARS_MAX;
    let (at, sign) = line.char_indices().take(SIGN_CHARS_MAX).find(|(at, c)| {
        let behind = line.get(at + c.len_utf8()..).unwrap_or_default();
        let is_key = || KeyName::of(trim_key(line.get(..*at).unwrap_or_default())).is_some();
        match c {
            ':' => behind.is_empty() || behind.starts_with([' ', '\t', ':']) || is_key(),
            '=' => behind.starts_with([' ', '\t', '"', '\'']) || is_key(),
            _ => false,
        }
    })?;
    let key = trim_key(line.get(..at)?);
    let is_name = key.starts_with(char::is_alphanumeric) || key.starts_with(['_', '<']);
    let fits = key.chars().count() <= KEY_CHARS_MAX
        && key.split_whitespace().count() <= KEY_WORDS_MAX
        && !key.contains(['.', '!', '?', ';', '(', ')', '[', ']', '|', '`', '\\']);
    let value = line.get(at + sign.len_utf8()..)?.trim_start_matches([':', '=']);
    (is_name && fits).then(|| (key, value.trim()))
}

fn trim_key(key: &str) -> &str {
    let is_quote = |c: char| matches!(c, '"' | '\'' | '“' | '”' | '„' | '‘' | '’' | '«' | '»');
    key.trim_matches(|c: char| c.is_whitespace() || is_quote(c) || matches!(c, '*' | '_' | '{'))
}

/// What a folded line names: by the key it begins with, in a list or in braces too.
pub(super) fn name_of_line(line: &str) -> Option<KeyName> {
    let words = line.trim_start_matches(['-', '–', '*', '+', '?', '{', ' ', '\t']);
    let named = split_line(words).and_then(|(key, _)| KeyName::of(key));
    // In braces it may be any of several, and `? privacy` has its value on the next line.
    let is_complex = line.starts_with(['{', '?', ':', '<', '"', '\'']) || line.contains(['{', '}']);
    let any = || {
        let mut words = line.split(|c: char| !c.is_alphanumeric());
        words.find_map(KeyName::of)
    };
    named.or_else(|| if is_complex { any() } else { None })
}
