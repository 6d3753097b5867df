//! How a file comes to its place: hashed as it is written, beside the place, and put there whole.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;

use ring::digest::{Context, SHA256};
use tempfile::NamedTempFile;

/// A file in the making; dropped, it is gone.
pub(crate) struct Landing {
    file: NamedTempFile,
    hash: Context,
    bytes: u64,
}

impl Landing {
    /// Begins a file in a folder, which is made if need be.
    pub(crate) fn in_folder(folder: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let file = tempfile::Builder::new().prefix(".fetching-").tempfile_in(folder)?;
        Ok(Self { file, hash: Context::new(&SHA256), bytes: 0 })
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.hash.update(bytes);
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// How many bytes it has so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the sha256 of what was written.
    pub(crate) fn sha256(&self) -> String {
        hex(self.hash.clone())
    }

    /// The file, to be read from its beginning.
    pub(crate) fn reopen(&self) -> io::Result<File> {
        self.file.reopen()
    }

    /// Puts the file in its place, on disk and whole; what was there is replaced.
    pub(crate) fn land(self, target: &Path) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(target).map_err(|error| error.error)?;
        // The name is on disk when the folder is; where folders cannot be opened, the system sees to it.
        if let Some(folder) = target.parent().and_then(|folder| File::open(folder).ok()) {
            drop(folder.sync_all());
        }
        Ok(())
    }
}

/// Whether a file is what it must be.
pub(crate) fn is_there(path: &Path, sha256: &str, bytes: u64) -> bool {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == bytes) {
        return false;
    }
    let Ok(mut file) = File::open(path) else { return false };
    let (mut hash, mut buffer) = (Context::new(&SHA256), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return hex(hash) == sha256,
            Ok(read) => hash.update(buffer.get(..read).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return false,
        }
    }
}

fn hex(hash: Context) -> String {
    hash.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
