//! The JSON output of commands and tools.
//!
//! The only types of this crate that can be serialized. All text in them that comes from a note was sorted for the
//! door `D`. The shapes are published in `schemas/`, which a test compares with these types.

mod privacy;

pub use privacy::{AllowedCounts, AllowedNote, AuditReport, EgressLine, EgressReport, GuardReason, GuardedNote};

mod capture;
mod claim_days;
mod closed;
mod doctor;
mod extract;
mod install;
mod lifecycle;
mod memory;
mod model;
mod onboarding;
mod page;
mod review;
mod verify;
mod watch;

pub use capture::{CapturedReport, CapturedSentence};
pub use claim_days::ClaimDays;
pub use closed::{
    AnswerStatus, BreakReason, CaptureRefusal, CaptureStatus, CitationOutcome, ClaimState, DoorKind, EdgeDirection,
    EdgeLabel, EntityKind, EntityStatus, PairJudgement, PairStatus, ReasonCode, ReviewKind, SentenceJudgement,
    VerdictBasis,
};
pub use doctor::{CheckSpec, DoctorCheck, DoctorReport};
pub use extract::{ExtractReport, ExtractedClaimCounts, PassagesReport, TokensReport};
pub use install::{HookInstallReport, InstallReport};
pub use lifecycle::{
    BrokenSupportReport, ContradictionJudgementReport, ContradictionReport, ContradictionsReport, DecidedReport,
    DecisionReport, EdgeReport, StaleClaim, StaleReport,
};
pub use memory::{
    ContextSection, ForgetReport, ForgetStatus, HitReasons, MemoryContext, MemoryCount, MemoryHit, MemoryItem,
    MemoryList, MemoryRead, MemoryResults, MemoryStats, MemoryStatus, ResealReport, SaveReport, SaveStatus,
    SearchOutcome, WriteReport, WriteStatus,
};
pub use model::{ModelReport, PromptReport, RequestReport};
pub use onboarding::{DemoCommand, DemoReport, DemoStep, GuardedPlace, InitReport};
pub use page::{ListedNote, NoteList, NotePage};
pub use review::{
    AlreadyWritten, AppliedReport, ChallengeReport, KindCount, LastReview, ProposedWording, RefusedTick, ReviewChoice,
    ReviewItem,
};
pub use verify::{
    CitationReport, EntailedBy, EntailmentReport, JudgementReport, ReasonReport, SentenceReport, VerifyReport,
};
pub use watch::{WatchLine, WatchedClaims, WatchedNotes};

pub use memora_claim::conflict::{ClaimStatus, SupersessionBasis};
pub use memora_claim::{DecisionKind, Extractor, Modality, Phase};
pub use memora_redact::{WireClaim, WirePlace, strip_citation_markers};
pub use memora_retrieve::EvidenceStrength;
pub use memora_vault::Band;
pub use memora_verify::{ReportStatus, SentenceVerdict};
use schemars::JsonSchema;
use serde::Serialize;

/// Whether an answer rests on the vault as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Freshness {
    /// The index has everything that is in the vault.
    pub fresh: bool,
    /// Notes that changed and are not indexed yet.
    pub pending: usize,
}

/// What `index` did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct IndexReport {
    /// Notes.
    pub notes: NoteCounts,
    /// Claims, as far as this door may see them.
    pub claims: ClaimCounts,
    /// What is odd about notes, as far as this door may see them.
    pub problems: Vec<Problem>,
    /// Attachments, canvases and other files that are no notes.
    pub unread: usize,
    /// Whether everything was done.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// Notes counted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NoteCounts {
    /// Notes in the index now, of the bands that this door shows.
    pub seen: usize,
    /// Notes read, because they were new or changed; `null` at a cloud door, since it would count guarded ones.
    pub changed: Option<usize>,
    /// Notes that went; `null` at a cloud door.
    pub removed: Option<usize>,
    /// Notes that were renamed or moved; `null` at a cloud door.
    pub renamed: Option<usize>,
    /// Files and folders that look like notes and were not read; none of them is in `seen`.
    pub skipped: Vec<SkippedNote>,
}

/// A note that was not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SkippedNote {
    /// Where; `null` at a cloud door, since its band is unknown.
    pub path: Option<String>,
    /// Why, as a stable word.
    pub reason: String,
    /// What to try.
    pub hint: String,
}

/// Claims counted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ClaimCounts {
    /// Claims there are.
    pub total: usize,
    /// Claims that are new.
    pub added: usize,
    /// Claims that went.
    pub removed: usize,
}

