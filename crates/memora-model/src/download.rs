//! Hash-verified atomic download: written beside the target, hashed, and moved into place whole.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use ring::digest::{Context, SHA256};
use tempfile::NamedTempFile;

use crate::fetch_error::FetchError;

/// A partial download; dropping it deletes the file.
pub(crate) struct PartialDownload {
    name: String,
    folder: PathBuf,
    file: NamedTempFile,
    hash: Context,
    bytes: u64,
    bytes_max: u64,
}

impl PartialDownload {
    /// Creates the temporary file for `name` in `folder`, created if needed, with a limit of `bytes_max`.
    pub(crate) fn new(name: &str, folder: &Path, bytes_max: u64) -> Result<Self, FetchError> {
        let write = |source| FetchError::Write { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(write)?;
        let file = tempfile::Builder::new().prefix(".fetching-").tempfile_in(folder).map_err(write)?;
        let (name, folder) = (name.to_owned(), folder.to_owned());
        Ok(Self { name, folder, file, hash: Context::new(&SHA256), bytes: 0, bytes_max })
    }

    /// Appends a chunk.
    pub(crate) fn write(&mut self, piece: &[u8]) -> Result<(), FetchError> {
        if self.bytes + piece.len() as u64 > self.bytes_max {
            return Err(FetchError::TooLarge { name: self.name.clone(), bytes_max: self.bytes_max });
        }
        let write = |source| FetchError::Write { path: self.folder.clone(), source };
        self.file.write_all(piece).map_err(write)?;
        self.hash.update(piece);
        self.bytes += piece.len() as u64;
        Ok(())
    }

    /// Returns it if its hash matches.
    pub(crate) fn into_verified(self, sha256: &str) -> Result<Self, FetchError> {
        let found = to_hex(self.hash.clone());
        if found == sha256 {
            return Ok(self);
        }
        Err(FetchError::Hash { name: self.name, wanted: sha256.to_owned(), found })
    }

    /// How many bytes it has so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The file, to be read from its beginning.
    pub(crate) fn reopen(&self) -> io::Result<File> {
        self.file.reopen()
    }

    /// Moves the file to `target`, synced to disk; an existing file is replaced.
    pub(crate) fn persist_to(self, target: &Path) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        self.file.persist(target).map_err(|error| error.error)?;
        // The name is on disk when the folder is; where folders cannot be opened, the system sees to it.
        if let Some(folder) = target.parent().and_then(|folder| File::open(folder).ok()) {
            drop(folder.sync_all());
        }
        Ok(())
    }
}

/// Whether a file exists with the expected size and hash.
pub(crate) fn is_installed(path: &Path, sha256: &str, bytes: u64) -> bool {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() == bytes) {
        return false;
    }
    let Ok(mut file) = File::open(path) else { return false };
    let mut hash = Context::new(&SHA256);
    let mut pieces = ChunkReader::new();
    loop {
        match pieces.next_chunk(&mut file) {
            Ok(Some(piece)) => hash.update(piece),
            Ok(None) => return to_hex(hash) == sha256,
            Err(_) => return false,
        }
    }
}

/// Reads chunk by chunk into one buffer.
pub(crate) struct ChunkReader(Vec<u8>);

impl ChunkReader {
    pub(crate) fn new() -> Self {
        Self(vec![0; 1 << 16])
    }

    /// Returns the next chunk; `None` at the end.
    pub(crate) fn next_chunk(&mut self, from: &mut impl Read) -> io::Result<Option<&[u8]>> {
        loop {
            match from.read(&mut self.0) {
                Ok(0) => return Ok(None),
                Ok(read) => return Ok(self.0.get(..read)),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

fn to_hex(hash: Context) -> String {
    hash.finish().as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}
