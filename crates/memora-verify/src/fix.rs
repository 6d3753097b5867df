//! Repairs a text: removes or marks the sentences that fail verification.
//!
//! Invariant: **kept text is unchanged, byte for byte.** Removed are the sentences that are contradicted,
//! unsupported, rejected or uncited, in a strict report also those that are paraphrased, and failed citations beside
//! valid ones; with a sentence, the line it leaves empty and code or HTML blocks without other text. A table stays one:
//! its header is removed with its last row, and its rows are removed with their header.

mod addresses;

use std::ops::Range;

pub use addresses::strip_addresses;

use crate::citation::CitationMarker;
use crate::comparison::has_words;
use crate::draft::BlockKind;
use crate::report::{CheckedCitation, CheckedSentence, SentenceVerdict, VerificationReport};
use crate::source_map::range_union;

/// Returns a text without its unsupported sentences: verifies with `check` and cuts, until nothing is left to cut.
///
/// A sentence may depend on a removed one (a pronoun, a heading), so this takes more than one round; each makes the
/// text shorter.
///
/// # Errors
/// Those of `check`.
pub fn remove_unsupported<E>(
    text: &str,
    mut check: impl FnMut(&str) -> Result<VerificationReport, E>,
) -> Result<String, E> {
    let mut text = text.to_owned();
    loop {
        let report = check(&text)?;
        let edits = collect_edits(&text, &report);
        if edits.is_empty() {
            return Ok(text);
        }
        let shorter = apply_edits(&text, &edits);
        // If cutting has no effect, whole lines are removed: unsupported text must not be left.
        text = if shorter.len() < text.len() { shorter } else { remove_lines(&text, &edits) };
    }
}

