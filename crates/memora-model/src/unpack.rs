//! Extracts one file from a zip archive, such as a Python wheel.
//!
//! Invariant: **paths in an archive are never used for writing.** One member is looked up by its name and written where
//! the caller says; nothing else is read.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::download::{ChunkReader, PartialDownload};
use crate::fetch_error::FetchError;
use crate::pins::ArchiveMember;

/// Extracts a member into a temporary file in `folder`, and verifies its hash.
pub(crate) fn unpack_member(
    archive: File,
    name: &str,
    member: &ArchiveMember,
    folder: &Path,
) -> Result<PartialDownload, FetchError> {
    let damaged = |source: io::Error| FetchError::Archive { name: name.to_owned(), source };
    let mut archive = zip::ZipArchive::new(archive).map_err(|error| damaged(io::Error::other(error)))?;
    let mut packed = archive.by_name(&member.path).map_err(|error| damaged(io::Error::other(error)))?;
    let mut landing = PartialDownload::new(&member.path, folder, member.bytes)?;
    let mut pieces = ChunkReader::new();
    // What an archive says of its members' sizes is no promise.
    while let Some(piece) = pieces.next_chunk(&mut packed).map_err(damaged)? {
        landing.write(piece)?;
    }
    landing.into_verified(&member.sha256)
}
