//! Reports of other programs' memory servers.

use schemars::JsonSchema;
use serde::Serialize;

use super::{BridgePlace, BridgeState, ImportReport};

/// The servers of the user's configuration.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct BridgesReport {
    /// In the order of the configuration.
    pub bridges: Vec<BridgeReport>,
    /// Whether the vault forbids them.
    pub forbidden: bool,
}

/// A server.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BridgeReport {
    /// Its name in the user's configuration.
    pub name: String,
    /// Where it keeps what it is told.
    #[serde(rename = "where")]
    pub place: BridgePlace,
    /// Whether searches ask it.
    pub read: bool,
    /// Whether it is told what is saved.
    pub write: bool,
    /// Whether it could be started, and has the tools that it needs.
    pub state: BridgeState,
    /// Its name and version, as it tells them.
    pub server: Option<String>,
    /// Its tool that searches.
    pub search: Option<String>,
    /// Its tool that saves.
    pub save: Option<String>,
    /// Its tool that deletes.
    pub delete: Option<String>,
    /// Its tool that lists everything.
    pub list: Option<String>,
    /// How much waits for it.
    pub queued: usize,
    /// How many memories it was told of.
    pub delivered: usize,
    /// What is wrong with it.
    pub problem: Option<String>,
}

/// What passing on did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BridgeSyncReport {
    /// By server.
    pub bridges: Vec<BridgeSync>,
}

/// What passing on did for one server.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BridgeSync {
    /// Its name in the user's configuration.
    pub name: String,
    /// Whether it answered.
    pub state: BridgeState,
    /// How much was passed on.
    pub sent: usize,
    /// How much was given up: it may not leave any more, waited a week, or was refused.
    pub dropped: usize,
    /// How much waits still.
    pub queued: usize,
    /// What was imported from it.
    pub pulled: Option<ImportReport>,
    /// What went wrong.
    pub problem: Option<String>,
}

impl BridgeSync {
    /// A report of nothing done.
    pub(crate) fn new(name: &str) -> Self {
        let (name, state) = (name.to_owned(), BridgeState::Ok);
        Self { name, state, sent: 0, dropped: 0, queued: 0, pulled: None, problem: None }
    }
}

/// Servers of assistants' programs that may keep memories.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BridgeCandidatesReport {
    /// By program.
    pub candidates: Vec<BridgeCandidate>,
}

/// A server that an assistant's program starts.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BridgeCandidate {
    /// The program.
    pub program: String,
    /// The server's name there.
    pub name: String,
    /// What to write into `config.toml`; `null` for one that is reached by a URL.
    pub config: Option<String>,
}
