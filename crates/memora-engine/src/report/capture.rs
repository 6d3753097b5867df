//! The report of `capture`.

use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{Band, CaptureRefusal, CaptureStatus, Freshness, SentenceReport};
use crate::report::typed::for_door;

/// What `capture` did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "CapturedReport")]
#[serde(bound = "D: Door")]
pub struct CapturedReport<D = DoorView> {
    /// `captured`; or `refused`, and then nothing was written.
    pub status: CaptureStatus,
    /// The new note, relative to the vault; `null` where there is none.
    pub path: Option<String>,
    /// Who says so, as its property has it.
    pub by: String,
    /// The strictest band of what it cites, or the one that was asked for. Where the note lies may make it stricter.
    pub band: Band,
    /// Every sentence of the text.
    pub sentences: Vec<CapturedSentence>,
    /// How many sentences cite nothing.
    pub uncited: usize,
    /// The claims that it cites and that stand.
    pub claims: Vec<WireClaim<D>>,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(CapturedReport { claims } keeping { status, path, by, band, sentences, uncited, freshness });

/// A sentence of what was to be captured.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CapturedSentence {
    /// The sentence with its verdict, as `verify` gives it.
    #[serde(flatten)]
    pub sentence: SentenceReport,
    /// Why the text is refused for it: `citation` (one does not stand), or `unsupported`; `null` where it is not.
    pub refused: Option<CaptureRefusal>,
}
