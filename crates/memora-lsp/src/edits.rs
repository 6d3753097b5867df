//! Edits of a text, as ranges of bytes and what comes in their place. The editor makes them, when its user says so.

use std::ops::Range;

/// A range of a text, and what comes in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) with: String,
}

impl Edit {
    /// Returns the text with the edit made; unchanged if it does not fit.
    pub(crate) fn apply(&self, text: &str) -> String {
        let (Some(before), Some(behind)) = (text.get(..self.range.start), text.get(self.range.end..)) else {
            return text.to_owned();
        };
        [before, &self.with, behind].concat()
    }
}

/// Cites another statement in a citation's place. A marker keeps its form, and so does a list of several.
pub(crate) fn replace_citation(text: &str, range: &Range<usize>, old: Option<&str>, new: &str) -> Option<Edit> {
    let written = text.get(range.clone())?;
    let lower = written.to_ascii_lowercase();
    if let Some((at, old)) = old.and_then(|old| Some((lower.find(&old.to_ascii_lowercase())?, old))) {
        let start = range.start + at;
        let end = start + old.len();
        // A reading behind the statement goes with it.
        let reading = text
            .get(end..range.end)?
            .strip_prefix('.')
            .map_or(0, |rest| 1 + rest.bytes().take_while(u8::is_ascii_alphanumeric).count());
        let range = start..end + reading;
        return Some(Edit { range, with: new.to_owned() });
    }
    let with = if lower.starts_with("claim:") { format!("claim:{new}") } else { format!("[claim:{new}]") };
    Some(Edit { range: range.clone(), with })
}

/// Adds a citation to a sentence: before its full stop.
pub(crate) fn insert_citation(text: &str, sentence: &Range<usize>, id: &str) -> Option<Edit> {
    let words = text.get(sentence.clone())?.trim_end();
    let bare = words.trim_end_matches(['.', '!', '?', '…', '。']).trim_end();
    if bare.is_empty() {
        return None;
    }
    let at = sentence.start + bare.len();
    Some(Edit { range: at..at, with: format!(" [claim:{id}]") })
}

/// Takes a sentence out, with the space beside it; where it leaves a line with nothing but markup, the line.
pub(crate) fn leave_out(text: &str, sentence: &Range<usize>) -> Option<Edit> {
    text.get(sentence.clone())?;
    let line_start = text.get(..sentence.start)?.rfind('\n').map_or(0, |at| at + 1);
    let behind = text.get(sentence.end..)?;
    let line_end = behind.find('\n').map_or(text.len(), |at| sentence.end + at + 1);
    let (lead, rest) = (text.get(line_start..sentence.start)?, text.get(sentence.end..line_end)?);
    let range = if is_markup(lead) && rest.trim().is_empty() {
        line_start..line_end
    } else if rest.trim().is_empty() {
        // The last sentence of a line goes with the space before it.
        line_start + lead.trim_end().len()..sentence.end + rest.trim_end_matches(['\n', '\r']).len()
    } else {
        let spaces = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        sentence.start..sentence.end + spaces
    };
    Some(Edit { range, with: String::new() })
}

/// Whether the beginning of a line is markup alone: indentation, a mark of a list, a quote or a heading, a box.
fn is_markup(lead: &str) -> bool {
    let rest = lead.trim_start_matches([' ', '\t', '>', '#']);
    let number = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if number.len() < rest.len() { number.trim_start_matches(['.', ')']) } else { rest };
    let rest = rest.trim_start_matches(['-', '*', '+']).trim_start();
    let boxed = rest.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let rest = boxed.filter(|(inside, _)| inside.chars().count() == 1).map_or(rest, |(_, rest)| rest);
    rest.trim().is_empty()
}

