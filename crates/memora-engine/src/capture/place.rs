//! Where a captured note comes to lie.

use memora_vault::{Note, NotePath, PropertyValue, Vault};

use super::front::Front;
use super::{CaptureError, NameFault};
use crate::new_note::NewNote;
use crate::prepare::{is_captured, is_review};

/// The path of a note with this name in a folder.
pub(super) fn path(folder: &str, name: &str) -> Result<NotePath, CaptureError> {
    let path = if folder.is_empty() { format!("{name}.md") } else { format!("{folder}/{name}.md") };
    NotePath::new(path).map_err(|_| CaptureError::Folder(NameFault::Outside))
}

/// A place in the vault where a captured note would be read.
pub(super) struct Place<'a> {
    vault: &'a Vault,
    path: &'a NotePath,
    new: NewNote<'a>,
}

impl<'a> Place<'a> {
    /// Looks whether a note there would be read, and makes nothing.
    pub(super) fn new(vault: &'a Vault, path: &'a NotePath) -> Result<Self, CaptureError> {
        Ok(Self { vault, path, new: NewNote::at(vault, path)? })
    }

    /// Writes a note that is not there.
    pub(super) fn write(&self, front: &Front<'_>, text: &str) -> Result<(), CaptureError> {
        let file = front.note(self.new.band(), text);
        if !self.reads(&file, front) {
            return Err(CaptureError::Misread);
        }
        Ok(self.new.put(&file)?)
    }

    /// Whether a note is read as what it is: captured, by whom, as guarded as it should be, and no review.
    fn reads(&self, file: &str, front: &Front<'_>) -> bool {
        let (note, _) = Note::parse(self.path.clone(), file.to_owned(), self.vault.place(self.path));
        let by = matches!(note.property("by"), Some(PropertyValue::Text(by)) if by == front.by);
        is_captured(&note) && !is_review(&note) && by && note.band() >= front.band.join(self.new.band())
    }
}
