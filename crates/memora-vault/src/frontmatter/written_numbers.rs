//! Marks the numbers of a block, so that the YAML parser keeps how they are written.

/// Stands in front of a number that was made a word. For private use: no note has it, and one that has is read as it is.
pub(super) const WRITTEN: char = '\u{f8ff}';

/// Returns the block with each plain scalar that YAML reads as a number in quotes, behind [`WRITTEN`]; `None` if there is none.
///
/// A scalar that only looks like one (in a block of text, in a word over several lines) may be marked too: then the mark stands within
/// the text that the parser makes of it.
pub(super) fn mark_numbers(block: &str) -> Option<String> {
    if block.contains(WRITTEN) {
        return None;
    }
    let mut marker =
        NumberMarker { out: String::with_capacity(block.len() + 16), depth: 0, quote: None, marked: false };
    for line in block.split_inclusive('\n') {
        marker.mark_line(line);
    }
    marker.marked.then_some(marker.out)
}

struct NumberMarker {
    out: String,
    /// How many brackets and braces are open.
    depth: usize,
    /// The quotation mark that is open.
    quote: Option<char>,
    marked: bool,
}

impl NumberMarker {
    fn mark_line(&mut self, line: &str) {
        let mut rest = line;
        // Whether a scalar may begin, and whether nothing but list items' marks stands in front.
        let (mut begins, mut leads, mut spaced) = (self.depth > 0, true, true);
        while let Some(c) = rest.chars().next() {
            if let Some(quote) = self.quote {
                self.quote = (c != quote).then_some(quote);
                let escaped = usize::from(quote == '"' && c == '\\' && rest.chars().nth(1).is_some_and(|c| c != '\n'));
                rest = self.copy(rest, 1 + escaped);
                continue;
            }
            if c.is_whitespace() {
                spaced = true;
                rest = self.copy(rest, 1);
                continue;
            }
            let next = rest.chars().nth(1);
            let ends = next.is_none_or(char::is_whitespace);
            let is_flow = self.depth > 0;
            match c {
                '#' if spaced => {
                    self.out.push_str(rest);
                    return;
                }
                '-' | '?' if ends && leads => begins = true,
                ':' if ends || is_flow && matches!(next, Some(',' | ']' | '}')) => (begins, leads) = (true, false),
                ',' if is_flow => begins = true,
                '[' | '{' if begins || is_flow => (begins, leads, self.depth) = (true, false, self.depth + 1),
                ']' | '}' if is_flow => (begins, self.depth) = (false, self.depth - 1),
                '"' | '\'' if begins || leads => (begins, leads, self.quote) = (false, false, Some(c)),
                '&' if begins => {
                    rest =
                        self.copy(rest, rest.find(char::is_whitespace).map_or(rest.len(), |end| chars_in(rest, end)));
                    continue;
                }
                _ => {
                    let token = self.token_of(rest);
                    let behind = rest.get(token.len()..).unwrap_or_default();
                    if begins && is_number(token) && self.is_end(behind) {
                        self.out.extend(['"', WRITTEN]);
                        self.out.push_str(token);
                        self.out.push('"');
                        self.marked = true;
                        rest = behind;
                    } else {
                        rest = self.copy(rest, token.chars().count().max(1));
                    }
                    (begins, leads, spaced) = (false, false, false);
                    continue;
                }
            }
            spaced = false;
            rest = self.copy(rest, 1);
        }
    }

