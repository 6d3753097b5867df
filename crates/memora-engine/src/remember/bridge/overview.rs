//! The servers as the user sees them, and a delivery that the user asks for.

use std::time::Instant;

use memora_bridge::{BridgeError, ServerDescription};

use super::outbox::Outbox;
use super::{DeliveryError, Memories, MemoryError, USER_WAIT, state_of};
use crate::report::{BridgeReport, BridgeState, BridgeSync, BridgesReport};
use crate::state::bridges::Bridge;
use crate::state::error_chain::format_error_chain;

impl Memories<'_> {
    /// Starts each server, sends it nothing, and tells what it is and what waits for it.
    #[must_use]
    pub fn list_bridges(&self) -> BridgesReport {
        let begun: Vec<_> = self.bridges().iter().map(|bridge| (bridge, self.begin_describing(bridge))).collect();
        let until = Instant::now() + USER_WAIT;
        let bridges = begun.into_iter().map(|(bridge, described)| {
            report_bridge(bridge, described.and_then(|pending| Ok(pending.wait_until(until)?)))
        });
        let is_forbidden = self.bridges().is_empty() && !self.session.memora.bridges.all().is_empty();
        BridgesReport { bridges: bridges.collect(), forbidden: is_forbidden }
    }

    fn begin_describing(&self, bridge: &Bridge) -> Result<memora_bridge::Pending<ServerDescription>, DeliveryError> {
        Ok(bridge.client()?.describe(USER_WAIT))
    }

    /// Passes on what waits, and waits for it; with `pulls` takes over what the servers list, as an import does.
    pub fn sync_bridges(&self, name: Option<&str>, pulls: bool) -> Result<Vec<BridgeSync>, MemoryError> {
        let named = self.bridges().iter().filter(|bridge| name.is_none_or(|name| bridge.name() == name));
        let mut synced = Vec::new();
        for bridge in named {
            let mut sync = BridgeSync::new(bridge.name());
            // One that rests is asked again: the user wants it.
            let described =
                self.begin_describing(bridge).and_then(|pending| Ok(pending.wait_until(Instant::now() + USER_WAIT)?));
            let mut failed = described.err();
            if failed.is_none() && bridge.config.write {
                let delivery = self.at_cloud_door(|cloud| Ok(cloud.deliver_to(bridge, Instant::now() + USER_WAIT)))?;
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

fn report_bridge(bridge: &Bridge, described: Result<ServerDescription, DeliveryError>) -> BridgeReport {
    let outbox = Outbox::of(bridge);
    let (state, description, problem) = match described {
        Ok(description) => {
            let needs = [
                ("search", bridge.config.read, &description.tools.search),
                ("save", bridge.config.write, &description.tools.save),
            ];
            let missing = needs.into_iter().find(|(_, wanted, tool)| *wanted && tool.is_none());
            match missing {
                None => (BridgeState::Ok, description, None),
                Some((what, ..)) => {
                    let error = BridgeError::NoTool(what);
                    (state_of(&error), description, Some(error.to_string()))
                }
            }
        }
        Err(error) => (error.state(), ServerDescription::default(), Some(format_error_chain(&error))),
    };
    let ServerDescription { name: server, tools } = description;
    BridgeReport {
        name: bridge.name().to_owned(),
        place: bridge.config.place,
        read: bridge.config.read,
        write: bridge.config.write,
        state,
        server: Some(server).filter(|server| !server.is_empty()),
        search: tools.search,
        save: tools.save,
        delete: tools.delete,
        list: tools.list,
        queued: outbox.waiting().len(),
        delivered: outbox.foreign_ids().len(),
        problem,
    }
}
