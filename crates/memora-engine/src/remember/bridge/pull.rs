//! Taking over what a server lists, as an import does.

use std::collections::HashSet;
use std::time::Instant;

use jiff::tz::TimeZone;
use memora_bridge::BridgedText;
use memora_memory::{ForeignFact, Origin};
use memora_vault::Band;

use super::outbox::Outbox;
use super::{DeliveryError, USER_WAIT};
use crate::read::search::lowercase_words;
use crate::remember::ImportRequest;
use crate::remember::error::{ImportError, MemoryError};
use crate::remember::owners::MemoryTransfer;
use crate::report::{BridgeSync, ImportReport};
use crate::state::bridges::Bridge;
use crate::state::error_chain::format_error_chain;

impl MemoryTransfer<'_> {
    /// Imports what a server lists, as a tool's output and private. What it was told by Memora, or says in the words of a memory
    /// that is there, is left out.
    pub(crate) fn pull(&self, bridge: &Bridge) -> Result<ImportReport, DeliveryError> {
        self.bridges().log_sending(bridge, "list", 0, None)?;
        let listed = bridge.client()?.list(USER_WAIT).wait_until(Instant::now() + USER_WAIT)?;
        let told: HashSet<String> = Outbox::of(bridge).foreign_ids().into_iter().collect();
        // Forgotten items, too.
        let items = self.folder.list("").into_iter().filter_map(|path| self.read_item(&path));
        let said: HashSet<Vec<String>> = items.map(|found| lowercase_words(&found.item.text)).collect();
        let is_new = |found: &BridgedText| {
            !found.id.as_ref().is_some_and(|id| told.contains(id)) && !said.contains(&lowercase_words(&found.text))
        };
        let facts = listed.into_iter().filter(is_new);
        let facts =
            facts.map(|found| ForeignFact { id: found.id, origin: Origin::ToolOutput, ..ForeignFact::new(found.text) });
        let asked = ImportRequest {
            format: None,
            band: Band::Private,
            trusted: false,
            dry_run: false,
            zone: TimeZone::system(),
        };
        self.import_facts(bridge.name(), facts, &asked).map_err(|error| match error {
            ImportError::Source(error) => DeliveryError::Io(error),
            ImportError::Memory(error) => error.into(),
        })
    }

    /// Passes on what waits, and waits for it; with `pulls` takes over what the servers list, as an import does.
    pub fn sync_bridges(&self, name: Option<&str>, pulls: bool) -> Result<Vec<BridgeSync>, MemoryError> {
        let bridges = self.bridges();
        let named = bridges.servers().iter().filter(|bridge| name.is_none_or(|name| bridge.name() == name));
        let mut synced = Vec::new();
        for bridge in named {
            let mut sync = BridgeSync::new(bridge.name());
            // One that rests is asked again: the user wants it.
            let described = bridges
                .begin_describing(bridge)
                .and_then(|pending| Ok(pending.wait_until(Instant::now() + USER_WAIT)?));
            let mut failed = described.err();
            if failed.is_none() && bridge.config.write {
                let delivery =
                    bridges.at_cloud_door(|cloud| Ok(cloud.deliver_to(bridge, Instant::now() + USER_WAIT)))?;
                (sync.sent, sync.dropped, failed) = (delivery.sent, delivery.dropped, delivery.error);
            }
            if failed.is_none() && pulls {
                match self.pull(bridge) {
                    Ok(report) => sync.pulled = Some(report),
                    Err(error) => failed = Some(error),
                }
            }
            sync.queued = Outbox::of(bridge).waiting().len();
            if let Some(error) = failed {
                (sync.state, sync.problem) = (error.state(), Some(format_error_chain(&error)));
            }
            synced.push(sync);
        }
        Ok(synced)
    }
}
