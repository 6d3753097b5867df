//! Masks what the markdown parser must not see.
//!
//! Comments and privacy markers are not CommonMark: a line that begins with an HTML comment would become an HTML block
//! and swallow the sentence after it. So they are blanked, byte for byte, and every offset stays valid.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};

use crate::ProblemKind;
use crate::privacy_markers;
use crate::problem::ProblemCollector;

/// How often code is detected again because a mark in a comment seemed to begin it; after that nothing counts as code,
/// so that no comment is missed.
const RESCANS_MAX: usize = 16;

/// Replaces a masked byte within a line. A control character that is never typed; not white space, so that it does not
/// change the meaning of a list marker or emphasis beside it.
pub(super) const MASK_CHAR: char = '\u{1a}';

/// A text with its comments and markers blanked.
pub(crate) struct MaskedText {
    pub(super) text: String,
    /// `%%…%%` and `<!--…-->`, sorted.
    pub(super) comments: Vec<Range<usize>>,
}

/// Masks comments and privacy markers from `start` on; the text before stays as it is.
pub(crate) fn mask_comments(text: &str, start: usize, problems: &mut ProblemCollector<'_>) -> MaskedText {
    let mut bytes = text.as_bytes().to_vec();
    for marker in privacy_markers::find_privacy_markers(text).iter().filter(|marker| marker.range.start >= start) {
        blank_range(&mut bytes, marker.range.clone());
    }
    let mut comments = Vec::new();
    let has = |bytes: &[u8], what: &[u8]| memchr::memmem::find(bytes.get(start..).unwrap_or_default(), what).is_some();
    if has(&bytes, b"%%") || has(&bytes, b"<!--") {
        let mut from = Some(start);
        for round in 0..=RESCANS_MAX {
            let Some(at) = from else { break };
            let code = if round < RESCANS_MAX {
                find_code_ranges(&String::from_utf8_lossy(&bytes), start)
            } else {
                Vec::new()
            };
            let before = comments.len();
            from = find_comments(&bytes, at, &code, &mut comments, problems);
            for comment in comments.get(before..).unwrap_or_default() {
                blank_range(&mut bytes, comment.clone());
            }
        }
    }
    // Blanking replaces whole comments and markers by ASCII, so this never fails; were it to, the text is read as it is.
    MaskedText { text: String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned()), comments }
}

/// Blanks a range: spaces where nothing else stands on the line, [`MASK_CHAR`] beside other text. Line ends stay.
fn blank_range(bytes: &mut [u8], range: Range<usize>) {
    let is_blank = |b: &&u8| matches!(**b, b' ' | b'\t' | b'\r');
    let mut at = range.start;
    while at < range.end {
        // Looks no further than white space goes: a line may have thousands of comments.
        let part_end = memchr::memchr(b'\n', &bytes[at..range.end]).map_or(range.end, |n| at + n);
        let before = bytes[..at].iter().rev().find(|b| !is_blank(b));
        let behind = bytes[part_end..].iter().find(|b| !is_blank(b));
        let alone = [before, behind].iter().all(|b| b.is_none_or(|b| *b == b'\n'));
        let fill = if alone { b' ' } else { MASK_CHAR as u8 };
        for byte in &mut bytes[at..part_end] {
            if *byte != b'\r' {
                *byte = fill;
            }
        }
        at = part_end + 1;
    }
}

/// Code of a text.
pub(crate) struct CodeRange {
    pub(crate) range: Range<usize>,
    pub(crate) is_block: bool,
    /// Whether its fence is closed, if it has one.
    pub(crate) is_closed: bool,
}

/// Finds the code of a text from `start` on, what stands in comments excepted.
pub(crate) fn find_code(text: &str, start: usize) -> Vec<CodeRange> {
    let mut problems = ProblemCollector { line_starts: &[0], found: Vec::new() };
    let masked = mask_comments(text, start, &mut problems).text;
    let body = masked.get(start..).unwrap_or_default();
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(body, parser_options()).into_offset_iter() {
        let (is_block, is_closed) = match event {
            Event::Code(_) => (false, true),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Indented)) => (true, true),
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                (true, is_fence_closed(body.get(range.clone()).unwrap_or_default()))
            }
            _ => continue,
        };
        found.push(CodeRange { range: range.start + start..range.end + start, is_block, is_closed });
    }
    found
}

