//! The vault of one worker thread: brings it up to date, reads it for the client's door, and logs what is sent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use memora_engine::report::Freshness;
use memora_engine::{Door, EgressEntry, EgressLog, LocalDoor, Memora, SyncBound, VaultWatch};

use crate::indexer::BackgroundIndexer;
use crate::request::{MemoryConnection, ReadContext, Response, VaultRequest};
use crate::tool_error::ToolError;
use crate::workers::ClientKind;

/// A flag that is raised when an answer is no longer awaited.
pub(crate) type StopFlag = Arc<AtomicBool>;

/// The time that a call waits for the first index to be built; clients give up after a minute.
const FIRST_INDEX_TIMEOUT: Duration = Duration::from_secs(30);

/// The time that a call waits for another process to finish writing.
const LOCK_TIMEOUT: Duration = Duration::from_millis(400);

/// A vault opened for one client.
pub(crate) struct VaultReader<'a> {
    memora: Memora,
    watching: VaultWatch,
    client: ClientKind,
    memory: &'a MemoryConnection,
    indexing: &'a BackgroundIndexer,
    today: &'a (dyn Fn() -> Date + Send + Sync),
}

impl<'a> VaultReader<'a> {
    pub(crate) fn new(
        memora: Memora,
        client: ClientKind,
        memory: &'a MemoryConnection,
        indexing: &'a BackgroundIndexer,
        today: &'a (dyn Fn() -> Date + Send + Sync),
    ) -> Self {
        for notice in memora.notices() {
            tracing::error!("{notice}");
        }
        let watching = memora.watch(false);
        Self { memora, watching, client, memory, indexing, today }
    }

    /// Answers a request for the client and logs the answer.
    pub(crate) fn execute<A: VaultRequest>(&mut self, ask: &A, stop: &AtomicBool) -> Result<A::Answer, ToolError> {
        let began = Instant::now();
        let told = self.answer_for_client(ask, stop).and_then(|told| self.log_egress(ask, told));
        tracing::debug!(what = ask.log_label(), ok = told.is_ok(), took_ms = began.elapsed().as_millis(), "answered");
        told
    }

    fn answer_for_client<A: VaultRequest>(
        &mut self,
        ask: &A,
        stop: &AtomicBool,
    ) -> Result<Response<A::Answer>, ToolError> {
        let freshness = self.catch_up_index(stop)?;
        match self.client {
            ClientKind::Local => ask.answer(&self.read_context(&LocalDoor, freshness, stop)),
            ClientKind::Cloud => {
                // The number of pending notes would reveal something about guarded ones.
                let freshness = Freshness { pending: freshness.pending.min(1), ..freshness };
                ask.answer(&self.read_context(&self.memora.cloud_door(), freshness, stop))
            }
        }
    }

    fn read_context<'r, D: Door>(
        &'r self,
        door: &'r D,
        freshness: Freshness,
        stop: &'r AtomicBool,
    ) -> ReadContext<'r, D> {
        ReadContext { memora: &self.memora, door, freshness, memory: self.memory, stop }
    }

    /// Brings the index up to date within a bound; returns whether that was enough.
    fn catch_up_index(&mut self, stop: &AtomicBool) -> Result<Freshness, ToolError> {
        self.indexing.wait_for_first_round(FIRST_INDEX_TIMEOUT, stop);
        let began = Instant::now();
        loop {
            // Check the current rules before reading anything, even while another process indexes.
            self.memora.ensure_current_rules((self.today)())?;
            if let Some(freshness) = self.indexing.freshness() {
                return Ok(freshness);
            }
            let synced = self.memora.catch_up(&mut self.watching, SyncBound::READER, stop, &mut |_| {})?;
            if synced.pending > 0 && !synced.locked {
                self.indexing.request_round();
            }
            if !synced.locked || began.elapsed() > LOCK_TIMEOUT || stop.load(Ordering::Relaxed) {
                return Ok(synced.freshness());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Logs an answer before it is sent; an answer that cannot be logged is not sent.
    fn log_egress<A: VaultRequest>(&self, ask: &A, told: Response<A::Answer>) -> Result<A::Answer, ToolError> {
        let bytes = serde_json::to_vec(&told.answer).map_or(0, |json| json.len());
        let entry = EgressEntry::now("mcp", None, ask.log_label(), u64::try_from(bytes).unwrap_or(u64::MAX));
        EgressLog::in_state_dir(self.memora.state_dir()).record(&entry.with_pieces(told.pieces))?;
        Ok(told.answer)
    }
}
