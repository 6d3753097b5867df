//! Why a text could not be captured.

use memora_store::ReadError;
use memora_vault::Hint;

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
    /// The note could not be made.
    #[error(transparent)]
    Note(#[from] NewNoteError),
    /// The text has a handle where no sentence is judged.
    #[error("the text has the handle of a guarded claim in code or in a link")]
    Handle,
    /// The note would not be parsed as a captured note with these properties.
    #[error("the note would not be read as captured")]
    Misread,
    /// The notes cannot be read.
    #[error(transparent)]
    Search(#[from] SearchError),
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
            Self::Note(error) => error.hint(),
            Self::Handle => "a handle names nothing in a note; leave it out",
            Self::Misread => "give another author's name, and leave markers and comments out of it",
            Self::Search(_) => "memora doctor says what is wrong with the index",
        }
    }
}
