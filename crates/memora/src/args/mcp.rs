//! Arguments of the agent's server and of its installation.

use clap::{Args, Subcommand, ValueEnum};

use super::ModelLocality;
use crate::clients::ClientProgram;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Mcp {
    #[command(subcommand)]
    pub(crate) what: Option<McpCommand>,
    /// Where the agent's model runs; --door and MEMORA_DOOR are ignored
    #[arg(long, value_name = "WHERE", default_value = "cloud")]
    pub(crate) client: ModelLocality,
    /// Let the client make new notes in the vault, marked as captured; never touch one that is there
    #[arg(long)]
    pub(crate) allow_capture: bool,
    /// Give the client tools that search and write agents' memory; `--memory=read` gives only the search and read tools
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "write")]
    pub(crate) memory: Option<MemoryUse>,
    /// Answer in JSON by published schemas too, for clients that are programs; leave it off for models: plain text says more in fewer tokens
    #[arg(long)]
    pub(crate) structured: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MemoryUse {
    /// Search and read memories
    Read,
    /// Save, change and forget them too
    Write,
}

#[derive(Subcommand)]
pub(crate) enum McpCommand {
    /// Print the entry that has a program start this server, or merge it into the program's own file
    Install(McpInstall),
}

#[derive(Args)]
pub(crate) struct McpInstall {
    /// The program
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) client: ClientProgram,
    /// Merge the entry into the program's file, and keep a copy of the old file beside it
    #[arg(long)]
    pub(crate) write: bool,
    /// Say that the program's model runs on this machine: it may see everything
    #[arg(long)]
    pub(crate) local: bool,
    /// Give its agents the memory_* tools too
    #[arg(long)]
    pub(crate) memory: bool,
    /// What the program is to call it; use a different name for each vault
    #[arg(long, value_name = "NAME", default_value = "memora", value_parser = server_name)]
    pub(crate) name: String,
}

/// Parses a server name that every program accepts: it becomes part of the tool names.
fn server_name(text: &str) -> Result<String, String> {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    match !text.is_empty() && text.len() <= 40 && text.chars().all(fits) {
        true => Ok(text.to_owned()),
        false => Err("letters, digits, - and _ alone, forty at most".to_owned()),
    }
}
