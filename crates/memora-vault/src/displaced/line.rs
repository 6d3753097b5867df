//! The lines of a note as a reader of heads sees them.

use crate::frontmatter::lines_with_offsets;

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
    /// How far it is indented, in characters.
    pub(super) indent: usize,
    pub(super) kind: LineKind,
    /// Within code that does not begin the note.
    pub(super) is_code: bool,
}

/// Characters that are not seen.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{ad}' | '\u{180e}' | '\u{34f}'
    ) || c.is_control() && !c.is_whitespace()
}

/// Reads the lines from `start` on.
pub(super) fn read_lines(text: &str, start: usize) -> Vec<HeadLine<'_>> {
    let mut lines = Vec::new();
    let mut fence: Option<(Fence, bool)> = None;
    let (mut in_comment, mut opened_at) = (false, 0);
    // Behind front matter, code shows something.
    let mut is_first = text.get(..start).unwrap_or_default().chars().all(is_in_front);
    for (at, line) in lines_with_offsets(text, start) {
        let (bare, indent) = strip_marks(line);
        let start = at + line.len() - line.trim_start_matches(is_in_front).len();
        let opened = Fence::read(strip_items(bare)).filter(|_| !in_comment);
        let mut kind = kind_of(bare, indent);
        let mut is_code = false;
        match (&fence, opened) {
            (Some((open, begins)), mark) => {
                let closes = mark.is_some_and(|mark| mark.closes(open));
                is_code = !begins;
                kind = if closes { LineKind::Rule } else { kind };
                fence = if closes { None } else { fence };
            }
            (None, Some(open)) => {
                is_code = !is_first;
                kind = LineKind::Rule;
                fence = Some((open, is_first));
                opened_at = lines.len();
            }
            (None, None) => {}
        }
        // What a comment over several lines says is an aside, a head in it is one.
        if in_comment && kind == LineKind::Other {
            kind = LineKind::Aside;
        }
        in_comment = (in_comment || bare.starts_with("<!--")) && !bare.ends_with("-->");
        is_first &= matches!(kind, LineKind::Blank | LineKind::Aside);
        lines.push(HeadLine { start, bare, indent, kind, is_code });
    }
    // What is never closed may be the end of code whose beginning was not seen: the stricter reading is that it is none.
    if fence.is_some() {
        lines.iter_mut().skip(opened_at).for_each(|line| line.is_code = false);
    }
    mark_underlined_headings(&mut lines);
    lines
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
            && lines.get(at).is_some_and(|line| is_underline(line) && !line.is_code)
            && let Some(line) = lines.get_mut(at - 1).filter(|line| line.kind == LineKind::Other)
        {
            line.kind = LineKind::Heading;
        }
    }
}

/// A line without the marks of the items, tasks, callouts and footnotes that it begins.
fn strip_items(bare: &str) -> &str {
    let mut rest = bare;
    loop {
        let word = rest.split(char::is_whitespace).next().unwrap_or_default();
        let number = word.trim_end_matches(['.', ')']);
        let is_item = matches!(word, "-" | "*" | "+" | "•" | ">")
            || number.len() < word.len() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
            || word.starts_with("[!") && word.ends_with([']', '-', '+'])
            || word.starts_with("[^") && word.ends_with("]:");
        let task = rest.strip_prefix('[').and_then(|inside| {
            let mut chars = inside.chars();
            chars.next()?;
            chars.as_str().strip_prefix("] ")
        });
        rest = match (is_item, task) {
            (true, _) => rest.get(word.len()..).unwrap_or_default().trim_start(),
            (false, Some(behind)) => behind.trim_start(),
            (false, None) => return rest,
        };
        if rest.is_empty() {
            return rest;
        }
    }
}

/// What may stand in front of a line's words.
fn is_in_front(c: char) -> bool {
    c == '>' || c.is_whitespace() || is_invisible(c)
}

/// A line without what is in front and behind, and how far it is indented.
fn strip_marks(line: &str) -> (&str, usize) {
    let bare = line.trim_start_matches(is_in_front);
    let front = line.get(..line.len() - bare.len()).unwrap_or_default();
    let indent = front.rsplit('>').next().unwrap_or_default();
    // Of a quotation, the space behind its mark is a part of that.
    let quoted = usize::from(front.contains('>') && indent.starts_with(' '));
    let indent = indent.chars().filter(|c| !is_invisible(*c)).count() - quoted;
    let end = |text: &str| text.trim_end_matches(|c: char| c.is_whitespace() || is_invisible(c)).len();
    let bare = bare.get(..end(bare)).unwrap_or_default();
    // A line break of HTML's says nothing.
    let broken = ["<br>", "<br/>", "<br />"].iter().find_map(|tag| bare.strip_suffix(tag));
    (broken.map_or(bare, |bare| bare.get(..end(bare)).unwrap_or_default()), indent)
}

/// The mark of fenced code.
struct Fence {
    mark: char,
    length: usize,
    is_bare: bool,
}

impl Fence {
    fn read(bare: &str) -> Option<Self> {
        let mark = bare.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let rest = bare.trim_start_matches(mark);
        let length = bare.len() - rest.len();
        (length >= 3 && !(mark == '`' && rest.contains('`'))).then(|| Self {
            mark,
            length,
            is_bare: rest.trim().is_empty(),
        })
    }

    fn closes(&self, open: &Self) -> bool {
        self.mark == open.mark && self.length >= open.length && self.is_bare
    }
}

fn kind_of(bare: &str, indent: usize) -> LineKind {
    let Some(first) = bare.chars().next() else { return LineKind::Blank };
    if is_rule(bare) {
        return LineKind::Rule;
    }
    let hashes = bare.trim_start_matches('#');
    if (1..=6).contains(&(bare.len() - hashes.len())) && hashes.starts_with([' ', '\t']) {
        return LineKind::Heading;
    }
    if is_aside(bare) {
        return LineKind::Aside;
    }
    // `? privacy` has its value on the next line, `{…}` any of its entries.
    let is_key = || (bare.starts_with("? ") || bare.starts_with('{')) && super::words::name_of_line(bare).is_some();
    if super::words::split_line(bare).is_some() || is_key() {
        return LineKind::Key;
    }
    match first {
        '-' | '–' | '*' | '+' | '•' | '[' | ']' | '{' | '}' | '"' | '\'' | '?' | ':' | '&' | '#' => LineKind::Part,
        _ if indent > 0 => LineKind::Part,
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
    is_unlettered
        || is_headed
        || is_tag
        || ["{", "}"].contains(&bare)
        || MERGE.iter().any(|mark| bare.starts_with(mark))
}

/// A hyphen or a dash of any length.
pub(crate) fn is_dash(c: char) -> bool {
    matches!(
        c,
        '-' | '\u{2010}'
            ..='\u{2015}'
                | '\u{2212}'
                | '\u{2e3a}'
                | '\u{2e3b}'
                | '\u{fe58}'
                | '\u{fe63}'
                | '\u{ff0d}'
                | '─'
                | '━'
                | '_'
    )
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
