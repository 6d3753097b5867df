//! Arguments of the commands that report guarded notes and egress.

use clap::{Args, Subcommand, ValueEnum};
use memora_engine::NotePath;

use super::values::parse_note_path;

#[derive(Args)]
pub(crate) struct Privacy {
    #[command(subcommand)]
    pub(crate) what: PrivacyCommand,
}

#[derive(Subcommand)]
pub(crate) enum PrivacyCommand {
    /// Explain every decision about what is guarded, and what a model would be allowed to see
    Audit(Audit),
    /// List what was sent to models and clients, or tried to be: when, the receiver, how much, which claims; never what they say
    Egress(Egress),
}

#[derive(Args)]
pub(crate) struct Audit {
    /// Only this note, by its path or its name
    #[arg(long, value_name = "NOTE", value_parser = parse_note_path)]
    pub(crate) note: Option<NotePath>,
    /// Which model's view to show
    #[arg(long = "for", value_name = "MODEL", default_value = "cloud")]
    pub(crate) model: ModelLocality,
    /// List the notes that the model may see
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ModelLocality {
    /// One on this machine
    Local,
    /// Any other
    Cloud,
}

#[derive(Args)]
pub(crate) struct Egress {
    /// How many to list at most, the newest
    #[arg(long, default_value_t = 20, value_name = "N")]
    pub(crate) last: usize,
}
