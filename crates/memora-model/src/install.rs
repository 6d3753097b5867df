//! Installs missing files into a folder: [`MissingFiles`].

use std::path::Path;

use crate::download::is_installed;
use crate::fetch::{FetchObserver, Fetcher};
use crate::fetch_error::FetchError;
use crate::origin::Origin;
use crate::pins::{PinTable, PinnedFile};
use crate::unpack;

/// Files that are missing from a folder or have the wrong contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingFiles<'p>(Vec<&'p PinnedFile>);

impl<'p> MissingFiles<'p> {
    /// Returns the files, in the order in which they are fetched.
    #[must_use]
    pub fn files(&self) -> &[&'p PinnedFile] {
        &self.0
    }

    /// Returns how many bytes are to be fetched.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.iter().map(|pin| pin.bytes).sum()
    }
}

/// Finds which of a model's files for a platform are missing in a folder. Existing files are hashed.
#[must_use]
pub fn find_missing<'p>(pins: &'p PinTable, model: &'p str, platform: &'p str, folder: &Path) -> MissingFiles<'p> {
    let is_missing = |pin: &&PinnedFile| {
        let (sha256, bytes) = pin.target_hash_and_size();
        !is_installed(&folder.join(&pin.target), sha256, bytes)
    };
    MissingFiles(pins.files_for(model, platform).filter(is_missing).collect())
}

/// Fetches missing files and puts them into a folder, one after the other.
///
/// 1. A file appears in its place only when it is complete, synced to disk, and matches its pinned hash.
/// 2. After any interruption, completed files stay, and the next call continues with the others.
///
/// # Errors
/// [`FetchError`], of the first file that cannot be had.
pub fn install_files(
    fetcher: &Fetcher,
    missing: &MissingFiles<'_>,
    origin: &Origin,
    folder: &Path,
    watch: &mut FetchObserver<'_>,
) -> Result<(), FetchError> {
    for pin in &missing.0 {
        let target = folder.join(&pin.target);
        let beside = target.parent().unwrap_or(folder);
        let fetched = fetcher.fetch(pin, origin, beside, watch)?;
        let write = |source| FetchError::Write { path: target.clone(), source };
        let landing = match &pin.member {
            Some(member) => unpack::unpack_member(fetched.reopen().map_err(write)?, &pin.name, member, beside)?,
            None => fetched,
        };
        landing.persist_to(&target).map_err(write)?;
    }
    Ok(())
}
