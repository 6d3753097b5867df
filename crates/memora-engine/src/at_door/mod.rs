//! The rim: the stages as they are used at one door.
//!
//! A stage knows of a door what it shows ([`DoorView`](memora_redact::DoorView)), and its reports cannot be serialized. [`AtDoor`] is the only way to a
//! stage from outside: it was made with a door, its stage reads with the view of that door, and its methods type each report for it.
//! Invariant: **a report is typed for the door whose view it was made with.** What carries words of a note remembers the view, and
//! is withheld from any other door.

mod models;
mod stages;

use std::ops::Deref;

pub use models::ModelCall;

/// A stage, or the session that leads to it, at the door `D`.
///
/// Methods of the stage that show nothing of a note are called as they are.
pub struct AtDoor<S, D> {
    stage: S,
    door: D,
}

/// A reading session at the door `D`.
pub type Session<'m, D> = AtDoor<crate::state::session::Session<'m>, D>;

/// Memories at the door `D`.
pub type Memories<'s, D> = AtDoor<crate::remember::Memories<'s>, D>;

impl<S, D> Deref for AtDoor<S, D> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.stage
    }
}