/// Something odd about a note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Problem {
    /// The note.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// What it is, as a stable word.
    pub kind: String,
    /// What it is, for people.
    pub message: String,
    /// What to try.
    pub hint: String,
}

/// What `search` found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "SearchReport")]
#[serde(bound = "")]
pub struct SearchReport<D> {
    /// Best first; of a query that names a time in the order of time.
    pub hits: Vec<SearchHit<D>>,
    /// Guarded claims about a subject that the query names, which this door may not see.
    pub redacted: Vec<WireClaim<D>>,
    /// Whether the query names a time: then each hit says which days it is of.
    pub of_time: bool,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// A claim found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "SearchHit")]
#[serde(bound = "")]
pub struct SearchHit<D> {
    /// The claim, with its place.
    #[serde(flatten)]
    pub claim: WireClaim<D>,
    /// Words and meaning made one, from 0 to 1, and what spreading added.
    pub score: f32,
    /// `strong`, `weak`, or `none`: how far it answers the query.
    pub relevance: EvidenceStrength,
    /// Which words were found, and where.
    pub why: Vec<String>,
    /// How it came to its place.
    pub explain: RankExplanation,
    /// The days that it is of, where a time was asked about and it says so.
    pub days: Option<ClaimDays>,
}

/// A hit's place in each list, and what spreading added.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct RankExplanation {
    /// Among those that hold words of the query; the score is BM25. `null` if it holds none.
    pub lexical: Option<ListRank>,
    /// Among those that mean the like; the score is the cosine. `null` if it is not among the nearest.
    pub semantic: Option<ListRank>,
    /// The score that it got from related hits.
    pub spread: f32,
}

/// A place in a list.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ListRank {
    /// From 1.
    pub rank: usize,
    /// Comparable within one list of one search.
    pub score: f32,
}

/// What `ask` answers.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "AskReport")]
#[serde(bound = "")]
pub struct AskReport<D> {
    /// `verified`, `supported`, `partial`, `unverified`, `no_evidence`, or `withheld`: what a draft was made of became guarded.
    pub status: AnswerStatus,
    /// `strong` or `weak`; `null` without an answer, and of one that a model drafted.
    pub relevance: Option<EvidenceStrength>,
    /// The answer: what was verified, with its citations.
    pub answer: String,
    /// The answer's sentences.
    pub sentences: Vec<SentenceReport>,
    /// The cited claims, with their places.
    pub claims: Vec<WireClaim<D>>,
    /// Of a question of time the days that each of `claims` is of, one for each; else empty.
    pub days: Vec<Option<ClaimDays>>,
    /// Guarded claims about a subject that the question names, which this door may not see.
    pub redacted: Vec<WireClaim<D>>,
    /// Who drafted it; `null` where it is the notes' own words.
    pub drafted: Option<DraftedBy>,
    /// What was looked for, where nothing was found that answers; else `null`.
    pub looked_for: Option<SearchedWords>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// The words of a question, by whether they were found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SearchedWords {
    /// Those that stand in what was found, as far as this door sees it.
    pub known: Vec<String>,
    /// Those that stand in none of it.
    pub unknown: Vec<String>,
}

/// Who drafted an answer, and what of the draft is left.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DraftedBy {
    /// The model.
    pub model: String,
    /// How often it was asked.
    pub drafts: usize,
    /// What of the draft that the answer is left of did not hold.
    pub removed: RemovedReport,
    /// The installed model that read what facts leave open of the draft that the answer is left of; `null` where none did.
    pub read: Option<EntailmentReport>,
}

/// How many sentences and citations of a draft did not hold, by verdict. Never what they say.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Removed")]
pub struct RemovedReport {
    /// Sentences of which a fact disagrees with the cited words.
    pub contradicted: usize,
    /// Sentences of which something is in nothing that they cite.
    pub unsupported: usize,
    /// Sentences that only paraphrase what they cite, where those are not wanted.
    pub paraphrased: usize,
    /// Sentences whose every citation fails, or one of whose is redacted.
    pub rejected: usize,
    /// Sentences without a citation.
    pub uncited: usize,
    /// Citations that do not stand.
    pub citations: usize,
}

