//! What a client may ask for and what it is told, whatever the method of the protocol.

use std::sync::atomic::AtomicBool;

use memora_engine::report::Freshness;
use memora_engine::{Band, Door, Memora, ReadError, Session};
use serde::Serialize;

use crate::trouble::Trouble;

/// Something that is asked of the vault: a tool that is called, a resource that is read, words that are to be completed.
pub(crate) trait Ask: Send + 'static {
    /// What the protocol answers it with.
    type Answer: Serialize + Send + 'static;

    /// What the log of what left calls it.
    fn what(&self) -> &'static str;

    /// Whether it may take as long as a language model does.
    fn is_slow(&self) -> bool {
        false
    }

    /// Answers it for a door.
    fn answer<D: Door>(&self, reading: &Reading<'_, D>) -> Result<Told<Self::Answer>, Trouble>;
}

/// A vault that was just brought up to date, to be read for the door `D`.
pub(crate) struct Reading<'a, D: Door> {
    pub(crate) memora: &'a Memora,
    pub(crate) door: &'a D,
    pub(crate) freshness: Freshness,
    /// Raised when nobody waits for the answer any more.
    pub(crate) stop: &'a AtomicBool,
}

/// A piece of the vault, for the log of what left: a claim's id or a handle, and its band.
pub(crate) type Piece = (Option<String>, Band);

/// An answer on its way out, with what of the vault is in it.
pub(crate) struct Told<A> {
    pub(crate) answer: A,
    pub(crate) pieces: Vec<Piece>,
}

impl<'a, D: Door> Reading<'a, D> {
    /// Begins to read.
    pub(crate) fn session(&self) -> Result<Session<'a, D>, ReadError> {
        self.memora.session(self.door.clone())
    }

    /// The status of a result that has nothing: `due` while some notes are not indexed yet, else `none`.
    pub(crate) fn unless_due<S>(&self, none: S, due: S) -> S {
        if self.freshness.fresh { none } else { due }
    }
}

/// What to do then.
pub(crate) const WHILE_DUE: &str =
    "Notes are being indexed: say that the index is not ready, and ask again in a moment.";
