//! Size limits for results: texts are truncated, and lists end at the budget with a cursor for the rest.

use serde::Serialize;

use crate::tool_error::ToolError;

/// Bytes of JSON per token. Lower than most texts need, so that results rather come out too short.
const BYTES_PER_TOKEN: usize = 3;

/// The smallest budget a client may ask for: one claim always fits.
const TOKENS_MIN: usize = 3_000;
const TOKENS_MAX: usize = 25_000;
const TOKENS_DEFAULT: usize = 4_000;

/// The highest offset that a list can be paged to.
const OFFSET_MAX: usize = 1_000;

/// The maximum size of a resource in bytes of JSON, with room for its address and the surrounding notices.
pub(crate) const RESOURCE_BYTES_MAX: usize = TOKENS_MAX * BYTES_PER_TOKEN - 4_000;

/// The maximum size of a result, as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ResultBudget {
    bytes: usize,
}

impl ResultBudget {
    /// Creates a budget of this many tokens, or of the default number.
    pub(crate) fn from_tokens(tokens: Option<usize>) -> Self {
        Self { bytes: tokens.unwrap_or(TOKENS_DEFAULT).clamp(TOKENS_MIN, TOKENS_MAX) * BYTES_PER_TOKEN }
    }

    /// Returns the budget left after `rest`, which is always sent.
    pub(crate) fn reserve_for(self, rest: &impl Serialize) -> Self {
        Self { bytes: self.bytes.saturating_sub(json_len(rest)) }
    }

    /// Truncates a list to the items that fit, always keeping the first; returns whether anything was cut.
    pub(crate) fn fit_at_least_one<T: Serialize>(self, items: &mut Vec<T>) -> bool {
        self.fit_at_least(1, items)
    }

    /// Truncates a list to the items that fit, possibly to none; returns whether anything was cut.
    pub(crate) fn fit_any<T: Serialize>(self, items: &mut Vec<T>) -> bool {
        self.fit_at_least(0, items)
    }

    fn fit_at_least<T: Serialize>(self, least: usize, items: &mut Vec<T>) -> bool {
        let mut used = 0;
        let fitting = items.iter().take_while(|item| {
            used += json_len(item) + 1;
            used <= self.bytes
        });
        let count = fitting.count().max(least);
        let cut = items.len() > count;
        items.truncate(count);
        cut
    }

    /// Returns the lines of a cited text that fit, or the leading sentences (with their citations) of a first line that
    /// is too long; and whether anything was left out.
    pub(crate) fn fit_lines(self, text: &str) -> (String, bool) {
        let lines = self.take_fitting(text.lines(), 2);
        if lines.is_empty() {
            let sentences = text.lines().next().unwrap_or_default().split_inclusive("]. ");
            return (self.take_fitting(sentences, 0).concat().trim_end().to_owned(), true);
        }
        let cut = lines.len() < text.lines().count();
        (lines.join("\n"), cut)
    }

    /// Returns the leading texts that fit, counting `behind` extra bytes after each.
    fn take_fitting<'t>(self, parts: impl Iterator<Item = &'t str>, behind: usize) -> Vec<&'t str> {
        let mut used = 0;
        parts
            .take_while(|part| {
                used += escaped_len(part) + behind;
                used <= self.bytes
            })
            .collect()
    }
}

/// Parses the cursor of a page into its offset in the list.
pub(crate) fn parse_offset(cursor: Option<&str>) -> Result<usize, ToolError> {
    Some(parse_position(cursor)?).filter(|offset| *offset <= OFFSET_MAX).ok_or_else(invalid_cursor)
}

/// Parses the cursor of a list without a maximum offset.
pub(crate) fn parse_position(cursor: Option<&str>) -> Result<usize, ToolError> {
    cursor.map_or(Ok(0), |cursor| cursor.parse().map_err(|_| invalid_cursor()))
}

fn invalid_cursor() -> ToolError {
    ToolError::new("this is no cursor of this list", "pass on the cursor of the result before, or leave it out")
}

/// Returns the cursor of the next page, if there is one and its offset is within the limit.
pub(crate) fn next_cursor(offset: usize, more: bool) -> Option<String> {
    Some(offset.to_string()).filter(|_| more && offset <= OFFSET_MAX)
}

/// Truncates a text to this many bytes of JSON; a truncated text ends with an ellipsis.
pub(crate) fn truncate_text(text: &str, bytes_max: usize) -> String {
    if escaped_len(text) <= bytes_max {
        return text.to_owned();
    }
    let room = bytes_max.saturating_sub('…'.len_utf8());
    let mut used = 0;
    let kept = text.chars().take_while(|c| {
        used += escaped_char_len(*c);
        used <= room
    });
    kept.chain(['…']).collect()
}

fn escaped_len(text: &str) -> usize {
    text.chars().map(escaped_char_len).sum()
}

fn escaped_char_len(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

fn json_len(value: &impl Serialize) -> usize {
    // A value that cannot be serialized fails where it is sent.
    serde_json::to_vec(value).map_or(0, |json| json.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_is_as_short_as_it_must_be_in_json() {
        for text in ["", "plain words, many of them", "\u{1}\u{2}\"\\\n\t", "日本語の文章", "😀😀😀😀😀😀"]
        {
            for max in 3..40 {
                let cut = truncate_text(text, max);
                assert!(json_len(&cut) <= max + 2, "{cut:?} of {text:?} within {max}");
                assert!(cut == text || cut.ends_with('…'));
            }
        }
    }

    #[test]
    fn a_list_ends_where_the_budget_ends_and_never_before_its_first_item() {
        let mut items = vec!["x".repeat(100); 10];
        assert!(ResultBudget { bytes: 350 }.fit_at_least_one(&mut items));
        assert_eq!(items.len(), 3);
        assert!(!ResultBudget { bytes: 350 }.fit_at_least_one(&mut items));
        assert!(ResultBudget { bytes: 0 }.fit_at_least_one(&mut items));
        assert_eq!(items.len(), 1);
        assert!(!ResultBudget { bytes: 0 }.fit_at_least_one(&mut Vec::<String>::new()));
        assert_eq!(ResultBudget { bytes: 9 }.fit_lines("one\ntwo\nthree"), ("one".to_owned(), true));
        let long = "Mia left [claim:a]. Tom left [claim:b].";
        assert_eq!(ResultBudget { bytes: 30 }.fit_lines(long), ("Mia left [claim:a].".to_owned(), true));
    }

    #[test]
    fn a_wish_is_kept_within_bounds() {
        assert_eq!(ResultBudget::from_tokens(Some(0)), ResultBudget::from_tokens(Some(TOKENS_MIN)));
        assert_eq!(ResultBudget::from_tokens(Some(usize::MAX)), ResultBudget::from_tokens(Some(TOKENS_MAX)));
        assert_eq!(parse_offset(Some("7")), Ok(7));
        for no in ["-1", "x", "", "999999999999999999999", "1001"] {
            assert!(parse_offset(Some(no)).is_err(), "{no}");
        }
        assert_eq!(
            (next_cursor(5, true), next_cursor(5, false), next_cursor(1001, true)),
            (Some("5".to_owned()), None, None)
        );
    }
}
