//! A claim with all that the index knows of it.

use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, ClaimStatus, Extractor, Modality, Phase};

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
