//! What is found for somebody who reads it: passages, and how sure it is that they answer.

use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ClaimStatus, EvidenceStrength, Freshness, Passage};
use crate::report::typed::for_door;

/// The passages that come nearest to a question.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "FindReport")]
#[serde(bound = "D: Door")]
pub struct FindReport<D = DoorView> {
    /// `likely`: the first passages most likely answer; `possible`: they may; `nearest`: nothing comes nearer.
    pub certainty: EvidenceStrength,
    /// Best first.
    pub passages: Vec<Passage<D>>,
    /// What is to be said of lines in them.
    pub remarks: Vec<LineRemark<D>>,
    /// Words of the question that stand in no note that this door may see.
    pub unknown: Vec<String>,
    /// Guarded claims about a subject that the question names, which this door may not see.
    pub redacted: Vec<WireClaim<D>>,
    /// Whether passages were compared by what they mean. Without it they were found by words and by vectors of single sentences: the notes
    /// were not read by the transformer yet, or it does not read the question's language.
    pub by_meaning: bool,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(FindReport { passages, remarks, redacted } keeping { certainty, unknown, by_meaning, freshness });

/// What is to be said of a line: that it no longer holds, since when, or what contradicts it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "LineRemark")]
#[serde(bound = "D: Door")]
pub struct LineRemark<D = DoorView> {
    /// The line, by the id to cite it by.
    pub claim: String,
    /// `superseded`, `stale` or `withdrawn`; `null` where it holds.
    pub status: Option<ClaimStatus>,
    /// Until when it held, where known.
    pub valid_until: Option<String>,
    /// Whether a machine wrote it.
    pub captured: bool,
    /// What open contradictions set against it: the user has not decided which holds.
    pub contested_by: Vec<WireClaim<D>>,
    /// The ids of newer lines beside it that end it by their words, or give another value on a later day; the user has not said whether it
    /// is over.
    pub overtaken_by: Vec<String>,
}

for_door!(LineRemark { contested_by } keeping { claim, status, valid_until, captured, overtaken_by });
