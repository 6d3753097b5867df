//! Why memory could not be read, written or imported.

use std::io;
use std::io::ErrorKind;

use memora_store::ReadError;
use memora_vault::{Hint, SkipReason};

use crate::read::search::SearchError;
use crate::state::config::ConfigError;
use crate::state::decisions_file::DecideError;

/// Why memory could not be written or read. A refusal is no error: see the reports.
#[derive(Debug, thiserror::Error)]
pub enum MemoryError {
    /// A path leads out of the folder, or through a link.
    #[error("the memory folder, or a part of it, is a link or leads out of the vault")]
    Outside,
    /// A name that file systems do not take, or that is not legible.
    #[error("the name of a memory's file is too long, or has control characters")]
    Name,
    /// Files there would not be read.
    #[error("a memory there would not be read: it {0}")]
    Excluded(SkipReason),
    /// Another process writes.
    #[error("another process is writing memories")]
    Busy,
    /// No random numbers.
    #[error("the system gives no random numbers")]
    Random,
    /// The configuration folder.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A file.
    #[error("cannot write or read a memory")]
    Io(#[from] io::Error),
    /// The index.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The file of decisions.
    #[error(transparent)]
    Decide(#[from] DecideError),
}

impl MemoryError {
    /// Why one record of an import cannot be written where the next one may be; `None` for what ends it.
    pub(super) fn refusal_of_record(&self) -> Option<&'static str> {
        match self {
            Self::Outside => Some("outside"),
            Self::Excluded(_) => Some("excluded"),
            _ => self.is_about_name().then_some("unusable_name"),
        }
    }

    /// Whether a file cannot have its name: also where a file stands in place of its folder, or the whole path is too long.
    pub(super) fn is_about_name(&self) -> bool {
        let kinds = [ErrorKind::NotADirectory, ErrorKind::IsADirectory, ErrorKind::InvalidFilename];
        match self {
            Self::Name => true,
            Self::Io(error) => kinds.contains(&error.kind()),
            _ => false,
        }
    }
}

impl From<ReadError> for MemoryError {
    fn from(error: ReadError) -> Self {
        Self::Search(error.into())
    }
}

impl Hint for MemoryError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Outside => {
                "make the memory folder a folder of its own, or name another one: memory.folder in config.toml"
            }
            Self::Name => "give it a shorter name of letters, digits and spaces",
            Self::Excluded(_) => "name a folder that is read: memory.folder in config.toml",
            Self::Busy => "try again in a moment",
            Self::Random => "try again",
            Self::Config(error) => error.hint(),
            Self::Io(_) => "check that the vault's folder can be written, and that there is room",
            Self::Search(_) => "memora doctor says what is wrong with the index",
            Self::Decide(error) => error.hint(),
        }
    }
}

/// Why an import ended early.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// What is imported cannot be read.
    #[error("cannot read what is to be imported")]
    Source(#[from] io::Error),
    /// It cannot be written.
    #[error(transparent)]
    Memory(#[from] MemoryError),
}

impl Hint for ImportError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Source(_) => "name a file or a folder that is there, and that you may read",
            Self::Memory(error) => error.hint(),
        }
    }
}
