//! Finds the syntax of Obsidian and Dataview in a block's text: tags, highlights, fields, block ids, task boxes.

use std::collections::HashMap;
use std::ops::Range;

use super::body::TaskState;
use crate::look_alike::is_invisible;
use crate::plain_text::PlainText;

/// A Dataview field found in a text; ranges are of its plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FieldMatch {
    /// All of it, brackets included.
    pub(super) whole: Range<usize>,
    pub(super) key: Range<usize>,
    pub(super) value: Range<usize>,
    /// In brackets, within other text.
    pub(super) inline: bool,
}

/// Removes the `==` marks of highlights.
pub(super) fn strip_highlights(plain: PlainText) -> PlainText {
    let text = plain.text();
    let marks: Vec<usize> = text.match_indices("==").map(|(at, _)| at).filter(|at| !plain.is_atomic(*at)).collect();
    if marks.len() < 2 {
        return plain;
    }
    let pairs = marks.len() / 2 * 2;
    let ranges: Vec<_> = marks.iter().take(pairs).map(|at| *at..at + 2).collect();
    let mut out = plain.without_ranges(&ranges);
    out.add_marks(ranges.chunks_exact(2).filter_map(|pair| plain.source_range(pair[0].start..pair[1].end)));
    out
}

/// Finds a block id (`^id`) at the end; also returns where the text before it ends.
pub(super) fn find_block_id(text: &str) -> Option<(String, usize)> {
    let text = text.trim_end();
    let at = text.rfind('^')?;
    let id = text.get(at + 1..)?;
    let before = text.get(..at)?;
    let fits = !id.is_empty() && id.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
    let apart = before.is_empty() || before.ends_with(char::is_whitespace);
    (fits && apart).then(|| (id.to_owned(), before.trim_end().len()))
}

/// Parses the box of a task; also returns where its text begins.
pub(super) fn parse_task_box(plain: &PlainText) -> Option<(TaskState, usize)> {
    if plain.is_atomic(0) {
        return None;
    }
    let mut chars = plain.text().strip_prefix('[')?.chars();
    let mark = chars.next()?;
    let rest = chars.as_str().strip_prefix(']')?;
    let words = rest.trim_start();
    (words.len() < rest.len()).then(|| (TaskState::from_mark(mark), plain.text().len() - words.len()))
}

/// Parses the head of a callout, `[!type]` with a fold mark; returns the type and where its title begins.
pub(super) fn parse_callout_head(text: &str) -> Option<(String, usize)> {
    let rest = text.strip_prefix("[!")?;
    let (kind, rest) = rest.split_once(']')?;
    if kind.is_empty() || kind.contains(['\n', '[']) {
        return None;
    }
    let rest = rest.strip_prefix(['+', '-']).unwrap_or(rest);
    let kind = kind.split('|').next().unwrap_or(kind).trim().to_lowercase();
    Some((kind, text.len() - rest.trim_start_matches(' ').len()))
}

/// Finds tags, with their ranges; `#` must not stand within a word or an address, and a tag needs something besides digits.
/// The full-width `＃` of Japanese keyboards counts too: `＃secret` was meant.
pub(super) fn find_tags(plain: &PlainText) -> Vec<(String, Range<usize>)> {
    let text = plain.text();
    let mut found = Vec::new();
    for (at, sign) in text.match_indices(['#', '＃']) {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let apart = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '#' | '＃' | '/' | '&'));
        if !apart || plain.is_atomic(at) {
            continue;
        }
        let rest = text.get(at + sign.len()..).unwrap_or_default();
        let end = rest.find(|c: char| !is_tag_char(c)).unwrap_or(rest.len());
        let tag = rest.get(..end).unwrap_or_default().trim_end_matches('/');
        if tag.chars().any(|c| !c.is_numeric() && c != '/') {
            found.push((tag.to_owned(), at..at + sign.len() + tag.len()));
        }
    }
    found
}

/// Whether a text consists of tags only: it names the note's topics and claims nothing.
pub(super) fn is_only_tags(plain: &PlainText) -> bool {
    let tags = find_tags(plain);
    let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
    !tags.is_empty() && letters(plain.text()) == tags.iter().map(|(tag, _)| letters(tag)).sum::<usize>()
}

