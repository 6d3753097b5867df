//! Detects renamed notes by their content.

use std::collections::{HashMap, HashSet};

use memora_vault::{Fingerprint, NotePath};

use crate::{Statement, StatementId};

/// The content of a note: the whole file's hash, and its statements' words without context.
///
/// Statement ids would not do: those with a borrowed subject include the title, which a rename changes.
#[derive(Clone)]
pub struct NoteContent {
    path: NotePath,
    file: Fingerprint,
    words: HashSet<StatementId>,
}

impl NoteContent {
    /// Creates it from the statements of a note.
    #[must_use]
    pub fn from_statements(path: &NotePath, file: Fingerprint, statements: &[Statement]) -> Self {
        Self::from_words(path, file, statements.iter().map(|s| s.words.as_str()))
    }

    /// Returns the path of the note.
    #[must_use]
    pub fn path(&self) -> &NotePath {
        &self.path
    }

    /// Creates it from the stored words of a note's statements.
    #[must_use]
    pub fn from_words<'a>(path: &NotePath, file: Fingerprint, words: impl Iterator<Item = &'a str>) -> Self {
        Self { path: path.clone(), file, words: words.map(|w| StatementId::from_words(w, &[])).collect() }
    }
}

/// Finds which of the `appeared` notes (new paths) each of the `vanished` ones was renamed to.
///
/// 1. The same bytes: renamed or moved, and nothing else.
/// 2. Otherwise every note with at least two and at least a tenth of its statements, the best match first:
///    renamed and edited at once, or split. The threshold is low because it only says where to look; each statement
///    must still be found there.
///
/// A note that existed before is never a target: text merged into it now belongs to another title. The result is
/// in the order of `vanished`.
#[must_use]
pub fn detect_renames(vanished: &[NoteContent], appeared: &[NoteContent]) -> Vec<(NotePath, NotePath)> {
    let by_file: HashMap<Fingerprint, &NoteContent> = appeared.iter().rev().map(|note| (note.file, note)).collect();
    let mut holders: HashMap<StatementId, Vec<usize>> = HashMap::new();
    for (index, note) in appeared.iter().enumerate() {
        for words in &note.words {
            holders.entry(*words).or_default().push(index);
        }
    }
    let mut found = Vec::new();
    for note in vanished {
        if let Some(same) = by_file.get(&note.file) {
            found.push((note.path.clone(), same.path.clone()));
            continue;
        }
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for index in note.words.iter().filter_map(|words| holders.get(words)).flatten() {
            *shared.entry(*index).or_default() += 1;
        }
        let mut targets: Vec<_> =
            shared.into_iter().filter(|(_, count)| *count >= 2 && count * 10 >= note.words.len()).collect();
        targets.sort_by_key(|(index, count)| (std::cmp::Reverse(*count), *index));
        found.extend(targets.into_iter().map(|(index, _)| (note.path.clone(), appeared[index].path.clone())));
    }
    found
}

#[cfg(test)]
mod tests {
    use memora_vault::{Note, PathContext};

    use super::*;
    use crate::split_statements;

    fn contents(path: &str, text: &str) -> NoteContent {
        let path = NotePath::new(path).expect("a good path");
        let (note, _) = Note::parse(path.clone(), text.to_owned(), PathContext::default());
        NoteContent::from_statements(&path, note.file_fingerprint(), &split_statements(&note))
    }

    fn check(vanished: &str, appeared: &[(&str, &str)], expect: Option<&str>) {
        let appeared: Vec<_> = appeared.iter().map(|(path, text)| contents(path, text)).collect();
        let found = detect_renames(&[contents("old.md", vanished)], &appeared);
        assert_eq!(found.first().map(|(_, to)| to.as_str()), expect);
    }

    #[test]
    fn the_same_bytes_or_most_of_the_words() {
        let text = "Anna lives in Kiel now.\n\nThe boat is blue.\n\nRent went up.\n";
        check(text, &[("a.md", "Else."), ("b.md", text)], Some("b.md"));
        check(
            text,
            &[("a.md", "Anna lives in Kiel now.\n\nThe boat is blue.\n\nMore.\n"), ("b.md", "Rent went up.")],
            Some("a.md"),
        );
        check(text, &[("a.md", "Rent went up.\n\nElse.\n")], None);
        let split = detect_renames(
            &[contents("old.md", &format!("{text}\nTea is cold.\n"))],
            &[contents("a.md", "Rent went up.\n\nTea is cold.\n"), contents("b.md", text)],
        );
        assert_eq!(split.iter().map(|(_, to)| to.as_str()).collect::<Vec<_>>(), ["b.md", "a.md"]);
        check(text, &[], None);
    }
}
