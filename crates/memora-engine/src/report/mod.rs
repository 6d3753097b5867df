//! The JSON output of commands and tools.
//!
//! The only types of this crate that can be serialized. All text in them that comes from a note was sorted for the
//! door `D`. The shapes are published in `schemas/`, which a test compares with these types.

mod privacy;

pub use privacy::{AllowedCounts, AllowedNote, AuditReport, EgressLine, EgressReport, GuardReason, GuardedNote};

mod answer;
mod capture;
mod claim_days;
mod claims;
mod closed;
mod doctor;
mod entity;
mod export;
mod extract;
mod find;
mod freshness;
mod install;
mod lifecycle;
mod memory;
mod memory_bridges;
mod memory_transfer;
mod memory_upkeep;
mod model;
mod onboarding;
mod page;
mod passage;
mod plural;
mod review;
mod status;
pub(crate) mod typed;
mod verify;
mod watch;

pub use answer::{
    AskReport, ContestedClaim, DraftedBy, ListRank, RankExplanation, RemovedReport, SearchHit, SearchReport,
    SearchedWords,
};
pub use capture::{CapturedReport, CapturedSentence};
pub use claim_days::ClaimDays;
pub use claims::{ClaimsReport, WhyReport};
pub use closed::{
    AnswerStatus, BreakReason, BridgePlace, BridgeState, CaptureRefusal, CaptureStatus, ChangeJudgement,
    CitationOutcome, ClaimState, DoorKind, EdgeDirection, EdgeLabel, EntityKind, EntityStatus, PairJudgement,
    PairStatus, ReasonCode, ReviewKind, SentenceJudgement, VerdictBasis,
};
pub use doctor::{CheckSpec, DoctorCheck, DoctorReport};
pub use entity::{CoOccurrence, EntityReport, NamedEntity};
pub use export::{ExportedClaim, ExportedSource};
pub use extract::{ExtractReport, ExtractedClaimCounts, PassagesReport, TokensReport};
pub use find::{FindReport, LineRemark};
pub use freshness::Freshness;
pub use install::{HookInstallReport, InstallReport};
pub use lifecycle::{
    BrokenSupportReport, ChangePair, ChangesJudgementReport, ChangesReport, ContradictionJudgementReport,
    ContradictionReport, ContradictionsReport, DecidedReport, DecisionReport, EdgeReport, StaleClaim, StaleMemory,
    StaleReport,
};
pub use memory::{
    BridgedHit, BridgedMemories, ConsolidationAct, ConsolidationStatus, ContextSection, DroppedFor, ForgetReport,
    ForgetStatus, HitReasons, MemoryContext, MemoryCount, MemoryHit, MemoryItem, MemoryList, MemoryPassage, MemoryRead,
    MemoryResults, MemoryStats, MemoryStatus, RelatedMemory, SaveReport, SaveStatus, SearchOutcome, WriteReport,
    WriteStatus,
};
pub use memory_bridges::{
    BridgeCandidate, BridgeCandidatesReport, BridgeReport, BridgeSync, BridgeSyncReport, BridgesReport,
};
pub use memory_transfer::{ExportedMemory, ImportReport, UnreadableRecord};
pub use memory_upkeep::{
    ConsolidationModelReport, ConsolidationReport, ConsolidationStep, DomainGap, GapsReport, ResealReport, ScopeShare,
    UndoReport,
};
pub use model::{ModelReport, PromptReport, RequestReport};
pub use onboarding::{DemoCommand, DemoReport, DemoStep, GuardedPlace, InitReport};
pub use page::{ListedNote, NoteList, NotePage, NoteReading, NoteSource, SourceLine, SourceStatement};
pub use passage::{LineLayout, Passage, PassageLine, write_passage_lines};
pub use plural::pluralize;
pub use review::{
    AlreadyWritten, AppliedReport, KindCount, LastReview, ProposedWording, RefusedTick, ReviewChoice, ReviewItem,
    ReviewReport,
};
pub use status::{
    ClaimCounts, CountsByBand, EmbedderReport, IndexReport, NoteCounts, Problem, SkippedNote, StatusReport,
    VectorsByEmbedder,
};
pub use verify::{
    CitationReport, ElsewhereReport, EntailedBy, EvidenceReport, JudgementReport, ReasonReport, SentenceReport,
    VerifyReport,
};
pub use watch::{WatchLine, WatchedClaims, WatchedNotes, WatchedPass, WatchedReview};

pub use memora_claim::conflict::{ClaimStatus, SupersessionBasis};
pub use memora_claim::{DecisionKind, Extractor, Modality, Phase};
pub use memora_memory::{Origin, Refusal};
pub use memora_redact::{WireClaim, WirePlace, sanitize_for_model};
pub use memora_retrieve::EvidenceStrength;
pub use memora_vault::Band;
pub use memora_verify::{ReportStatus, SentenceVerdict, Strictness, Wording};
