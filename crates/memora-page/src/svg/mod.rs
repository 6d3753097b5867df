//! Pictures, drawn here: pure functions from values to shapes, with a table or a list of the same beside each.

pub(crate) mod surroundings;
pub(crate) mod timeline;

/// Shortens words to a number of characters.
pub(crate) fn shorten(words: &str, most: usize) -> String {
    let mut short: String = words.chars().take(most).collect();
    if words.chars().nth(most).is_some() {
        short.push('…');
    }
    short
}