    /// Copies so many characters, and returns what is left.
    fn copy<'t>(&mut self, text: &'t str, count: usize) -> &'t str {
        let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
        let (head, tail) = text.split_at_checked(end).unwrap_or((text, ""));
        self.out.push_str(head);
        tail
    }

    /// The word that a text begins with: to white space, to a colon that ends a key, in brackets to a comma or their end.
    fn token_of<'t>(&self, text: &'t str) -> &'t str {
        let ends = |(at, c): &(usize, char)| {
            let next = text.get(at + c.len_utf8()..).and_then(|rest| rest.chars().next());
            c.is_whitespace()
                || *c == ':' && next.is_none_or(char::is_whitespace)
                || self.depth > 0 && matches!(c, ',' | '[' | ']' | '{' | '}')
        };
        let end = text.char_indices().find(ends).map_or(text.len(), |(at, _)| at);
        text.get(..end).unwrap_or_default()
    }

    /// Whether nothing of the same scalar follows.
    fn is_end(&self, behind: &str) -> bool {
        let spaces = behind.trim_start_matches([' ', '\t']);
        match spaces.chars().next() {
            None | Some('\n') => true,
            Some('#') => spaces.len() < behind.len(),
            Some(',' | ']' | '}') => self.depth > 0,
            Some(_) => false,
        }
    }
}

fn chars_in(text: &str, end: usize) -> usize {
    text.get(..end).map_or(0, |head| head.chars().count())
}

/// Whether YAML reads a plain scalar as a number.
fn is_number(token: &str) -> bool {
    let digits = token.trim_start_matches(['+', '-']);
    let is_coded = |prefix: &str, radix: u32| {
        digits.strip_prefix(prefix).is_some_and(|code| !code.is_empty() && code.chars().all(|c| c.is_digit(radix)))
    };
    token.contains(|c: char| c.is_ascii_digit())
        && (is_coded("0x", 16) || is_coded("0o", 8) || token.parse::<f64>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(block: &str, expected: &str) {
        let marked = mark_numbers(block).map(|block| block.replace(&format!("\"{WRITTEN}"), "<").replace('"', ">"));
        assert_eq!(marked.unwrap_or_else(|| block.to_owned()), expected, "{block}");
    }

    #[test]
    fn a_number_is_marked_where_a_scalar_begins() {
        check("a: 1.10\n", "a: <1.10>\n");
        check("a: [1.10, 007] # 5\n", "a: [<1.10>, <007>] # 5\n");
        check("a:\n  - 01234\n  - 0x1F\n", "a:\n  - <01234>\n  - <0x1F>\n");
        check("a:\n  - - +1\n    - -2\n", "a:\n  - - <+1>\n    - <-2>\n");
        check("a: [\n  1.10,\n  2\n]\nb: x 3\n", "a: [\n  <1.10>,\n  <2>\n]\nb: x 3\n");
        check("a: {b: 0.10, c: [1e3]}\n", "a: {b: <0.10>, c: [<1e3>]}\n");
        check("a: &x 1.10\nb: *x\n", "a: &x <1.10>\nb: *x\n");
        check("- k: 12345678901234567890\n", "- k: <12345678901234567890>\n");
    }

    #[test]
    fn what_is_no_number_stays() {
        for block in [
            "a: 2024-03-12\n",
            "a: 10:30\n",
            "1.10: x\n",
            "a: v1.10\n",
            "a: 1.10 beta\n",
            "a: '1.10'\n",
            "a: !!str 1.10\n",
            "a: it's 5\n",
            "a: x\n",
        ] {
            let marked = mark_numbers(block);
            assert_eq!(marked, None, "{block}");
        }
    }

    proptest::proptest! {
        #[test]
        fn marks_are_all_that_is_added(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "a", ": ", "\n", "- ", "  ", "[", "]", "{", "}", ", ", "1.10", "007", "'", "\"", "\\", "&x ", "# ", "é", "|", "?", ":",
            ]), 0..30),
        ) {
            let block = parts.concat();
            if let Some(marked) = mark_numbers(&block) {
                let mut rest = marked.as_str();
                let mut plain = String::new();
                while let Some((before, after)) = rest.split_once(&format!("\"{WRITTEN}")) {
                    let (number, after) = after.split_once('"').expect("a mark ends");
                    plain += &(before.to_owned() + number);
                    rest = after;
                }
                assert_eq!(plain + rest, block);
            }
        }
    }
}
