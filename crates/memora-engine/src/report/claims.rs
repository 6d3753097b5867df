//! Listed claims, and what the index knows of one.

use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ClaimState, DecisionReport, EdgeReport, Extractor, Freshness};
use crate::report::typed::for_door;

/// What `claims` lists.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "ClaimsReport")]
#[serde(bound = "D: Door")]
pub struct ClaimsReport<D = DoorView> {
    /// By note and place.
    pub claims: Vec<WireClaim<D>>,
    /// Whether there are more than were asked for.
    pub more: bool,
    /// Whether it rests on the vault as it is.
    #[serde(flatten)]
    pub freshness: Freshness,
}

for_door!(ClaimsReport { claims } keeping { more, freshness });

/// What `why` explains.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "WhyReport")]
#[serde(bound = "D: Door")]
pub struct WhyReport<D = DoorView> {
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

for_door!(WhyReport { claims, edges } keeping { asked, status, explanation, first_seen, extractors, models, decisions });
