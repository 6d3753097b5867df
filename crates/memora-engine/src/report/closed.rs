//! Closed sets of words in reports, each an enum up to the edge.
//!
//! In JSON each is its name in snake case, and its schema lists every word. What other crates define as an enum
//! ([`Band`](memora_vault::Band), [`Modality`](memora_claim::Modality), [`EvidenceStrength`](memora_retrieve::EvidenceStrength), …) stands in
//! reports as it is.

use memora_verify::{CitationFailure, CitationVerdict, ReasonKind, ReportStatus};

memora_vault::closed_sets! {
    /// The status of an answer.
    AnswerStatus {
        /// Every asserting sentence is quoted, verified or entailed, and every citation stands.
        Verified,
        /// The same, except that some sentences are paraphrased.
        Supported,
        /// Some of it holds.
        Partial,
        /// None of it holds.
        Unverified,
        /// The notes do not answer.
        NoEvidence,
        /// Notes that a draft was made of became guarded while it was drafted.
        Withheld,
    }
    /// What the verdict of a sentence rests on.
    VerdictBasis {
        /// Its words are the source's: `quoted`.
        Text,
        /// Rules that keep every fact: `verified`.
        Rules,
        /// A model's finding: `entailed`, or `unsupported` where a language model said so.
        Model,
        /// Its facts: `paraphrased` (all agree), `contradicted`, `unsupported`.
        Facts,
    }
    /// The verdict of a citation.
    CitationOutcome {
        /// The words stand where they stood.
        Verified,
        /// The same words stand elsewhere now; counts as verified.
        Moved,
        /// The note no longer says it, or no longer says it in that way.
        Changed,
        /// The note is gone.
        MissingNote,
        /// There is no such claim.
        UnknownId,
        /// Taken back by the user, or gone from every note.
        Withdrawn,
        /// Something newer replaced it.
        Superseded,
        /// It exists and was not offered to the model that cites it.
        NotOffered,
        /// It is guarded, or may be.
        Redacted,
        /// It cannot be read.
        Malformed,
        /// A link leads nowhere, or quoted words are found nowhere.
        UnknownPlace,
        /// A link may lead to several places.
        Ambiguous,
        /// It leads to the text itself.
        Itself,
        /// It stands in a captured note only.
        Captured,
    }
    /// The kind of fact that a reason is about.
    ReasonCode {
        /// A number, share, amount or duration.
        Number,
        /// The unit of a number that agrees.
        Unit,
        /// A date or weekday.
        Date,
        /// A time of day.
        Time,
        /// A name.
        Name,
        /// Words in quotation marks.
        Quotation,
        /// A negation that is there or not.
        Negation,
        /// A comparison or change the other way round.
        Direction,
        /// *All* for *some*, and the like.
        Quantifier,
        /// Too few of its words are anywhere in what it cites.
        Content,
        /// A language model found that it is not said.
        Judged,
    }
    /// What a language model found for a sentence that the rules keep.
    SentenceJudgement {
        /// The cited words say it.
        Said,
        /// They do not; the sentence is then `unsupported`.
        NotSaid,
        /// It said nothing of the sentence that could be read, or was not asked.
        NotJudged,
    }
    /// What a language model found for two claims that contradict by the rules.
    PairJudgement {
        /// They contradict.
        Contradiction,
        /// Both can hold.
        NoContradiction,
        /// It said nothing of them that could be read, or was not asked.
        NotJudged,
    }
    /// What a language model found that a newer statement does to an older one.
    ChangeJudgement {
        /// The older one no longer holds.
        Changed,
        /// It says the same.
        Same,
        /// Both hold, or they are not about the same thing.
        BothHold,
        /// It said nothing of them that could be read, or was not asked.
        NotJudged,
    }
    /// Whether a contradiction is decided.
    PairStatus {
        /// Nothing tells which of the two holds.
        Open,
        /// One of the two no longer holds.
        Superseded,
    }
    /// What an edge between two claims says.
    EdgeLabel {
        /// One ended the other.
        Supersedes,
        /// Both cannot hold.
        Contradicts,
        /// One says the other, too.
        Entails,
        /// Both say the same.
        Corroborates,
        /// The sentence of one cites the other.
        Derives,
    }
    /// Which way an edge goes, seen from the claim that was asked for.
    EdgeDirection {
        /// From it to the other.
        To,
        /// From the other to it.
        From,
    }
    /// How a claim that a sentence rests on ceased to hold.
    BreakReason {
        /// Something newer replaced it.
        Superseded,
        /// The user took it back.
        Withdrawn,
        /// Its words are in no note any more.
        Gone,
    }
    /// Whether a name is known.
    EntityStatus {
        /// One entity has it.
        Found,
        /// Several may be meant.
        Ambiguous,
        /// No note has it.
        Unknown,
    }
    /// Whether an entity has a note of its own.
    EntityKind {
        /// It has.
        Note,
        /// It is a name in other notes.
        Name,
    }
    /// What became of a claim that was asked for by its id.
    ClaimState {
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
        /// It may not be seen at this door.
        Redacted,
        /// There is no such claim.
        Unknown,
    }
    /// What a review asks about.
    ReviewKind {
        /// A sentence cites a claim that no longer holds.
        Stale,
        /// Two claims cannot both be so.
        Contradiction,
        /// A newer note says otherwise than an older one.
        Changed,
        /// A number was edited in place.
        Edit,
        /// Something that changes was not said or confirmed for long.
        Aging,
        /// The owner meant to do something, and wrote so some time ago.
        Intention,
        /// Much rests on a sentence that stands in one place only.
        SingleSource,
        /// Something is often linked, and there is no note of it.
        Frontier,
        /// What was remembered is against the notes, stale, or an instruction that the owner did not give.
        Memory,
    }
    /// What became of a text to capture.
    CaptureStatus {
        /// A note was written.
        Captured,
        /// Nothing was written.
        Refused,
    }
    /// Why a sentence keeps a text from being captured.
    CaptureRefusal {
        /// A citation does not stand.
        Citation,
        /// A fact of it disagrees with what it cites.
        Contradicted,
        /// What it cites does not say it.
        Unsupported,
    }
    /// Near or far: a door, or the kind of model.
    DoorKind {
        /// On this machine, in front of its user.
        Local,
        /// Anything else.
        Cloud,
    }
    /// What became of asking a server.
    BridgeState {
        /// It answered.
        Ok,
        /// It did not answer in time, or is still starting.
        TimedOut,
        /// It failed, or cannot do what it is for.
        Failed,
        /// It failed three times in a row, and is left alone for five minutes.
        OpenCircuit,
    }
    /// Where a server keeps what it is told.
    BridgePlace {
        /// On this machine, by the user's word.
        Local,
        /// Perhaps elsewhere.
        Cloud,
    }
}

