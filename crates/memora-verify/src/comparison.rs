//! Comparison of texts by their words.

use unicode_normalization::UnicodeNormalization;

use crate::confusables::{is_invisible, strip_invisible};

/// Whether `text` mentions `name`, by whole words, ignoring case.
pub(crate) fn mentions_name(text: &str, name: &str) -> bool {
    let (text, name) = (normalized_words(text), normalized_words(name));
    !name.is_empty() && contains_sequence(&text, &name)
}

/// Returns a text in the form used for comparison: composed letters, no invisible characters.
pub(crate) fn to_comparable(text: &str) -> String {
    strip_invisible(&text.nfc().collect::<String>())
}

/// Returns a text as its words are compared one by one: composed, visible, with single spaces.
pub(crate) fn to_plain_words(text: &str) -> String {
    to_comparable(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two texts are the same words, but for the full stop behind them.
pub(crate) fn is_same_words(one: &str, other: &str) -> bool {
    let bare = |text: &str| to_plain_words(text).trim_end_matches('.').trim_end().to_owned();
    let one = bare(one);
    has_words(&one) && one == bare(other)
}

/// Whether a text has any content: a letter or a digit.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// Returns the words of a text for comparison: lower case, without surrounding punctuation and invisible characters.
pub(crate) fn normalized_words(text: &str) -> Vec<String> {
    let visible: String = text.nfkc().filter(|c| !is_invisible(*c)).map(|c| if c == '’' { '\'' } else { c }).collect();
    let is_edge = |c: char| !c.is_alphanumeric() && !"%€$£¥°+-−#<>=≠≤≥~≈×→←&@".contains(c);
    visible
        .to_lowercase()
        .split_whitespace()
        .map(|word| word.trim_matches(is_edge))
        .filter(|word| !word.is_empty() && *word != "-")
        .map(str::to_owned)
        .collect()
}

/// Whether a text contains a sequence of words.
fn contains_sequence(text: &[String], run: &[String]) -> bool {
    !run.is_empty() && text.windows(run.len()).any(|window| window == run)
}

/// Normalizes white space, and removes it before the punctuation that followed a citation.
pub(crate) fn normalize_spacing(text: &str) -> String {
    let mut tidy = String::with_capacity(text.len());
    for word in strip_invisible(text).split_whitespace() {
        let clings = word.starts_with(['.', ',', ';', '!', '?', '。', '！', '？']) && !word.starts_with("..");
        if !(tidy.is_empty() || clings && word.chars().all(|c| !c.is_alphanumeric())) {
            tidy.push(' ');
        }
        tidy.push_str(word);
    }
    tidy
}
