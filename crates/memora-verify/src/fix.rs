//! A text without what does not stand, or with a mark behind it.
//!
//! The one rule to know: **what stands is left as it is, byte for byte.** Taken out are the sentences that are contradicted,
//! unsupported, rejected or uncited, in a strict report also those that are paraphrased, and citations that fail beside
//! others; with a sentence go the line it leaves empty and the code block or HTML that says nothing else. A table stays one:
//! its head goes with the last of its rows, and its rows go with their head.

mod addresses;

use std::ops::Range;

pub use addresses::strip_addresses;

use crate::citation::CitationMarker;
use crate::draft::BlockKind;
use crate::flow::range_union;
use crate::report::{CheckedCitation, CheckedSentence, VerificationReport, SentenceVerdict};
use crate::words::has_words;

/// A text without what does not stand: verified by `check` and cut, until nothing is left to cut.
///
/// What one sentence rests on may go with another (a pronoun, a heading), so it takes more than one round; each makes the
/// text shorter.
///
/// # Errors
/// Those of `check`.
pub fn remove_unsupported<E>(text: &str, mut check: impl FnMut(&str) -> Result<VerificationReport, E>) -> Result<String, E> {
    let mut text = text.to_owned();
    loop {
        let report = check(&text)?;
        let edits = collect_edits(&text, &report);
        if edits.is_empty() {
            return Ok(text);
        }
        let shorter = apply_edits(&text, &edits);
        // Where cutting comes to nothing, the lines go: what does not stand must not be left.
        text = if shorter.len() < text.len() { shorter } else { remove_lines(&text, &edits) };
    }
}

/// A text with ` [memora: VERDICT]` behind each sentence that does not stand or is only paraphrased, and behind each citation
/// that fails beside others. Without these marks it is the text, byte for byte.
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

/// Bytes of a text, and what stands there instead.
struct TextEdit {
    range: Range<usize>,
    with: &'static str,
}

/// What has to be cut, in order, without overlap.
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
            Some(last) if edit.range.start < last.range.end => last.range = range_union(last.range.clone(), &edit.range),
            _ => apart.push(edit),
        }
    }
    apart
}

/// How a citation that fails is taken out of a sentence that stands.
fn citation_edits(text: &str, sentence: &CheckedSentence, citation: &CheckedCitation) -> Vec<TextEdit> {
    let range = citation.range();
    let shown = text.get(range.clone()).unwrap_or_default();
    match citation.marker() {
        // Its words may be the sentence's, so they stay; what only refers goes with its words.
        CitationMarker::Link(_) if sentence.judged_text().contains(find_link_text(shown).1) => {
            let (lead, words) = find_link_text(shown);
            let start = range.start + lead;
            vec![TextEdit { range: range.start..start, with: "" }, TextEdit { range: start + words.len()..range.end, with: "" }]
        }
        CitationMarker::Link(_) | CitationMarker::Quote(_) => vec![TextEdit { range, with: "" }],
        CitationMarker::Id(_) | CitationMarker::Handle(_) | CitationMarker::Malformed => vec![list_marker_edit(text, range)],
    }
}

/// How far into a link the words begin that it shows, and the words.
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

/// A marker, with the comma that parts it from its neighbour in a list.
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

/// Makes the edits, and drops the lines of which nothing but markup is left.
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

/// The whole lines that a range touches.
fn line_range(text: &str, range: &Range<usize>) -> Range<usize> {
    let start = text.get(..range.start).and_then(|before| before.rfind('\n')).map_or(0, |at| at + 1);
    // A range that ends behind a line's end touches that line, not the next.
    let last = range.end.max(range.start + 1) - 1;
    let last = (range.start..=last.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(range.start);
    let end = text.get(last..).and_then(|behind| behind.find('\n')).map_or(text.len(), |at| last + at + 1);
    start..end.max(range.end)
}

/// A range with the spaces that parted it from what stands before or behind.
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

/// Whether a line says nothing: signs, the mark of an item, a task or a footnote, no words.
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

/// `1.`, and nothing behind it.
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
