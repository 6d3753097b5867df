//! Errors. They carry data in fields, and never vault text in a message, since errors end up in logs.

use std::io;
use std::path::PathBuf;

use memora_vault::Hint;
use rusqlite::ErrorCode;

/// An error from SQLite: its code and SQLite's fixed message for it, without the SQL or any value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("SQLite: {}", rusqlite::ffi::code_to_str(*.code))]
pub struct SqliteError {
    /// SQLite's extended result code.
    pub code: i32,
}

impl SqliteError {
    fn from_rusqlite(error: &rusqlite::Error) -> Self {
        Self { code: error.sqlite_extended_error_code().unwrap_or(rusqlite::ffi::SQLITE_ERROR) }
    }

    /// Whether the SQL was wrong rather than the environment: it named a missing table or column.
    pub(crate) fn is_about_sql(self) -> bool {
        self.code & 0xff == rusqlite::ffi::SQLITE_ERROR
    }
}

/// Opening or resetting a store failed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A file of the state folder could not be created, locked, renamed or removed.
    #[error("cannot use the state folder")]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The journal was written by a later version of the program. Nothing was changed.
    #[error("the journal has format {found}, and this program knows formats up to {known}")]
    NewerJournal {
        /// The journal's format.
        found: i64,
        /// The latest format known here.
        known: i64,
    },
    /// The store has to be set up or reset, and another process has been writing for seconds.
    #[error("another process is writing to the store")]
    Busy,
    /// SQLite failed for a reason unrelated to the file's contents (no space, no permission, …).
    #[error(transparent)]
    Sqlite(SqliteError),
    /// A database that was just created or checked cannot be read.
    #[error("the store is damaged")]
    Damaged,
}

/// Reading the store failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The file contains data that the program never wrote. For the index, call [`crate::Store::rebuild_index`].
    #[error("the store is damaged")]
    Damaged,
    /// SQLite failed for another reason.
    #[error(transparent)]
    Sqlite(SqliteError),
}

/// What to try when the state folder cannot be used.
const STATE_HINT: &str = "check that the state folder is there, that it can be written, and that its disk is not full";

/// What to try when the index may be at fault.
const INDEX_HINT: &str = "run memora doctor; memora reset makes a new index";

impl Hint for ReadError {
    fn hint(&self) -> &'static str {
        use rusqlite::ffi;
        match self {
            Self::Damaged => INDEX_HINT,
            Self::Sqlite(error) => match error.code & 0xff {
                ffi::SQLITE_PERM
                | ffi::SQLITE_READONLY
                | ffi::SQLITE_IOERR
                | ffi::SQLITE_FULL
                | ffi::SQLITE_CANTOPEN => STATE_HINT,
                _ => INDEX_HINT,
            },
        }
    }
}

/// Writing to the store failed. Drop the batch: nothing of it will be visible.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The write lock could not be acquired.
    #[error("cannot use the write lock")]
    Lock(#[source] io::Error),
    /// A statement was passed with a note that does not contain it.
    #[error("statement {ordinal} belongs to another note")]
    ForeignSource {
        /// Its ordinal.
        ordinal: u32,
    },
    /// A claim was passed with a statement that it does not read.
    #[error("a claim of statement {ordinal} belongs to another statement")]
    ForeignClaim {
        /// The statement's ordinal.
        ordinal: u32,
    },
    /// Two statements of a note have the same ordinal.
    #[error("two statements of the note have ordinal {ordinal}")]
    DuplicateOrdinal {
        /// The ordinal.
        ordinal: u32,
    },
    /// The index could not be read or written.
    #[error(transparent)]
    Index(#[from] ReadError),
    /// The journal could not be written. If it is damaged, call [`crate::Store::rebuild_journal`].
    #[error("cannot write the journal: {0}")]
    Journal(#[source] ReadError),
}

impl Hint for WriteError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Lock(_) => STATE_HINT,
            Self::Index(error) | Self::Journal(error) => error.hint(),
            Self::ForeignSource { .. } | Self::ForeignClaim { .. } | Self::DuplicateOrdinal { .. } => INDEX_HINT,
        }
    }
}

impl From<rusqlite::Error> for ReadError {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged,
            Some(_) => Self::Sqlite(SqliteError::from_rusqlite(&error)),
            // A value of a type or form that was never written.
            None => Self::Damaged,
        }
    }
}

impl From<rusqlite::Error> for WriteError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error.into())
    }
}

impl From<ReadError> for OpenError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Damaged => Self::Damaged,
            ReadError::Sqlite(error) => Self::Sqlite(error),
        }
    }
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        ReadError::from(error).into()
    }
}
