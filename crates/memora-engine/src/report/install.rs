//! The report of `mcp install`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{CountsByBand, Freshness};

/// An entry for a program with an assistant in it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InstallReport {
    /// The program.
    pub client: &'static str,
    /// Its file.
    pub file: String,
    /// `no`: it was not asked for; `new`: the file was not there; `merged`; or `as_it_was`: it says so already.
    pub written: &'static str,
    /// Where what the file said before is kept; `null` where it was not changed.
    pub kept: Option<String>,
    /// A file with this entry alone, in the program's format.
    pub entry: String,
    /// What the program will start: the command and its arguments.
    pub command: Vec<String>,
    /// Whether it may see everything, since you said that its model runs on this machine.
    pub local: bool,
    /// Notes on disk, by the band that each has as a whole.
    pub notes: CountsByBand,
    /// What to do next.
    pub next: &'static str,
    /// Whether the counts rest on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// Hooks to have a program answer its agents' events with memory, or what came of merging them into its file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct HookInstallReport {
    /// The program.
    pub client: &'static str,
    /// Its file.
    pub file: String,
    /// `no`: it was not asked for; `new`: the file was not there; `merged`; or `as_it_was`: it says so already.
    pub written: &'static str,
    /// Where what the file said before is kept; `null` where it was not changed.
    pub kept: Option<String>,
    /// A file with these hooks alone; empty where they were taken out.
    pub entry: String,
    /// Whether they may tell the program everything, since you said that its model runs on this machine.
    pub local: bool,
}
