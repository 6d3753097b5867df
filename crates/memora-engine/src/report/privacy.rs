//! The reports of `privacy audit` and `privacy egress`.
//!
//! Reasons name guarded notes and quote what guards them. They are not claims, and no door authorized them: only the
//! local door gets any, as `PrivacyAudit::audit_vault` ensures.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, CountsByBand, DoorKind, Freshness};

/// Which notes are guarded and why, and what a model would be allowed to see.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct AuditReport {
    /// `cloud` or `local`: the kind of model that `allowed` and `list` are about.
    pub model: DoorKind,
    /// The strictest band that a cloud model may see, by your `cloud.sees`: `public` or `private`.
    pub cloud_sees: Band,
    /// Notes on disk, by the band that each has as a whole.
    pub notes: CountsByBand,
    /// Statements in them, by the band of the place; `null` at a cloud door.
    pub statements: Option<CountsByBand>,
    /// What the model may see of them.
    pub allowed: AllowedCounts,
    /// Files and folders that look like notes and were not read, as `index` lists them.
    pub skipped: usize,
    /// How many notes have nothing guarded in them; `null` at a cloud door.
    pub open: Option<usize>,
    /// The others, by path; `null` at a cloud door.
    pub guarded: Option<Vec<GuardedNote>>,
    /// The notes that the model may see, by path; `null` at a cloud door, and unless it was asked for.
    pub list: Option<Vec<AllowedNote>>,
    /// Whether the index has what was read.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What a model may see, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AllowedCounts {
    /// Notes, with their titles.
    pub notes: usize,
    /// Statements in them.
    pub statements: u64,
    /// Statements that are withheld, of these notes and of others; `null` at a cloud door.
    pub withheld: Option<u64>,
}

/// A note that is guarded as a whole or in part.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GuardedNote {
    /// The note.
    pub path: String,
    /// Its band as a whole; `public` when only parts are guarded.
    pub band: Band,
    /// Its statements, by the band of the place.
    pub statements: CountsByBand,
    /// Why: first what is about the whole note, then by place.
    pub reasons: Vec<GuardReason>,
}

/// Why something is guarded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GuardReason {
    /// The band that it asks for; the strictest of several counts.
    pub band: Band,
    /// What it is, as a stable word.
    pub kind: &'static str,
    /// What it is, for people, without the lines.
    pub message: String,
    /// Whether it guards the whole note.
    pub whole: bool,
    /// The first line of what it guards, from 1, or, where that is the whole note, the line that says so; `null` where the
    /// note does not say it.
    pub line: Option<usize>,
    /// The last line of what it guards; `null` where that is the whole note.
    pub until: Option<usize>,
}

/// A note that a model may see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct AllowedNote {
    /// The note.
    pub path: String,
    /// Statements that it may see.
    pub statements: usize,
    /// Statements that are withheld.
    pub withheld: usize,
}

/// What left this machine.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EgressReport {
    /// The last ones, newest last.
    pub entries: Vec<EgressLine>,
    /// Lines of the log that could not be read.
    pub unreadable: usize,
    /// Where the log lies; `null` at a cloud door.
    pub log: Option<String>,
}

/// One thing that left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EgressLine {
    /// When: a time of UTC, to the second.
    pub at: String,
    /// The recipient: `host:port`, or `mcp` for the client of the MCP server.
    pub to: String,
    /// Which model; `null` where it was none.
    pub model: Option<String>,
    /// What for: `answer`, `repair`, `extract`, or a tool's name.
    pub what: String,
    /// How many bytes; `null` at a cloud door, since what was public then may be guarded by now, and has a length.
    pub bytes: Option<u64>,
    /// Ids of the claims that were in it, and handles of redacted ones; `null` at a cloud door, since what was public then
    /// may be guarded by now, and an id is a hash of words.
    pub claims: Option<Vec<String>>,
    /// How many pieces of the vault were in it, by the band that they had; redacted claims are in none.
    pub bands: CountsByBand,
    /// How many redacted claims were in it, each a handle and what it is about; `null` at a cloud door.
    pub redacted: Option<usize>,
}
