//! Arguments of the commands for new users.

use std::path::PathBuf;

use clap::Args;

#[derive(Args)]
pub(crate) struct Init {
    /// Ask nothing: keep what is set, and the defaults of what is not
    #[arg(long)]
    pub(crate) yes: bool,
}

#[derive(Args)]
pub(crate) struct Completions {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Args)]
pub(crate) struct Man {
    /// Write memora.1, memora-ask.1 and so on into this folder, in the place of those that are there
    #[arg(long, value_name = "FOLDER")]
    pub(crate) out: Option<PathBuf>,
}
