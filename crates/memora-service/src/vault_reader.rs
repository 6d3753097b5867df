//! The vault of one worker thread: brings it up to date and reads it for the audience's door.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use jiff::civil::Date;
use memora_engine::report::Freshness;
use memora_engine::{CatchUpError, Door, LocalDoor, Memora, SyncBound, VaultWatch};

use crate::audience::Audience;
use crate::error::ServiceError;
use crate::indexer::BackgroundIndexer;
use crate::request::{ReadContext, VaultRequest};

/// The time that a request waits for the first index to be built; clients give up after a minute.
const FIRST_INDEX_TIMEOUT: Duration = Duration::from_secs(30);

/// The time that a request waits for another process to finish writing.
const LOCK_TIMEOUT: Duration = Duration::from_millis(400);

/// A vault opened for one audience.
pub(crate) struct VaultReader<'a> {
    memora: Memora,
    watching: VaultWatch,
    audience: Audience,
    indexing: &'a BackgroundIndexer,
    today: &'a (dyn Fn() -> Date + Send + Sync),
}

impl<'a> VaultReader<'a> {
    pub(crate) fn new(
        memora: Memora,
        audience: Audience,
        indexing: &'a BackgroundIndexer,
        today: &'a (dyn Fn() -> Date + Send + Sync),
    ) -> Self {
        for notice in memora.notices() {
            tracing::error!("{notice}");
        }
        let watching = memora.watch(false);
        Self { memora, watching, audience, indexing, today }
    }

    /// Answers a request for the audience.
    pub(crate) fn execute<R: VaultRequest>(&mut self, request: &R, stop: &AtomicBool) -> Result<R::Answer, R::Error> {
        let began = Instant::now();
        let answer = self.answer_request(request, stop);
        tracing::debug!(what = request.label(), ok = answer.is_ok(), took_ms = began.elapsed().as_millis(), "answered");
        answer
    }

    fn answer_request<R: VaultRequest>(&mut self, request: &R, stop: &AtomicBool) -> Result<R::Answer, R::Error> {
        let freshness = self.catch_up_index(stop).map_err(ServiceError::from)?;
        let _answering = self.indexing.begin_answering();
        match self.audience {
            Audience::Local => request.answer(&self.read_context(&LocalDoor, freshness, stop)),
            Audience::Cloud => {
                // The number of pending notes would reveal something about guarded ones.
                let freshness = Freshness { pending: freshness.pending.min(1), ..freshness };
                request.answer(&self.read_context(&self.memora.cloud_door(), freshness, stop))
            }
        }
    }

    fn read_context<'r, D: Door>(
        &'r self,
        door: &'r D,
        freshness: Freshness,
        stop: &'r AtomicBool,
    ) -> ReadContext<'r, D> {
        ReadContext { memora: &self.memora, door, freshness, stop }
    }

    /// Brings the index up to date within a bound; returns whether that was enough.
    fn catch_up_index(&mut self, stop: &AtomicBool) -> Result<Freshness, CatchUpError> {
        self.indexing.wait_for_first_round(FIRST_INDEX_TIMEOUT, stop);
        let began = Instant::now();
        loop {
            // Check the current rules before reading anything, even while another process indexes.
            self.memora.ensure_current_rules((self.today)())?;
            if let Some(freshness) = self.indexing.freshness() {
                return Ok(freshness);
            }
            let synced = self.memora.catch_up(&mut self.watching, SyncBound::READER, stop, &mut |_| {})?;
            if synced.pending > 0 && !synced.is_blocked() {
                self.indexing.request_round();
            }
            if !synced.is_blocked() || began.elapsed() > LOCK_TIMEOUT || stop.load(Ordering::Relaxed) {
                return Ok(synced.freshness());
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