/// What `claims` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ClaimsReport")]
#[serde(bound = "")]
pub struct ClaimsReport<D> {
    /// By note and place.
    pub claims: Vec<WireClaim<D>>,
    /// Whether there are more than were asked for.
    pub more: bool,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// What `entity` tells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "EntityReport")]
#[serde(bound = "")]
pub struct EntityReport<D> {
    /// The name that was asked for.
    pub asked: String,
    /// `found`, `ambiguous` or `unknown`.
    pub status: EntityStatus,
    /// Who or what is meant; `null` unless it was found.
    pub entity: Option<NamedEntity>,
    /// The notes that it may be, when that is open.
    pub candidates: Vec<NamedEntity>,
    /// Names of notes that are nearly the one asked for, when no note has that one.
    pub nearest: Vec<String>,
    /// The claims about it, each once; those of its own note first, then by note and place.
    pub claims: Vec<WireClaim<D>>,
    /// The claims that name it otherwise: as their object or with a link, by note and place; then those of the statements that
    /// say its name, the best first.
    pub mentions: Vec<WireClaim<D>>,
    /// In how many statements the notes name it, as far as they were looked at.
    pub mentioned: usize,
    /// Whether there are more than were asked for.
    pub more: bool,
    /// With `--timeline`, what of `claims` and `mentions` is of a time, in that order, whether or not it is listed there; else
    /// empty.
    pub timeline: Vec<WireClaim<D>>,
    /// For each of `timeline` that says no time itself, the days that its note or a heading is of.
    pub timeline_days: Vec<Option<ClaimDays>>,
    /// What is named in the same blocks, most often first, twenty at most.
    pub co_occurs: Vec<CoOccurrence>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// An entity with its names.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NamedEntity {
    /// A note's title; a bare name as it is written.
    pub name: String,
    /// `note`, or `name` for what has no note of its own.
    pub kind: EntityKind,
    /// Every name: title, aliases, the words that links to it show.
    pub names: Vec<String>,
    /// The note; `null` for a bare name.
    pub path: Option<String>,
}

/// Something that is named in the same blocks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CoOccurrence {
    /// A note's title; a bare name as it is written.
    pub name: String,
    /// `note` or `name`.
    pub kind: EntityKind,
    /// The note; `null` for a bare name.
    pub path: Option<String>,
    /// How many times both are named in a block: a paragraph, a row, an item with the item above it.
    pub count: usize,
}

impl<D> EntityReport<D> {
    /// An empty report: nothing is known by the name.
    pub(crate) fn unknown(asked: &str, freshness: Freshness) -> Self {
        Self {
            asked: asked.to_owned(),
            status: EntityStatus::Unknown,
            entity: None,
            candidates: Vec::new(),
            nearest: Vec::new(),
            claims: Vec::new(),
            mentions: Vec::new(),
            mentioned: 0,
            more: false,
            timeline: Vec::new(),
            timeline_days: Vec::new(),
            co_occurs: Vec::new(),
            freshness,
        }
    }
}

/// What `why` explains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "WhyReport")]
#[serde(bound = "")]
pub struct WhyReport<D> {
    /// The id that was asked for.
    pub asked: String,
    /// `current`, `superseded`, `changed`, `missing_note`, `withdrawn`, `redacted` or `unknown`.
    pub status: ClaimState,
    /// The status in a sentence.
    pub explanation: String,
    /// Every reading of the statement, once for each place that this door may see, each re-read a moment ago.
    pub claims: Vec<WireClaim<D>>,
    /// When the statement was first indexed (seconds since 1970), where the journal knows.
    pub first_seen: Option<i64>,
    /// Which rule read the claims, or `model`.
    pub extractors: Vec<Extractor>,
    /// The language models that read what was asked for, by name and provider.
    pub models: Vec<String>,
    /// What it is to other claims, as far as this door may see them.
    pub edges: Vec<EdgeReport<D>>,
    /// What you decided about it, by time.
    pub decisions: Vec<DecisionReport>,
}

/// The status of the vault and its index.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct StatusReport {
    /// The vault's name.
    pub vault: String,
    /// Where the vault lies; `null` at a cloud door.
    pub root: Option<String>,
    /// Where its state lies; `null` at a cloud door.
    pub state: Option<String>,
    /// `local` or `cloud`.
    pub door: DoorKind,
    /// Notes indexed, by band.
    pub notes: CountsByBand,
    /// Statements that this door may see.
    pub statements: u64,
    /// Files and folders that look like notes and were not read, as `index` lists them.
    pub skipped: usize,
    /// Problems found, as far as this door may see them.
    pub problems: usize,
    /// What makes vectors.
    pub embedder: EmbedderReport,
    /// The language model that `ask` has draft, by the user's configuration; `null` where there is none.
    pub model: Option<ModelReport>,
    /// Whether the index has everything that is in the vault.
    #[serde(flatten)]
    pub freshness: Freshness,
}

