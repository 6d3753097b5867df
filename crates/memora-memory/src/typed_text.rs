//! What a user typed of a prompt, rather than pasted.

use std::collections::HashMap;

use crate::clean::fence_of;
use crate::transcript::strip_wrappers;

/// Text that a user pasted rather than typed.
enum Pasted {
    /// Until a fence of this mark and length.
    Fence(char, usize),
    /// Until the end tag of this name.
    Element(String),
}

/// The lines that a user typed: without what is fenced, indented as code, quoted or between tags.
pub(crate) fn typed_lines(prompt: &str) -> Vec<String> {
    let prompt = strip_wrappers(prompt);
    let ends = end_tags(&prompt);
    let mut lines: Vec<String> = Vec::new();
    let mut pasted: Option<Pasted> = None;
    let mut at = 0;
    for line in prompt.split('\n') {
        let begin = at;
        at += line.len() + 1;
        match &pasted {
            Some(Pasted::Fence(mark, length)) => {
                if fence_of(line).is_some_and(|(other, run)| other == *mark && run >= *length) {
                    pasted = None;
                }
                continue;
            }
            Some(Pasted::Element(name)) => {
                if line.contains(&format!("</{name}>")) {
                    pasted = None;
                }
                continue;
            }
            None => {}
        }
        let opened = fence_of(line).map(|(mark, run)| Pasted::Fence(mark, run));
        let element = || tag_name(line.trim_start()).filter(|name| ends.get(*name).is_some_and(|end| *end > begin));
        if opened.is_some() {
            pasted = opened;
        } else if let Some(name) = element() {
            let is_closed = line.contains(&format!("</{name}>"));
            pasted = (!is_closed).then(|| Pasted::Element(name.to_owned()));
        } else if !(line.starts_with("    ") || line.starts_with('\t') || line.trim_start().starts_with('>')) {
            lines.push(line.trim().to_owned());
            continue;
        }
        lines.push(String::new());
    }
    lines
}

/// The names of end tags, with the place of the last.
fn end_tags(text: &str) -> HashMap<&str, usize> {
    let tags = text.match_indices("</");
    tags.filter_map(|(at, _)| Some((element_name(text.get(at + 2..)?)?, at))).collect()
}

/// Whether a place of a line is between the tags of an element.
pub(crate) fn is_in_element(line: &str, place: usize) -> bool {
    let (before, after) = line.split_at_checked(place).unwrap_or((line, ""));
    let mut tags = before.match_indices('<').filter_map(|(at, _)| Some((tag_name(before.get(at..)?)?, at)));
    tags.any(|(name, at)| {
        let end = format!("</{name}>");
        after.contains(&end) && before.get(at..).is_some_and(|inside| !inside.contains(&end))
    })
}

/// The name of the element that a text begins with.
fn tag_name(text: &str) -> Option<&str> {
    element_name(text.strip_prefix('<')?)
}

fn element_name(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))).unwrap_or(text.len());
    text.get(..end).filter(|name| name.starts_with(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pasted_is_left_out_and_parts_what_is_typed() {
        for (prompt, expected) in [
            ("a\nb", &["a", "b"][..]),
            ("a\n```\nb\n```\nc", &["a", "", "c"]),
            ("a\n````\n```\nb\n````\nc", &["a", "", "c"]),
            ("a\n~~~\nb", &["a", ""]),
            ("> a\nb", &["", "b"]),
            ("<x>\na\n</x>\nb", &["", "b"]),
            ("<x>a</x>\nb", &["", "b"]),
            ("<x>\na", &["<x>", "a"]),
            ("</x>\n<x>\na", &["</x>", "<x>", "a"]),
            ("a\n    b", &["a", ""]),
        ] {
            assert_eq!(typed_lines(prompt), expected, "{prompt}");
        }
    }
}
