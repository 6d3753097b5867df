//! Texts as plain words.

use unicode_normalization::UnicodeNormalization;

use crate::fold::{is_invisible, strip_invisible};

/// Whether `text` names `name`, by whole words, case forgiven.
pub(crate) fn mentions_name(text: &str, name: &str) -> bool {
    let (text, name) = (normalized_words(text), normalized_words(name));
    !name.is_empty() && contains_sequence(&text, &name)
}

/// A text as it is compared: letters composed, nothing that does not show.
pub(crate) fn to_comparable(text: &str) -> String {
    strip_invisible(&text.nfc().collect::<String>())
}

/// Whether a text has anything to say: a letter or a digit.
pub(crate) fn has_words(text: &str) -> bool {
    text.chars().any(char::is_alphanumeric)
}

/// The words of a text for comparison: lower case, no punctuation around them, nothing invisible.
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

/// Whether words stand in a text one behind the other.
fn contains_sequence(text: &[String], run: &[String]) -> bool {
    !run.is_empty() && text.windows(run.len()).any(|window| window == run)
}
