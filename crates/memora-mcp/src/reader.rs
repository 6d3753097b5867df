//! One thread's vault: brought up to date, read for the client's door, and what is sent written down.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use memora_engine::report::Freshness;
use memora_engine::{Door, EgressEntry, EgressLog, LocalDoor, Memora, SyncBound, VaultWatch};

use crate::desk::Client;
use crate::indexer::Indexing;
use crate::reading::{Ask, Reading, Told};
use crate::trouble::Trouble;

/// Raised when nobody waits for an answer any more.
pub(crate) type Stop = Arc<AtomicBool>;

/// How long a call waits for an index that was never made; clients give up after a minute.
const FIRST_INDEX: Duration = Duration::from_secs(30);

/// How long a call waits for another process to finish writing.
const LOCKED: Duration = Duration::from_millis(400);

/// A vault that is read for one client.
pub(crate) struct Reader<'a> {
    memora: Memora,
    watching: VaultWatch,
    client: Client,
    indexing: &'a Indexing,
    today: &'a (dyn Fn() -> Date + Send + Sync),
}

impl<'a> Reader<'a> {
    pub(crate) fn new(
        memora: Memora,
        client: Client,
        indexing: &'a Indexing,
        today: &'a (dyn Fn() -> Date + Send + Sync),
    ) -> Self {
        for notice in memora.notices() {
            tracing::error!("{notice}");
        }
        let watching = memora.watch(false);
        Self { memora, watching, client, indexing, today }
    }

    /// What the client is told.
    pub(crate) fn carry_out<A: Ask>(&mut self, ask: &A, stop: &AtomicBool) -> Result<A::Answer, Trouble> {
        let began = Instant::now();
        let told = self.told(ask, stop).and_then(|told| self.logged(ask, told));
        tracing::debug!(what = ask.what(), ok = told.is_ok(), took_ms = began.elapsed().as_millis(), "answered");
        told
    }

    fn told<A: Ask>(&mut self, ask: &A, stop: &AtomicBool) -> Result<Told<A::Answer>, Trouble> {
        let freshness = self.prepare(stop)?;
        match self.client {
            Client::Local => ask.answer(&self.reading(&LocalDoor, freshness, stop)),
            Client::Cloud => {
                // How many notes wait would say something of guarded ones.
                let freshness = Freshness { pending: freshness.pending.min(1), ..freshness };
                ask.answer(&self.reading(&self.memora.cloud_door(), freshness, stop))
            }
        }
    }

    fn reading<'r, D: Door>(&'r self, door: &'r D, freshness: Freshness, stop: &'r AtomicBool) -> Reading<'r, D> {
        Reading { memora: &self.memora, door, freshness, stop }
    }

    /// Brings the index up to date, within a bound, and says whether that was enough.
    fn prepare(&mut self, stop: &AtomicBool) -> Result<Freshness, Trouble> {
        self.indexing.wait_for_first(FIRST_INDEX, stop);
        let began = Instant::now();
        loop {
            // Before anything is read, also while somebody else indexes: by which rules.
            self.memora.ensure_current_rules((self.today)())?;
            if let Some(freshness) = self.indexing.freshness() {
                return Ok(freshness);
            }
            let synced = self.memora.catch_up(&mut self.watching, SyncBound::READER, stop, &mut |_| {})?;
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
    fn logged<A: Ask>(&self, ask: &A, told: Told<A::Answer>) -> Result<A::Answer, Trouble> {
        let bytes = serde_json::to_vec(&told.answer).map_or(0, |json| json.len());
        let entry = EgressEntry::now("mcp", None, ask.what(), u64::try_from(bytes).unwrap_or(u64::MAX));
        EgressLog::in_state_dir(self.memora.state_dir()).record(&entry.with_pieces(told.pieces))?;
        Ok(told.answer)
    }
}
