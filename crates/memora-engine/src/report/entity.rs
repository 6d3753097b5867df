//! An entity, and the names beside it.

use memora_redact::{Door, DoorView, WireClaim};
use schemars::JsonSchema;
use serde::Serialize;

use super::{ClaimDays, EntityKind, EntityStatus, Freshness};
use crate::report::typed::for_door;

/// What `entity` tells.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(bound = "", rename = "EntityReport")]
#[serde(bound = "D: Door")]
pub struct EntityReport<D = DoorView> {
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
    /// Whether it is unknown, and notes that machines wrote name it: `--captured` takes them too.
    pub only_captured: bool,
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

for_door!(EntityReport { claims, mentions, timeline } keeping { asked, status, entity, candidates, nearest, only_captured, mentioned, more, timeline_days, co_occurs, freshness });

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
            only_captured: false,
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
