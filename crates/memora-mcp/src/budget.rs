//! Size limits for results: texts are truncated, and lists end with their page and a number to go on from.

use std::fmt::Display;

use crate::tool_error::ToolError;

/// The furthest that a list can be paged to.
pub(crate) const OFFSET_MAX: usize = 1_000;

/// The maximum size of a resource in bytes of JSON, with room for its address and the surrounding notices.
pub(crate) const RESOURCE_BYTES_MAX: usize = 5_000;

/// Truncates a list to the items that fit as they are written, always keeping the first; returns whether anything was cut.
pub(crate) fn fit_written<T: Display>(bytes: usize, items: &mut Vec<T>) -> bool {
    let mut used = 0;
    let fitting = items.iter().take_while(|item| {
        used += item.to_string().len() + 1;
        used <= bytes
    });
    let count = fitting.count().max(1);
    let cut = items.len() > count;
    items.truncate(count);
    cut
}

/// Returns where a list goes on, if there is more and it is not too far.
pub(crate) fn next_offset(offset: usize, more: bool) -> Option<usize> {
    Some(offset).filter(|_| more && offset <= OFFSET_MAX)
}

/// Parses the cursor of a list without a maximum offset.
pub(crate) fn parse_position(cursor: Option<&str>) -> Result<usize, ToolError> {
    cursor.map_or(Ok(0), |cursor| cursor.parse().map_err(|_| invalid_cursor()))
}

fn invalid_cursor() -> ToolError {
    ToolError::new("this is no cursor of this list", "pass on the cursor of the result before, or leave it out")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_is_as_short_as_it_must_be_in_json() {
        for text in ["", "plain words, many of them", "\u{1}\u{2}\"\\\n\t", "日本語の文章", "😀😀😀😀😀😀"]
        {
            for max in 3..40 {
                let cut = truncate_text(text, max);
                assert!(escaped_len(&cut) <= max, "{cut:?} of {text:?} within {max}");
                assert!(cut == text || cut.ends_with('…'));
            }
        }
    }

    #[test]
    fn a_list_ends_where_its_page_ends_and_never_before_its_first_item() {
        let mut items = vec!["x".repeat(100); 10];
        assert!(fit_written(350, &mut items));
        assert_eq!(items.len(), 3);
        assert!(!fit_written(350, &mut items));
        assert!(fit_written(0, &mut items));
        assert_eq!(items.len(), 1);
        assert!(!fit_written(0, &mut Vec::<String>::new()));
        assert_eq!((next_offset(5, true), next_offset(5, false), next_offset(1001, true)), (Some(5), None, None));
    }
}
