//! Passages: text of a note that is not a claim yet, sorted for a door like claims are.

use std::fmt;
use std::marker::PhantomData;

use memora_claim::{ParsedNote, TextBlock};
use memora_vault::{Band, Note};

use crate::Door;

/// A passage sorted for the door `D`.
#[derive(Debug)]
pub enum ExcerptAccess<'n, D: Door> {
    /// It may pass.
    Clear(ClearExcerpt<'n, D>),
    /// It may not.
    Secret(SecretExcerpt<D>),
}

/// Sorts the passages of a note that was just read: each holds the statements of one paragraph, list item or table row, in
/// order, by the strictest band of any of them.
#[must_use]
pub fn authorize_excerpts<'n, D: Door>(fresh: &'n ParsedNote, door: &D) -> Vec<ExcerptAccess<'n, D>> {
    let sorted = fresh.text_blocks().into_iter().map(|passage| {
        let band = passage.band();
        if !door.may_show(band) {
            return ExcerptAccess::Secret(SecretExcerpt { door: PhantomData });
        }
        ExcerptAccess::Clear(ClearExcerpt { passage, words: passage.words(), band, door: PhantomData })
    });
    sorted.collect()
}

/// A passage that may pass the door `D`: of a note that was just read, and of a band that the door shows.
///
/// The only maker is [`sort_excerpts`].
pub struct ClearExcerpt<'n, D: Door> {
    passage: TextBlock<'n>,
    words: String,
    band: Band,
    door: PhantomData<D>,
}

impl<'n, D: Door> ClearExcerpt<'n, D> {
    /// The note.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.passage.note()
    }

    /// The passage, as it stands in the note.
    #[must_use]
    pub fn passage(&self) -> TextBlock<'n> {
        self.passage
    }

    /// Its words, without markup.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The headings above it, outermost first.
    #[must_use]
    pub fn headings(&self) -> &'n [String] {
        self.passage.statements().first().map_or(&[], |statement| &statement.headings)
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
    use memora_vault::{NotePath, PathContext};

    use super::*;
    use crate::{CloudDoor, LocalDoor, Prompt};

    #[test]
    fn one_guarded_statement_guards_its_passage() {
        let text = "# Work\n\nAnna moved to Kiel. <!--privacy:secret-->She earns 90k.<!--/privacy-->\n\nShe likes rye bread.\n";
        let path = NotePath::new("Anna.md").expect("a good path");
        let fresh = ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0);
        let count = |sorted: &[bool]| (sorted.len(), sorted.iter().filter(|clear| **clear).count());
        let cloud: Vec<bool> = authorize_excerpts(&fresh, &CloudDoor::default())
            .iter()
            .map(|excerpt| matches!(excerpt, ExcerptAccess::Clear(_)))
            .collect();
        assert_eq!(count(&cloud), (2, 1));
        let local = authorize_excerpts(&fresh, &LocalDoor);
        let ExcerptAccess::Clear(first) = &local[0] else { panic!("a local door shows everything") };
        assert_eq!(first.words(), "Anna moved to Kiel. She earns 90k.");
        let prompt = Prompt::extract(first);
        assert_eq!(prompt.band(), Band::Secret);
        assert!(prompt.user().contains(r#""says": "Anna moved to Kiel. She earns 90k.", "in": "Anna › Work""#));
    }
}
