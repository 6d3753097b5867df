//! The lines of a note as a reader of heads sees them.

use super::entry::{name_of_line, split_line};
use crate::look_alike::{folded, is_dash, is_unseen};

/// What a line may be to a head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LineKind {
    Blank,
    /// No letter and no digit, as `---`, `—-`, `===` or `<!--`; the marks of a merge.
    Rule,
    /// `key: value`.
    Key,
    /// What may continue an entry: an item of a list, an indented line, a bracket.
    Part,
    Heading,
    /// A comment on a line of its own, a link, a picture or tags: what may stand above a head and says nothing.
    Aside,
    Other,
}

/// A line without what others put in front of it: marks of a quotation, white space, invisible characters.
pub(super) struct HeadLine<'t> {
    /// Where `bare` begins.
    pub(super) start: usize,
    pub(super) bare: &'t str,
    /// How it looks, in lower case.
    pub(super) folded: String,
    /// How far it is indented, in characters.
    pub(super) indent: usize,
    pub(super) kind: LineKind,
}

/// Character references that HTML and word processors put between a key and its value.
const ENTITIES: [(&str, &str); 6] =
    [("&#58;", ":"), ("&#x3a;", ":"), ("&colon;", ":"), ("&nbsp;", " "), ("&#160;", " "), ("&quot;", "\"")];

/// Reads the lines from `start` on.
pub(super) fn read_lines(text: &str, start: usize) -> Vec<HeadLine<'_>> {
    let mut lines: Vec<HeadLine<'_>> = Vec::new();
    let mut in_comment = false;
    let (mut at, mut is_returned) = (start, false);
    for line in text.get(start..).unwrap_or_default().split_inclusive(is_line_end) {
        let from = at;
        at += line.len();
        if is_returned && line == "\n" {
            is_returned = false;
            continue;
        }
        is_returned = line.ends_with('\r');
        let (bare, indent) = strip_marks(line);
        let folded = ENTITIES.iter().fold(folded(bare), |line, (entity, sign)| line.replace(entity, sign));
        let mut kind = kind_of(&folded, indent);
        // What a comment over several lines says is an aside, a head in it is one.
        if in_comment && kind == LineKind::Other {
            kind = LineKind::Aside;
        }
        in_comment = (in_comment || bare.starts_with("<!--")) && !bare.ends_with("-->");
        let start = from + line.len() - line.trim_start_matches(is_in_front).len();
        lines.push(HeadLine { start, bare, folded, indent, kind });
    }
    mark_underlined_headings(&mut lines);
    lines
}

/// What any program takes for the end of a line.
fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// A line of words over a line of `=` or `-` is a heading.
fn mark_underlined_headings(lines: &mut [HeadLine<'_>]) {
    let is_underline = |line: &HeadLine<'_>| {
        line.bare.len() >= 2
            && (line.bare.bytes().all(|byte| byte == b'=') || line.bare.bytes().all(|byte| byte == b'-'))
    };
    for at in 1..lines.len() {
        let begins = at < 2 || lines.get(at - 2).is_some_and(|line| line.kind != LineKind::Other);
        if begins
            && lines.get(at).is_some_and(is_underline)
            && let Some(line) = lines.get_mut(at - 1).filter(|line| line.kind == LineKind::Other)
        {
            line.kind = LineKind::Heading;
        }
    }
}

/// What may stand in front of a line's words.
fn is_in_front(c: char) -> bool {
    c == '>' || c.is_whitespace() || is_unseen(c)
}

/// A line without what is in front and behind, and how far it is indented.
fn strip_marks(line: &str) -> (&str, usize) {
    let bare = line.trim_start_matches(is_in_front);
    let front = line.get(..line.len() - bare.len()).unwrap_or_default();
    let indent = front.rsplit('>').next().unwrap_or_default();
    // Of a quotation, the space behind its mark is a part of that.
    let quoted = usize::from(front.contains('>') && indent.starts_with(' '));
    let indent = indent.chars().filter(|c| !is_unseen(*c)).count() - quoted;
    let end = |text: &str| text.trim_end_matches(|c: char| c.is_whitespace() || is_unseen(c)).len();
    let bare = bare.get(..end(bare)).unwrap_or_default();
    // A line break of HTML's says nothing.
    let broken = ["<br>", "<br/>", "<br />"].iter().find_map(|tag| bare.strip_suffix(tag));
    (broken.map_or(bare, |bare| bare.get(..end(bare)).unwrap_or_default()), indent)
}

