//! Keeping results short: texts are cut, lists end where the budget ends and say how to go on.

use serde::Serialize;

use crate::trouble::Trouble;

/// Bytes of JSON that count as a token; fewer than most texts take, so that a result is rather too short.
const BYTES_A_TOKEN: usize = 3;

/// What a client may ask for at least: one claim always fits.
const TOKENS_MIN: usize = 3_000;
const TOKENS_MAX: usize = 25_000;
const TOKENS: usize = 4_000;

/// Where lists end in any case.
const CURSOR_MAX: usize = 1_000;

/// How long a resource may be, in bytes of JSON, with room for its address and what is said around it.
pub(crate) const RESOURCE: usize = TOKENS_MAX * BYTES_A_TOKEN - 4_000;

/// How long a result may be, as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Budget {
    bytes: usize,
}

impl Budget {
    /// Of so many tokens; a usual number without a wish.
    pub(crate) fn of(tokens: Option<usize>) -> Self {
        Self { bytes: tokens.unwrap_or(TOKENS).clamp(TOKENS_MIN, TOKENS_MAX) * BYTES_A_TOKEN }
    }

    /// What is left beside something that is sent in any case.
    pub(crate) fn beside(self, rest: &impl Serialize) -> Self {
        Self { bytes: self.bytes.saturating_sub(length(rest)) }
    }

    /// Cuts a list to what fits, the first item in any case, and says whether anything was cut.
    pub(crate) fn fit<T: Serialize>(self, items: &mut Vec<T>) -> bool {
        self.fit_at_least(1, items)
    }

    /// Cuts a list to what fits, which may be nothing.
    pub(crate) fn fit_some<T: Serialize>(self, items: &mut Vec<T>) -> bool {
        self.fit_at_least(0, items)
    }

    fn fit_at_least<T: Serialize>(self, least: usize, items: &mut Vec<T>) -> bool {
        let mut used = 0;
        let fitting = items.iter().take_while(|item| {
            used += length(item) + 1;
            used <= self.bytes
        });
        let count = fitting.count().max(least);
        let cut = items.len() > count;
        items.truncate(count);
        cut
    }

    /// Of a text of cited sentences the lines that fit, of a longer first line its sentences, each with its citations; and
    /// whether any was left out.
    pub(crate) fn fit_lines(self, text: &str) -> (String, bool) {
        let lines = self.fitting(text.lines(), 2);
        if lines.is_empty() {
            let sentences = text.lines().next().unwrap_or_default().split_inclusive("]. ");
            return (self.fitting(sentences, 0).concat().trim_end().to_owned(), true);
        }
        let cut = lines.len() < text.lines().count();
        (lines.join("\n"), cut)
    }

    /// The first of some texts, as many as fit with so many bytes behind each.
    fn fitting<'t>(self, parts: impl Iterator<Item = &'t str>, behind: usize) -> Vec<&'t str> {
        let mut used = 0;
        parts
            .take_while(|part| {
                used += escaped(part) + behind;
                used <= self.bytes
            })
            .collect()
    }
}

/// Where in a list a page begins, as the page before it said.
pub(crate) fn offset(cursor: Option<&str>) -> Result<usize, Trouble> {
    Some(position(cursor)?).filter(|offset| *offset <= CURSOR_MAX).ok_or_else(no_cursor)
}

/// The same in a list without an end of that kind.
pub(crate) fn position(cursor: Option<&str>) -> Result<usize, Trouble> {
    cursor.map_or(Ok(0), |cursor| cursor.parse().map_err(|_| no_cursor()))
}

fn no_cursor() -> Trouble {
    Trouble::say("this is no cursor of this list", "pass on the cursor of the result before, or leave it out")
}

/// The cursor of what follows behind so many, if anything does and it can still be asked for.
pub(crate) fn cursor(offset: usize, more: bool) -> Option<String> {
    Some(offset.to_string()).filter(|_| more && offset <= CURSOR_MAX)
}

/// A text of at most so many bytes as JSON; what was cut ends with an ellipsis.
pub(crate) fn cut(text: &str, bytes_max: usize) -> String {
    if escaped(text) <= bytes_max {
        return text.to_owned();
    }
    let room = bytes_max.saturating_sub('…'.len_utf8());
    let mut used = 0;
    let kept = text.chars().take_while(|c| {
        used += escaped_char(*c);
        used <= room
    });
    kept.chain(['…']).collect()
}

fn escaped(text: &str) -> usize {
    text.chars().map(escaped_char).sum()
}

fn escaped_char(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        c if c < ' ' => 6,
        c => c.len_utf8(),
    }
}

fn length(value: &impl Serialize) -> usize {
    // What cannot be written down fails where it is.
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
                let cut = cut(text, max);
                assert!(length(&cut) <= max + 2, "{cut:?} of {text:?} within {max}");
                assert!(cut == text || cut.ends_with('…'));
            }
        }
    }

    #[test]
    fn a_list_ends_where_the_budget_ends_and_never_before_its_first_item() {
        let mut items = vec!["x".repeat(100); 10];
        assert!(Budget { bytes: 350 }.fit(&mut items));
        assert_eq!(items.len(), 3);
        assert!(!Budget { bytes: 350 }.fit(&mut items));
        assert!(Budget { bytes: 0 }.fit(&mut items));
        assert_eq!(items.len(), 1);
        assert!(!Budget { bytes: 0 }.fit(&mut Vec::<String>::new()));
        assert_eq!(Budget { bytes: 9 }.fit_lines("one\ntwo\nthree"), ("one".to_owned(), true));
        let long = "Mia left [claim:a]. Tom left [claim:b].";
        assert_eq!(Budget { bytes: 30 }.fit_lines(long), ("Mia left [claim:a].".to_owned(), true));
    }

    #[test]
    fn a_wish_is_kept_within_bounds() {
        assert_eq!(Budget::of(Some(0)), Budget::of(Some(TOKENS_MIN)));
        assert_eq!(Budget::of(Some(usize::MAX)), Budget::of(Some(TOKENS_MAX)));
        assert_eq!(offset(Some("7")), Ok(7));
        for no in ["-1", "x", "", "999999999999999999999", "1001"] {
            assert!(offset(Some(no)).is_err(), "{no}");
        }
        assert_eq!((cursor(5, true), cursor(5, false), cursor(1001, true)), (Some("5".to_owned()), None, None));
    }
}
