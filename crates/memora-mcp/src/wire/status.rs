//! Statuses of tool results.

use memora_engine::report::{AnswerStatus, ClaimState, EntityStatus};

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
    /// Whether a search found something.
    SearchStatus {
        /// It did.
        Found,
        /// Nothing in the notes that this client may see.
        NothingFound,
        /// Nothing, and some notes are not indexed yet.
        NotIndexedYet,
    }
    /// The status of an answer for an agent.
    QueryStatus {
        /// No model was asked: these are the claims to answer from.
        Claims,
        /// Every sentence of the drafted answer is proven.
        Verified,
        /// The same, except that some sentences are paraphrased.
        Supported,
        /// Some of the draft holds.
        Partial,
        /// Nothing of the draft holds.
        Unverified,
        /// The notes do not answer.
        NoEvidence,
        /// Notes that the draft was made of became guarded while it was drafted.
        Withheld,
        /// The notes do not answer, and some are not indexed yet.
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

impl From<AnswerStatus> for QueryStatus {
    fn from(status: AnswerStatus) -> Self {
        match status {
            AnswerStatus::Verified => Self::Verified,
            AnswerStatus::Supported => Self::Supported,
            AnswerStatus::Partial => Self::Partial,
            AnswerStatus::Unverified => Self::Unverified,
            AnswerStatus::NoEvidence => Self::NoEvidence,
            AnswerStatus::Withheld => Self::Withheld,
        }
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
