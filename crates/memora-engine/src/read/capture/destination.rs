//! The destination of a captured note.

use memora_vault::{Note, NotePath, PropertyValue, Vault};

use super::NameFault;
use super::front_matter::CaptureFrontMatter;
use crate::read::capture::error::CaptureError;
use crate::read::capture::new_note::NewNote;
use crate::state::note_kind::{is_captured, is_review};

/// Builds the path of a note with this name in a folder.
pub(super) fn note_path_in(folder: &str, name: &str) -> Result<NotePath, CaptureError> {
    let path = if folder.is_empty() { format!("{name}.md") } else { format!("{folder}/{name}.md") };
    NotePath::new(path).map_err(|_| CaptureError::Folder(NameFault::Outside))
}

/// A path in the vault at which a captured note would be indexed.
pub(super) struct CaptureDestination<'a> {
    vault: &'a Vault,
    path: &'a NotePath,
    new: NewNote<'a>,
}

impl<'a> CaptureDestination<'a> {
    /// Checks that a note at this path would be indexed, without creating anything.
    pub(super) fn new(vault: &'a Vault, path: &'a NotePath) -> Result<Self, CaptureError> {
        Ok(Self { vault, path, new: NewNote::at_path(vault, path)? })
    }

    /// Creates the note.
    pub(super) fn write(&self, front: &CaptureFrontMatter<'_>, text: &str) -> Result<(), CaptureError> {
        let file = front.render_note(self.new.band(), text);
        if !self.is_read_as_captured(&file, front) {
            return Err(CaptureError::Misread);
        }
        Ok(self.new.create_file(&file)?)
    }

    /// Returns whether the file parses as a captured note with this author and at least this band, and not as a review.
    fn is_read_as_captured(&self, file: &str, front: &CaptureFrontMatter<'_>) -> bool {
        let (note, _) = Note::parse(self.path.clone(), file.to_owned(), self.vault.path_context(self.path));
        let by = matches!(note.property("by"), Some(PropertyValue::Text(by)) if by == front.by);
        is_captured(&note) && !is_review(&note) && by && note.band() >= front.band.join(self.new.band())
    }
}
