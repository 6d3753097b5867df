//! Folds visually confusable text: compatibility forms, look-alikes and invisible characters.
//!
//! Used to *detect* look-alikes of citations, and to compare words. Never used to parse a citation: parsing takes the
//! characters unchanged, so that a look-alike is detected and rejected.

use memora_claim::unicode::is_zero_width;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// A folded character with its original bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FoldedChar {
    pub(crate) letter: char,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// Folds `text` to lower case without accents, look-alikes of Latin letters, invisible characters and odd brackets.
pub(crate) fn fold_confusables(text: &str) -> Vec<FoldedChar> {
    let mut folded = Vec::with_capacity(text.len());
    for (start, original) in text.char_indices() {
        let end = start + original.len_utf8();
        for part in std::iter::once(original).nfkd() {
            if is_invisible(part) || is_combining_mark(part) {
                continue;
            }
            for lower in latin_lookalike(part).to_lowercase() {
                folded.push(FoldedChar { letter: latin_lookalike(lower), start, end });
            }
        }
    }
    folded
}

/// Whether a character is invisible and has no width, variation selectors included.
pub(crate) fn is_invisible(letter: char) -> bool {
    is_zero_width(letter) || matches!(letter, '\u{fe00}'..='\u{fe0f}')
}

/// Removes invisible characters and controls, so that the judged text is the visible text.
pub(crate) fn strip_invisible(text: &str) -> String {
    text.chars().filter(|c| !is_invisible(*c) && (c.is_whitespace() || !c.is_control())).collect()
}

/// Whether a character belongs to a script without spaces between words: Chinese, Japanese, Korean.
#[must_use]
pub fn is_cjk(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}')
}

/// Returns the Latin letter, colon or separator that a character is easily mistaken for.
fn latin_lookalike(letter: char) -> char {
    match letter {
        'а' | 'А' | 'α' | 'Α' | 'ɑ' | 'ᴀ' | 'Ꭺ' => 'a',
        'с' | 'С' | 'ϲ' | 'Ϲ' | 'ᴄ' | 'Ꮯ' | 'ⅽ' => 'c',
        'е' | 'Е' | 'Ε' | 'ε' | 'ᴇ' | 'ҽ' => 'e',
        'і' | 'І' | 'ι' | 'Ι' | 'ı' | 'ɩ' | 'ɪ' | 'ӏ' | 'Ӏ' | 'Ꭵ' => 'i',
        'ⅼ' | 'ʟ' | 'Ꮮ' | 'ǀ' => 'l',
        'м' | 'М' | 'Μ' | 'ᴍ' | 'ⅿ' | 'Ꮇ' => 'm',
        'ѕ' | 'Ѕ' | 'ꜱ' => 's',
        'т' | 'Т' | 'Τ' | 'τ' | 'ᴛ' => 't',
        'о' | 'О' | 'ο' | 'Ο' | 'ᴏ' => 'o',
        'р' | 'Р' | 'ρ' | 'Ρ' => 'p',
        'х' | 'Х' | 'χ' | 'Χ' => 'x',
        'у' | 'У' | 'γ' => 'y',
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
        let plain = |text: &str| fold_confusables(text).iter().map(|f| f.letter).collect::<String>();
        assert_eq!(plain("ｃｌаі\u{200b}ｍ：É"), "claim:e");
        assert_eq!(plain("ＣＬＡＩＭ"), "claim");
    }
}
