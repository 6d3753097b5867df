//! Arguments of `memora hook`.

use clap::{Args, Subcommand};

use super::ModelLocality;
use crate::clients::hooks::HookProgram;

#[derive(Args)]
pub(crate) struct Hook {
    #[command(subcommand)]
    pub(crate) what: HookCommand,
}

#[derive(Subcommand)]
pub(crate) enum HookCommand {
    /// Print the hooks for a program, or merge them into the program's own file
    Install(HookInstall),
    /// A session begins: print what is remembered
    SessionStart(HookRun),
    /// The user typed a prompt: save what it asks to remember
    Prompt(HookRun),
    /// A turn ended: write a checkpoint into the day's log, or ask to save, where that is due
    Stop(HookRun),
    /// A session is about to be compacted: write a checkpoint into the day's log
    PreCompact(HookRun),
    /// A session was compacted: write the program's own summary into the day's log
    PostCompact(HookRun),
    /// A turn or a session ended: write the session's note
    SessionEnd(HookRun),
    /// A tool is about to write: deny it in the memory folder
    Guard(HookRun),
}

impl HookCommand {
    /// Whether a word of the command line names an event of a program's.
    pub(crate) fn is_event(word: &str) -> bool {
        word != "install" && Self::has_subcommand(word)
    }

    /// The program whose event it is; the installation where it is none.
    pub(crate) fn event(&self) -> Result<&HookRun, &HookInstall> {
        match self {
            Self::Install(install) => Err(install),
            Self::SessionStart(run)
            | Self::Prompt(run)
            | Self::Stop(run)
            | Self::PreCompact(run)
            | Self::PostCompact(run)
            | Self::SessionEnd(run)
            | Self::Guard(run) => Ok(run),
        }
    }

    /// Where the model that reads the answer runs; `None` for the answer to a user.
    pub(crate) fn client(&self) -> Option<ModelLocality> {
        self.event().ok().map(|run| if run.local { ModelLocality::Local } else { ModelLocality::Cloud })
    }
}

#[derive(Args)]
pub(crate) struct HookRun {
    /// The program, whose event is read from standard input as JSON
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) client: HookProgram,
    /// Say that the program's model runs on this machine: it may see everything
    #[arg(long)]
    pub(crate) local: bool,
}

#[derive(Args)]
pub(crate) struct HookInstall {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) client: HookProgram,
    /// Merge the hooks into the program's file, and keep a copy of the old file beside it
    #[arg(long)]
    pub(crate) write: bool,
    /// Take them out of the program's file again
    #[arg(long, conflicts_with = "write")]
    pub(crate) remove: bool,
    /// Say that the program's model runs on this machine: it may see everything
    #[arg(long)]
    pub(crate) local: bool,
}
