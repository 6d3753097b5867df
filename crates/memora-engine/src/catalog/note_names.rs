//! Notes that a filter names by less than their path.

use memora_redact::Viewer;
use memora_store::{NoteFilter, ReadError};
use memora_vault::NotePath;

use super::ClaimCatalog;

impl ClaimCatalog<'_> {
    /// Returns the visible notes that a name may mean: the one at this path alone, else all whose name, or end of their path, it
    /// is. Neither `.md` nor the case of letters matters.
    ///
    /// # Errors
    /// [`ReadError`].
    pub fn find_notes_named(&self, name: &str) -> Result<Vec<NotePath>, ReadError> {
        let wanted = shorten_name(name);
        let mut found = Vec::new();
        for path in self.session.snapshot.notes_matching(&NoteFilter::default())? {
            let named = shorten_name(path.as_str());
            let is_meant = named.strip_suffix(&wanted).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
            if !is_meant
                || !self.session.snapshot.note(&path)?.is_some_and(|note| self.session.door.may_show(note.band))
            {
                continue;
            }
            if path.as_str() == name {
                return Ok(vec![path]);
            }
            found.push(path);
        }
        Ok(found)
    }
}

/// A path or name in small letters and without `.md`.
fn shorten_name(name: &str) -> String {
    let name = name.to_lowercase();
    name.strip_suffix(".md").map(str::to_owned).unwrap_or(name)
}
