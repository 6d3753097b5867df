//! The words that times are read in: runs of letters and digits, and the names that mean a number.

pub(super) use memora_nlp::time::{TextRuns as Tokens, parse_day, parse_digits, month_number, is_ordinary_word, season_months, weekday_number, parse_year};

/// Whether `word` is one of a list separated by white space.
pub(super) fn contains_word(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|listed| listed == word)
}
