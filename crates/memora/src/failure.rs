//! Exit outcomes and failures of commands.

use std::fmt;
use std::process::ExitCode;

/// The outcome of a command that ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandOutcome {
    /// Done, and verified where that applies.
    Good,
    /// Ran, but something could not be verified, or the evidence is weak.
    Doubtful,
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> Self {
        match outcome {
            CommandOutcome::Good => Self::SUCCESS,
            CommandOutcome::Doubtful => Self::from(1),
        }
    }
}

/// The reason why a command failed, with hints.
#[derive(Debug)]
pub(crate) struct Failure {
    source: anyhow::Error,
    hints: Vec<String>,
}

impl Failure {
    pub(crate) fn new(source: impl Into<anyhow::Error>) -> Self {
        Self { source: source.into(), hints: Vec::new() }
    }

    pub(crate) fn from_message(message: impl fmt::Display) -> Self {
        Self::new(anyhow::anyhow!("{message}"))
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn hints(&self) -> &[String] {
        &self.hints
    }

    /// Whether the failure is only a closed output pipe.
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

impl From<crate::clients::file::SettingsWriteError> for Failure {
    fn from(error: crate::clients::file::SettingsWriteError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::DecideError> for Failure {
    fn from(error: memora_engine::DecideError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
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
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::EngineOpenError> for Failure {
    fn from(error: memora_engine::EngineOpenError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::ConfigError> for Failure {
    fn from(error: memora_engine::ConfigError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::OriginError> for Failure {
    fn from(error: memora_engine::OriginError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::InstallError> for Failure {
    fn from(error: memora_engine::InstallError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::ConfigEditError> for Failure {
    fn from(error: memora_engine::ConfigEditError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::EgressError> for Failure {
    fn from(error: memora_engine::EgressError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

const STATE_HINT: &str = "run memora doctor; memora reset makes a new index";

impl From<memora_engine::SyncError> for Failure {
    fn from(error: memora_engine::SyncError) -> Self {
        Self::new(error).with_hint(STATE_HINT)
    }
}

impl From<memora_engine::SearchError> for Failure {
    fn from(error: memora_engine::SearchError) -> Self {
        Self::new(error).with_hint(STATE_HINT)
    }
}

impl From<memora_engine::AskError> for Failure {
    fn from(error: memora_engine::AskError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::VerifyInputError> for Failure {
    fn from(error: memora_engine::VerifyInputError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::ConnectError> for Failure {
    fn from(error: memora_engine::ConnectError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::ExtractError> for Failure {
    fn from(error: memora_engine::ExtractError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_mcp::ServeError> for Failure {
    fn from(error: memora_mcp::ServeError) -> Self {
        let hint = error.hint();
        Self::new(error).with_hint(hint)
    }
}

impl From<memora_engine::ReadError> for Failure {
    fn from(error: memora_engine::ReadError) -> Self {
        Self::new(error).with_hint(STATE_HINT)
    }
}
