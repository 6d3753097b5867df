//! Passages: text of a note that is not a claim yet, authorized for a door in the same way as claims.

use std::fmt;
use std::marker::PhantomData;

use memora_claim::{ParsedNote, Statement, TextBlock};
use memora_vault::{Band, Note};

use crate::outline::heading_path;
use crate::{DoorView, Viewer};

/// The result of authorizing a passage for the viewer `D`.
#[derive(Debug)]
pub enum ExcerptAccess<'n, D: Viewer = DoorView> {
    /// The passage may pass.
    Clear(ClearExcerpt<'n, D>),
    /// The passage may not pass.
    Secret(SecretExcerpt<D>),
}

/// Authorizes the passages of a freshly read note. Each holds the statements of one paragraph, list item or table
/// row, in order, and has the strictest band of any of them.
#[must_use]
pub fn authorize_excerpts<'n, D: Viewer>(fresh: &'n ParsedNote, door: &D) -> Vec<ExcerptAccess<'n, D>> {
    let sorted = fresh.text_blocks().into_iter().map(|passage| {
        let band = passage.band();
        if !door.may_show(band) {
            return ExcerptAccess::Secret(SecretExcerpt { door: PhantomData });
        }
        let start = passage.statements().first().map_or(0, |statement| statement.span.start());
        let countable = door.may_show(fresh.note().band_of_range(0..start));
        ExcerptAccess::Clear(ClearExcerpt { passage, words: passage.words(), band, countable, door: door.clone() })
    });
    sorted.collect()
}

/// A passage that the viewer `D` may see: the note was just read, and the passage is of a band that it is shown.
///
/// The only constructor is [`authorize_excerpts`].
pub struct ClearExcerpt<'n, D: Viewer = DoorView> {
    passage: TextBlock<'n>,
    words: String,
    band: Band,
    /// Whether the viewer may see everything before it in the note, and so on which line it stands.
    countable: bool,
    pub(crate) door: D,
}

impl<'n, D: Viewer> ClearExcerpt<'n, D> {
    /// Returns the note.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.passage.note()
    }

    /// Returns the passage as it is in the note.
    #[must_use]
    pub fn passage(&self) -> TextBlock<'n> {
        self.passage
    }

    /// Returns its text without markup.
    #[must_use]
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns the headings above it, outermost first.
    #[must_use]
    pub fn headings(&self) -> &'n [String] {
        self.passage.statements().first().map_or(&[], |statement| &statement.headings)
    }

    /// Returns what it is to be read under, outermost first: the note's title and the headings above it.
    #[must_use]
    pub fn context(&self) -> Vec<&'n str> {
        heading_path(self.passage.note().title(), self.headings())
    }

    /// Returns the line of a statement's first byte, from 1; `None` where guarded text stands before the passage in the note.
    #[must_use]
    pub fn line_of(&self, statement: &Statement) -> Option<usize> {
        self.countable.then(|| self.passage.note().line_column(statement.span.start()).line)
    }

    /// Returns the strictest band of its statements and of their context.
    #[must_use]
    pub fn band(&self) -> Band {
        self.band
    }
}

/// A passage that the viewer `D` may not see: only its existence is kept.
pub struct SecretExcerpt<D: Viewer = DoorView> {
    door: PhantomData<D>,
}

impl<D: Viewer> fmt::Debug for ClearExcerpt<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClearExcerpt({} bytes, {})", self.words.len(), self.band)
    }
}

impl<D: Viewer> fmt::Debug for SecretExcerpt<D> {
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
