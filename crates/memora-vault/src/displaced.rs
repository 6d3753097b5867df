//! Heads that are not where they should be: what reads like front matter somewhere else in a note, or in a spelling that is none.
//!
//! A sync program puts a block of its own in front, a smart keyboard makes one long dash of three hyphens, a heading, a comment or the
//! marks of a merge stand above. Invariant: **this alone decides what reads like a head**, and what such a head says of bands and of
//! machines counts as if it stood where it should. It never loosens anything, and gives the note no property.
//!
//! Where nothing but what may stand above a head stands there, a line `privacy: secret` is enough. Further down it takes a rule above or
//! below its block. Code is passed over, unless the note begins with it.

mod line;
mod words;

use std::borrow::Cow;
use std::ops::Range;

use self::line::{HeadLine, LineKind, read_lines};
pub(crate) use self::line::{is_dash, is_invisible};
use self::words::{KeyName, name_of_line, read_block};
use crate::frontmatter::PrivacyWord;

/// The longest head, in lines: aliases may be many.
const HEAD_LINES_MAX: usize = 2_000;
/// The indentation from which a line is code.
const INDENTED_CODE_FROM: usize = 4;

/// What a head says of its note.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct HeadWords {
    /// The words that ask for a band, each with the line that says it.
    pub(crate) privacy: Vec<PrivacyWord>,
    /// What it calls the note: `memory`, `captured`, `review`.
    pub(crate) machine: Vec<String>,
}

impl HeadWords {
    fn is_empty(&self) -> bool {
        self.privacy.is_empty() && self.machine.is_empty()
    }
}

/// A head that is not where it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DisplacedHead {
    /// The first line that names a band or a machine.
    pub(crate) at: usize,
    pub(crate) words: HeadWords,
}

/// Finds the heads of a text behind `body_start`, where its front matter ends, if it has any.
pub(crate) fn find_displaced_heads(text: &str, body_start: usize) -> Vec<DisplacedHead> {
    if !words::may_name(text.get(body_start..).unwrap_or_default()) {
        return Vec::new();
    }
    let lines = read_lines(text, body_start);
    let (top, runs) = (find_top_end(&lines), HeadRuns::new(&lines));
    let mut found: Vec<DisplacedHead> = Vec::new();
    let mut read_to = 0;
    for (at, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_code) {
        let Some(name) = name_of_line(line.bare) else { continue };
        if name == KeyName::Field {
            found.extend(words::read_field(line));
        } else if at >= read_to {
            let block = find_block(&lines, &runs, at, top);
            if let Some(block) = block {
                read_to = block.lines.end;
                found.extend(read_block(lines.get(block.lines).unwrap_or_default(), block.is_certain));
            }
        }
    }
    found
}

/// What a block says that stands where front matter should, to an eye that does not read YAML: behind an invisible character, with a
/// wide colon, between lines that make it none.
pub(crate) fn read_head(text: &str, block: Range<usize>) -> HeadWords {
    if !words::may_name(text.get(block.clone()).unwrap_or_default()) {
        return HeadWords::default();
    }
    let lines = read_lines(text.get(..block.end).unwrap_or_default(), block.start);
    let mut words = words::read_entries(&lines, true);
    words.machine.extend(words::read_machine_words(&lines));
    words
}

/// Returns a text in which no line reads like one of a head: the sign behind its key is escaped, which is not seen. For what others
/// said, within a note of a machine's.
#[must_use]
pub fn escape_heads(text: &str) -> Cow<'_, str> {
    if !words::may_name(text) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut from = 0;
    for line in read_lines(text, 0).iter().filter(|line| !line.is_code) {
        let reads = match name_of_line(line.bare) {
            Some(KeyName::Field) => true,
            Some(_) => matches!(line.kind, LineKind::Key | LineKind::Part),
            None => false,
        };
        for sign in words::find_signs(line.bare).into_iter().filter(|_| reads) {
            out.push_str(text.get(from..line.start + sign).unwrap_or_default());
            out.push('\\');
            from = line.start + sign;
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
        line.is_code
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
        let is_of_head = |line: &HeadLine<'_>| matches!(line.kind, LineKind::Key | LineKind::Part) && !line.is_code;
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
    let is_code = at >= top && lines.get(at)?.indent >= INDENTED_CODE_FROM;
    if near.is_empty() || is_code {
        return None;
    }
    let is_rule = |at: Option<usize>| at.and_then(|at| lines.get(at)).is_some_and(|line| line.kind == LineKind::Rule);
    // The front matter's own last line is a rule, too.
    let above = wide.start == 0 || is_rule(wide.start.checked_sub(1));
    if above && is_rule(Some(wide.end)) && wide.len() <= HEAD_LINES_MAX {
        return Some(HeadBlock { lines: wide, is_certain: at < top });
    }
    let is_key = |at: usize| lines.get(at).is_some_and(|line| line.kind == LineKind::Key);
    let is_opened = is_rule(wide.start.checked_sub(1)) && is_key(wide.start);
    let reads = is_opened || is_key(near.start) && (at < top || is_rule(Some(near.end)));
    let lines = if is_opened { wide.start..near.end } else { near };
    (reads && lines.len() <= HEAD_LINES_MAX).then_some(HeadBlock { lines, is_certain: false })
}

#[cfg(test)]
mod tests;
