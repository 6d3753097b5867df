//! The words that times are read in: runs of letters and digits, and the names that mean a number.

pub(super) use memora_nlp::time::{Runs as Tokens, day, digits, month, ordinary, season, weekday, year};

/// Whether `word` is one of a list separated by white space.
pub(super) fn listed(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|listed| listed == word)
}
