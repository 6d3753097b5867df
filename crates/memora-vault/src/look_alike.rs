//! Text as it looks: without compatibility forms, look-alike letters and signs, accents and invisible characters.
//!
//! Used to *detect* what is meant to be read as something else, and to compare words. What is folded is never shown, and never parsed
//! as a citation.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A folded character with the bytes of the original one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FoldedChar {
    /// The letter or sign that it looks like, in lower case.
    pub letter: char,
    /// Where the original begins.
    pub start: usize,
    /// Where the original ends.
    pub end: usize,
}

/// Folds a text to lower case without accents, look-alikes of Latin letters and signs, and invisible characters.
#[must_use]
pub fn fold_look_alikes(text: &str) -> Vec<FoldedChar> {
    let mut folded = Vec::with_capacity(text.len());
    for (start, original) in text.char_indices() {
        let end = start + original.len_utf8();
        if original.is_ascii() {
            if !original.is_ascii_control() || original.is_ascii_whitespace() {
                folded.push(FoldedChar { letter: original.to_ascii_lowercase(), start, end });
            }
            continue;
        }
        for part in std::iter::once(original).nfkd() {
            if is_invisible(part) || is_combining_mark(part) {
                continue;
            }
            for lower in latin_look_alike(part).to_lowercase() {
                folded.push(FoldedChar { letter: latin_look_alike(lower), start, end });
            }
        }
    }
    folded
}

/// As [`fold_look_alikes`], the letters alone.
pub(crate) fn folded(text: &str) -> String {
    if text.is_ascii() && !text.bytes().any(|byte| byte.is_ascii_control()) {
        return text.to_ascii_lowercase();
    }
    fold_look_alikes(text).into_iter().map(|folded| folded.letter).collect()
}

/// Whether a character is invisible and has no width: zero width, direction marks, soft hyphen, fillers, tags, variation selectors.
/// Controls are excluded.
#[must_use]
pub fn is_invisible(letter: char) -> bool {
    is_zero_width(letter) || matches!(letter, '\u{fe00}'..='\u{fe0f}')
}

/// Whether a character is not seen.
pub(crate) fn is_unseen(c: char) -> bool {
    is_invisible(c) || c.is_control() && !c.is_whitespace()
}

/// A hyphen or a dash of any length.
pub(crate) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2212}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | '─'
                | '━'
                | '_'
    )
}

/// As [`is_invisible`], without variation selectors.
#[must_use]
pub fn is_zero_width(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Returns the Latin letter or the sign that a character is easily mistaken for.
fn latin_look_alike(letter: char) -> char {
    match letter {
        'а' | 'А' | 'α' | 'Α' | 'ɑ' | 'ᴀ' | 'Ꭺ' => 'a',
        'ʙ' | 'Ь' | 'ь' | 'Β' | 'В' => 'b',
        'с' | 'С' | 'ϲ' | 'Ϲ' | 'ᴄ' | 'Ꮯ' | 'ⅽ' => 'c',
        'ԁ' | 'ᴅ' | 'ⅾ' => 'd',
        'е' | 'Е' | 'Ε' | 'ε' | 'ᴇ' | 'ҽ' => 'e',
        'ɡ' | 'ɢ' => 'g',
        'і' | 'І' | 'ι' | 'Ι' | 'ı' | 'ɩ' | 'ɪ' | 'ӏ' | 'Ӏ' | 'Ꭵ' => 'i',
        'ⅼ' | 'ʟ' | 'Ꮮ' | 'ǀ' => 'l',
        'м' | 'М' | 'Μ' | 'ᴍ' | 'ⅿ' | 'Ꮇ' => 'm',
        'ѕ' | 'Ѕ' | 'ꜱ' => 's',
        'т' | 'Т' | 'Τ' | 'τ' | 'ᴛ' => 't',
        'о' | 'О' | 'ο' | 'Ο' | 'ᴏ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' | 'ᴘ' => 'p',
        'ʀ' | 'ᴦ' => 'r',
        'υ' | 'ᴜ' | 'ս' => 'u',
        'ν' | 'ѵ' | 'ᴠ' => 'v',
        'ѡ' | 'ԝ' | 'ᴡ' => 'w',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' | 'ʏ' => 'y',
        '∶' | 'ː' | '˸' | '꞉' | '׃' | '։' | '፡' | '܃' | '܄' | '⁚' | '᛬' | '⋮' => ':',
        '，' | '、' | '؛' | '；' => ',',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_and_invisible_characters_fold_away() {
        assert_eq!(folded("ｃｌаі\u{200b}ｍ：É"), "claim:e");
        assert_eq!(folded("ＣＬＡＩＭ"), "claim");
        assert_eq!(folded("рrіνасу＝sеcrеt\u{fe0f}"), "privacy=secret");
        let found = fold_look_alikes("é：x");
        assert_eq!(found.iter().map(|c| (c.start, c.end)).collect::<Vec<_>>(), [(0, 2), (2, 5), (5, 6)]);
    }
}
