//! Writes a text as it is looked through: full-width letters as letters, accents with their letters, nothing that is not seen.
//!
//! Invariant: **each place of the folded text is known in the text**, as whole characters of it.

use std::ops::Range;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use crate::look_alike::is_unseen;

/// A text, folded.
pub(super) struct FoldedText {
    pub(super) text: String,
    /// Where its pieces begin, what they are of, and whether as it is written.
    pieces: Vec<(usize, Range<usize>, bool)>,
}

/// Folds a text, if that changes it.
pub(super) fn fold(text: &str) -> Option<FoldedText> {
    if text.is_ascii() && !text.bytes().any(|byte| is_unseen(char::from(byte)))
        || is_nfkc_quick(text.chars()) == IsNormalized::Yes && !text.contains(is_unseen)
    {
        return None;
    }
    let mut folded = FoldedText { text: String::with_capacity(text.len()), pieces: Vec::new() };
    let mut chars = text.char_indices().filter(|(_, c)| !is_unseen(*c)).peekable();
    let mut cluster = String::new();
    while let Some((start, first)) = chars.next() {
        cluster.clear();
        cluster.push(first);
        let mut end = start + first.len_utf8();
        while let Some((at, mark)) = chars.next_if(|(_, c)| joins_a_letter(*c)) {
            cluster.push(mark);
            end = at + mark.len_utf8();
        }
        let at = folded.text.len();
        folded.text.extend(cluster.nfkc());
        let is_same = folded.text.get(at..) == Some(cluster.as_str()) && end - start == cluster.len();
        match folded.pieces.last_mut() {
            // What goes on as it did is one piece.
            Some((_, piece, true)) if is_same && piece.end == start => piece.end = end,
            _ => folded.pieces.push((at, start..end, is_same)),
        }
    }
    Some(folded)
}

/// Whether a character may become one with that in front of it: an accent, the later parts of a Korean syllable, the marks of kana.
fn joins_a_letter(c: char) -> bool {
    !c.is_ascii() && (is_combining_mark(c) || matches!(c, '\u{1160}'..='\u{11ff}' | '\u{ff9e}' | '\u{ff9f}'))
}

impl FoldedText {
    /// The place of the text that a place of the folded one is of.
    pub(super) fn find_source(&self, range: Range<usize>) -> Range<usize> {
        let source = |range: Range<usize>| {
            let behind = self.pieces.partition_point(|(start, ..)| *start <= range.start);
            match behind.checked_sub(1).and_then(|last| self.pieces.get(last)) {
                Some((start, piece, true)) => piece.start + range.start - start..piece.start + range.end - start,
                Some((_, piece, false)) => piece.clone(),
                None => 0..0,
            }
        };
        // An end is of the character in front of it.
        let last = self.text.get(..range.end).and_then(|text| text.char_indices().next_back());
        let end = last.map_or(0, |(at, c)| source(at..at + c.len_utf8()).end);
        source(range.start..range.start).start..end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_of_the_folded_text_is_known_in_the_text() {
        let check = |text: &str, expect: &str, word: &str, source: &str| {
            let folded = fold(text).expect("it changes");
            assert_eq!(folded.text, expect, "{text:?}");
            let at = folded.text.find(word).expect("the word stands in it");
            assert_eq!(text.get(folded.find_source(at..at + word.len())), Some(source), "{text:?}");
        };
        check("contrasen\u{303}a: x", "contraseña: x", "contraseña", "contrasen\u{303}a");
        check("contrasen\u{303}a: x", "contraseña: x", "x", "x");
        check("\u{feff}a pass\u{ad}word b", "a password b", "password", "pass\u{ad}word");
        check("ＰＩＮ：４７１１ b", "PIN:4711 b", "4711", "４７１１");
        check("q\u{ad}\u{303} x", "q\u{303} x", "x", "x");
        check("né \u{fb01}n… fin", "né fin... fin", "fin.", "\u{fb01}n…");
        check("\u{ff8a}\u{ff9f} x", "パ x", "x", "x");
        check("\u{1112}\u{1161}\u{11ab}글", "한글", "한글", "\u{1112}\u{1161}\u{11ab}글");
        for same in ["", "plain\ttext\r\n", "contraseña — “é” 密码 한글 👩🏽"] {
            assert!(fold(same).is_none(), "{same:?}");
        }
    }

    proptest::proptest! {
        #[test]
        fn sources_lie_in_any_text_in_order(
            text in "(?s)[a-zé\u{303}\u{ad}\u{200b}ｐ…\u{fb01}한\u{11ab}\u{1161}:]{0,40}", from in 0_usize..60, length in 0_usize..9,
        ) {
            if let Some(folded) = fold(&text) {
                let chars: Vec<usize> = folded.text.char_indices().map(|(at, _)| at).chain([folded.text.len()]).collect();
                let (start, end) = (from.min(chars.len() - 1), (from + length).min(chars.len() - 1));
                if start < end {
                    let source = folded.find_source(chars[start]..chars[end]);
                    assert!(text.get(source.clone()).is_some_and(|said| !said.is_empty()), "{text:?} {source:?}");
                }
            }
        }
    }
}
