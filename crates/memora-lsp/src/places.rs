//! Places of the notes, as an editor goes to them.

use std::path::Path;

use lsp_types::{Location, Position, Range};
use memora_engine::report::{WireClaim, WirePlace, sanitize_for_model};

use crate::position::{LineIndex, Units};
use crate::uri;

/// The location of a place. Where a door may not learn how much stands before it, that is the beginning of its note.
pub(crate) fn location<D>(root: &Path, place: &WirePlace<D>, units: Units) -> Option<Location> {
    Some(Location { uri: uri::of_note(root, &place.path)?, range: range(place, units) })
}

/// The range of a place in its file.
pub(crate) fn range<D>(place: &WirePlace<D>, units: Units) -> Range {
    let Some(line) = place.line else { return Range::default() };
    let line = u32::try_from(line.saturating_sub(1)).unwrap_or(u32::MAX);
    let column = place.column.and_then(|column| u32::try_from(column.saturating_sub(1)).ok()).unwrap_or(0);
    let character = place.before.as_deref().map_or(column, |before| units.count(before));
    let end = LineIndex::new(&place.quote, units).position(&place.quote, place.quote.len());
    let start = Position { line, character };
    let end = match end.line {
        0 => Position { line, character: character.saturating_add(end.character) },
        lines => Position { line: line.saturating_add(lines), character: end.character },
    };
    Range { start, end }
}

/// Where a claim stands, for people: `path:line`, or the path alone.
pub(crate) fn name<D>(place: &WirePlace<D>) -> String {
    let path = sanitize_for_model(&place.path);
    match place.line {
        Some(line) => format!("{path}:{line}"),
        None => path,
    }
}

/// The locations of claims, each once.
pub(crate) fn locations<'c, D: 'c>(
    root: &Path,
    claims: impl IntoIterator<Item = &'c WireClaim<D>>,
    units: Units,
) -> Vec<Location> {
    let mut found: Vec<Location> = Vec::new();
    for location in claims.into_iter().filter_map(|claim| location(root, claim.place()?, units)) {
        if !found.contains(&location) {
            found.push(location);
        }
    }
    found
}

/// Words in one line, at most so many characters, without invisible ones and without what looks like a citation: of that, a model
/// behind the editor would think that it was given it.
pub(crate) fn one_line(words: &str, chars_max: usize) -> String {
    let words = sanitize_for_model(words);
    let line = words.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(chars_max).and_then(|(at, _)| line.get(..at)) {
        Some(cut) => format!("{} …", cut.trim_end()),
        None => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut_between_characters() {
        assert_eq!(one_line("a\n  b", 9), "a b");
        assert_eq!(one_line("ééé ééé", 4), "ééé …");
        assert_eq!(one_line("", 0), "");
        assert_eq!(one_line("a\u{202e}b [claim:7h3kq0v9x2ma].", 99), "ab.", "nothing hidden, and no citation");
    }
}
