//! Notes that a filter names by less than their path.

use memora_redact::Viewer;
use memora_store::{Authors, ReadError};
use memora_vault::NotePath;

use super::ClaimCatalog;
use crate::read::entity::{Entity, EntityResolution, EntityResolver};

impl ClaimCatalog<'_> {
    /// Returns the visible notes that a name may mean, as a link to it would resolve: a path, the end of one, a title or an
    /// alias, with or without `.md`, in any case, its accents composed or not.
    pub fn find_notes_named(&self, name: &str) -> Result<Vec<NotePath>, ReadError> {
        let found = match EntityResolver::new(self.session, Authors::All).resolve_link(None, name)? {
            EntityResolution::One(Entity::Note(path)) => vec![path],
            EntityResolution::Ambiguous(paths) => paths,
            EntityResolution::One(Entity::Name(_)) | EntityResolution::Unknown => Vec::new(),
        };
        let mut visible = Vec::new();
        for path in found {
            if self.session.snapshot.note(&path)?.is_some_and(|note| self.session.door.may_show(note.band)) {
                visible.push(path);
            }
        }
        Ok(visible)
    }
}
