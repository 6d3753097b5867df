//! Arguments of the commands that build, watch, check and reset the index.

use clap::{Args, Subcommand};
use memora_engine::NotePath;

use super::values::parse_note_path;

#[derive(Args)]
pub(crate) struct Index {
    /// Read every statement now, so that no question is slowed down later (takes minutes, once)
    #[arg(long)]
    pub(crate) complete: bool,
}

#[derive(Args)]
pub(crate) struct Extract {
    /// How often the model may be asked; a passage is one call
    #[arg(long, value_name = "CALLS")]
    pub(crate) budget: Option<usize>,
    /// Only this note, by its path or its name; may be given several times
    #[arg(long, value_name = "NOTE", value_parser = parse_note_path)]
    pub(crate) note: Vec<NotePath>,
    /// Have this model of the configured provider read
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Say how many calls it would take, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Args)]
pub(crate) struct Doctor {
    /// Re-read every place of every claim and compare it with the file's bytes
    #[arg(long)]
    pub(crate) check_spans: bool,
}

#[derive(Args)]
pub(crate) struct Export {
    /// Leave out what depends on this machine: the same notes give the same bytes everywhere
    #[arg(long)]
    pub(crate) canonical: bool,
    /// Also what is not listed: the facts of every statement, sentences of which nothing was read, code
    #[arg(long)]
    pub(crate) statements: bool,
}

#[derive(Args)]
pub(crate) struct Embedder {
    #[command(subcommand)]
    pub(crate) what: Option<EmbedderCommand>,
}

#[derive(Subcommand)]
pub(crate) enum EmbedderCommand {
    /// Say which is configured, which answers now and why, and how many vectors there are; the same as without a command
    Status,
    /// Fetch a model and its library, after asking
    Install(InstallEmbedder),
    /// Choose the one that makes vectors from now on, in your config.toml
    Use {
        /// embedded, or all-MiniLM-L6-v2
        name: String,
    },
}

#[derive(Args)]
pub(crate) struct InstallEmbedder {
    /// Which model
    #[arg(default_value = "all-MiniLM-L6-v2")]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) how: FetchArgs,
}

#[derive(Args)]
pub(crate) struct FetchArgs {
    /// Fetch without asking
    #[arg(long)]
    pub(crate) yes: bool,
    /// Take the files, by their names, from a folder or from below an address; they must be the same files
    #[arg(long, value_name = "FOLDER|URL")]
    pub(crate) from: Option<String>,
}

#[derive(Args)]
pub(crate) struct Watch {
    /// Walk the vault every few seconds, rather than have the system say what changes
    #[arg(long)]
    pub(crate) poll: bool,
    /// Make a review every so often, such as 24h or 7d, and keep it for memora review
    #[arg(long, alias = "challenge-every", value_name = "TIME")]
    pub(crate) review_every: Option<String>,
    /// Look through memories every so often, such as 24h; only facts of sessions are saved, if memory.extract says so
    #[arg(long, value_name = "TIME")]
    pub(crate) consolidate_every: Option<String>,
}

#[derive(Args)]
pub(crate) struct Reset {
    /// Throw away the journal too: former places, renames, first-seen times
    #[arg(long)]
    pub(crate) journal: bool,
}