/// Letters, digits, `_`, `-`, `/`, and everything beyond ASCII that is neither space nor punctuation.
fn is_tag_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '/');
    }
    let punctuation =
        matches!(c, '\u{2000}'..='\u{206f}' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}' | '：' | '；' | '？');
    // What is not seen does not end a tag.
    is_invisible(c) || !c.is_whitespace() && !punctuation
}

/// Finds citations of claims, `[claim:…]`, with the space before them. They count as markup, so that a sentence keeps
/// its text (and so its id) when its citation is renewed.
pub(super) fn find_claim_citations(plain: &PlainText) -> Vec<Range<usize>> {
    const OPENS: &str = "[claim:";
    let text = plain.text();
    let mut found: Vec<Range<usize>> = Vec::new();
    // Kept from one mark to the next, as a line may have thousands that never close.
    let mut close = 0;
    for (at, _) in text.match_indices(OPENS) {
        if close < at {
            let next = text.get(at..).and_then(|rest| memchr::memchr2(b']', b'\n', rest.as_bytes()));
            close = next.map_or(text.len(), |next| at + next);
        }
        if text.as_bytes().get(close) != Some(&b']') {
            continue;
        }
        let before = text.get(..at).unwrap_or_default().trim_end_matches(' ').len();
        if !plain.is_atomic(at) && found.last().is_none_or(|last| last.end <= before) {
            found.push(before..close + 1);
        }
    }
    found
}

/// Finds inline footnotes, `^[text]`: each with the range of its text.
pub(super) fn find_inline_footnotes(plain: &PlainText) -> Vec<(Range<usize>, Range<usize>)> {
    let text = plain.text();
    if !text.contains("^[") {
        return Vec::new();
    }
    let closing = match_brackets(text, '[', ']');
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find("^[")).map(|at| from + at) {
        match closing.get(&(at + 1)).filter(|_| !plain.is_atomic(at)) {
            Some(&close) => {
                found.push((at..close + 1, at + 2..close));
                from = close + 1;
            }
            None => from = at + 2,
        }
    }
    found
}

/// Finds Dataview fields: `key:: value` on a line of its own, `[key:: value]` and `(key:: value)` anywhere.
pub(super) fn find_fields(plain: &PlainText) -> Vec<FieldMatch> {
    let text = plain.text();
    if !text.contains("::") {
        return Vec::new();
    }
    let closing = [match_brackets(text, '[', ']'), match_brackets(text, '(', ')')];
    let mut found = Vec::new();
    let mut line_start = 0;
    for line in text.split_inclusive('\n') {
        let here = line_start;
        line_start += line.len();
        let line = line.trim_end();
        match parse_line_field(plain, here, line) {
            Some(field) => found.push(field),
            None => find_bracketed_fields(plain, here, line, &closing, &mut found),
        }
    }
    found
}

fn parse_line_field(plain: &PlainText, start: usize, line: &str) -> Option<FieldMatch> {
    let at = line.find("::")?;
    let key = line.get(..at)?;
    let value = line.get(at + 2..)?;
    let spaced = value.starts_with([' ', '\t']);
    if !spaced || value.trim().is_empty() || !is_field_key(key) || plain.is_atomic(start + at) {
        return None;
    }
    let key_start = start + (key.len() - key.trim_start().len());
    let value_start = start + at + 2 + (value.len() - value.trim_start().len());
    Some(FieldMatch {
        whole: start..start + line.len(),
        key: key_start..start + key.trim_end().len(),
        value: value_start..start + line.len(),
        inline: false,
    })
}

fn find_bracketed_fields(
    plain: &PlainText,
    start: usize,
    line: &str,
    closing: &[BracketPairs; 2],
    found: &mut Vec<FieldMatch>,
) {
    let mut from = 0;
    while let Some(open) = line.get(from..).and_then(|rest| rest.find(['[', '('])).map(|at| from + at) {
        from = open + 1;
        if plain.is_atomic(start + open) {
            continue;
        }
        let Some(close) = closing.iter().find_map(|pairs| pairs.get(&(start + open))) else { continue };
        let close = close - start;
        // A key has no colon, so the first one ends it.
        let Some(inside) = line.get(open + 1..close) else { continue };
        let Some((key, value)) = inside.find(is_forbidden_in_key).and_then(|at| inside.split_at_checked(at)) else {
            continue;
        };
        let Some(value) = value.strip_prefix("::").filter(|value| is_field_key(key) && !value.trim().is_empty()) else {
            continue;
        };
        let key_start = start + open + 1 + (key.len() - key.trim_start().len());
        let value_end = start + close - (value.len() - value.trim_end().len());
        let value_start = start + close - value.len() + (value.len() - value.trim_start().len());
        found.push(FieldMatch {
            whole: start + open..start + close + 1,
            key: key_start..key_start + key.trim().len(),
            value: value_start..value_end,
            inline: true,
        });
        from = close + 1;
    }
}

