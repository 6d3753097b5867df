//! How a command ends.

use std::fmt;
use std::process::ExitCode;

/// How a command that ran ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Done, and verified where that is the question.
    Good,
    /// Ran, but something could not be verified, or the evidence is weak.
    Doubtful,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Good => Self::SUCCESS,
            Outcome::Doubtful => Self::from(1),
        }
    }
}

/// Why a command failed, with what to try.
#[derive(Debug)]
pub(crate) struct Failure {
    source: anyhow::Error,
    hints: Vec<String>,
}

impl Failure {
    pub(crate) fn new(source: impl Into<anyhow::Error>) -> Self {
        Self { source: source.into(), hints: Vec::new() }
    }

    pub(crate) fn say(message: impl fmt::Display) -> Self {
        Self::new(anyhow::anyhow!("{message}"))
    }

    pub(crate) fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn hints(&self) -> &[String] {
        &self.hints
    }

    /// Whether it is only that nobody reads the output any more.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        let io = self.source.downcast_ref::<std::io::Error>();
        io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.source)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::new(error)
    }
}

impl From<crate::clients::file::WriteError> for Failure {
    fn from(error: crate::clients::file::WriteError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::DecideError> for Failure {
    fn from(error: memora_engine::DecideError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::ApplyReviewsError> for Failure {
    fn from(error: memora_engine::ApplyReviewsError) -> Self {
        match error {
            memora_engine::ApplyReviewsError::Read(error) => error.into(),
            memora_engine::ApplyReviewsError::Decide(error) => error.into(),
        }
    }
}

impl From<memora_engine::WriteReviewError> for Failure {
    fn from(error: memora_engine::WriteReviewError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::EngineOpenError> for Failure {
    fn from(error: memora_engine::EngineOpenError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::ConfigError> for Failure {
    fn from(error: memora_engine::ConfigError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::OriginError> for Failure {
    fn from(error: memora_engine::OriginError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::InstallError> for Failure {
    fn from(error: memora_engine::InstallError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::ConfigEditError> for Failure {
    fn from(error: memora_engine::ConfigEditError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::EgressError> for Failure {
    fn from(error: memora_engine::EgressError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

const STATE_HINT: &str = "run memora doctor; memora reset makes a new index";

impl From<memora_engine::SyncError> for Failure {
    fn from(error: memora_engine::SyncError) -> Self {
        Self::new(error).hinted(STATE_HINT)
    }
}

impl From<memora_engine::SearchError> for Failure {
    fn from(error: memora_engine::SearchError) -> Self {
        Self::new(error).hinted(STATE_HINT)
    }
}

impl From<memora_engine::AskError> for Failure {
    fn from(error: memora_engine::AskError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::VerifyInputError> for Failure {
    fn from(error: memora_engine::VerifyInputError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::ConnectError> for Failure {
    fn from(error: memora_engine::ConnectError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::ExtractError> for Failure {
    fn from(error: memora_engine::ExtractError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_mcp::ServeError> for Failure {
    fn from(error: memora_mcp::ServeError) -> Self {
        let hint = error.hint();
        Self::new(error).hinted(hint)
    }
}

impl From<memora_engine::ReadError> for Failure {
    fn from(error: memora_engine::ReadError) -> Self {
        Self::new(error).hinted(STATE_HINT)
    }
}
