//! Splits text into chunks: words with their joiners, runs of an unspaced script, symbols.
//!
//! Close to Unicode's word boundaries (UAX 29), with the differences that notes need: `drift-bench`, `a@b.org` and
//! `C++` stay in one chunk (`crate::words` splits them), and scripts are separated. Offsets are bytes of the text.

use crate::normalize::{continues_syllable, is_ignorable, is_mark, is_unspaced_script};

/// A piece of text that is analysed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chunk<'t> {
    pub(crate) kind: ChunkKind,
    pub(crate) text: &'t str,
    pub(crate) from: usize,
}

/// The kind of analysis that a chunk needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ChunkKind {
    /// Lower-case ASCII letters without joiners: the common case.
    Plain,
    /// Letters and digits, perhaps with joiners between.
    Word,
    /// Characters of a script without spaces.
    Unspaced,
    /// An emoji or another pictorial sign.
    Symbol,
}

/// Iterates over the chunks of `text`, in order.
pub(crate) fn split_chunks(text: &str) -> Chunks<'_> {
    Chunks { text, at: 0, before: None }
}

/// The iterator returned by [`split_chunks`].
pub(crate) struct Chunks<'t> {
    text: &'t str,
    at: usize,
    before: Option<char>,
}

impl<'t> Iterator for Chunks<'t> {
    type Item = Chunk<'t>;

    fn next(&mut self) -> Option<Chunk<'t>> {
        loop {
            let rest = self.text.get(self.at..)?;
            let c = rest.chars().next()?;
            let (kind, len) = if is_unspaced_script(c) {
                (ChunkKind::Unspaced, unspaced_len(rest))
            } else if c.is_alphanumeric() {
                word_len(rest)
            } else if is_symbol(c) {
                (ChunkKind::Symbol, symbol_len(rest))
            } else if c == '.' && !self.before.is_some_and(is_word_char) && is_dotted_name(rest) {
                let (_, len) = word_len(rest.get(1..).unwrap_or_default());
                (ChunkKind::Word, len + 1)
            } else {
                self.before = Some(c);
                self.at += c.len_utf8();
                continue;
            };
            let from = self.at;
            let chunk = rest.get(..len)?;
            self.at += len;
            self.before = chunk.chars().next_back();
            return Some(Chunk { kind, text: chunk, from });
        }
    }
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '.'
}

/// Whether a dot belongs to the name after it: `.NET`, `.env`.
fn is_dotted_name(rest: &str) -> bool {
    rest.chars().nth(1).is_some_and(|c| c.is_alphabetic() && !is_unspaced_script(c))
}

fn unspaced_len(rest: &str) -> usize {
    rest.find(|c| !is_unspaced_script(c) && !is_mark(c) && !is_ignorable(c)).unwrap_or(rest.len())
}

/// Returns the length of one sign with its skin tone and selectors; two regional indicators are one flag.
fn symbol_len(rest: &str) -> usize {
    let mut flags = 0;
    rest.char_indices()
        .find(|&(at, c)| {
            flags += u32::from(matches!(c, '\u{1f1e6}'..='\u{1f1ff}'));
            let joined = matches!(c, '\u{1f3fb}'..='\u{1f3ff}' | '\u{20e3}')
                || is_ignorable(c)
                || (flags == 2 && matches!(c, '\u{1f1e6}'..='\u{1f1ff}'));
            if flags == 2 && joined {
                flags = 3;
            }
            at > 0 && !joined
        })
        .map_or(rest.len(), |(at, _)| at)
}

fn is_symbol(c: char) -> bool {
    matches!(c, '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}')
}

/// Returns the length of the word at the start of `rest`, including joiners that are followed by a word.
fn word_len(rest: &str) -> (ChunkKind, usize) {
    let bytes = rest.as_bytes();
    let plain = bytes.iter().take_while(|b| b.is_ascii_lowercase()).count();
    if plain > 0 && bytes.get(plain).is_none_or(|b| matches!(b, b' ' | b'\n')) {
        return (ChunkKind::Plain, plain);
    }
    let mut end = 0;
    let mut last = None;
    let mut chars = rest.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if is_unspaced_script(c) {
            break;
        }
        let in_word = c.is_alphanumeric() || is_mark(c) || is_ignorable(c);
        if in_word {
            end = at + c.len_utf8();
            last = Some(c);
            continue;
        }
        let next = chars.peek().map(|&(_, next)| next);
        if !is_joined_by(last, c, next) {
            break;
        }
    }
    // `C++`, `g++`, `C#`: signs that are part of the name.
    let name = rest.get(..end).unwrap_or_default();
    let tail = rest.get(end..).unwrap_or_default();
    if tail.starts_with("++") && name.chars().all(char::is_alphabetic) {
        end += 2;
    } else if tail.starts_with('#')
        && name.len() == 1
        && name.chars().all(char::is_alphabetic)
        && !tail.chars().nth(1).is_some_and(char::is_alphanumeric)
    {
        end += 1;
    }
    (ChunkKind::Word, end)
}

/// Whether `sign` between `last` and `next` holds one word together.
fn is_joined_by(last: Option<char>, sign: char, next: Option<char>) -> bool {
    let (Some(last), Some(next)) = (last, next) else { return false };
    if !next.is_alphanumeric() || is_unspaced_script(next) {
        // `snake__case` and `a--b` are split, which costs nothing: the parts are found.
        return false;
    }
    match sign {
        '-' | '\u{2010}' | '\u{2011}' | '_' | '.' | '@' | '&' => true,
        '\'' | '\u{2019}' | '\u{2bc}' => last.is_alphabetic() && next.is_alphabetic(),
        ',' | ':' => last.is_numeric() && next.is_numeric(),
        _ => false,
    }
}

/// Splits an unspaced run into characters with their marks: `か` + U+3099 is one.
pub(crate) fn split_characters(run: &str) -> Vec<(usize, &str)> {
    let mut starts: Vec<usize> = Vec::new();
    for (at, c) in run.char_indices() {
        if starts.is_empty() || !(is_mark(c) || is_ignorable(c) || continues_syllable(c)) {
            starts.push(at);
        }
    }
    let ends = starts.iter().copied().skip(1).chain([run.len()]);
    starts.iter().copied().zip(ends).filter_map(|(from, to)| Some((from, run.get(from..to)?))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expect: &[&str]) {
        let found: Vec<&str> = split_chunks(text).map(|chunk| chunk.text).collect();
        assert_eq!(found, expect, "{text:?}");
        for chunk in split_chunks(text) {
            assert_eq!(text.get(chunk.from..chunk.from + chunk.text.len()), Some(chunk.text));
        }
    }

    #[test]
    fn words_keep_what_joins_them() {
        check("drift-bench, v1.0.21.", &["drift-bench", "v1.0.21"]);
        check("mail anna@example.org: 1,140 at 10:30, no", &["mail", "anna@example.org", "1,140", "at", "10:30", "no"]);
        check("C++ and C#, .NET; issue#4", &["C++", "and", "C#", ".NET", "issue", "4"]);
        check("end.\nNext - one", &["end", "Next", "one"]);
    }

    #[test]
    fn scripts_and_symbols_are_apart() {
        check("2025年4月にRustを", &["2025", "年", "4", "月に", "Rust", "を"]);
        check("ok👍🏽🇩🇪🇫🇷", &["ok", "👍🏽", "🇩🇪", "🇫🇷"]);
        assert_eq!(split_characters("か\u{3099}き").len(), 2);
    }
}
