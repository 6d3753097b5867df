//! Passages: text of a note that is not a claim yet, sorted for a door like claims are.

use std::fmt;
use std::marker::PhantomData;

use memora_claim::{FreshNote, Statement};
use memora_vault::{Band, Note};

use crate::Door;

/// A passage sorted for the door `D`.
#[derive(Debug)]
pub enum SortedExcerpt<'n, D: Door> {
    /// It may pass.
    Clear(ClearExcerpt<'n, D>),
    /// It may not.
    Secret(SecretExcerpt<D>),
}

/// Sorts the passages of a note that was just read: each holds the statements of one paragraph, list item or table row, in
/// order, by the strictest band of any of them.
#[must_use]
pub fn sort_excerpts<'n, D: Door>(fresh: &'n FreshNote, door: &D) -> Vec<SortedExcerpt<'n, D>> {
    let note = fresh.note();
    let in_text = |statement: &&Statement| !statement.plain.is_empty();
    let statements: Vec<&Statement> = fresh.statements().iter().filter(in_text).collect();
    let passages = statements.chunk_by(|a, b| a.part == b.part);
    let sorted = passages.filter_map(|passage| {
        let (first, last) = (passage.first()?, passage.last()?);
        let all = first.span.start()..last.span.end();
        let band = passage.iter().fold(note.band().join(note.band_of(all)), |band, s| band.join(s.band));
        if !door.shows(band) {
            return Some(SortedExcerpt::Secret(SecretExcerpt { door: PhantomData }));
        }
        let words = passage.iter().map(|s| s.words.as_str()).collect::<Vec<_>>().join(" ");
        let excerpt = ClearExcerpt { note, statements: passage.to_vec(), words, band, door: PhantomData };
        Some(SortedExcerpt::Clear(excerpt))
    });
    sorted.collect()
}

/// A passage that may pass the door `D`: of a note that was just read, and of a band that the door shows.
///
/// The only maker is [`sort_excerpts`].
pub struct ClearExcerpt<'n, D: Door> {
    note: &'n Note,
    statements: Vec<&'n Statement>,
    words: String,
    band: Band,
    door: PhantomData<D>,
}

impl<'n, D: Door> ClearExcerpt<'n, D> {
    /// The note.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.note
    }

    /// Its statements, in order.
    #[must_use]
    pub fn statements(&self) -> &[&'n Statement] {
        &self.statements
    }

    /// Its words, without markup.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The headings above it, outermost first.
    #[must_use]
    pub fn headings(&self) -> &'n [String] {
        self.statements.first().map_or(&[], |statement| &statement.headings)
    }

    /// The strictest band of all that is in it and of what it stands in.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }
}

/// A passage that may not pass the door `D`: nothing is left of it but that it is there.
pub struct SecretExcerpt<D: Door> {
    door: PhantomData<D>,
}

impl<D: Door> fmt::Debug for ClearExcerpt<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClearExcerpt({} bytes, {})", self.words.len(), self.band)
    }
}

impl<D: Door> fmt::Debug for SecretExcerpt<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretExcerpt(…)")
    }
}

#[cfg(test)]
mod tests {
    use memora_vault::{NotePath, Place};

    use super::*;
    use crate::{CloudDoor, LocalDoor, Prompt};

    #[test]
    fn one_guarded_statement_guards_its_passage() {
        let text = "# Work\n\nAnna moved to Kiel. <!--privacy:secret-->She earns 90k.<!--/privacy-->\n\nShe likes rye bread.\n";
        let path = NotePath::new("Anna.md").expect("a good path");
        let fresh = FreshNote::new(Note::parse(path, text.to_owned(), Place::default()).0);
        let count = |sorted: &[bool]| (sorted.len(), sorted.iter().filter(|clear| **clear).count());
        let cloud: Vec<bool> = sort_excerpts(&fresh, &CloudDoor::default())
            .iter()
            .map(|excerpt| matches!(excerpt, SortedExcerpt::Clear(_)))
            .collect();
        assert_eq!(count(&cloud), (2, 1));
        let local = sort_excerpts(&fresh, &LocalDoor);
        let SortedExcerpt::Clear(first) = &local[0] else { panic!("a local door shows everything") };
        assert_eq!(first.words(), "Anna moved to Kiel. She earns 90k.");
        let prompt = Prompt::extract(first);
        assert_eq!(prompt.band(), Band::Secret);
        assert!(prompt.user().contains(r#""says": "Anna moved to Kiel. She earns 90k.", "in": "Anna › Work""#));
    }
}
