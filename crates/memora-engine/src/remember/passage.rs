//! What search names besides items: entries of logs, notes of sessions and of reference, files of tasks.

use std::marker::PhantomData;

use memora_memory::{Log, MemoryId};
use memora_vault::NotePath;

use super::naming::title_of;
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryReader;
use crate::report::MemoryPassage;

/// The name by which search shows something: an id, or the path of a file of memory that has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MemoryName {
    /// The id of an item, an entry or a note.
    Id(MemoryId),
    /// A path, relative to the vault.
    Path(NotePath),
}

impl MemoryName {
    /// Reads a name; `None` for what names nothing of memory.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim().trim_matches(['[', ']']);
        let path = || NotePath::new(text).ok().filter(|path| path.as_str().ends_with(".md"));
        MemoryId::parse(text).map(Self::Id).or_else(|| path().map(Self::Path))
    }

    /// Returns it as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Id(id) => id.as_str(),
            Self::Path(path) => path.as_str(),
        }
    }
}

impl MemoryReader<'_> {
    /// What a name is of, if that is no item and this door may see it.
    pub(crate) fn find_passage(&self, name: &MemoryName) -> Result<Option<MemoryPassage>, MemoryError> {
        match name {
            MemoryName::Path(path) => Ok(self.read_file_passage(path)),
            MemoryName::Id(id) => {
                let note = |path: &NotePath| self.read_file_passage(path).filter(|found| found.id == id.as_str());
                match self.find_by_id(id, note)? {
                    Some(found) => Ok(Some(found)),
                    None => self.find_entry(id),
                }
            }
        }
    }

    /// A file of the memory folder as a whole.
    fn read_file_passage(&self, path: &NotePath) -> Option<MemoryPassage> {
        self.inside(path).filter(|_| path.as_str().starts_with(&format!("{}/", self.folder.name())))?;
        let (document, band, _) = self.read_document(path)?;
        Some(MemoryPassage {
            id: document.text("id").unwrap_or_else(|| path.as_str().to_owned()),
            path: path.as_str().to_owned(),
            title: title_of(path, &document),
            text: document.body.trim_end().to_owned(),
            next_offset: None,
            by: document.text("by").unwrap_or_default(),
            created: document.text("created").unwrap_or_default(),
            band,
            door: PhantomData,
        })
    }

    /// The entry of an id, in whichever log it stands.
    fn find_entry(&self, id: &MemoryId) -> Result<Option<MemoryPassage>, MemoryError> {
        let marked = format!(" ^{id}");
        for path in self.folder.list("").iter().rev().filter(|path| path.folder().ends_with("/episodic")) {
            // Most logs need not be parsed.
            if self.folder.read(path)?.is_none_or(|text| !text.contains(&marked)) {
                continue;
            }
            let Some((document, band, _)) = self.read_document(path) else { continue };
            let day = document.text("created").unwrap_or_default();
            let entries = Log::from_document(document).map(|log| log.entries()).unwrap_or_default();
            if let Some(entry) = entries.into_iter().find(|entry| entry.id == *id) {
                return Ok(Some(MemoryPassage {
                    by: entry.by().to_owned(),
                    id: entry.id.to_string(),
                    path: path.as_str().to_owned(),
                    title: entry.title,
                    text: entry.text,
                    next_offset: None,
                    created: day,
                    band,
                    door: PhantomData,
                }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_an_id_or_a_path() {
        for (text, is_name) in [
            ("mem-7h3kq0v9x2ma", true),
            ("[mem-7h3kq0v9x2ma]", true),
            ("Memora/shared/SCRATCHPAD.md", true),
            ("mem-7h3k", false),
            ("../drift", false),
            ("../drift.md", false),
            ("/etc/passwd", false),
            ("", false),
        ] {
            assert_eq!(MemoryName::parse(text).is_some(), is_name, "{text}");
        }
    }
}