/// A key is short and made of words.
fn is_field_key(key: &str) -> bool {
    let key = key.trim();
    !key.is_empty()
        && key.chars().count() <= 60
        && key.chars().any(char::is_alphabetic)
        && !key.contains(is_forbidden_in_key)
}

fn is_forbidden_in_key(c: char) -> bool {
    matches!(c, '[' | ']' | '(' | ')' | '|' | ':' | '`' | '"' | '.' | '!' | '?' | ',' | ';' | '\n')
}

/// Maps the offset of each opening bracket to its closing one.
type BracketPairs = HashMap<usize, usize>;

/// Matches brackets on the same line, in one pass at any depth.
fn match_brackets(text: &str, left: char, right: char) -> BracketPairs {
    let mut found = HashMap::new();
    let mut open = Vec::new();
    for (at, c) in text.char_indices() {
        if c == left {
            open.push(at);
        } else if c == right {
            found.extend(open.pop().map(|opened| (opened, at)));
        } else if c == '\n' {
            open.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> PlainText {
        let mut plain = PlainText::default();
        plain.push_verbatim(text, 0);
        plain
    }

    fn found(text: &str) -> Vec<(String, String, bool)> {
        let plain = plain(text);
        let cut = |range: &Range<usize>| text.get(range.clone()).unwrap_or_default().to_owned();
        find_fields(&plain).iter().map(|f| (cut(&f.key), cut(&f.value), f.inline)).collect()
    }

    #[test]
    fn fields_in_three_forms() {
        assert_eq!(found("status:: active now"), [("status".into(), "active now".into(), false)]);
        assert_eq!(
            found("Met Anna [mood:: good] at (place:: the [old] mill)."),
            [("mood".into(), "good".into(), true), ("place".into(), "the [old] mill".into(), true),]
        );
        assert_eq!(found("a:: 1\nb:: 2").len(), 2);
    }

    #[test]
    fn code_paths_and_times_are_no_fields() {
        for text in
            ["std::string is a type", "At 10:: we met. It was fine:: he said", "use foo::bar:: baz.", "::", "a::"]
        {
            let fields = found(text);
            assert!(fields.iter().all(|f| f.1 != "string is a type"), "{text:?} gave {fields:?}");
        }
        assert!(found("std::string is a type").is_empty());
    }

    #[test]
    fn block_ids_stand_apart_at_the_end() {
        assert_eq!(find_block_id("so it is ^abc-1"), Some(("abc-1".into(), 8)));
        assert_eq!(find_block_id("^abc"), Some(("abc".into(), 0)));
        assert_eq!(find_block_id("2^10"), None);
        assert_eq!(find_block_id("see ^a b"), None);
    }

    #[test]
    fn tags_need_a_letter_and_room() {
        let found = find_tags(&plain("#a/b and #1984 and c#d (#e) #日本、x"));
        assert_eq!(found.iter().map(|(tag, _)| tag.as_str()).collect::<Vec<_>>(), ["a/b", "e", "日本"]);
    }

    #[test]
    fn boxes_of_tasks() {
        assert_eq!(parse_task_box(&plain("[/] write")), Some((TaskState::InProgress, 4)));
        assert_eq!(parse_task_box(&plain("[x]write")), None);
        assert_eq!(parse_task_box(&plain("[link] x")), None);
    }

    #[test]
    fn a_citation_is_no_word() {
        let bare = |text: &str| {
            let plain = plain(text);
            plain.without_ranges(&find_claim_citations(&plain)).text().to_owned()
        };
        assert_eq!(bare("Priya owns it [claim:7h3kq0v9x2ma]. So [claim:a][claim:b]"), "Priya owns it. So");
        assert_eq!(bare("[claim:never closed"), "[claim:never closed");
    }

    #[test]
    fn highlights_lose_their_marks() {
        assert_eq!(strip_highlights(plain("a ==b== c")).text(), "a b c");
        assert_eq!(strip_highlights(plain("a == c")).text(), "a == c");
    }
}