impl From<ReportStatus> for AnswerStatus {
    fn from(status: ReportStatus) -> Self {
        match status {
            ReportStatus::Verified => Self::Verified,
            ReportStatus::Supported => Self::Supported,
            ReportStatus::Partial => Self::Partial,
            ReportStatus::Unverified => Self::Unverified,
            ReportStatus::NoEvidence => Self::NoEvidence,
        }
    }
}

impl From<memora_claim::conflict::ClaimStatus> for ClaimState {
    fn from(status: memora_claim::conflict::ClaimStatus) -> Self {
        match status {
            memora_claim::conflict::ClaimStatus::Current => Self::Current,
            memora_claim::conflict::ClaimStatus::Stale => Self::Stale,
            memora_claim::conflict::ClaimStatus::Superseded => Self::Superseded,
            memora_claim::conflict::ClaimStatus::Withdrawn => Self::Withdrawn,
        }
    }
}

impl CitationOutcome {
    /// Whether a sentence may rest on the citation.
    #[must_use]
    pub fn stands(self) -> bool {
        matches!(self, Self::Verified | Self::Moved)
    }
}

impl From<CitationVerdict> for CitationOutcome {
    fn from(verdict: CitationVerdict) -> Self {
        match verdict {
            CitationVerdict::Verified => Self::Verified,
            CitationVerdict::Moved => Self::Moved,
            CitationVerdict::Malformed => Self::Malformed,
            CitationVerdict::Failed(failure) => match failure {
                CitationFailure::Changed(_) => Self::Changed,
                CitationFailure::MissingNote => Self::MissingNote,
                CitationFailure::UnknownId => Self::UnknownId,
                CitationFailure::Withdrawn => Self::Withdrawn,
                CitationFailure::Superseded => Self::Superseded,
                CitationFailure::NotOffered => Self::NotOffered,
                CitationFailure::Redacted => Self::Redacted,
                CitationFailure::UnknownPlace => Self::UnknownPlace,
                CitationFailure::Ambiguous => Self::Ambiguous,
                CitationFailure::SelfCitation => Self::Itself,
                CitationFailure::Captured => Self::Captured,
            },
        }
    }
}

impl From<ReasonKind> for ReasonCode {
    fn from(kind: ReasonKind) -> Self {
        match kind {
            ReasonKind::Number => Self::Number,
            ReasonKind::Unit => Self::Unit,
            ReasonKind::Date => Self::Date,
            ReasonKind::Time => Self::Time,
            ReasonKind::Name => Self::Name,
            ReasonKind::Quotation => Self::Quotation,
            ReasonKind::Negation => Self::Negation,
            ReasonKind::Direction => Self::Direction,
            ReasonKind::Quantifier => Self::Quantifier,
            ReasonKind::Content => Self::Content,
        }
    }
}