/// Whether the raw text of a fenced block ends with its fence.
pub(super) fn is_fence_closed(raw: &str) -> bool {
    let marks = |line: &str| {
        let line = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        let fence = line.chars().next().filter(|c| matches!(c, '`' | '~'));
        fence.map(|f| (f, line.chars().take_while(|c| *c == f).count(), line.chars().all(|c| c == f)))
    };
    let mut lines = raw.trim_end().lines();
    let Some((fence, count, _)) = lines.next().and_then(marks) else { return true };
    matches!(lines.next_back().and_then(marks), Some((f, n, true)) if f == fence && n >= count)
}

/// The ranges of code and math, in which `%%` and `<!--` are ordinary characters.
fn find_code_ranges(text: &str, start: usize) -> Vec<Range<usize>> {
    let body = text.get(start..).unwrap_or_default();
    let mut found = Vec::new();
    for (event, range) in Parser::new_ext(body, parser_options()).into_offset_iter() {
        let is_code = matches!(
            event,
            Event::Code(_) | Event::Start(Tag::CodeBlock(_)) | Event::InlineMath(_) | Event::DisplayMath(_)
        );
        if is_code {
            found.push(range.start + start..range.end + start);
        }
    }
    found
}

/// Whether a position is within a link's address, such as `](../25%%20notes.md)`, where `%%` is ordinary text: after
/// `](`, in one word that `)` ends.
fn is_in_link_address(bytes: &[u8], at: usize) -> bool {
    const LONGEST: usize = 2000;
    let before = bytes.get(at.saturating_sub(LONGEST)..at).unwrap_or_default();
    let behind = bytes.get(at..bytes.len().min(at + LONGEST)).unwrap_or_default();
    let is_end = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'(' | b')' | b'<' | b'>');
    let opened = before.iter().rposition(is_end).is_some_and(|open| open > 0 && before[open - 1..].starts_with(b"]("));
    opened && behind.iter().find(|byte| is_end(byte)) == Some(&b')')
}

/// Finds comments from `start` on. Stops after one that ends in presumed code, and returns that offset: without the
/// comment it is not code.
fn find_comments(
    bytes: &[u8],
    start: usize,
    code: &[Range<usize>],
    found: &mut Vec<Range<usize>>,
    problems: &mut ProblemCollector<'_>,
) -> Option<usize> {
    let code_end = |at: usize| {
        let index = code.partition_point(|range| range.end <= at);
        code.get(index).filter(|range| range.start <= at).map(|range| range.end)
    };
    let mut at = start;
    while let Some(next) = memchr::memchr2_iter(b'%', b'<', bytes.get(at..).unwrap_or_default()).next() {
        let here = at + next;
        if let Some(end) = code_end(here) {
            at = end.max(here + 1);
            continue;
        }
        let (opens, closes): (&[u8], &[u8]) = if bytes[here] == b'%' { (b"%%", b"%%") } else { (b"<!--", b"-->") };
        let rest = bytes.get(here..).unwrap_or_default();
        if !rest.starts_with(opens) || (opens == b"%%" && is_in_link_address(bytes, here)) {
            at = here + 1;
            continue;
        }
        let inside = here + opens.len();
        match memchr::memmem::find(bytes.get(inside..).unwrap_or_default(), closes) {
            Some(end) => {
                at = inside + end + closes.len();
                found.push(here..at);
                if code_end(at - 1).is_some_and(|end| end > at) {
                    return Some(at);
                }
            }
            None => {
                problems.report_at(here, ProblemKind::UnclosedComment);
                found.push(here..bytes.len());
                break;
            }
        }
    }
    None
}

/// The parser extensions that Obsidian's markdown has. Not `all()`: it would treat a pair of `---` in mid-note as a
/// YAML block. Tasks are parsed by hand, because Obsidian knows more than two states.
pub(super) fn parser_options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
}