fn kind_of(bare: &str, indent: usize) -> LineKind {
    let Some(first) = bare.chars().next() else { return LineKind::Blank };
    if is_rule(bare) {
        return LineKind::Rule;
    }
    let hashes = bare.trim_start_matches('#');
    // Indented, it is a comment within an entry.
    if indent == 0 && (1..=6).contains(&(bare.len() - hashes.len())) && hashes.starts_with([' ', '\t']) {
        return LineKind::Heading;
    }
    if is_aside(bare) {
        return LineKind::Aside;
    }
    // `? privacy` has its value on the next line, `{…}` any of its entries.
    let is_key = || (bare.starts_with("? ") || bare.starts_with('{')) && name_of_line(bare).is_some();
    if split_line(bare).is_some() || is_key() {
        return LineKind::Key;
    }
    match first {
        '-' | '–' | '*' | '+' | '•' | '[' | ']' | '{' | '}' | '"' | '\'' | '?' | ':' | '&' | '#' => LineKind::Part,
        _ if indent > 0 || bare.ends_with(']') => LineKind::Part,
        _ => LineKind::Other,
    }
}

/// Whether a line is nothing but signs, at least two of them or a long dash; `<hr>` is one, and so are the marks of a merge. Behind three
/// hyphens a word or a remark may follow, as in `---yaml`.
fn is_rule(bare: &str) -> bool {
    const MERGE: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];
    let plain = replace_entities(bare);
    let signs = plain.chars().filter(|c| !c.is_whitespace()).count();
    let is_sign = |c: char| !c.is_alphanumeric() && !matches!(c, '`' | '#' | '"' | '\'');
    let is_long = |c: char| matches!(c, '–' | '—' | '―' | '⸺' | '⸻' | '─' | '━');
    let is_unlettered = plain.chars().all(is_sign) && (signs >= 2 || plain.chars().any(is_long));
    let behind = plain.trim_start_matches(is_dash);
    let is_headed = plain.chars().count() - behind.chars().count() >= 3
        && (behind.trim_start().starts_with('#') || ["yaml", "yml", "toml", "json"].contains(&behind.trim()));
    let is_tag = bare.strip_prefix("<hr").and_then(|rest| rest.strip_suffix('>')).is_some();
    // What is left of code once it is masked begins the note.
    let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
    is_unlettered
        || is_fence
        || is_headed
        || is_tag
        || ["{", "}"].contains(&bare)
        || MERGE.iter().any(|mark| bare.starts_with(mark))
}

/// A text with a dash for each character reference of one.
fn replace_entities(bare: &str) -> String {
    if !bare.contains('&') {
        return bare.to_owned();
    }
    ["&mdash;", "&ndash;", "&#8212;", "&#8211;", "&#x2014;", "&#x2013;", "&minus;", "&#45;", "&lt;", "&gt;"]
        .iter()
        .fold(bare.to_owned(), |text, entity| text.replace(entity, "—"))
}

fn is_aside(bare: &str) -> bool {
    let within = |opens: &str, closes: &str| {
        bare.len() >= opens.len() + closes.len() && bare.starts_with(opens) && bare.ends_with(closes)
    };
    let is_tag = |word: &str| word.starts_with('#') && word.len() > 1;
    let is_odd_comment = bare.starts_with(['<', '＜']) && bare.ends_with(['>', '＞']);
    // The head of a callout.
    bare.starts_with("[!")
        || is_odd_comment
        || within("%%", "%%")
        || within("![", "]]")
        || within("![", ")")
        || within("[[", "]]")
        || bare.split_whitespace().all(is_tag)
}
