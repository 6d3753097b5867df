//! A whole note, authorized for a door: for reading rather than querying.

use std::fmt;

use memora_claim::{ParsedNote, StatementId};
use memora_vault::{Band, Note};

use crate::envelope::sanitize_for_model;
use crate::{Door, DoorView, ExcerptAccess, Viewer, authorize_excerpts};

/// A note as the viewer `D` may see it: the parts of a freshly read note whose band it is shown.
///
/// The only constructors are [`authorize_page`] and, from the view to the door, [`ClearPage::for_door`].
pub struct ClearPage<'n, D: Viewer = DoorView> {
    note: &'n Note,
    text: String,
    is_whole: bool,
    pieces: Vec<(StatementId, Band)>,
    door: D,
}

impl<'n> ClearPage<'n> {
    /// Types it for a door; `None` if it was authorized for another view than that door has.
    #[must_use]
    pub fn for_door<D: Door>(self, door: &D) -> Option<ClearPage<'n, D>> {
        let Self { note, text, is_whole, pieces, door: view } = self;
        (view == door.view()).then(|| ClearPage { note, text, is_whole, pieces, door: door.clone() })
    }
}

/// Authorizes a freshly read note; returns `None` if the door, or the view of it, may not see it at all.
///
/// A note of which nothing is withheld from the door is returned unchanged. Any other is reduced to its clear passages,
/// each in a paragraph under its headings: properties, code and markup are dropped, and omissions are not marked.
#[must_use]
pub fn authorize_page<'n, D: Viewer>(fresh: &'n ParsedNote, door: &D) -> Option<ClearPage<'n, D>> {
    let note = fresh.note();
    if !door.may_show(note.band()) {
        return None;
    }
    let page = |text: &str, is_whole, pieces| ClearPage {
        note,
        text: sanitize_for_model(text),
        is_whole,
        pieces,
        door: door.clone(),
    };
    if is_wholly_shown(note, door) {
        let pieces = fresh.statements().iter().map(|statement| (statement.id, statement.band)).collect();
        return Some(page(note.text(), true, pieces));
    }
    let (mut text, mut pieces, mut under) = (String::new(), Vec::new(), [].as_slice());
    for excerpt in authorize_excerpts(fresh, door) {
        let ExcerptAccess::Clear(excerpt) = excerpt else { continue };
        if excerpt.headings() != under {
            under = excerpt.headings();
            text.push_str(&format!("{} {}\n\n", "#".repeat(under.len().clamp(1, 6)), under.join(" › ")));
        }
        text.push_str(excerpt.words());
        text.push_str("\n\n");
        let statements = excerpt.passage().statements().iter();
        pieces.extend(statements.map(|statement| (statement.id, excerpt.band())));
    }
    Some(page(text.trim_end(), false, pieces))
}

/// Whether nothing of a note is withheld.
fn is_wholly_shown<D: Viewer>(note: &Note, door: &D) -> bool {
    door.may_show(note.band()) && note.band_decisions().iter().all(|guard| door.may_show(guard.band))
}

/// A note byte for byte, for a viewer from whom nothing of it is withheld: for whoever compares it with the file.
///
/// The only constructors are [`authorize_source`] and, from the view to the door, [`ClearSource::for_door`].
pub struct ClearSource<'n, D: Viewer = DoorView> {
    fresh: &'n ParsedNote,
    door: D,
}

/// Authorizes the bytes of a freshly read note; returns `None` if anything in it is withheld from the door, or the view of it.
#[must_use]
pub fn authorize_source<'n, D: Viewer>(fresh: &'n ParsedNote, door: &D) -> Option<ClearSource<'n, D>> {
    is_wholly_shown(fresh.note(), door).then(|| ClearSource { fresh, door: door.clone() })
}

impl<'n> ClearSource<'n> {
    /// Types it for a door; `None` if it was authorized for another view than that door has.
    #[must_use]
    pub fn for_door<D: Door>(self, door: &D) -> Option<ClearSource<'n, D>> {
        (self.door == door.view()).then(|| ClearSource { fresh: self.fresh, door: door.clone() })
    }
}

