//! Heads that are not where they should be: what reads like front matter somewhere else in a note, or in a spelling that is none.
//!
//! A sync program puts a block of its own in front, a smart keyboard makes one long dash of three hyphens, a heading, a comment or the
//! marks of a merge stand above. Invariant: **this alone decides what reads like a head**, and what such a head says of bands and of
//! machines counts as if it stood where it should. It never loosens anything, and gives the note no property.
//!
//! A line that says nothing but `privacy: secret` or `memora: memory` counts wherever it stands and however it is decorated. What needs
//! its neighbours to be read, tags, nested keys, a word that names no band, counts in a block of such lines: at the top, or beside a rule.
//! The markdown parser says what is code, which is passed over unless the note begins with it.

mod entry;
mod line;
mod says;
mod words;

use std::borrow::Cow;
use std::cell::LazyCell;
use std::ops::Range;

use self::entry::name_of_line;
use self::line::{HeadLine, LineKind, read_lines};
use self::words::read_block;
pub(crate) use self::words::{DisplacedHead, HeadWords};
use crate::markdown::find_code;
use crate::privacy_markers::find_all_markers;

/// Finds the heads of a text behind `body_start`, where its front matter ends, if it has any.
pub(crate) fn find_displaced_heads(text: &str, body_start: usize) -> Vec<DisplacedHead> {
    if !says::may_name(text.get(body_start..).unwrap_or_default()) {
        return Vec::new();
    }
    let read = mask_unread(text, body_start);
    let lines = read_lines(&read, body_start);
    let (top, runs) = (find_top_end(&lines), HeadRuns::new(&lines));
    let mut found: Vec<DisplacedHead> = Vec::new();
    let mut read_to = 0;
    let mut header = None;
    for (at, line) in lines.iter().enumerate() {
        header = match line.kind {
            // The line of signs below a header.
            LineKind::Rule if line.bare.contains('|') => at.checked_sub(1).and_then(|above| lines.get(above)),
            _ => header.filter(|_| line.bare.contains('|')),
        };
        found.extend(words::read_line(&lines, at, header));
        if at >= read_to && name_of_line(&line.folded).is_some() {
            let block = find_block(&lines, &runs, at, top);
            if let Some(block) = block {
                read_to = block.lines.end;
                found.extend(read_block(lines.get(block.lines).unwrap_or_default(), block.is_certain));
            }
        }
    }
    found
}

/// A text in which nothing can be read of privacy markers, which guard what is between them, and of code that shows something: a block
/// that does not begin the note and ends, inline code that has a key. All else stays, byte for byte, where it is.
fn mask_unread(text: &str, body_start: usize) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut fill = |range: Range<usize>, with: u8| {
        let part = bytes.get_mut(range).unwrap_or_default();
        part.iter_mut().filter(|byte| !matches!(**byte, b'\n' | b'\r')).for_each(|byte| *byte = with);
    };
    for marker in find_all_markers(text) {
        fill(marker.range, b' ');
    }
    // A line that HTML or a program's string breaks is two.
    for line_break in ["<br>", "<br/>", "<br />", "\\n"] {
        for (at, _) in text.match_indices(line_break).filter(|(at, _)| *at >= body_start) {
            fill(at..at + 1, b'\n');
            fill(at + 1..at + line_break.len(), b' ');
        }
    }
    // Where the note's own text begins; most notes have no block of code to compare it with.
    let first = LazyCell::new(|| {
        let is_above = |line: &HeadLine<'_>| matches!(line.kind, LineKind::Blank | LineKind::Aside);
        read_lines(text, 0).into_iter().find(|line| !is_above(line)).map_or(text.len(), |line| line.start)
    });
    for code in find_code(text, body_start) {
        let inside = text.get(code.range.clone()).unwrap_or_default();
        let shows = match code.is_block {
            true => code.is_closed && !code.range.contains(&first),
            false => says::may_name(inside) || inside.contains("::"),
        };
        if shows {
            fill(code.range, b'x');
        }
    }
    // Whole characters become ASCII, so this never fails; were it to, all is read.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// What a block says that stands where front matter should, to an eye that does not read YAML: behind an invisible character, with a
/// wide colon, between lines that make it none.
pub(crate) fn read_head(text: &str, block: Range<usize>) -> HeadWords {
    if !says::may_name(text.get(block.clone()).unwrap_or_default()) {
        return HeadWords::default();
    }
    let lines = read_lines(text.get(..block.end).unwrap_or_default(), block.start);
    let mut words = words::read_entries(&lines, true);
    words.machine.extend(words::read_machine_words(&lines));
    words::read_marks(&lines, &mut words);
    words
}

