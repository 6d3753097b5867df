//! Resolves vault-relative paths to real files inside the root.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

/// Why a path cannot be resolved.
#[derive(Debug)]
pub(super) enum NotLocated {
    /// Nothing there.
    Missing,
    /// A link whose target is gone.
    BrokenLink,
    /// The real path leaves the root.
    Outside,
    /// The system says no.
    Unreadable(io::Error),
}

/// A file or folder inside the root, all links resolved.
#[derive(Debug)]
pub(super) struct Located {
    /// Its real path.
    pub(super) real: PathBuf,
    /// What the system says of it.
    pub(super) metadata: Metadata,
    /// Whether a link was followed on the way.
    pub(super) linked: bool,
}

/// Follows `relative` (`/`-separated) from a canonical root, one component at a time.
///
/// Only components below the root are checked, and only a link costs a `canonicalize`, since this runs before every
/// read.
pub(super) fn locate(root: &Path, relative: &str) -> Result<Located, NotLocated> {
    let mut real = root.to_path_buf();
    let mut found = None;
    let mut linked = false;
    for part in relative.split('/') {
        // `C:` or a separator in a name would make `push` jump elsewhere.
        let mut components = Path::new(part).components();
        if !matches!((components.next(), components.next()), (Some(Component::Normal(_)), None)) {
            return Err(NotLocated::Outside);
        }
        real.push(part);
        let mut metadata = std::fs::symlink_metadata(&real).map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => NotLocated::Missing,
            // An overlong or otherwise impossible name is no file.
            ErrorKind::InvalidFilename | ErrorKind::InvalidInput => NotLocated::Missing,
            _ => NotLocated::Unreadable(error),
        })?;
        if metadata.is_symlink() {
            linked = true;
            real = real.canonicalize().map_err(|error| match error.kind() {
                ErrorKind::NotFound => NotLocated::BrokenLink,
                _ => NotLocated::Unreadable(error),
            })?;
            if !real.starts_with(root) {
                return Err(NotLocated::Outside);
            }
            metadata = std::fs::metadata(&real).map_err(NotLocated::Unreadable)?;
        }
        found = Some(metadata);
    }
    found.map(|metadata| Located { real, metadata, linked }).ok_or(NotLocated::Missing)
}

/// Reads a regular file whole, for reading only. `Ok(None)` when it holds more than `bytes_max`.
pub(super) fn read_bounded(path: &Path, size: u64, bytes_max: u64) -> io::Result<Option<Vec<u8>>> {
    if size > bytes_max {
        return Ok(None);
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    // The file may have grown since it was looked at.
    File::open(path)?.take(bytes_max + 1).read_to_end(&mut bytes)?;
    Ok((u64::try_from(bytes.len()).is_ok_and(|len| len <= bytes_max)).then_some(bytes))
}

/// Whether a file name is a note's: it ends in `.md`, case forgiven, and is not hidden.
pub(crate) fn is_note_name(name: &str) -> bool {
    let stem = name.len().checked_sub(3).filter(|at| *at > 0);
    let extension = stem.and_then(|at| name.get(at..));
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(".md")) && !is_hidden_name(name)
}

/// Whether a file or folder of this name is silently skipped, as Obsidian does.
pub(crate) fn is_hidden_name(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// Whether a vault-relative path could be a note's at all: nothing hidden on the way, and a markdown file.
pub(super) fn is_note_path(path: &str) -> bool {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_note_name(name) && !folder.split('/').any(is_hidden_name)
}

/// The name of a file as its owner knows it: iCloud keeps `.Plan.md.icloud` in place of `Plan.md`.
pub(crate) fn original_name(name: &str) -> &str {
    let original = name.strip_prefix('.').and_then(|name| name.strip_suffix(".icloud"));
    original.filter(|original| is_note_name(original)).unwrap_or(name)
}
