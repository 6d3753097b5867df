//! Where a captured note comes to lie, and how it gets there: whole, and over nothing.

use std::fs::{self, File};
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use memora_vault::{Band, Note, NotePath, PropertyValue, Vault};

use super::front::Front;
use super::{CaptureError, NameFault};
use crate::prepare::{is_captured, is_review};

/// The path of a note with this name in a folder.
pub(super) fn path(folder: &str, name: &str) -> Result<NotePath, CaptureError> {
    let path = if folder.is_empty() { format!("{name}.md") } else { format!("{folder}/{name}.md") };
    NotePath::new(path).map_err(|_| CaptureError::Folder(NameFault::Outside))
}

/// A place in the vault where a note would be read.
pub(super) struct Place<'a> {
    path: &'a NotePath,
}

impl<'a> Place<'a> {
    /// Looks whether a note there would be read, as far as its name tells.
    pub(super) fn new(vault: &Vault, path: &'a NotePath) -> Result<Self, CaptureError> {
        match vault.excluded(path) {
            Some(reason) => Err(CaptureError::Excluded(reason)),
            None => Ok(Self { path }),
        }
    }

    /// Writes a note that is not there.
    pub(super) fn write(&self, vault: &Vault, front: &Front<'_>, text: &str) -> Result<(), CaptureError> {
        let root = vault.root();
        let folder = real_folder(root, self.path.folder())?;
        let real = self.really(root, &folder)?;
        // A folder that is a link has the bands, and the rules, of both its places.
        if real != *self.path {
            Place::new(vault, &real)?;
        }
        let band = vault.place(self.path).band.join(vault.place(&real).band);
        let file = front.note(band, text);
        if !reads_as(&file, self.path, vault, front, band) {
            return Err(CaptureError::Misread);
        }
        put(&folder, &format!("{}.md", self.path.stem()), &file)
    }

    /// The path without links.
    fn really(&self, root: &Path, folder: &Path) -> Result<NotePath, CaptureError> {
        let inside = folder.strip_prefix(root).map_err(|_| CaptureError::Outside)?;
        NotePath::from_relative(&inside.join(format!("{}.md", self.path.stem()))).map_err(|_| CaptureError::Outside)
    }
}

/// The folder without links, made if it is missing; none that leads out of the vault.
fn real_folder(root: &Path, folder: &str) -> Result<PathBuf, CaptureError> {
    let mut real = root.to_owned();
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        real.push(part);
        let found = match fs::symlink_metadata(&real) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                match fs::create_dir(&real) {
                    // Somebody else made it just now.
                    Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                    made => made?,
                }
                fs::symlink_metadata(&real)?
            }
            found => found?,
        };
        if found.is_symlink() {
            // A link that leads nowhere leads out of the vault as soon as somebody makes what it leads to.
            real = real.canonicalize().map_err(|_| CaptureError::Outside)?;
            if !real.starts_with(root) {
                return Err(CaptureError::Outside);
            }
        }
        if !fs::metadata(&real)?.is_dir() {
            return Err(CaptureError::NotAFolder);
        }
    }
    Ok(real)
}

/// Whether the note is read as what it is: captured, by whom, as guarded as it should be, and no review.
fn reads_as(file: &str, path: &NotePath, vault: &Vault, front: &Front<'_>, band: Band) -> bool {
    let (note, _) = Note::parse(path.clone(), file.to_owned(), vault.place(path));
    let by = matches!(note.property("by"), Some(PropertyValue::Text(by)) if by == front.by);
    is_captured(&note) && !is_review(&note) && by && note.band() >= front.band.join(band)
}

/// Puts a file into a folder, whole, and never in another's place.
fn put(folder: &Path, name: &str, text: &str) -> Result<(), CaptureError> {
    // Hidden, so that nobody takes it for a note before it is one.
    let mut making = tempfile::Builder::new();
    making.prefix(".memora-").suffix(".tmp");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As any new file of the user's; what they mask is taken off.
        making.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = making.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist_noclobber(folder.join(name)).map_err(|error| match error.error.kind() {
        ErrorKind::AlreadyExists => CaptureError::Exists,
        _ => CaptureError::Io(error.error),
    })?;
    // The name is on disk when the folder is; where folders cannot be opened, the system sees to it.
    if let Ok(folder) = File::open(folder) {
        drop(folder.sync_all());
    }
    Ok(())
}
