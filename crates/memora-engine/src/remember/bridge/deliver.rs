//! Passing on what was saved and forgotten.

use std::time::Instant;

use memora_bridge::BridgeError;
use memora_memory::{MemoryId, gist};
use memora_redact::{BridgeQuery, BridgeText, authorize_page};

use super::DeliveryError;
use super::outbox::{Act, Outbox, Waiting};
use crate::read::search::lowercase_words;
use crate::remember::error::MemoryError;
use crate::remember::owners::MemoryBridges;
use crate::report::MemoryStatus;
use crate::state::bridges::Bridge;

/// How often something is tried that a server answers with an error.
const TRIES_MAX: u32 = 3;
/// How many hits are looked at for a text that may have arrived.
const FOUND_MAX: usize = 10;
/// The words of a title, in characters.
const TITLE_CHARS_MAX: usize = 60;

/// What became of an outbox.
#[derive(Debug, Default)]
pub(crate) struct Delivery {
    /// How much was passed on.
    pub(super) sent: usize,
    /// How much was given up: it may not leave any more, is too old, or was refused.
    pub(super) dropped: usize,
    /// Why the rest waits.
    pub(super) error: Option<DeliveryError>,
}

/// What became of one entry.
enum Outcome {
    Sent,
    Dropped,
}

impl MemoryBridges<'_> {
    /// Passes on what waits for a server, in order, until a time; what comes behind a failure waits.
    pub(crate) fn deliver_to(&self, bridge: &Bridge, until: Instant) -> Delivery {
        let outbox = Outbox::of(bridge);
        let mut delivery = Delivery::default();
        let _lock = match outbox.lock() {
            Ok(Some(lock)) => lock,
            // Another process is at it.
            Ok(None) => return delivery,
            Err(error) => return Delivery { error: Some(error.into()), ..delivery },
        };
        for mut waiting in outbox.waiting() {
            let outcome = match outbox.is_overdue(&waiting) {
                true => Ok(Outcome::Dropped),
                false if Instant::now() >= until => return delivery,
                false => self.deliver_entry(bridge, &outbox, &mut waiting, until),
            };
            let is_given_up =
                matches!(outcome, Err(DeliveryError::Bridge(BridgeError::Refused)) if waiting.tries >= TRIES_MAX);
            match outcome {
                Ok(Outcome::Sent) => delivery.sent += 1,
                Ok(Outcome::Dropped) => delivery.dropped += 1,
                Err(error) => {
                    delivery.error = Some(error);
                    if !is_given_up {
                        return delivery;
                    }
                    delivery.dropped += 1;
                }
            }
            if let Err(error) = outbox.remove(&waiting) {
                return Delivery { error: Some(error.into()), ..delivery };
            }
        }
        delivery
    }

    fn deliver_entry(
        &self,
        bridge: &Bridge,
        outbox: &Outbox,
        waiting: &mut Waiting,
        until: Instant,
    ) -> Result<Outcome, DeliveryError> {
        let id = waiting.id.clone();
        match waiting.act {
            Act::Save => {
                let may_leave = outbox.foreign_id(&id).is_none();
                let Some(text) = self.text_that_may_leave(&id)?.filter(|_| may_leave) else {
                    return Ok(Outcome::Dropped);
                };
                let there = if waiting.tries > 0 { self.find_there(bridge, &text, until)? } else { None };
                let foreign = match there {
                    Some(foreign) => foreign,
                    None => self.try_once(outbox, waiting, || {
                        self.log_sending(bridge, "save", text.text().len(), Some((&id, text.band())))?;
                        let title = format!("{} {id}", gist(text.text(), TITLE_CHARS_MAX));
                        let patience = until.saturating_duration_since(Instant::now());
                        Ok(bridge.client()?.save(&text, &title, patience).wait_until(until)?.unwrap_or_default())
                    })?,
                };
                outbox.record_sent(&id, &foreign)?;
            }
            Act::Forget => {
                // What was never told, or has no id there, cannot be taken back.
                let Some(foreign) = outbox.foreign_id(&id).filter(|foreign| !foreign.is_empty()) else {
                    return Ok(Outcome::Dropped);
                };
                let deleted = self.try_once(outbox, waiting, || {
                    self.log_sending(bridge, "forget", foreign.len(), None)?;
                    let patience = until.saturating_duration_since(Instant::now());
                    Ok(bridge.client()?.delete(&foreign, patience).wait_until(until)?)
                });
                match deleted {
                    // What it cannot do is not to hold up the rest.
                    Err(DeliveryError::Bridge(BridgeError::NoTool(_) | BridgeError::Argument { .. })) => {
                        return Ok(Outcome::Dropped);
                    }
                    deleted => deleted?,
                }
                outbox.record_gone(&id)?;
            }
        }
        Ok(Outcome::Sent)
    }

    /// Tries to send; the outbox knows of it beforehand, for what was tried may have arrived.
    fn try_once<T>(
        &self,
        outbox: &Outbox,
        waiting: &mut Waiting,
        send: impl FnOnce() -> Result<T, DeliveryError>,
    ) -> Result<T, DeliveryError> {
        let before = waiting.tries;
        outbox.set_tries(waiting, before.saturating_add(1))?;
        let sent = send();
        if let Err(DeliveryError::Bridge(error)) = &sent
            && !error.may_be_done()
            && !matches!(error, BridgeError::Refused)
        {
            outbox.set_tries(waiting, before)?;
        }
        sent
    }

    /// The words of an item that holds, if they may leave at this moment.
    fn text_that_may_leave(&self, id: &MemoryId) -> Result<Option<BridgeText>, MemoryError> {
        let Some(found) = self.find_item_where(id, |path| !self.is_archived(path))? else {
            return Ok(None);
        };
        if self.reader().status_of(&found)? != MemoryStatus::Current {
            return Ok(None);
        }
        let page =
            self.session.notes.read_note(&found.path).and_then(|fresh| authorize_page(fresh, &self.session.door));
        // Nothing leaves that was read with the view of another door.
        let page = page.and_then(|page| page.for_door(&self.session.memora.cloud_door()));
        Ok(page.as_ref().and_then(BridgeText::from_page))
    }

    /// The server's id of a text that it has already; empty if it has none for it.
    fn find_there(&self, bridge: &Bridge, text: &BridgeText, until: Instant) -> Result<Option<String>, DeliveryError> {
        let Some(query) = BridgeQuery::from_text(text) else { return Ok(None) };
        self.log_sending(bridge, "search", query.text().len(), None)?;
        let patience = until.saturating_duration_since(Instant::now());
        let found = match bridge.client()?.search(query, FOUND_MAX, patience).wait_until(until) {
            Ok(found) => found,
            // Then it may arrive twice.
            Err(BridgeError::NoTool(_) | BridgeError::Argument { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let words = lowercase_words(text.text());
        let same = found.into_iter().find(|found| lowercase_words(&found.text).ends_with(&words));
        Ok(same.map(|found| found.id.unwrap_or_default()))
    }
}
