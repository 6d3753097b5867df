//! Errors of the service itself, in the user's words.

use memora_engine::{CatchUpError, EngineOpenError, Hint};

/// An error that keeps a request from being answered.
///
/// The message may name folders of the user's. A protocol whose client may not see those goes by [`ServiceError::kind`].
#[derive(Debug, thiserror::Error)]
pub enum ServiceError {
    /// The vault could not be opened, or the index could not be brought up to date.
    #[error(transparent)]
    CatchUp(#[from] CatchUpError),
    /// The request met a fault of the program.
    #[error("the request met a fault of memora's")]
    Panicked,
    /// The threads have ended.
    #[error("the service is stopping")]
    Stopped,
}

/// The part that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServiceErrorKind {
    /// The user's configuration cannot be read.
    Configuration,
    /// The vault's folder is not there, or cannot be read.
    Vault,
    /// The state folder cannot be opened.
    State,
    /// The index cannot be brought up to date.
    Index,
    /// The request met a fault of the program.
    Panicked,
    /// The threads have ended.
    Stopped,
}

impl ServiceError {
    /// Returns the part that failed.
    #[must_use]
    pub fn kind(&self) -> ServiceErrorKind {
        match self {
            Self::CatchUp(error) => match error {
                CatchUpError::Config(_) | CatchUpError::Open(EngineOpenError::Config(_)) => {
                    ServiceErrorKind::Configuration
                }
                CatchUpError::Vault(_) | CatchUpError::Open(EngineOpenError::Vault(_)) => ServiceErrorKind::Vault,
                CatchUpError::Open(_) => ServiceErrorKind::State,
                CatchUpError::Sync(_) => ServiceErrorKind::Index,
            },
            Self::Panicked => ServiceErrorKind::Panicked,
            Self::Stopped => ServiceErrorKind::Stopped,
        }
    }
}

impl Hint for ServiceError {
    fn hint(&self) -> &'static str {
        match self {
            Self::CatchUp(CatchUpError::Config(error)) => error.hint(),
            Self::CatchUp(CatchUpError::Open(error)) => error.hint(),
            Self::CatchUp(CatchUpError::Vault(error)) => error.hint(),
            Self::CatchUp(CatchUpError::Sync(_)) => "run `memora doctor` to see what is wrong",
            Self::Panicked => "ask again, or in other words; please report it, with what was asked",
            Self::Stopped => "start it again",
        }
    }
}

impl From<EngineOpenError> for ServiceError {
    fn from(error: EngineOpenError) -> Self {
        CatchUpError::from(error).into()
    }
}
