//! The path of a note in its vault.

use std::fmt;
use std::path::{Component, Path};

use crate::Hint;

/// A note's path: relative to the vault's root, `/`-separated, UTF-8, without `.` or `..`.
///
/// Proves that joining it to the root stays inside the root lexically; symbolic links are checked on reading
/// ([`crate::Vault::read_note`] refuses those that lead out). Only [`NotePath::new`] makes one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NotePath(String);

impl NotePath {
    /// Checks and wraps `path`.
    ///
    /// # Errors
    /// [`InvalidNotePath`] when it is empty, absolute, leads upward, has an empty or `.` component, a backslash or a
    /// NUL.
    pub fn new(path: impl Into<String>) -> Result<Self, InvalidNotePath> {
        let path = path.into();
        let bad_part = |part: &str| part.is_empty() || part == "." || part == "..";
        if path.contains(['\\', '\0']) || path.split('/').any(bad_part) {
            return Err(InvalidNotePath);
        }
        Ok(Self(path))
    }

    /// Converts a relative path of the file system.
    ///
    /// # Errors
    /// [`InvalidNotePath`] as for [`NotePath::new`], and when the path is not UTF-8.
    pub fn from_relative(path: &Path) -> Result<Self, InvalidNotePath> {
        let mut parts = Vec::new();
        for component in path.components() {
            match component {
                Component::Normal(part) => parts.push(part.to_str().ok_or(InvalidNotePath)?),
                _ => return Err(InvalidNotePath),
            }
        }
        Self::new(parts.join("/"))
    }

    /// The path as written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The last component without `.md`: what Obsidian shows as the note's name.
    #[must_use]
    pub fn stem(&self) -> &str {
        let name = self.0.rsplit('/').next().unwrap_or(&self.0);
        name.len().checked_sub(3).and_then(|at| name.split_at_checked(at)).map_or(name, |(stem, ending)| {
            if ending.eq_ignore_ascii_case(".md") && !stem.is_empty() { stem } else { name }
        })
    }

    /// The folder it lies in, empty for the root.
    #[must_use]
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }
}

impl fmt::Display for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// `Debug` output ends up in logs, and a note's name can be sensitive, so it shows only the length.
impl fmt::Debug for NotePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NotePath({} bytes)", self.0.len())
    }
}

/// A path that cannot be a note's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a path inside the vault")]
pub struct InvalidNotePath;

impl Hint for InvalidNotePath {
    fn hint(&self) -> &'static str {
        "give the path from the vault's root, such as people/Anna.md"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_leads_out_is_refused() {
        for bad in ["", "/etc/passwd", "../x.md", "a/../b.md", "a//b.md", "./a.md", "a\\b.md", "a\0.md"] {
            assert_eq!(NotePath::new(bad), Err(InvalidNotePath), "{bad:?}");
        }
    }

    #[test]
    fn stem_and_folder() {
        let path = NotePath::new("reading/📚 The Shape of Logs.md").expect("a good path");
        assert_eq!((path.stem(), path.folder()), ("📚 The Shape of Logs", "reading"));
        assert_eq!(NotePath::new("a.md").expect("a good path").folder(), "");
    }
}
