//! Why a text could not be captured.

use memora_store::ReadError;
use memora_vault::{Hint, SkipReason};

use crate::read::capture::file_name::NameFault;
use crate::read::capture::new_note::NewNoteError;
use crate::read::search::SearchError;

/// The reason why a capture failed. Unsupported text is not an error: see [`CapturedReport`](crate::report::CapturedReport).
#[derive(Debug, thiserror::Error)]
pub enum CaptureError {
    /// The title is not a valid file name.
    #[error("the title {0}")]
    Title(NameFault),
    /// The folder's name is not valid.
    #[error("the folder {0}")]
    Folder(NameFault),
    /// The author's name is not valid.
    #[error("the author's name {0}")]
    By(NameFault),
    /// The text is empty.
    #[error("the text is empty")]
    Empty,
    /// The text is too long.
    #[error("the text is larger than 8 MiB")]
    TooLarge,
    /// A file of that name exists.
    #[error("a note with that name already exists")]
    Exists,
    /// A note at this path would be excluded from indexing.
    #[error("a note there would not be read: it {0}")]
    Excluded(SkipReason),
    /// The folder leads out of the vault.
    #[error("the folder leads out of the vault")]
    Outside,
    /// A file exists at the folder's path.
    #[error("there is a file in the place of the folder")]
    NotAFolder,
    /// The text has a handle where no sentence is judged.
    #[error("the text has the handle of a guarded claim in code or in a link")]
    Handle,
    /// The note would not be parsed as a captured note with these properties.
    #[error("the note would not be read as captured")]
    Misread,
    /// The file could not be written.
    #[error("cannot write the note")]
    Io(#[from] std::io::Error),
    /// The notes cannot be read.
    #[error(transparent)]
    Search(#[from] SearchError),
}

impl From<NewNoteError> for CaptureError {
    fn from(error: NewNoteError) -> Self {
        match error {
            NewNoteError::Exists => Self::Exists,
            NewNoteError::Excluded(reason) => Self::Excluded(reason),
            NewNoteError::Outside => Self::Outside,
            NewNoteError::NotAFolder => Self::NotAFolder,
            NewNoteError::Io(error) => Self::Io(error),
        }
    }
}

impl From<ReadError> for CaptureError {
    fn from(error: ReadError) -> Self {
        Self::Search(error.into())
    }
}

impl Hint for CaptureError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Title(fault) | Self::Folder(fault) | Self::By(fault) => fault.hint(),
            Self::Empty => "give a file with the text, or - for standard input",
            Self::TooLarge => "capture it in parts",
            Self::Exists => "give it another title or folder; no note is ever written over",
            Self::Excluded(reason) => reason.hint(),
            Self::Outside => "name a folder of the vault; nothing was written",
            Self::NotAFolder => "name another folder; nothing was written",
            Self::Handle => "a handle names nothing in a note; leave it out",
            Self::Misread => "give another author's name, and leave markers and comments out of it",
            Self::Io(_) => "check that the vault's folder can be written and that there is room",
            Self::Search(_) => "memora doctor says what is wrong with the index",
        }
    }
}