/// Adds ` [memora: VERDICT]` after each sentence that fails or is only paraphrased, and after each citation
/// that fails beside valid ones. Without these marks the result is the text, byte for byte.
#[must_use]
pub fn annotate_verdicts(text: &str, report: &VerificationReport) -> String {
    let mut marks: Vec<(usize, String)> = Vec::new();
    for sentence in report.sentences() {
        if is_removed(report, sentence) || sentence.verdict() == SentenceVerdict::Paraphrased {
            marks.push((sentence.range.end, format!(" [memora: {}]", sentence.verdict())));
        }
        if is_removed(report, sentence) {
            continue;
        }
        for citation in sentence.citations().iter().filter(|citation| !citation.verdict().is_valid()) {
            marks.push((citation.range.end, format!(" [memora: {}]", citation.verdict())));
        }
    }
    marks.sort_by_key(|(at, _)| *at);
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (at, mark) in marks {
        out.push_str(text.get(from..at).unwrap_or_default());
        out.push_str(&mark);
        from = at.max(from);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

fn is_removed(report: &VerificationReport, sentence: &CheckedSentence) -> bool {
    sentence.verdict() != SentenceVerdict::Exempt && !report.is_kept(sentence)
}

/// A byte range of a text, and its replacement.
struct TextEdit {
    range: Range<usize>,
    with: &'static str,
}

/// Collects the necessary edits, in order, without overlap.
fn collect_edits(text: &str, report: &VerificationReport) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = Vec::new();
    for sentence in report.sentences() {
        if is_removed(report, sentence) {
            let others = || report.sentences().iter().filter(|other| other.whole == sentence.whole);
            let is_head = sentence.kind() == BlockKind::TableHead;
            let none = || others().all(|other| is_removed(report, other) || !has_words(&other.text));
            let all = sentence.whole.is_some() && (is_head || none());
            let range = sentence.whole.clone().filter(|_| all).unwrap_or_else(|| sentence.range());
            edits.push(TextEdit { range, with: "" });
            continue;
        }
        for citation in sentence.citations().iter().filter(|citation| !citation.verdict().is_valid()) {
            edits.extend(citation_edits(text, sentence, citation));
        }
    }
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut apart: Vec<TextEdit> = Vec::new();
    for edit in edits {
        match apart.last_mut() {
            Some(last) if edit.range.start < last.range.end => {
                last.range = range_union(last.range.clone(), &edit.range);
            }
            _ => apart.push(edit),
        }
    }
    apart
}

/// Returns the edits that take a failed citation out of a kept sentence.
fn citation_edits(text: &str, sentence: &CheckedSentence, citation: &CheckedCitation) -> Vec<TextEdit> {
    let range = citation.range();
    let shown = text.get(range.clone()).unwrap_or_default();
    match citation.marker() {
        // Its words may be the sentence's, so they stay; a link that only refers is removed with its words.
        CitationMarker::Link(_) if sentence.judged_text().contains(find_link_text(shown).1) => {
            let (lead, words) = find_link_text(shown);
            let start = range.start + lead;
            vec![
                TextEdit { range: range.start..start, with: "" },
                TextEdit { range: start + words.len()..range.end, with: "" },
            ]
        }
        CitationMarker::Link(_) | CitationMarker::Quote(_) => vec![TextEdit { range, with: "" }],
        CitationMarker::Id(_) | CitationMarker::Handle(_) | CitationMarker::Malformed => {
            vec![list_marker_edit(text, range)]
        }
    }
}

/// Returns the offset of a link's display text, and the text.
fn find_link_text(link: &str) -> (usize, &str) {
    let inside = link.strip_prefix("[[").and_then(|rest| rest.strip_suffix("]]")).unwrap_or(link);
    if let Some((words, _)) = inside.strip_prefix('[').and_then(|rest| rest.rsplit_once("](")) {
        return (1, words);
    }
    let lead = if inside.len() < link.len() { 2 } else { 0 };
    match inside.rfind('|') {
        Some(bar) => (lead + bar + 1, inside.get(bar + 1..).unwrap_or_default()),
        None => (lead, inside),
    }
}

/// Returns the edit for a marker, with the comma that separates it from its neighbour in a list.
fn list_marker_edit(text: &str, range: Range<usize>) -> TextEdit {
    let before = text.get(..range.start).unwrap_or_default().trim_end();
    let behind = text.get(range.end..).unwrap_or_default();
    if before.ends_with([',', ';']) {
        return TextEdit { range: before.len() - 1..range.end, with: "" };
    }
    let blanks = behind.len() - behind.trim_start().len();
    if before.ends_with('[') && behind.trim_start().starts_with([',', ';']) {
        let after = behind.get(blanks + 1..).unwrap_or_default();
        let end = range.end + blanks + 1 + (after.len() - after.trim_start().len());
        let named = after.trim_start().get(..6).is_some_and(|word| word.eq_ignore_ascii_case("claim:"));
        return TextEdit { range: range.start..end, with: if named { "" } else { "claim:" } };
    }
    TextEdit { range, with: "" }
}

/// Applies the edits, and drops the lines of which only markup is left.
fn apply_edits(text: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    let mut edits = edits.iter().peekable();
    while let Some(first) = edits.next() {
        let lines = line_range(text, &first.range);
        out.push_str(text.get(at..lines.start.max(at)).unwrap_or_default());
        let (mut kept, mut from, mut end) = (String::new(), lines.start.max(at), lines.end);
        let mut next = Some(first);
        while let Some(edit) = next {
            let range = extend_over_spaces(text, &edit.range);
            kept.push_str(text.get(from..range.start.max(from)).unwrap_or_default());
            kept.push_str(edit.with);
            from = range.end.max(from);
            end = end.max(line_range(text, &edit.range).end);
            next = edits.next_if(|edit| edit.range.start < end);
        }
        kept.push_str(text.get(from..end.max(from)).unwrap_or_default());
        if kept.lines().any(|line| !is_only_markup(line)) {
            out.push_str(&kept);
        }
        at = end.max(from);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Returns the whole lines that a range touches.
fn line_range(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    // A range that ends after a line's end touches that line, not the next.
    let last = range.end.max(range.start + 1) - 1;
    let last = (range.start..=last.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(range.start);
    let end = text.get(last..).and_then(|behind| behind.find('\n')).map_or(text.len(), |at| last + at + 1);
    start..end.max(range.end)
}

/// Extends a range by the spaces that separated it from its neighbours.
fn extend_over_spaces(text: &str, range: &Range<usize>) -> Range<usize> {
    let spaces = |part: &str| part.len() - part.trim_start_matches([' ', '\t']).len();
    let before = text.get(..range.start).unwrap_or_default();
    let behind = text.get(range.end..).unwrap_or_default();
    if before.is_empty() || before.ends_with(['\n', ' ', '\t']) {
        let end = range.end + spaces(behind);
        let ends_the_line = text.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(['\n', '\r']));
        let start = if ends_the_line { before.trim_end_matches([' ', '\t']).len() } else { range.start };
        return start..end;
    }
    range.clone()
}

/// Whether a line has no content: signs, the mark of an item, a task or a footnote, but no words.
fn is_only_markup(line: &str) -> bool {
    let rest = line.trim_start_matches(['>', ' ', '\t']);
    let number = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let rest = match rest.get(number..) {
        Some(behind) if number > 0 && behind.starts_with(['.', ')']) => behind.get(1..).unwrap_or_default(),
        _ => rest,
    };
    let rest = rest.trim_start_matches(['-', '*', '+', ' ', '\t']);
    let rest = rest.strip_prefix('[').and_then(|task| {
        let mark = task.chars().next()?;
        task.get(mark.len_utf8()..)?.strip_prefix(']').filter(|rest| rest.is_empty() || rest.starts_with(' '))
    });
    let line = rest.unwrap_or(line);
    let footnote = line.trim_start().strip_prefix("[^").and_then(|note| note.split_once("]:")).map(|(_, rest)| rest);
    !footnote.unwrap_or(line).chars().any(char::is_alphanumeric) || is_bare_number(line)
}

/// `1.` without any text after it.
fn is_bare_number(line: &str) -> bool {
    let line = line.trim_matches(['>', ' ', '\t', '\r']);
    line.strip_suffix(['.', ')']).is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

fn remove_lines(text: &str, edits: &[TextEdit]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for edit in edits {
        let lines = line_range(text, &edit.range);
        out.push_str(text.get(at..lines.start.max(at)).unwrap_or_default());
        at = lines.end.max(at);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    if out.len() < text.len() { out } else { String::new() }
}

#[cfg(test)]
mod tests;
