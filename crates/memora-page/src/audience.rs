//! The two readers as types, and how the vault is read for them.

use std::sync::atomic::{AtomicBool, Ordering};

use memora_engine::report::Freshness;
use memora_engine::{CloudDoor, Door, LocalDoor, Memora, ReadError, Session};
use memora_service::{ReadContext, ServiceError, VaultRequest};

use crate::error::PageError;

/// A door of the page: the user's own eyes, or those of a cloud model that the user looks through.
pub(crate) trait PageDoor: Door + Send + Sync + 'static {
    /// Whether it is that of a cloud model.
    const IS_CLOUD: bool;

    /// The door, with what the user's configuration shows at it.
    fn of(memora: &Memora) -> Self;
}

impl PageDoor for LocalDoor {
    const IS_CLOUD: bool = false;

    fn of(_: &Memora) -> Self {
        Self
    }
}

impl PageDoor for CloudDoor {
    const IS_CLOUD: bool = true;

    fn of(memora: &Memora) -> Self {
        memora.cloud_door()
    }
}

/// A vault that was just brought up to date.
pub(crate) struct Reading<'m> {
    pub(crate) memora: &'m Memora,
    pub(crate) freshness: Freshness,
    /// Raised when the answer is no longer awaited.
    pub(crate) stop: &'m AtomicBool,
}

impl<'m> Reading<'m> {
    /// Fails once the answer is no longer awaited: to be asked wherever a page takes long.
    pub(crate) fn check_awaited(&self) -> Result<(), PageError> {
        if self.stop.load(Ordering::Relaxed) { Err(PageError::from(ServiceError::Stopped)) } else { Ok(()) }
    }

    /// Starts a session for a reader.
    pub(crate) fn session<D: PageDoor>(&self) -> Result<Session<'m, D>, ReadError> {
        self.memora.session(D::of(self.memora))
    }

    /// Returns the current time in UTC, as decisions have it; if another day counts as today, the same time on that day.
    pub(crate) fn decision_time(&self) -> String {
        let (now, today) = (jiff::Timestamp::now(), self.memora.config().today);
        if jiff::Zoned::now().date() == today {
            return now.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
        }
        format!("{today}T{}Z", now.strftime("%H:%M:%S%.6f"))
    }
}

/// A question to the vault that one page asks.
pub(crate) trait PageRequest: Send + 'static {
    /// The answer, which says by its type for whom it is.
    type Answer: Send + 'static;
    /// The name of the request in logs.
    const LABEL: &'static str;
    /// Whether it reads the whole vault: others do not wait for it.
    const IS_SLOW: bool = false;

    /// Answers it.
    fn read(&self, reading: &Reading<'_>) -> Result<Self::Answer, PageError>;
}

/// A page's request, as the service takes it. The service's own audience is the user; a request for a cloud model's eyes asks for a
/// session at that door.
pub(crate) struct ForPage<R>(pub(crate) R);

impl<R: PageRequest> VaultRequest for ForPage<R> {
    type Answer = (R::Answer, Freshness);
    type Error = PageError;

    fn label(&self) -> &'static str {
        R::LABEL
    }

    fn is_slow(&self) -> bool {
        R::IS_SLOW
    }

    fn answer<D: Door>(&self, context: &ReadContext<'_, D>) -> Result<Self::Answer, PageError> {
        let freshness = context.freshness();
        Ok((self.0.read(&Reading { memora: context.memora(), freshness, stop: context.stop_flag() })?, freshness))
    }
}