/// The paragraph around a range: from one empty line to the next.
pub(crate) fn paragraph(text: &str, around: &Range<usize>) -> Range<usize> {
    let before = text.get(..around.start).unwrap_or_default();
    let behind = text.get(around.end..).unwrap_or_default();
    let blank = |text: &str, find: fn(&str, &str) -> Option<usize>, len: bool| {
        ["\n\n", "\r\n\r\n"].iter().filter_map(|gap| Some(find(text, gap)? + if len { gap.len() } else { 0 })).collect()
    };
    let starts: Vec<usize> = blank(before, |text, gap| text.rfind(gap), true);
    let ends: Vec<usize> = blank(behind, |text, gap| text.find(gap), false);
    let start = starts.into_iter().max().unwrap_or(0);
    let end = around.end.saturating_add(ends.into_iter().min().unwrap_or(behind.len())).min(text.len());
    start..end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range_of(text: &str, words: &str) -> Range<usize> {
        let start = text.find(words).expect("the words stand there");
        start..start + words.len()
    }

    #[test]
    fn a_citation_is_replaced_in_its_form() {
        let check = |text: &str, written: &str, old: Option<&str>, expect: &str| {
            let edit = replace_citation(text, &range_of(text, written), old, "bbbbbbbbbbbb").expect("an edit");
            assert_eq!(edit.apply(text), expect);
        };
        check("é [claim:aaaaaaaaaaaa].", "[claim:aaaaaaaaaaaa]", Some("aaaaaaaaaaaa"), "é [claim:bbbbbbbbbbbb].");
        check("x [claim:AAAAAAAAAAAA.4t]", "[claim:AAAAAAAAAAAA.4t]", Some("aaaaaaaaaaaa"), "x [claim:bbbbbbbbbbbb]");
        check(
            "[claim:c, claim:aaaaaaaaaaaa]",
            "claim:aaaaaaaaaaaa",
            Some("aaaaaaaaaaaa"),
            "[claim:c, claim:bbbbbbbbbbbb]",
        );
        check("x [claim:zz]", "[claim:zz]", None, "x [claim:bbbbbbbbbbbb]");
        check("x (claim 3)", "(claim 3)", None, "x [claim:bbbbbbbbbbbb]");
    }

    #[test]
    fn a_citation_is_inserted_before_the_full_stop() {
        for (text, expect) in
            [("It is 5.", "It is 5 [claim:a]."), ("Größe 😀", "Größe 😀 [claim:a]"), ("Why?! ", "Why [claim:a]?! ")]
        {
            let edit = insert_citation(text, &(0..text.len()), "a").expect("an edit");
            assert_eq!(edit.apply(text), expect);
        }
        assert_eq!(insert_citation("...", &(0..3), "a"), None);
        assert_eq!(insert_citation("é", &(1..2), "a"), None);
    }

    #[test]
    fn a_sentence_leaves_no_empty_line_and_no_double_space() {
        let check = |text: &str, words: &str, expect: &str| {
            let edit = leave_out(text, &range_of(text, words)).expect("an edit");
            assert_eq!(edit.apply(text), expect, "{words} of {text:?}");
        };
        check("One is. Two is. Three.", "Two is.", "One is. Three.");
        check("One is. Two is.\r\nThree.", "Two is.", "One is.\r\nThree.");
        check("a\n- [ ] Two is.\nb", "Two is.", "a\nb");
        check("a\r\n> Two is.\r\nb", "Two is.", "a\r\nb");
        check("1. Two is.", "Two is.", "");
        check("Only é.", "Only é.", "");
        check("**Two is.** x", "Two is.", "**** x");
    }

    #[test]
    fn a_paragraph_ends_at_an_empty_line() {
        let check = |text: &str, words: &str, expect: &str| {
            assert_eq!(text.get(paragraph(text, &range_of(text, words))), Some(expect));
        };
        check("a\n\nb b\nc\n\nd", "b b", "b b\nc");
        check("a\r\n\r\nb\r\n\r\nd", "b", "b");
        check("a", "a", "a");
    }
}
