//! Why a server was not asked, or did not answer: [`BridgeError`].

use memora_vault::Hint;

/// Why a server was not asked, or did not answer. No message has words of the server's but names of tools and arguments.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The command cannot be run.
    #[error("its command cannot be started")]
    Start(#[source] std::io::Error),
    /// The server ended, or said something else than the protocol has.
    #[error("it does not speak MCP, or has ended")]
    Protocol,
    /// The server is Memora itself, which would ask itself.
    #[error("it says that it is Memora")]
    IsMemora,
    /// The server is starting.
    #[error("it is still starting")]
    Starting,
    /// No answer came in time.
    #[error("it did not answer in time")]
    TimedOut,
    /// The server failed too often, and is left alone for a while.
    #[error("it failed three times, and is left alone for five minutes")]
    Resting,
    /// The server has no tool for this.
    #[error("it has no tool to {0}")]
    NoTool(&'static str),
    /// A tool needs an argument of which it is not known what it means.
    #[error("its tool {tool} needs `{argument}`")]
    Argument {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
    },
    /// The tool answered with an error.
    #[error("its tool answered with an error")]
    Refused,
}

impl BridgeError {
    /// Whether the server failed, rather than was not asked.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Start(_) | Self::Protocol | Self::IsMemora | Self::TimedOut | Self::Refused => true,
            Self::Starting | Self::Resting | Self::NoTool(_) | Self::Argument { .. } => false,
        }
    }

    /// Whether the server may have done what it was asked for.
    #[must_use]
    pub fn may_be_done(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Protocol)
    }

    /// Whether no answer came in time.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::TimedOut | Self::Starting)
    }
}

impl Hint for BridgeError {
    fn hint(&self) -> &'static str {
        match self {
            Self::Start(_) => "name a program on PATH or by its whole path: command under [[memory.bridge]]",
            Self::Protocol | Self::TimedOut | Self::Starting => {
                "run its command by hand and see what it says; a variable that it needs is named in pass_env"
            }
            Self::IsMemora => "take it out of config.toml: Memora reads its own memories without a bridge",
            Self::Resting => "memora memory bridge asks it again at once",
            Self::NoTool(_) => "memora memory bridge says which tools it has that are known",
            Self::Argument { .. } => "give it under arguments of that [[memory.bridge]]",
            Self::Refused => "see the log of that server",
        }
    }
}
