//! Other programs' memory servers: what is saved here is passed on, and they are asked where a search finds too little.
//!
//! Invariants: **what is passed on was re-read and authorized for a cloud door right before, whatever door it was saved at, and
//! each sending has its line in the egress log first; what a server says is never written into the vault by a search; no result
//! of ours depends on it.**

mod deliver;
mod outbox;
mod overview;
mod pull;
mod read_through;

use std::io;
use std::time::{Duration, Instant};

use memora_bridge::BridgeError;
use memora_memory::{Item, MemoryId, Origin};
use memora_redact::Viewer;
use memora_vault::Band;

use self::outbox::{Act, Outbox};
use crate::remember::error::MemoryError;
use crate::remember::memories::Memories;
use crate::remember::owners::MemoryBridges;
use crate::report::BridgeState;
use crate::state::bridges::Bridge;
use crate::state::egress::{EgressEntry, EgressError, EgressLog};

/// How long a search waits for servers, and how long a server may take for it.
const SEARCH_WAIT: Duration = Duration::from_millis(800);
const SEARCH_MAX: Duration = Duration::from_secs(2);
/// How long a save waits for servers, all of them together.
const SAVE_WAIT: Duration = Duration::from_secs(2);
/// How long the user waits for one, who asked for it.
const USER_WAIT: Duration = Duration::from_secs(30);

/// Why something was not passed on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum DeliveryError {
    #[error(transparent)]
    Bridge(#[from] BridgeError),
    #[error(transparent)]
    Egress(#[from] EgressError),
    #[error(transparent)]
    Memory(#[from] MemoryError),
    #[error("the state of the bridge cannot be written")]
    Io(#[from] io::Error),
}

impl DeliveryError {
    fn state(&self) -> BridgeState {
        match self {
            Self::Bridge(error) => state_of(error),
            Self::Egress(_) | Self::Memory(_) | Self::Io(_) => BridgeState::Failed,
        }
    }
}

fn state_of(error: &BridgeError) -> BridgeState {
    match error {
        error if error.is_timeout() => BridgeState::TimedOut,
        BridgeError::Resting => BridgeState::OpenCircuit,
        _ => BridgeState::Failed,
    }
}

impl MemoryBridges<'_> {
    /// The servers that may be asked and told, unless the vault forbids it.
    pub(crate) fn servers(&self) -> &[Bridge] {
        let memora = self.session.memora;
        let all = memora.bridges.all();
        if all.is_empty() || !memora.config.memory.allows_bridges_in(&memora.vault) { &[] } else { all }
    }

    fn bridges_to_tell(&self) -> impl Iterator<Item = &Bridge> {
        self.servers().iter().filter(|bridge| bridge.config.write)
    }

    /// Has an item passed on, if others may be told of it: not what waits for the user, what a tool said, what came from
    /// elsewhere, nor what a cloud door does not see. The file stands, so no failure here is one of saving it.
    pub(crate) fn queue_save(&self, item: &Item, band: Band) {
        let may_leave = self.session.memora.cloud_door().may_show(band);
        if may_leave && item.held.is_none() && item.imported.is_none() && item.origin > Origin::ToolOutput {
            self.queue(Act::Save, &item.id);
        }
    }

    /// Has it passed on that an item was forgotten, where it was told of.
    pub(crate) fn queue_forget(&self, id: &MemoryId) {
        self.queue(Act::Forget, id);
    }

    fn queue(&self, act: Act, id: &MemoryId) {
        for bridge in self.bridges_to_tell() {
            let outbox = Outbox::of(bridge);
            if (act == Act::Save || outbox.knows(id)) && outbox.add(act, id).is_err() {
                tracing::error!("a memory cannot be queued for a bridge");
            }
        }
    }

    /// Passes on what waits, for two seconds at most. What does not arrive waits for the next time.
    pub fn deliver(&self) {
        let until = Instant::now() + SAVE_WAIT;
        let waiting: Vec<&Bridge> = self.bridges_to_tell().filter(|bridge| !Outbox::of(bridge).is_empty()).collect();
        if waiting.is_empty() {
            return;
        }
        let delivered = self.at_cloud_door(|cloud| {
            for bridge in waiting {
                cloud.deliver_to(bridge, until);
            }
            Ok(())
        });
        if delivered.is_err() {
            tracing::error!("the memories that wait for a bridge cannot be read");
        }
    }

    /// The servers that still have an item.
    pub(crate) fn also_in(&self, id: &MemoryId) -> Vec<String> {
        let all = self.session.memora.bridges.all().iter();
        all.filter(|bridge| Outbox::of(bridge).foreign_id(id).is_some())
            .map(|bridge| bridge.name().to_owned())
            .collect()
    }

    /// Does something with memories as a cloud door sees them at this moment.
    pub(crate) fn at_cloud_door<T>(
        &self,
        act: impl FnOnce(&MemoryBridges<'_>) -> Result<T, MemoryError>,
    ) -> Result<T, MemoryError> {
        let memora = self.session.memora;
        let session = memora.session_for(memora.cloud_door().view())?;
        act(&Memories::new(&session, self.of, self.writer)?.bridges())
    }

    /// Logs that something is about to be sent to a server.
    pub(crate) fn log_sending(
        &self,
        bridge: &Bridge,
        what: &str,
        bytes: usize,
        piece: Option<(&MemoryId, Band)>,
    ) -> Result<(), EgressError> {
        let to = format!("bridge {}", bridge.name());
        let entry = EgressEntry::now(&to, None, what, u64::try_from(bytes).unwrap_or(u64::MAX));
        let pieces = piece.map(|(id, band)| (Some(id.to_string()), band));
        EgressLog::in_state_dir(self.session.memora.state_dir()).record(&entry.with_pieces(pieces))
    }
}
