//! The reports of `init` and `demo`.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, CountsByBand, Freshness};

/// What `init` set and found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct InitReport {
    /// The vault's name.
    pub vault: String,
    /// The user's own `config.toml`; `null` if there is none, and at a cloud door.
    pub config: Option<String>,
    /// Whether it was changed.
    pub changed: bool,
    /// The person "I" refers to in the notes; `null` if that is not set, and at a cloud door.
    pub owner: Option<String>,
    /// `public`, `private` or `secret`: how notes count that say nothing of themselves.
    pub unmarked: Band,
    /// Which places have a band of their own; `null` at a cloud door, since a place may name what it guards.
    pub places: Option<Vec<GuardedPlace>>,
    /// Notes indexed, by band.
    pub notes: CountsByBand,
    /// Statements that this door may see.
    pub statements: u64,
    /// Files and folders that look like notes and were not read.
    pub skipped: usize,
    /// Problems found, as far as this door may see them.
    pub problems: usize,
    /// Commands to try next, with words of public notes.
    pub next: Vec<String>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// A band by place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GuardedPlace {
    /// As in a line of `.gitignore`.
    pub glob: String,
    /// Its band.
    pub band: Band,
}

/// What `demo` showed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DemoReport {
    /// Whether every step came out as it says.
    pub passed: bool,
    /// The steps, in order.
    pub steps: Vec<DemoStep>,
}

/// A step of `demo`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DemoStep {
    /// `answer`, `swapped_number`, `secret` or `stale`.
    pub name: &'static str,
    /// What it shows.
    pub shows: &'static str,
    /// Each command, with what it said.
    pub commands: Vec<DemoCommand>,
    /// Whether it came out so.
    pub passed: bool,
}

/// A command of `demo`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DemoCommand {
    /// As it is typed, in the example vault.
    pub command: String,
    /// What it said, or what is to be said of it.
    pub said: String,
}
