//! The file of the user's decisions: `.memora/decisions.jsonl` in the vault.
//!
//! Invariant: **the engine only ever appends a line to a vault's `.memora`.** Existing lines are never changed, even
//! if they cannot be parsed.

use std::fmt;
use std::fs::OpenOptions;
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::PathBuf;

use memora_claim::{ClaimId, Decisions};
use memora_store::ReadError;
use memora_vault::{Hint, Vault};

/// The file's folder, below the vault's root.
const FOLDER: &str = ".memora";

const FILE: &str = "decisions.jsonl";

/// The maximum number of bytes read: some hundred thousand decisions.
const BYTES_MAX: u64 = 64 << 20;

/// An error while recording a decision.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// The claim does not exist, or this door may not know of it.
    #[error("there is no claim {0}")]
    Unknown(ClaimId),
    /// The claim was there, and its words no longer stand, as far as this door may know.
    #[error("the words of {0} no longer stand in the notes; nothing was decided")]
    Gone(ClaimId),
    /// The claim is on both sides.
    #[error("{0} cannot be decided over itself")]
    Itself(ClaimId),
    /// The file could not be written.
    #[error("cannot write {FOLDER}/{FILE} in the vault")]
    Io(#[from] std::io::Error),
    /// The file, or its folder, leads out of the vault.
    #[error("{FOLDER}/{FILE} leads out of the vault")]
    Outside,
    /// The notes cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

impl Hint for DecideError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Unknown(_) => {
                "an id is copied from memora search, claims or contradictions; a note that was never indexed has none"
            }
            Self::Gone(_) => "memora why tells what became of it",
            Self::Itself(_) => "name another claim",
            Self::Io(_) => "check that the vault's folder can be written; nothing was decided",
            Self::Outside => "make .memora a plain folder of the vault; nothing was decided",
            Self::Read(_) => "memora doctor says what is wrong with the index",
        }
    }
}

/// Reads the decisions of a vault; none if there is no file, or if it leads out of the vault.
pub(crate) fn read_decisions(vault: &Vault) -> Decisions {
    let Ok(path) = decisions_path(vault) else { return Decisions::default() };
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path);
    match file.and_then(|file| file.take(BYTES_MAX).read_to_end(&mut bytes)) {
        Ok(_) => Decisions::parse(&String::from_utf8_lossy(&bytes)),
        Err(_) => Decisions::default(),
    }
}

/// Returns the file's path, if no link on the way leads out of the vault.
fn decisions_path(vault: &Vault) -> Result<PathBuf, DecideError> {
    let folder = vault.root().join(FOLDER);
    let file = folder.join(FILE);
    for path in [&folder, &file] {
        match path.canonicalize() {
            Ok(real) if !real.starts_with(vault.root()) => return Err(DecideError::Outside),
            // A dangling link would be followed when the file is created.
            Err(_) if path.symlink_metadata().is_ok() => return Err(DecideError::Outside),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(file)
}

/// Appends a decision's line, in one write.
pub(crate) fn append_decision(vault: &Vault, decision: &impl fmt::Display) -> Result<(), DecideError> {
    let path = decisions_path(vault)?;
    std::fs::create_dir_all(vault.root().join(FOLDER))?;
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    // Concurrent processes write one line after the other.
    drop(file.lock());
    let mut line = format!("{decision}\n");
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            line.insert(0, '\n');
        }
    }
    file.write_all(line.as_bytes())?;
    file.sync_all()?;
    Ok(())
}
