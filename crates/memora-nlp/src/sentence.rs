//! Sentence segmentation.
//!
//! Ids depend on it, so the version of the sentence splitter is pinned and a golden file guards the output.

use std::ops::Range;
use std::sync::LazyLock;

use crate::list;
use crate::word_lists::{WordSet, word_set};

/// A line shorter than this (in characters) was broken by its author, not wrapped by an editor.
const WRAPPED: usize = 40;

/// The most frequent words of languages that the splitter knows, by its codes.
static FREQUENT: LazyLock<[(&str, WordSet<'static>); 3]> = LazyLock::new(|| {
    [
        ("de", word_set(&[list!(de, frequent)])),
        ("fr", word_set(&[list!(other, frequent_fr)])),
        ("es", word_set(&[list!(other, frequent_es)])),
    ]
});

/// The same of English.
static FREQUENT_ENGLISH: LazyLock<WordSet<'static>> = LazyLock::new(|| word_set(&[list!(en, frequent)]));

/// Splits plain text into sentences: ranges without leading or trailing white space, in order.
///
/// 1. A line break ends a sentence, as in Obsidian, unless the next line begins with a lower-case word, or the
///    line looks wrapped by an editor: the next word would have made it the longest line of the text.
/// 2. Within a line, the splitter for its language decides.
#[must_use]
pub fn split_sentences(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for chunk in join_wrapped_lines(text) {
        let Some(words) = text.get(chunk.clone()) else { continue };
        if !may_contain_boundary(words) {
            push_trimmed(text, chunk, &mut found);
            continue;
        }
        let mut at = chunk.start;
        for boundary in sentencex::get_sentence_boundaries(guess_language_code(words), words) {
            let end = (chunk.start + boundary.end_byte).min(chunk.end);
            if text.is_char_boundary(end) && end > at {
                push_trimmed(text, at..end, &mut found);
                at = end;
            }
        }
        push_trimmed(text, at..chunk.end, &mut found);
    }
    found
}

/// Returns ranges of consecutive lines that form one paragraph.
fn join_wrapped_lines(text: &str) -> Vec<Range<usize>> {
    let width = text.lines().map(|line| line.trim().chars().count()).max().unwrap_or(0);
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut before = "";
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        match found.last_mut() {
            Some(last) if is_continued_by(before.trim(), line.trim(), width) => last.end = range.end,
            _ => found.push(range),
        }
        before = line;
    }
    found
}

fn is_continued_by(line: &str, next: &str, width: usize) -> bool {
    let ended = line.ends_with(['.', '!', '?', ':', ';', '…', '。', '！', '？']);
    let Some(word) = next.split_whitespace().next().filter(|_| !ended) else { return false };
    let lower = word.starts_with(char::is_lowercase) && !word.contains([':', '/', '@', '=', '`']);
    let length = line.chars().count();
    lower || (length >= WRAPPED && length + 1 + word.chars().count() > width)
}

fn may_contain_boundary(text: &str) -> bool {
    let trimmed = text.trim_end();
    trimmed.char_indices().any(|(at, c)| {
        let inner = at + c.len_utf8() < trimmed.len();
        inner
            && (matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？' | '｡')
                || (!c.is_ascii() && !c.is_alphanumeric()))
    })
}

fn push_trimmed(text: &str, range: Range<usize>, found: &mut Vec<Range<usize>>) {
    let Some(words) = text.get(range.clone()) else { return };
    let start = range.start + (words.len() - words.trim_start().len());
    let end = range.start + words.trim_end().len();
    if start < end {
        found.push(start..end);
    }
}

/// Guesses the language by script, then by function words; English is the default.
fn guess_language_code(text: &str) -> &'static str {
    let mut han = false;
    for c in text.chars() {
        match c {
            '\u{3040}'..='\u{30ff}' => return "ja",
            '\u{4e00}'..='\u{9fff}' => han = true,
            _ => {}
        }
    }
    if han {
        return "zh";
    }
    let words: Vec<String> = text.split(|c: char| !c.is_alphabetic()).map(str::to_lowercase).collect();
    let count = |list: &WordSet<'static>| words.iter().filter(|word| list.contains(word.as_str())).count();
    let (best, hits) =
        FREQUENT.iter().map(|(code, list)| (*code, count(list))).max_by_key(|(_, n)| *n).unwrap_or(("en", 0));
    let english = count(&FREQUENT_ENGLISH);
    if hits > english.max(1) { best } else { "en" }
}

#[cfg(test)]
mod tests {
    use super::split_sentences;

    fn check(text: &str, expect: &[&str]) {
        let found: Vec<_> =
            split_sentences(text).into_iter().map(|range| text.get(range).unwrap_or_default()).collect();
        assert_eq!(found, expect);
    }

    #[test]
    fn abbreviations_versions_and_initials_do_not_end_a_sentence() {
        check(
            "Dr. Raman came at 3 p.m. today. She read v1.0.21 notes.",
            &["Dr. Raman came at 3 p.m. today.", "She read v1.0.21 notes."],
        );
    }

    #[test]
    fn a_line_is_a_sentence_unless_it_was_wrapped() {
        check("Rent: 1,140 euros\nHeating: gas", &["Rent: 1,140 euros", "Heating: gas"]);
        check("we met\nat the mill", &["we met\nat the mill"]);
        let long = "After the whole long afternoon of benchmarks on the old ThinkPad\nMessagePack won.";
        check(long, &[long]);
    }

    #[test]
    fn japanese_and_german() {
        check("先生は東京に住んでいる。犬が二匹いる。", &["先生は東京に住んでいる。", "犬が二匹いる。"]);
        check(
            "Das Brot ist z. B. mit Roggen. Es ist gut und nicht süß.",
            &["Das Brot ist z. B. mit Roggen.", "Es ist gut und nicht süß."],
        );
    }

    #[test]
    fn nothing_gives_nothing() {
        check("", &[]);
        check(" \n ", &[]);
    }

    proptest::proptest! {
        #[test]
        fn sentences_are_in_order_and_leave_no_word_out(text in "\\PC{0,80}") {
            let ranges = split_sentences(&text);
            let mut at = 0;
            let mut kept = String::new();
            for range in ranges {
                assert!(at <= range.start && range.start < range.end);
                at = range.end;
                kept.push_str(text.get(range).expect("on character boundaries"));
            }
            let bare = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(bare(&kept), bare(&text));
        }
    }
}
