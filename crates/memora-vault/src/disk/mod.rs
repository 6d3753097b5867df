//! The vault on disk: which files are notes, their metadata, and their text.
//!
//! Invariant: **a note is read at its real path, inside the root, or not at all.** Links inside the vault lead to files
//! that the walk reaches anyway, so they are not followed, and no link can move a note out of reach of its folder's
//! privacy rule.
//!
//! Nothing here writes, and nothing here parses a note.

mod dates;
mod glob;
mod ignore_files;
mod locate;
mod reason;
mod rules;
mod settings;
mod settings_hash;
mod vault;
mod walk;

pub use reason::{OpenVaultError, ReadNoteError, SkipReason, is_drawing};
pub use rules::{BadGlob, ModelsAllowed, PlaceRules, PlaceRulesError, VainRule};
pub use settings::{SettingsFault, SettingsProblem};
pub use vault::{PlaceReason, Vault};
pub use walk::{FoundNote, SkippedFile, VaultWalk};

pub(crate) use locate::{is_hidden_name, is_note_name, original_name};
pub(crate) use settings::SETTINGS_FILES;

use std::borrow::Cow;
use std::fs::Metadata;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// File metadata of a note; equal means unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FileStat {
    /// Bytes.
    pub size: u64,
    /// Time of last modification, nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Time of last change of the inode, nanoseconds since 1970; 0 where the platform has none.
    pub ctime_ns: i64,
    /// Inode number; 0 where the platform has none.
    pub inode: u64,
}

impl FileStat {
    #[cfg(unix)]
    fn from_metadata(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        let ns = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        Self {
            size: metadata.len(),
            mtime_ns: ns(metadata.mtime(), metadata.mtime_nsec()),
            ctime_ns: ns(metadata.ctime(), metadata.ctime_nsec()),
            inode: metadata.ino(),
        }
    }

    #[cfg(not(unix))]
    fn from_metadata(metadata: &Metadata) -> Self {
        let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        let mtime_ns = since.and_then(|time| i64::try_from(time.as_nanos()).ok()).unwrap_or_default();
        Self { size: metadata.len(), mtime_ns, ctime_ns: 0, inode: 0 }
    }
}

/// Returns the form in which names are compared where case counts: composed (NFC).
#[must_use]
pub fn compose_name(text: &str) -> Cow<'_, str> {
    nfc(text)
}

/// Composes accents (NFC), so that `ü` typed here equals `ü` as another file system stores it.
pub(crate) fn nfc(text: &str) -> Cow<'_, str> {
    // Most names hold nothing that could compose: combining marks begin at U+0300, and ideographs have none.
    let plain = |c: char| c < '\u{300}' || ('\u{3400}'..='\u{9fff}').contains(&c);
    if text.chars().all(plain) || is_nfc_quick(text.chars()) == IsNormalized::Yes {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfc().collect())
    }
}

/// Returns the form in which names are compared: composed (NFC) and lower-cased.
#[must_use]
pub fn fold_name(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let lower = nfc(text).to_lowercase();
    match nfc(&lower) {
        Cow::Borrowed(_) => lower,
        Cow::Owned(composed) => composed,
    }
}

#[cfg(test)]
mod look_tests;
#[cfg(test)]
mod tests;
