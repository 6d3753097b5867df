//! Tokens for reading times: runs of letters and digits, and names that stand for a number.

pub(super) use memora_nlp::time::{
    TextRuns as Tokens, is_ordinary_word, month_number, parse_day, parse_digits, parse_year, season_months,
    weekday_number,
};
