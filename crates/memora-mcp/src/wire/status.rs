//! Statuses of tool results.

use memora_engine::report::{ClaimState, EntityStatus};

memora_engine::closed_sets! {
    /// Whether a tool that lists has something to list.
    ListStatus {
        /// It has.
        Found,
        /// Nothing that this client may see, or no more.
        None,
        /// Nothing, and some notes are not indexed yet.
        NotIndexedYet,
    }
    /// What became of a claim that was asked for by its id.
    ClaimLookup {
        /// It stands, and nothing speaks against it.
        Current,
        /// It derives from a claim that no longer holds.
        Stale,
        /// Something newer replaced it.
        Superseded,
        /// Taken back by the user, or gone from every note.
        Withdrawn,
        /// Its words no longer stand as they did.
        Changed,
        /// Its note is gone.
        MissingNote,
        /// It is withheld from this client.
        Redacted,
        /// There is no such claim.
        Unknown,
        /// There is none yet: some notes are not indexed.
        NotIndexedYet,
    }
    /// Whether a name is known.
    EntityLookup {
        /// One entity has it.
        Found,
        /// Several may be meant.
        Ambiguous,
        /// No note has it.
        Unknown,
        /// No note has it yet: some are not indexed.
        NotIndexedYet,
    }
    /// What a claim has to do with the entity that was asked for.
    EntityRole {
        /// It is about it.
        Subject,
        /// It names it otherwise.
        Mention,
    }
}

impl From<ClaimState> for ClaimLookup {
    fn from(state: ClaimState) -> Self {
        match state {
            ClaimState::Current => Self::Current,
            ClaimState::Stale => Self::Stale,
            ClaimState::Superseded => Self::Superseded,
            ClaimState::Withdrawn => Self::Withdrawn,
            ClaimState::Changed => Self::Changed,
            ClaimState::MissingNote => Self::MissingNote,
            ClaimState::Redacted => Self::Redacted,
            ClaimState::Unknown => Self::Unknown,
        }
    }
}

impl From<EntityStatus> for EntityLookup {
    fn from(status: EntityStatus) -> Self {
        match status {
            EntityStatus::Found => Self::Found,
            EntityStatus::Ambiguous => Self::Ambiguous,
            EntityStatus::Unknown => Self::Unknown,
        }
    }
}
