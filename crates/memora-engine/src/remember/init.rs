//! Sets the memory folder up.

use super::folder::FolderLock;
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryGate;

/// What `MEMORY.md` says at first. It is the user's from then on.
pub(super) const MEMORY_MD: &str =
    "# Memory\n\nWhat every assistant should know about you and your work. Only you write here.\n";
/// A table of all items.
const MEMORY_BASE: &str = "filters:\n  and:\n    - memora == \"memory\"\nviews:\n  - type: table\n    name: Memories\n    order:\n      - file.name\n      - kind\n      - origin\n      - by\n      - created\n      - tags\n";

impl MemoryGate<'_> {
    /// Makes `MEMORY.md` and `Memory.base`, where they are missing. Returns the paths made.
    pub fn init_folder(&self) -> Result<Vec<String>, MemoryError> {
        let lock = self.folder.lock()?;
        let mut made = Vec::new();
        let path = self.folder.note_path("MEMORY")?;
        if self.folder.create_file(&path, MEMORY_MD, &lock)? {
            made.push(path.as_str().to_owned());
        }
        made.extend(self.make_base(&lock)?);
        Ok(made)
    }

    fn make_base(&self, _lock: &FolderLock) -> Result<Option<String>, MemoryError> {
        let name = format!("{}/Memory.base", self.folder.name());
        let path = self.session.memora.vault.root().join(&name);
        match std::fs::File::create_new(path) {
            Ok(mut file) => {
                std::io::Write::write_all(&mut file, MEMORY_BASE.as_bytes())?;
                file.sync_all()?;
                Ok(Some(name))
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}
