//! Tokens for reading times: runs of letters and digits, and names that stand for a number.

pub(super) use memora_nlp::time::{
    TextRuns as Tokens, is_ordinary_word, month_number, parse_day, parse_digits, parse_year, season_months,
    weekday_number,
};

/// Whether `word` is in a list separated by white space.
pub(super) fn contains_word(list: &str, word: &str) -> bool {
    !word.is_empty() && list.split_ascii_whitespace().any(|listed| listed == word)
}
