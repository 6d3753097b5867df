//! The servers as the user sees them, and a delivery that the user asks for.

use std::time::Instant;

use memora_bridge::{BridgeError, ServerDescription};

use super::outbox::Outbox;
use super::{DeliveryError, USER_WAIT, state_of};
use crate::remember::owners::MemoryBridges;
use crate::report::{BridgeReport, BridgeState, BridgesReport};
use crate::state::bridges::Bridge;
use crate::state::error_chain::format_error_chain;

impl MemoryBridges<'_> {
    /// Starts each server, sends it nothing, and tells what it is and what waits for it.
    #[must_use]
    pub fn list_bridges(&self) -> BridgesReport {
        let begun: Vec<_> = self.servers().iter().map(|bridge| (bridge, self.begin_describing(bridge))).collect();
        let until = Instant::now() + USER_WAIT;
        let bridges = begun.into_iter().map(|(bridge, described)| {
            report_bridge(bridge, described.and_then(|pending| Ok(pending.wait_until(until)?)))
        });
        let is_forbidden = self.servers().is_empty() && !self.session.memora.bridges.all().is_empty();
        BridgesReport { bridges: bridges.collect(), forbidden: is_forbidden }
    }

    pub(crate) fn begin_describing(
        &self,
        bridge: &Bridge,
    ) -> Result<memora_bridge::Pending<ServerDescription>, DeliveryError> {
        Ok(bridge.client()?.describe(USER_WAIT))
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
