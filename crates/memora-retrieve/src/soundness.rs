//! Whether the files of a lexical index are what was written.
//!
//! Each file of a segment ends with a checksum, but reading all of them whenever an index is opened would cost more than
//! the search. So files that were written or checked are listed with their size and time in a file beside them, and only
//! those that differ from the list are read. Damage that leaves size and time as they were is found by a complete check
//! alone ([`TantivyIndex::has_valid_checksums`](crate::TantivyIndex::has_valid_checksums)).

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::time::UNIX_EPOCH;

use tantivy::Index;
use tantivy::directory::error::OpenReadError;

use crate::lexical::LexicalError;

/// The list of checked files, in the folder of the index.
const LIST: &str = "checked.txt";

/// How often the files are listed again because another process replaced them meanwhile.
const TRIES: usize = 5;

/// Size in bytes and time of the last change in nanoseconds since 1970, by file name.
type FileStamps = BTreeMap<String, (u64, u128)>;

/// Checks every file of the index that is not known to be sound; returns `false` if one is damaged or missing.
///
/// # Errors
/// [`LexicalError`] if a file can't be opened for another reason, such as a limit on open files.
pub(crate) fn are_files_sound(dir: &Path, index: &Index) -> Result<bool, LexicalError> {
    for _ in 0..TRIES {
        let known = read_list(dir);
        let stamps = stamp_files(dir, index)?;
        let mut missing = false;
        let mut checked = false;
        for (name, stamp) in &stamps {
            if known.get(name) == Some(stamp) {
                continue;
            }
            match index.directory().validate_checksum(Path::new(name)) {
                Ok(true) => checked = true,
                Ok(false) => return Ok(false),
                Err(OpenReadError::FileDoesNotExist(_)) => missing = true,
                Err(error) => return Err(tantivy::TantivyError::from(error).into()),
            }
        }
        if !missing {
            if checked {
                write_list(dir, &stamps);
            }
            return Ok(true);
        }
    }
    Ok(false)
}

/// Records that the files are as they were just written.
pub(crate) fn record_files(dir: &Path, index: &Index) {
    if let Ok(stamps) = stamp_files(dir, index) {
        write_list(dir, &stamps);
    }
}

/// The files of the committed segments. What a killed writer left for its next commit is none of them.
fn stamp_files(dir: &Path, index: &Index) -> Result<FileStamps, LexicalError> {
    let metas = index.searchable_segment_metas()?;
    let segments: HashMap<String, Option<u64>> =
        metas.iter().map(|meta| (meta.id().uuid_string(), meta.delete_opstamp())).collect();
    let is_committed = |name: &str| {
        let mut parts = name.split('.');
        let deletes = parts.next().and_then(|segment| segments.get(segment));
        // Deletions are in a file of each commit.
        let number = parts.next().filter(|_| name.ends_with(".del")).map(|number| number.parse().ok());
        deletes.is_some_and(|deletes| number.is_none_or(|number| number == *deletes))
    };
    let stamp = |entry: std::fs::DirEntry| {
        let name = entry.file_name().to_str()?.to_owned();
        let data = entry.metadata().ok().filter(|_| is_committed(&name))?;
        let time = data.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some((name, (data.len(), time)))
    };
    Ok(dir.read_dir()?.flatten().filter_map(stamp).collect())
}

fn read_list(dir: &Path) -> FileStamps {
    let line = |line: &str| {
        let mut parts = line.split(' ');
        let (name, len, time) = (parts.next()?, parts.next()?, parts.next()?);
        Some((name.to_owned(), (len.parse().ok()?, time.parse().ok()?)))
    };
    std::fs::read_to_string(dir.join(LIST)).unwrap_or_default().lines().filter_map(line).collect()
}

/// Without the list, files are checked again next time: failing to write it is no error.
fn write_list(dir: &Path, stamps: &FileStamps) {
    let text: String = stamps.iter().map(|(name, (len, time))| format!("{name} {len} {time}\n")).collect();
    let new = dir.join(format!("{LIST}.{}", std::process::id()));
    if std::fs::write(&new, text).and_then(|()| std::fs::rename(&new, dir.join(LIST))).is_err() {
        drop(std::fs::remove_file(&new));
    }
}
