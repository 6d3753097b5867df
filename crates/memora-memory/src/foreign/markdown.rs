//! The passages of a page: a list item with what stands below it, or a paragraph, each under its heading.

use crate::clean::strip_between;
use crate::document::Document;
use crate::{Kind, Origin, clean_line};

use super::record::{ForeignFact, ForeignRecord};

/// The longest list item that stays one passage with what stands below it, in bytes.
const ITEM_BYTES_MAX: usize = 600;

/// A passage of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// The heading that it stands under.
    pub(super) heading: Option<String>,
    pub(super) text: String,
}

impl Passage {
    pub(super) fn into_fact(self, kind: Kind, origin: Origin) -> ForeignFact {
        ForeignFact { kind, tags: self.heading.into_iter().collect(), origin, ..ForeignFact::new(self.text) }
    }
}

/// The facts of a page, one of each passage.
pub(super) fn read_facts(page: &str, kind: Kind, origin: Origin) -> Vec<ForeignRecord> {
    find_passages(page).into_iter().map(|passage| ForeignRecord::Fact(passage.into_fact(kind, origin))).collect()
}

/// Finds the passages of a page. Properties, code, tables, comments, rules and lines that only name another file are left
/// out.
pub(super) fn find_passages(page: &str) -> Vec<Passage> {
    let body = Document::parse(page).map_or_else(|| page.to_owned(), |document| document.body);
    let body = strip_between(&body, "<!--", "-->");
    let (mut found, mut heading) = (Vec::new(), None);
    let mut open: Vec<&str> = Vec::new();
    let mut fence: Option<&str> = None;
    for line in body.lines() {
        let start = line.trim_start();
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (Some(opened), Some(mark)) if opened == mark => fence = None,
            (None, Some(mark)) => {
                close(&mut open, heading.as_ref(), &mut found);
                fence = Some(mark);
            }
            _ => {}
        }
        if fence.is_some() || mark.is_some() {
            continue;
        }
        let is_rule = !start.is_empty() && start.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | ' '));
        if start.is_empty() || is_rule || start.starts_with('|') {
            // An item may go on below an empty line, but then it is indented.
            close(&mut open, heading.as_ref(), &mut found);
        } else if start.starts_with('#') && start.trim_start_matches('#').starts_with(' ') {
            close(&mut open, heading.as_ref(), &mut found);
            heading = Some(clean_line(start.trim_matches('#')));
        } else {
            let is_item = list_text(line).is_some();
            let is_nested = line.starts_with([' ', '\t']) && !open.is_empty();
            let size: usize = open.iter().map(|line| line.len()).sum();
            if is_item && (!is_nested || size + line.len() > ITEM_BYTES_MAX) {
                close(&mut open, heading.as_ref(), &mut found);
            }
            open.push(line);
        }
    }
    close(&mut open, heading.as_ref(), &mut found);
    found
}

/// The text of a list item's first line, without its mark.
pub(super) fn list_text(line: &str) -> Option<&str> {
    let start = line.trim_start();
    let marked = ["- ", "* ", "+ ", "• "].into_iter().find_map(|mark| start.strip_prefix(mark));
    let numbered = || {
        let rest = start.trim_start_matches(|c: char| c.is_ascii_digit());
        (rest.len() < start.len()).then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") "))).flatten()
    };
    let text = marked.or_else(numbered)?.trim();
    let unticked = ["[ ] ", "[x] ", "[X] "].into_iter().find_map(|mark| text.strip_prefix(mark));
    Some(unticked.unwrap_or(text))
}

fn close(open: &mut Vec<&str>, heading: Option<&String>, found: &mut Vec<Passage>) {
    let lines = std::mem::take(open);
    let Some(first) = lines.first() else { return };
    // `- [Title](file.md)`, which an index of notes is made of.
    let only_names = list_text(first).is_some_and(|text| {
        let linked = text.strip_prefix('[').and_then(|rest| rest.split_once("](")).map(|(_, rest)| rest);
        linked.and_then(|rest| rest.split_once(')')).is_some_and(|(file, _)| file.ends_with(".md"))
    });
    let joined: Vec<String> = (lines.iter())
        .map(|line| clean_line(list_text(line).unwrap_or(line)))
        .filter(|line| !line.is_empty())
        .collect();
    let text = if lines.iter().skip(1).any(|line| list_text(line).is_some()) {
        // What stands below an item explains it.
        joined.join("; ").replace(":;", ":")
    } else {
        joined.join(" ")
    };
    if !text.is_empty() && !only_names {
        found.push(Passage { heading: heading.cloned(), text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_paragraphs_are_passages_under_their_headings() {
        let page = "---\ntitle: x\n---\n# Work\n\nAnna works\nat Tidewell.\n\n- Uses rye\n  flour\n- Bakes:\n  - bread\n  - cake\n\n```\ncode\n```\n## Files\n\n1. First\n2) Second\n- [x] Done\n- [Notes](notes.md) — index\n<!-- hidden\n- no -->\n| a | b |\n---\n";
        let found = find_passages(page);
        let texts: Vec<(&str, &str)> = (found.iter())
            .map(|passage| (passage.heading.as_deref().unwrap_or_default(), passage.text.as_str()))
            .collect();
        assert_eq!(
            texts,
            [
                ("Work", "Anna works at Tidewell."),
                ("Work", "Uses rye flour"),
                ("Work", "Bakes: bread; cake"),
                ("Files", "First"),
                ("Files", "Second"),
                ("Files", "Done"),
            ]
        );
    }

    #[test]
    fn a_long_item_is_cut_at_the_items_below_it() {
        let long = format!("- {}\n{}", "a ".repeat(200), "  - below it there is more\n".repeat(20));
        assert!(find_passages(&long).len() > 1);
        assert!(find_passages("```\nnever closed\n- one").is_empty());
    }
}
