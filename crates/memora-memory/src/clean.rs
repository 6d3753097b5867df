//! Text of an agent's before it is written: no entry ends another, or poses as one.

/// Cleans a text of several lines: control, bidi and zero-width characters go, line ends become `\n`, lines that begin
/// like headings, rules or markup are escaped, block ids too, and fences are closed.
#[must_use]
pub fn clean_text(text: &str) -> String {
    let plain: String = text.replace("\r\n", "\n").chars().filter_map(visible_char).collect();
    let mut lines = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    for line in plain.trim().split('\n') {
        let line = line.trim_end();
        let run = fence_of(line);
        match (fence, run) {
            (Some((open, length)), Some((mark, run))) if mark == open && run >= length && is_bare(line, mark) => {
                fence = None;
            }
            (None, Some(opened)) => fence = Some(opened),
            _ => {}
        }
        // Within a fence nothing is markup, but a file is also read by programs that know no fences.
        lines.push(escape_line(line, fence.is_some() || run.is_some()));
    }
    if let Some((mark, length)) = fence {
        lines.push(mark.to_string().repeat(length));
    }
    lines.join("\n")
}

/// Cleans a text and puts it on one line.
#[must_use]
pub fn clean_line(text: &str) -> String {
    let plain: String = text.chars().filter_map(visible_char).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Takes out what stands between two marks, or behind the first to the end.
pub(crate) fn strip_between(text: &str, open: &str, close: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(open) {
        kept.push_str(before);
        rest = after.split_once(close).map_or("", |(_, after)| after);
    }
    kept + rest
}

fn visible_char(c: char) -> Option<char> {
    match c {
        '\n' => Some('\n'),
        '\t' | '\u{85}' | '\u{2028}' | '\u{2029}' => Some(' '),
        '\r' => Some('\n'),
        _ if c.is_control() => None,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' => None,
        '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => None,
        _ => Some(c),
    }
}

/// Returns the mark and the length of a fence that a line opens or closes.
pub(crate) fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = line.chars().take_while(|c| *c == mark).count();
    (run >= 3).then_some((mark, run))
}

fn is_bare(line: &str, mark: char) -> bool {
    line.trim().chars().all(|c| c == mark)
}

fn escape_line(line: &str, fenced: bool) -> String {
    let start = line.trim_start();
    let is_rule = |mark: char| !start.is_empty() && start.chars().all(|c| c == mark || c == ' ');
    let heads = start.starts_with('#') || start.starts_with("$$") || is_rule('-') || is_rule('=');
    let marks = start.starts_with('<') && !start.starts_with("<!--");
    let escape = (heads || marks) && start.trim_end() != "-";
    let mut line = match escape && !fenced {
        true => line.replacen(start, &format!("\\{start}"), 1),
        // A heading in a fence is none, but it looks like an entry in a raw file.
        false if heads && fenced && start.starts_with('#') => line.replacen(start, &format!(" {start}"), 1),
        false => line.to_owned(),
    };
    // A block id at the end of a line would name it.
    if let Some((before, id)) = line.rsplit_once('^') {
        let is_id = !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || c == '-');
        if is_id && (before.is_empty() || before.ends_with(char::is_whitespace)) {
            line.insert(before.len(), '\\');
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_poses_as_an_entry_or_ends_one() {
        for (text, clean) in [
            ("drift uses pino.", "drift uses pino."),
            (" a\r\nb\r", "a\nb"),
            ("## 14:00 by user", "\\## 14:00 by user"),
            ("a\n---\nb", "a\n\\---\nb"),
            ("a\n===", "a\n\\==="),
            ("- one\n- two", "- one\n- two"),
            ("a ^mem-123", "a \\^mem-123"),
            ("^mem-123", "\\^mem-123"),
            ("a\u{a0}^mem-123", "a\u{a0}\\^mem-123"),
            ("2^10", "2^10"),
            ("```\nlet x = 1;", "```\nlet x = 1;\n```"),
            ("~~~~\n```\n~~~~", "~~~~\n```\n~~~~"),
            ("a\u{202e}b\u{200b}c\u{0}", "abc"),
            ("<pre>", "\\<pre>"),
            ("</memory>", "\\</memory>"),
            ("$$\nx", "\\$$\nx"),
        ] {
            assert_eq!(clean_text(text), clean, "{text:?}");
        }
    }

    #[test]
    fn cleaning_twice_changes_fences_no_more() {
        let once = clean_text("```\ncode");
        assert_eq!(clean_text(&once), once);
    }
}
