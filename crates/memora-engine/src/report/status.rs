//! The state of the index, and the models.

use schemars::JsonSchema;
use serde::Serialize;

use super::{DoorKind, Freshness, ModelReport};

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