impl<'n, D: Viewer> ClearSource<'n, D> {
    /// Returns the note with its statements.
    #[must_use]
    pub fn fresh(&self) -> &'n ParsedNote {
        self.fresh
    }

    /// Returns its bytes, as they stand in the file.
    #[must_use]
    pub fn text(&self) -> &'n str {
        self.fresh.note().text()
    }
}

impl<D: Viewer> fmt::Debug for ClearSource<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClearSource({} bytes)", self.text().len())
    }
}

impl<'n, D: Viewer> ClearPage<'n, D> {
    /// Returns the note.
    #[must_use]
    pub fn note(&self) -> &'n Note {
        self.note
    }

    /// Returns its text, without invisible characters and without look-alikes of citations.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is the whole note, unchanged.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// Returns the statements in it, with their bands.
    #[must_use]
    pub fn statement_bands(&self) -> &[(StatementId, Band)] {
        &self.pieces
    }
}

impl<D: Viewer> fmt::Debug for ClearPage<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClearPage({} bytes, {} statements)", self.text.len(), self.pieces.len())
    }
}

#[cfg(test)]
mod tests {
    use memora_vault::{NotePath, PathContext};

    use super::*;
    use crate::{CloudDoor, LocalDoor};

    fn check<D: Door>(text: &str, door: &D, expected: Option<&str>) {
        let path = NotePath::new("Anna.md").expect("a good path");
        let fresh = ParsedNote::new(Note::parse(path, text.to_owned(), PathContext::default()).0);
        let page = authorize_page(&fresh, door);
        assert_eq!(page.as_ref().map(ClearPage::text), expected, "{text}");
    }

    const PARTLY: &str = "---\nrole: engineer\n---\n# Work\n\nAnna moved to **Kiel**. <!--privacy:secret-->She earns 90k.\
        <!--/privacy-->\n\nAnna likes rye bread.\n\n## Pay <!--privacy:secret-->90k<!--/privacy-->\n\nMore than Ben.\n";

    #[test]
    fn a_note_with_nothing_withheld_is_shown_as_it_stands() {
        let text = "---\nrole: engineer\n---\n# Work\n\nAnna moved to **Kiel**.\n\n```\nlet x = 1;\n```\n";
        check(text, &CloudDoor::default(), Some(text));
        check(PARTLY, &LocalDoor, Some(PARTLY));
    }

    #[test]
    fn of_a_note_with_something_withheld_the_clear_passages_are_left() {
        check(PARTLY, &CloudDoor::default(), Some("# Work\n\nAnna likes rye bread."));
    }

    #[test]
    fn a_guarded_note_has_no_page_at_a_cloud_door() {
        let text = "---\nprivacy: secret\n---\nAnna earns 90k.\n";
        check(text, &CloudDoor::default(), None);
        check(text, &LocalDoor, Some(text));
    }

    #[test]
    fn the_bytes_of_a_note_are_for_a_door_from_which_nothing_is_withheld() {
        let path = || NotePath::new("Anna.md").expect("a good path");
        let odd = "\u{feff}Anna \u{202e}works [claim:0123456789ab]\r\n";
        let fresh = ParsedNote::new(Note::parse(path(), odd.to_owned(), PathContext::default()).0);
        let source = authorize_source(&fresh, &CloudDoor::default()).expect("nothing is guarded");
        assert_eq!(source.text(), odd, "byte for byte");
        let fresh = ParsedNote::new(Note::parse(path(), PARTLY.to_owned(), PathContext::default()).0);
        assert!(authorize_source(&fresh, &CloudDoor::default()).is_none());
        let local = authorize_source(&fresh, &LocalDoor.view()).expect("a local view shows everything");
        assert!(local.for_door(&CloudDoor::default()).is_none(), "it was authorized for another view");
    }

    #[test]
    fn what_nobody_sees_and_what_could_pass_for_a_citation_is_left_out() {
        let text = "Anna \u{202e}works [claim:0123456789ab] at \u{200b}Tidewell.\n";
        check(text, &CloudDoor::default(), Some("Anna works  at Tidewell.\n"));
    }
}
