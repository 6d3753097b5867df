//! How a command ended: its outcome, or its error with hints, and the exit code of each.

use std::fmt;
use std::process::ExitCode;

use memora_engine::{EngineOpenError, Hint};

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

/// Why a command ended early; the exit code follows from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CommandErrorKind {
    /// Arguments or input that cannot be used as they are.
    Usage,
    /// The vault, the state, a model or the system failed.
    Failed,
    /// It ran, and what it is about is no longer there.
    Gone,
    /// The user stopped it; what was done is kept.
    Stopped,
    /// The reader of the output has gone, which is its right: no error for the user.
    ClosedPipe,
}

impl CommandErrorKind {
    /// Returns the exit code, as documented in `docs/cli.md`.
    pub(crate) fn exit_code(self) -> ExitCode {
        match self {
            Self::Usage | Self::Failed | Self::Stopped => ExitCode::from(2),
            Self::Gone => ExitCode::from(1),
            Self::ClosedPipe => ExitCode::SUCCESS,
        }
    }
}

/// The error that ended a command, with hints.
#[derive(Debug)]
pub(crate) struct CommandError {
    kind: CommandErrorKind,
    error: anyhow::Error,
    hints: Vec<String>,
}

impl CommandError {
    /// An error about what the user typed or handed over.
    pub(crate) fn usage(message: impl fmt::Display) -> Self {
        Self::from_error(CommandErrorKind::Usage, anyhow::anyhow!("{message}"))
    }

    /// A failure of something other than the input.
    pub(crate) fn failed(message: impl fmt::Display) -> Self {
        Self::from_error(CommandErrorKind::Failed, anyhow::anyhow!("{message}"))
    }

    /// The end by the user's own Ctrl-C.
    pub(crate) fn stopped(message: impl fmt::Display) -> Self {
        Self::from_error(CommandErrorKind::Stopped, anyhow::anyhow!("{message}"))
    }

    /// An error with its causes, without a hint so far.
    pub(crate) fn from_error(kind: CommandErrorKind, error: impl Into<anyhow::Error>) -> Self {
        Self { kind, error: error.into(), hints: Vec::new() }
    }

    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    pub(crate) fn kind(&self) -> CommandErrorKind {
        self.kind
    }

    /// Whether no vault was named, and none is around the working directory.
    pub(crate) fn is_missing_vault(&self) -> bool {
        self.error.downcast_ref().is_some_and(EngineOpenError::is_missing_vault)
    }

    pub(crate) fn hints(&self) -> &[String] {
        &self.hints
    }
}

impl fmt::Display for CommandError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

/// Every error that knows its hint can end a command.
impl<E: std::error::Error + Hint + Send + Sync + 'static> From<E> for CommandError {
    fn from(error: E) -> Self {
        let hint = error.hint();
        let error = anyhow::Error::new(error);
        let io = error.downcast_ref::<std::io::Error>();
        let closed = io.is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe);
        let kind = if closed { CommandErrorKind::ClosedPipe } else { CommandErrorKind::Failed };
        Self::from_error(kind, error).with_hint(hint)
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Error, ErrorKind};

    use super::*;

    #[test]
    fn an_error_brings_its_hint_and_its_exit_code() {
        let failed = CommandError::from(Error::from(ErrorKind::StorageFull));
        assert_eq!(
            (failed.kind(), failed.hints()),
            (CommandErrorKind::Failed, &["make room on the disk".to_owned()][..])
        );
        // A reader that closes the pipe, such as `head`, has seen enough.
        let closed = CommandError::from(Error::from(ErrorKind::BrokenPipe));
        assert_eq!(closed.kind(), CommandErrorKind::ClosedPipe);
        let code = |kind: CommandErrorKind| format!("{:?}", kind.exit_code());
        assert_eq!(code(CommandErrorKind::ClosedPipe), format!("{:?}", ExitCode::SUCCESS));
        for kind in [CommandErrorKind::Usage, CommandErrorKind::Failed, CommandErrorKind::Stopped] {
            assert_eq!(code(kind), format!("{:?}", ExitCode::from(2)), "{kind:?}");
        }
    }
}