/// The embedders and their vectors, as far as this door sees.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct EmbedderReport {
    /// Which one the configuration names: `embedded` or `all-MiniLM-L6-v2`.
    pub configured: &'static str,
    /// Which one answers questions now; `null` while there are no vectors.
    pub live: Option<&'static str>,
    /// Why that is not the one that is configured: `library_missing`, `library_unusable`, `model_missing`,
    /// `model_unusable`, `path_relative`, or `vectors_due` when it is there and its vectors are not all made.
    pub why_not: Option<&'static str>,
    /// The same in words, with paths; `null` at a cloud door.
    pub reason: Option<String>,
    /// Where fetched models lie; `null` at a cloud door.
    pub folder: Option<String>,
    /// The vectors that there are, by what made them.
    pub vectors: Vec<VectorsByEmbedder>,
}

/// The entailment models that can be installed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ModelsReport {
    /// The one that the configuration names, by its name or its folder; `null` where there is none.
    pub chosen: Option<String>,
    /// Why it cannot be used; `null` where it can be or there is none.
    pub failure: Option<String>,
    /// Those that are published.
    pub models: Vec<PublishedModel>,
}

/// A model that can be installed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PublishedModel {
    /// Its name.
    pub name: String,
    /// What it reads.
    pub languages: String,
    /// The terms of its files, as SPDX has them.
    pub licence: String,
    /// How many bytes its files have, without the library that all models share.
    pub bytes: u64,
    /// Whether its files are there, by their names alone.
    pub installed: bool,
    /// From which probability on a sentence counts as entailed by it.
    pub entailed_from: f32,
    /// What that was chosen on.
    pub chosen_on: String,
}

/// Vectors by one embedder.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VectorsByEmbedder {
    /// What made them, in the version that it has.
    pub model: String,
    /// How many statements have one; one that stands in several bands counts in each.
    pub made: usize,
    /// How many statements are to get one with the next `memora index`.
    pub due: usize,
}

/// Counts by band.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct CountsByBand {
    /// May leave.
    pub public: usize,
    /// Leaves where the user allows it; `null` at a door that may not see them.
    pub private: Option<usize>,
    /// Never leaves; `null` at a cloud door.
    pub secret: Option<usize>,
}

/// A line of `export`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExportedClaim {
    /// The claim's id.
    pub claim: String,
    /// Who or what it is about.
    pub subject: String,
    /// What is said of the subject.
    pub predicate: String,
    /// What it is said of; empty for a verb with nothing behind it.
    pub object: String,
    /// What else hangs on the verb.
    pub qualifiers: Vec<String>,
    /// The canonical relation, where there is one.
    pub relation: Option<String>,
    /// Whether it is worth being asked about; without `--statements` all are.
    pub listed: bool,
    /// `current`, `stale`, `superseded` or `withdrawn`.
    pub status: ClaimStatus,
    /// How it is meant.
    pub modality: Modality,
    /// Whether it is denied.
    pub negated: bool,
    /// Who says or thinks so, where the words report it.
    pub attribution: Option<String>,
    /// `begun` or `ended` when the words tell of a change, else `steady`.
    pub phase: Phase,
    /// Which rule read it.
    pub extractor: Extractor,
    /// How sure the extractor is, 0 to 1; ranks claims, and is no probability.
    pub confidence: f32,
    /// Since when it holds, where known.
    pub valid_from: Option<String>,
    /// Until when it holds, where known.
    pub valid_until: Option<String>,
    /// Where it stands.
    pub sources: Vec<ExportedSource>,
}

/// A place of an exported claim.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExportedSource {
    /// The note.
    pub path: String,
    /// First byte; `null`, like the four below, where this door may not learn how long the text before it is.
    pub start: Option<usize>,
    /// Behind the last byte.
    pub end: Option<usize>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// blake3 of the bytes of the span, as 64 hexadecimal digits.
    pub hash: Option<String>,
    /// The bytes of the span.
    pub quote: String,
    /// What it is to be read under, outermost first: the note's title, the headings above, the item it belongs to.
    pub context: Vec<String>,
    /// A link into the vault; left out of the canonical form, which does not depend on the folder's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// How secret it is.
    pub band: Band,
    /// Whether a machine wrote it down there.
    pub captured: bool,
}
