//! What a newcomer sees: `demo`.

use schemars::JsonSchema;
use serde::Serialize;

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
