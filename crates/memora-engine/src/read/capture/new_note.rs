//! Creates a note in the vault: as a whole, and never over an existing file.
//!
//! Invariant: **no other code creates a note.** No existing file is opened for writing, and no link is
//! followed out of the vault.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use memora_vault::{Band, Hint, NotePath, SkipReason, Vault};

/// The name of a note while it is written, around letters at random.
const MAKING_START: &str = ".memora-";
const MAKING_END: &str = ".tmp";

/// No note takes so long to write: a file of this age and such a name was left by a run that was killed.
const LEFTOVER_AGE: Duration = Duration::from_secs(3600);

/// Why a note could not be made.
#[derive(Debug, thiserror::Error)]
pub enum NewNoteError {
    /// There is a file of that name.
    #[error("a note with that name already exists")]
    Exists,
    /// The path is excluded from the vault.
    #[error("a note there would not be read: it {0}")]
    Excluded(SkipReason),
    /// The folder leads out of the vault.
    #[error("the folder leads out of the vault")]
    Outside,
    /// A file stands where a folder should.
    #[error("there is a file in the place of the folder")]
    NotAFolder,
    /// The file could not be written.
    #[error("cannot write the note")]
    Io(#[from] io::Error),
}

impl Hint for NewNoteError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Exists => "give it another title or folder; no note is ever written over",
            Self::Excluded(reason) => reason.hint(),
            Self::Outside => "name a folder of the vault; nothing was written",
            Self::NotAFolder => "name another folder; nothing was written",
            Self::Io(_) => "check that the vault's folder can be written and that there is room",
        }
    }
}

/// A place in the vault where a note would be read.
pub(crate) struct NewNote<'a> {
    path: &'a NotePath,
    /// The folder without links.
    folder: PathBuf,
    /// The band of the place; of both, where the folder is a link.
    band: Band,
}

impl<'a> NewNote<'a> {
    /// Checks that a note at this path would be read; creates nothing.
    pub(crate) fn at_path(vault: &Vault, path: &'a NotePath) -> Result<Self, NewNoteError> {
        let folder = real_folder(vault.root(), path.folder())?;
        let inside = folder.strip_prefix(vault.root()).map_err(|_| NewNoteError::Outside)?;
        let real = NotePath::from_relative(&inside.join(file_name(path))).map_err(|_| NewNoteError::Outside)?;
        if let Some(reason) = vault.exclusion_reason(path).or_else(|| vault.exclusion_reason(&real)) {
            return Err(NewNoteError::Excluded(reason));
        }
        let band = vault.path_context(path).band.join(vault.path_context(&real).band);
        Ok(Self { path, folder, band })
    }

    /// The band of the place.
    pub(crate) fn band(&self) -> Band {
        self.band
    }

    /// Creates the note, never over an existing one. Folders are made if they are missing.
    pub(crate) fn create_file(&self, text: &str) -> Result<(), NewNoteError> {
        fs::create_dir_all(&self.folder)?;
        remove_leftovers(&self.folder);
        // Hidden, so that it is not taken for a note before it is complete.
        let mut making = tempfile::Builder::new();
        making.prefix(MAKING_START).suffix(MAKING_END);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            // As any new file of the user's; what they mask is taken off.
            making.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = making.tempfile_in(&self.folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist_noclobber(self.folder.join(file_name(self.path))).map_err(|error| match error.error.kind() {
            ErrorKind::AlreadyExists => NewNoteError::Exists,
            _ => NewNoteError::Io(error.error),
        })?;
        // The name is on disk when the folder is; where folders cannot be opened, the system sees to it.
        if let Ok(folder) = File::open(&self.folder) {
            drop(folder.sync_all());
        }
        Ok(())
    }
}

/// Removes what runs that were killed left in a folder. Nothing can be done about a file that stays.
fn remove_leftovers(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_old = |found: fs::Metadata| {
            let age = found.modified().ok().and_then(|time| time.elapsed().ok());
            found.is_file() && age.is_some_and(|age| age > LEFTOVER_AGE)
        };
        if name.starts_with(MAKING_START) && name.ends_with(MAKING_END) && entry.metadata().is_ok_and(is_old) {
            drop(fs::remove_file(entry.path()));
        }
    }
}

fn file_name(path: &NotePath) -> String {
    format!("{}.md", path.stem())
}

/// Resolves the links of a folder, as far as it exists; fails where it leads out of the vault.
fn real_folder(root: &Path, folder: &str) -> Result<PathBuf, NewNoteError> {
    let mut real = root.to_owned();
    for part in folder.split('/').filter(|part| !part.is_empty()) {
        real.push(part);
        let found = match fs::symlink_metadata(&real) {
            // Nothing below it exists either.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            found => found?,
        };
        if found.is_symlink() {
            // A dangling link would lead out of the vault as soon as its target is made.
            real = real.canonicalize().map_err(|_| NewNoteError::Outside)?;
            if !real.starts_with(root) {
                return Err(NewNoteError::Outside);
            }
        }
        if !fs::metadata(&real)?.is_dir() {
            return Err(NewNoteError::NotAFolder);
        }
    }
    Ok(real)
}
