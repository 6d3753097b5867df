//! The names of new files.
//!
//! Invariant: **no word of what is guarded is in the name of its file**: a name is shown by every listing of a folder, by what
//! synchronises the vault, and by git. Such a file is named by its id, which is random. The whole id: four letters of it may
//! meet in two folders, and `supersedes` and `from` are links by name.

use memora_memory::{Document, MemoryId, item_name, name_words};
use memora_vault::{Band, NotePath};

use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryGate;

/// The name of a new file.
pub(crate) struct NewName {
    pub(super) path: NotePath,
    /// How guarded the file has to say that it is: the words of a name may guard it by a rule, and are not in the path.
    pub(super) privacy: Band,
    /// Whether all of the file is guarded.
    is_guarded: bool,
}

impl MemoryGate<'_> {
    /// The name of a new file in a folder: by some words, or by its id if any of it is guarded.
    pub(crate) fn name_file(
        &self,
        folder: &str,
        words: &str,
        id: &MemoryId,
        document: &Document,
    ) -> Result<NewName, MemoryError> {
        let read = |path: &NotePath| self.folder.parse(path, document).0;
        let worded = self.folder.note_path(&format!("{folder}/{}", item_name(words, id)))?;
        let note = read(&worded);
        let band = note.band();
        if band.join(note.band_of_range(0..note.text().len())) == Band::Public {
            return Ok(NewName { path: worded, privacy: Band::Public, is_guarded: false });
        }
        let path = self.folder.note_path(&format!("{folder}/{id}"))?;
        let privacy = if read(&path).band() < band { band } else { Band::Public };
        Ok(NewName { path, privacy, is_guarded: band != Band::Public })
    }

    /// The name of a new reference note. One that is named by its id has the words as an alias.
    pub(crate) fn name_note(
        &self,
        folder: &str,
        words: &str,
        id: &MemoryId,
        document: &mut Document,
    ) -> Result<NotePath, MemoryError> {
        let name = self.name_file(folder, words, id, document)?;
        document.set_privacy(name.privacy);
        if name.is_guarded {
            set_alias(document, words);
        }
        Ok(name.path)
    }
}

/// Sets what a note is called whose name is its id.
pub(super) fn set_alias(document: &mut Document, words: &str) {
    let alias = name_words(words);
    if !alias.is_empty() {
        document.set_list("aliases", &[alias]);
    }
}

/// Whether a file is named by its id.
pub(super) fn is_named_by_id(path: &NotePath) -> bool {
    MemoryId::parse(path.stem()).is_some()
}

/// The title of a file: its name, or the one that it would have if nothing of it were guarded. Only for doors that see all of it.
pub(super) fn title_of(path: &NotePath, document: &Document) -> String {
    let Some(id) = MemoryId::parse(path.stem()) else { return path.stem().to_owned() };
    let alias = document.list("aliases").into_iter().next();
    item_name(alias.as_deref().unwrap_or(&document.body), &id)
}
