//! Normalizes spellings of one word: case, width, composition, diacritics.
//!
//! Invariant: a mark is dropped only if it decorates a letter of an alphabet (Latin, Greek, Cyrillic,
//! Hebrew, Arabic). In kana, Hangul and the Indic scripts a mark *is* the letter, so there it is composed and kept.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::{decompose_canonical, is_combining_mark};

/// Appends `word` to `out`, folded: `Café`, `CAFÉ` and `cafe` give the same result, and `ガ` stays `ガ`.
pub(crate) fn fold_into(word: &str, out: &mut String) {
    if word.is_ascii() {
        out.extend(word.chars().map(|c| c.to_ascii_lowercase()));
        return;
    }
    // Compatibility first: full-width letters, half-width kana and ligatures get their plain form.
    for c in word.nfkc() {
        if c.is_ascii() {
            out.push(c.to_ascii_lowercase());
        } else if is_ignorable(c) {
        } else if has_significant_marks(c) {
            out.push(c);
        } else {
            decompose_canonical(c, |part| {
                if !is_diacritic(part) {
                    for lower in part.to_lowercase() {
                        // Lower-casing can bring marks of its own (`İ`).
                        if !is_diacritic(lower) {
                            push_letter(lower, out);
                        }
                    }
                }
            });
        }
    }
}

/// Returns `word`, folded.
pub(crate) fn fold_word(word: &str) -> String {
    let mut out = String::with_capacity(word.len());
    fold_into(word, &mut out);
    out
}

/// Replaces letters that don't decompose, and are often typed without their stroke.
fn push_letter(c: char, out: &mut String) {
    match c {
        'ß' => out.push_str("ss"),
        'æ' => out.push_str("ae"),
        'œ' => out.push_str("oe"),
        'þ' => out.push_str("th"),
        'ø' => out.push('o'),
        'đ' | 'ð' => out.push('d'),
        'ł' => out.push('l'),
        'ħ' => out.push('h'),
        'ŧ' => out.push('t'),
        'ı' => out.push('i'),
        'ς' => out.push('σ'),
        _ => out.push(c),
    }
}

/// Characters without width or meaning of their own: joiners, soft hyphens, direction marks, variation selectors.
pub(crate) fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}'
        | '\u{2066}'..='\u{2069}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// Whether `c` is a combining mark that belongs to the character before it.
pub(crate) fn is_mark(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || matches!(c, '\u{ff9e}' | '\u{ff9f}'))
}

fn is_diacritic(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}' | '\u{5c4}'..='\u{5c7}'
        | '\u{610}'..='\u{61a}' | '\u{64b}'..='\u{65f}' | '\u{670}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}')
}

/// Whether the characters of a script are left as NFKC gives them.
fn has_significant_marks(c: char) -> bool {
    is_unspaced_script(c) || matches!(c, '\u{900}'..='\u{dff}')
}

/// Whether `c` is of a script written without spaces, or (Hangul) with few of them: indexed as character bigrams.
pub(crate) fn is_unspaced_script(c: char) -> bool {
    matches!(c,
        '\u{e00}'..='\u{eff}'           // Thai, Lao
        | '\u{1000}'..='\u{109f}'       // Myanmar
        | '\u{1100}'..='\u{11ff}'       // Hangul jamo
        | '\u{1780}'..='\u{17ff}'       // Khmer
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{3096}' | '\u{3099}'..='\u{309a}' | '\u{309d}'..='\u{309f}'
        | '\u{30a1}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
        | '\u{3105}'..='\u{318e}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}' | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ffdc}'
        | '\u{1b000}'..='\u{1b16f}' | '\u{20000}'..='\u{3fffd}')
}

/// Whether `c` is a jamo that continues the syllable before it, so that both compose to one character.
pub(crate) fn continues_syllable(c: char) -> bool {
    matches!(c, '\u{1160}'..='\u{11ff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_are_equal() {
        for (one, other) in [
            ("Café", "cafe"),
            ("cafe\u{301}", "CAFÉ"),
            ("Straße", "STRASSE"),
            ("Ørsted", "orsted"),
            ("Łódź", "lodz"),
            ("Ｍｅｍｏ２", "memo2"),
            ("ﬁne", "fine"),
            ("ΟΔΟΣ", "οδος"),
            ("İstanbul", "istanbul"),
            ("ｶﾞ", "ガ"),
            ("か\u{3099}", "が"),
            ("soft\u{ad}ware", "software"),
            ("מֶלֶךְ", "מלך"),
        ] {
            assert_eq!(fold_word(one), fold_word(other), "{one} {other}");
        }
    }

    #[test]
    fn kana_and_indic_marks_are_letters() {
        assert_ne!(fold_word("が"), fold_word("か"));
        assert_ne!(fold_word("パ"), fold_word("ハ"));
        assert_eq!(fold_word("हिन्दी"), "हिन्दी");
    }
}
