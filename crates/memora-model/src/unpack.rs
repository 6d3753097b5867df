//! One file out of a zip archive, which is what a Python wheel is.
//!
//! The one rule to know: **names in an archive lead nowhere.** One member is looked up by its name and written where the
//! caller says; nothing else is read.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use crate::fetch::FetchError;
use crate::land::Landing;
use crate::pins::Member;

/// Unpacks a member into a file in the making in `folder`, if it is what it must be.
pub(crate) fn member(archive: File, name: &str, member: &Member, folder: &Path) -> Result<Landing, FetchError> {
    let damaged = |source: io::Error| FetchError::Archive { name: name.to_owned(), source };
    let write = |source| FetchError::Write { path: folder.to_owned(), source };
    let mut archive = zip::ZipArchive::new(archive).map_err(|error| damaged(io::Error::other(error)))?;
    let mut packed = archive.by_name(&member.path).map_err(|error| damaged(io::Error::other(error)))?;
    let mut landing = Landing::in_folder(folder).map_err(write)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read = match packed.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(damaged(error)),
        };
        // What an archive says of its members' sizes is no promise.
        if landing.bytes() + read as u64 > member.bytes {
            return Err(FetchError::TooLarge { name: member.path.clone(), bytes_max: member.bytes });
        }
        landing.write(buffer.get(..read).unwrap_or_default()).map_err(write)?;
    }
    let found = landing.sha256();
    if found != member.sha256 {
        return Err(FetchError::Hash { name: member.path.clone(), wanted: member.sha256.clone(), found });
    }
    Ok(landing)
}
