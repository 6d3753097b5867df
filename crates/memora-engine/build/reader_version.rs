//! The version of reading: a hash of everything in this repository that decides what is read of a note.
//!
//! The build script computes it, and a test of the engine. Line ends do not count, nor does the order in which a file
//! system lists files, so that it is the same on every machine.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What is hashed, relative to the folder of the crates: code, word lists and models of the crates that read notes, and the
/// code by which the engine turns a note into records and names a passage that models read.
pub(crate) const READING: &[&str] = &[
    "memora-claim/data",
    "memora-claim/src",
    "memora-engine/src/state/note_kind.rs",
    "memora-engine/src/index/prepare.rs",
    "memora-engine/src/index/proposals.rs",
    "memora-engine/src/index/links.rs",
    "memora-extract/assets",
    "memora-extract/data",
    "memora-extract/src",
    "memora-nlp/assets",
    "memora-nlp/data",
    "memora-nlp/src",
    "memora-redact/src/envelope.rs",
    "memora-redact/src/excerpt.rs",
    "memora-redact/src/outline.rs",
    "memora-redact/src/prompt.rs",
    "memora-vault/data",
    "memora-vault/src",
];

/// Returns the version of reading: 16 hexadecimal digits.
///
/// # Errors
/// A place of [`READING`] cannot be read.
pub(crate) fn hash_reading(crates: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    for place in READING {
        collect_files(crates, Path::new(place), &mut files)?;
    }
    let mut named: Vec<(String, PathBuf)> =
        files.into_iter().map(|file| (file.to_string_lossy().replace('\\', "/"), file)).collect();
    named.sort();
    let mut hash = Fnv::default();
    for (name, file) in named {
        let bytes = fs::read(crates.join(&file))?;
        // A checkout may have written `\r\n`; a model is no text, and has its own extension.
        let is_text = file.extension().is_some_and(|extension| ["rs", "toml", "txt"].iter().any(|e| extension == *e));
        let skip = |at: usize| is_text && bytes.get(at..at + 2) == Some(b"\r\n");
        hash.update(name.bytes());
        hash.update([0]);
        hash.update(bytes.iter().enumerate().filter(|(at, _)| !skip(*at)).map(|(_, byte)| *byte));
        hash.update([0]);
    }
    Ok(format!("{:016x}", hash.0))
}

/// Collects the files of a place, tests and documentation aside.
fn collect_files(crates: &Path, place: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let name = place.file_name().unwrap_or_default().to_string_lossy();
    if fs::metadata(crates.join(place))?.is_dir() {
        for entry in fs::read_dir(crates.join(place))? {
            collect_files(crates, &place.join(entry?.file_name()), found)?;
        }
    } else if !name.ends_with(".md") && !name.ends_with("tests.rs") && !name.starts_with('.') {
        found.push(place.to_owned());
    }
    Ok(())
}

/// FNV-1a, 64 bits: it has to notice changes, not to resist forgery.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn update(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
