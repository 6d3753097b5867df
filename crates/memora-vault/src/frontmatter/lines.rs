//! The lines of a block of properties, with their offsets.

use std::ops::Range;

/// One `key:` at the left margin, with the lines that belong to it.
pub(crate) struct YamlEntry<'a> {
    pub(crate) key: &'a str,
    /// What stands behind the colon on the key's own line.
    pub(crate) inline: &'a str,
    pub(crate) range: Range<usize>,
}

/// Lines with their offsets, line ends included: a line feed, or a carriage return, as editors see it.
pub(crate) fn lines_with_offsets(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    std::iter::from_fn(move || {
        let rest = text.get(at..).filter(|rest| !rest.is_empty())?;
        let end = memchr::memchr2(b'\r', b'\n', rest.as_bytes()).map_or(rest.len(), |end| {
            let end = end + 1;
            if rest.get(end - 1..).is_some_and(|behind| behind.starts_with("\r\n")) { end + 1 } else { end }
        });
        let (here, line) = (at, rest.get(..end)?);
        at += end;
        Some((here, line))
    })
}

/// Splits a block into entries; also returns whether every line belongs to one, since a stray line may say anything.
pub(crate) fn parse_entries(text: &str, block: Range<usize>) -> (Vec<YamlEntry<'_>>, bool) {
    let mut out: Vec<YamlEntry<'_>> = Vec::new();
    let mut owned = true;
    for (at, line) in lines_with_offsets(text, block.start).take_while(|(at, _)| *at < block.end) {
        let bare = line.trim_end();
        if bare.is_empty() {
            continue;
        }
        let continues = line.starts_with([' ', '\t', '-', '#', ']', '}']);
        match (continues, split_key(bare)) {
            (false, Some((key, inline))) => out.push(YamlEntry { key, inline, range: at..at + bare.len() }),
            _ if line.starts_with('#') => {}
            _ => {
                if let Some(last) = out.last_mut() {
                    last.range.end = at + bare.len();
                } else {
                    owned = false;
                }
            }
        }
    }
    (out, owned)
}

/// Splits `key: value`; the key may be quoted.
fn split_key(line: &str) -> Option<(&str, &str)> {
    let at = line
        .match_indices(':')
        .map(|(at, _)| at)
        .find(|at| line.get(at + 1..).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t'])))?;
    let key = line.get(..at)?.trim();
    let key = key.strip_prefix('"').and_then(|k| k.strip_suffix('"')).unwrap_or(key);
    let key = key.strip_prefix('\'').and_then(|k| k.strip_suffix('\'')).unwrap_or(key);
    (!key.is_empty()).then(|| (key, line.get(at + 1..).unwrap_or_default().trim()))
}
