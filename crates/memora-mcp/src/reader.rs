//! One thread's vault: brought up to date, read for the client's door, and what is sent written down.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use memora_engine::wire::Freshness;
use memora_engine::{Band, Bound, Egress, EgressEntry, LocalDoor, Memora, Watching};
use rmcp::model::CallToolResult;
use serde::Serialize;

use crate::call::{self, Call};
use crate::desk::Client;
use crate::indexer::Indexing;
use crate::trouble::Trouble;

/// How long a call waits for an index that was never made; clients give up after a minute.
const FIRST_INDEX: Duration = Duration::from_secs(30);

/// How long a call waits for another process to finish writing.
const LOCKED: Duration = Duration::from_millis(400);

/// A vault that is read for one client.
pub(crate) struct Reader<'a> {
    memora: Memora,
    watching: Watching,
    client: Client,
    indexing: &'a Indexing,
    today: &'a (dyn Fn() -> Date + Send + Sync),
}

/// A result on its way out, with what of the vault is in it.
pub(crate) struct Told {
    result: CallToolResult,
    pieces: Vec<(Option<String>, Band)>,
}

impl Told {
    /// A result, and the pieces of the vault in it.
    pub(crate) fn of(result: &impl Serialize, pieces: Vec<(Option<String>, Band)>) -> Result<Self, Trouble> {
        let value = serde_json::to_value(result)
            .map_err(|_| Trouble::say("the result could not be written down", "ask for something else"))?;
        // As text too, for clients that know no structured results.
        Ok(Self { result: CallToolResult::structured(value), pieces })
    }
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        memora: Memora,
        client: Client,
        indexing: &'a Indexing,
        today: &'a (dyn Fn() -> Date + Send + Sync),
    ) -> Self {
        let watching = memora.watch(false);
        Self { memora, watching, client, indexing, today }
    }

    /// What the client is told.
    pub(crate) fn carry_out(&mut self, call: &Call, stop: &AtomicBool) -> CallToolResult {
        let began = Instant::now();
        let told = self.told(call, stop).and_then(|told| self.logged(call, told));
        tracing::debug!(tool = call.tool(), ok = told.is_ok(), took_ms = began.elapsed().as_millis(), "called");
        told.unwrap_or_else(|trouble| trouble.result())
    }

    fn told(&mut self, call: &Call, stop: &AtomicBool) -> Result<Told, Trouble> {
        let freshness = self.prepare(stop)?;
        match self.client {
            Client::Local => call::carry_out(&self.memora, call, &LocalDoor, freshness, stop),
            Client::Cloud => call::carry_out(&self.memora, call, &self.memora.cloud_door(), freshness, stop),
        }
    }

    /// Brings the index up to date, within a bound, and says whether that was enough.
    fn prepare(&mut self, stop: &AtomicBool) -> Result<Freshness, Trouble> {
        self.indexing.wait_for_first(FIRST_INDEX, stop);
        let began = Instant::now();
        loop {
            // Before anything is read, also while somebody else indexes: by which rules.
            self.memora.hold_to_rules((self.today)())?;
            if let Some(freshness) = self.indexing.freshness() {
                return Ok(freshness);
            }
            let synced = self.memora.catch_up(&mut self.watching, Bound::READER, stop, &mut |_| {})?;
            if synced.pending > 0 && !synced.locked {
                self.indexing.wake();
            }
            if !synced.locked || began.elapsed() > LOCKED || stop.load(Ordering::Relaxed) {
                return Ok(synced.freshness());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Writes down what is about to leave; what can't be written down does not.
    fn logged(&self, call: &Call, told: Told) -> Result<CallToolResult, Trouble> {
        let bytes = serde_json::to_vec(&told.result).map_or(0, |json| json.len());
        let entry = EgressEntry::now("mcp", None, call.tool(), u64::try_from(bytes).unwrap_or(u64::MAX));
        Egress::of(self.memora.state_dir()).record(&entry.holding(told.pieces))?;
        Ok(told.result)
    }
}