/// Returns a text in which no line reads like one of a head: the sign behind its key is escaped, which is not seen. For what others
/// said, within a note of a machine's.
#[must_use]
pub fn escape_heads(text: &str) -> Cow<'_, str> {
    if !says::may_name(text) {
        return Cow::Borrowed(text);
    }
    let read = mask_unread(text, 0);
    let mut out = String::with_capacity(text.len() + 8);
    let mut from = 0;
    let mut is_defined = false;
    for line in read_lines(&read, 0) {
        let defines = std::mem::replace(&mut is_defined, says::bare_key(&line.folded).is_some());
        let is_part = || matches!(line.kind, LineKind::Key | LineKind::Part) && name_of_line(&line.folded).is_some();
        let is_definition = defines && line.folded.starts_with(':');
        if !says::names_itself(&line.folded) && !is_definition && !is_part() {
            continue;
        }
        let signs = says::find_signs(line.bare);
        // The mark of a key whose value is on the next line, or of such a value.
        let is_mark = is_definition || line.bare.starts_with('?');
        let marks = if signs.is_empty() && is_mark { vec![0] } else { signs };
        for at in marks.into_iter().map(|sign| line.start + sign) {
            out.push_str(text.get(from..at).unwrap_or_default());
            out.push('\\');
            from = at;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(out)
}

/// Lines that read like front matter.
struct HeadBlock {
    lines: Range<usize>,
    /// Whether it has rules on both sides, or begins the note: then an unknown word of privacy is a slip.
    is_certain: bool,
}

/// The number of lines up to which nothing stands but what may stand above a head: blank lines, rules, headings, comments, other heads.
fn find_top_end(lines: &[HeadLine<'_>]) -> usize {
    let mut owned = false;
    let ends = |line: &HeadLine<'_>| {
        match line.kind {
            LineKind::Key => owned = true,
            LineKind::Part => return !owned,
            LineKind::Blank => {}
            LineKind::Rule | LineKind::Heading | LineKind::Aside => owned = false,
            LineKind::Other => return true,
        }
        false
    };
    lines.iter().position(ends).unwrap_or(lines.len())
}

/// For each line that may be of a head, the lines around it that may be, too: those that follow one another, and those with blank lines
/// between.
struct HeadRuns {
    near: Vec<Range<usize>>,
    wide: Vec<Range<usize>>,
}

impl HeadRuns {
    fn new(lines: &[HeadLine<'_>]) -> Self {
        let is_of_head = |line: &HeadLine<'_>| matches!(line.kind, LineKind::Key | LineKind::Part);
        Self {
            near: find_runs(lines, is_of_head),
            wide: find_runs(lines, |line| is_of_head(line) || line.kind == LineKind::Blank),
        }
    }
}

/// The run that each line belongs to; an empty one for a line that belongs to none.
fn find_runs(lines: &[HeadLine<'_>], belongs: impl Fn(&HeadLine<'_>) -> bool) -> Vec<Range<usize>> {
    let mut runs = Vec::with_capacity(lines.len());
    for part in lines.chunk_by(|one, other| belongs(one) == belongs(other)) {
        let start = runs.len();
        let run = if part.first().is_some_and(&belongs) { start..start + part.len() } else { start..start };
        runs.extend(std::iter::repeat_n(run, part.len()));
    }
    runs
}

/// The block of lines around one of them that names something, if it reads like a head.
fn find_block(lines: &[HeadLine<'_>], runs: &HeadRuns, at: usize, top: usize) -> Option<HeadBlock> {
    let (near, wide) = (runs.near.get(at)?.clone(), runs.wide.get(at)?.clone());
    if near.is_empty() {
        return None;
    }
    let is_rule = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| line.kind == LineKind::Rule);
    let is_opened = is_rule(wide.start.checked_sub(1));
    if (is_opened || wide.start == 0) && is_rule(Some(wide.end)) {
        return Some(HeadBlock { lines: wide, is_certain: is_opened && at < top });
    }
    let is_key = |at: usize| lines.get(at).is_some_and(|line| line.kind == LineKind::Key);
    let is_opened = is_opened && is_key(wide.start);
    let reads = is_opened || is_key(near.start) && (at < top || is_rule(Some(near.end)));
    let lines = if is_opened { wide.start..near.end } else { near };
    reads.then_some(HeadBlock { lines, is_certain: false })
}

#[cfg(test)]
mod tests;
