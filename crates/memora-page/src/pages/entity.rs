//! `/entity/…`: a person or a thing under all its names, its time, and what is named beside it.

use askama::Template;
use axum::extract::{Extension, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use memora_engine::report::{ClaimDays, EntityReport, EntityStatus, Phase, WireClaim};
use memora_engine::{Authors, EntityQuery, LocalDoor};
use serde::Deserialize;

use super::parts::{claim_marks, place_words};
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;
use crate::svg::surroundings::{Surroundings, draw_surroundings};
use crate::svg::timeline::{Entry, Timeline, draw_timeline};

/// How many claims are listed.
const CLAIMS_MAX: usize = 60;

struct AskEntity {
    name: String,
    captured: bool,
}

struct Known {
    report: EntityReport<LocalDoor>,
    is_owner_unset: bool,
    /// The current day.
    today: String,
}

impl PageRequest for AskEntity {
    type Answer = Known;
    const LABEL: &'static str = "entity";

    fn read(&self, reading: &Reading<'_>) -> Result<Known, PageError> {
        let query = EntityQuery { name: &self.name, limit: CLAIMS_MAX, timeline: true };
        let session = reading.session::<LocalDoor>()?;
        let authors = Authors::with_captured(self.captured);
        let report = session.entity_reports(authors).report_entity(&query, reading.freshness)?;
        let today = reading.memora.config().today.to_string();
        Ok(Known { report, is_owner_unset: reading.memora.is_owner_unset(&self.name), today })
    }
}

/// A claim in a list.
struct Listed {
    words: String,
    marks: Vec<String>,
    place: String,
    address: String,
    why: String,
}

impl Listed {
    fn of(claim: &WireClaim<LocalDoor>) -> Self {
        Self {
            words: claim.place().map_or_else(String::new, |place| one_line(&place.quote)),
            marks: claim_marks(claim, None),
            place: place_words(claim),
            address: links::claim_place(claim),
            why: links::claim(claim.id()),
        }
    }
}

fn one_line(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[derive(Template)]
#[template(path = "entity.html")]
struct EntityPage {
    frame: Frame,
    known: Known,
    timeline: Timeline,
    surroundings: Surroundings,
}

impl Screen for EntityPage {
    fn status(&self) -> StatusCode {
        match self.known.report.status {
            EntityStatus::Unknown => StatusCode::NOT_FOUND,
            _ => StatusCode::OK,
        }
    }
}

impl EntityPage {
    fn new(frame: Frame, known: Known) -> Self {
        let entries: Vec<Entry> = known.report.timeline.iter().zip(&known.report.timeline_days).map(entry).collect();
        let name = known.report.entity.as_ref().map_or(known.report.asked.as_str(), |entity| &entity.name);
        let beside = known.report.co_occurs.iter().map(|beside| (beside.name.as_str(), beside.count));
        let surroundings = draw_surroundings(name, beside);
        Self { frame, timeline: draw_timeline(entries, &known.today), surroundings, known }
    }

    fn title(&self) -> &str {
        self.known.report.entity.as_ref().map_or(&self.known.report.asked, |entity| &entity.name)
    }

    fn claims(&self) -> Vec<Listed> {
        list(&self.known.report.claims)
    }

    fn mentions(&self) -> Vec<Listed> {
        list(&self.known.report.mentions)
    }
}

/// Claims by their places, those of properties last: of several readings of the same words the first.
fn list(claims: &[WireClaim<LocalDoor>]) -> Vec<Listed> {
    let (properties, said): (Vec<_>, Vec<_>) = claims.iter().partition(|claim| is_property(claim));
    let mut listed: Vec<Listed> = said.into_iter().chain(properties).map(Listed::of).collect();
    listed.dedup_by(|later, before| later.address == before.address);
    listed
}

/// Whether a claim is a field of a note rather than a sentence: `created: 2024-05-03`.
fn is_property(claim: &WireClaim<LocalDoor>) -> bool {
    let (_, predicate, _) = claim.triple();
    let label = claim.place().and_then(|place| place.quote.split_once(':')).map_or("", |(label, _)| label);
    let folded = |words: &str| words.trim().replace(['_', '-'], " ").to_lowercase();
    !label.is_empty() && folded(label) == folded(predicate)
}

/// Verbs that end like no other past.
const PAST: &[&str] = &[
    "met", "went", "bought", "sold", "wrote", "gave", "took", "made", "saw", "came", "left", "won", "lost", "held",
    "had", "was", "were", "got", "said", "told", "found", "built", "sent", "paid", "began", "ran", "spoke", "flew",
    "drove", "broke",
];

/// Whether a claim is of something that happened, rather than of what holds from then on.
fn is_event(claim: &WireClaim<LocalDoor>) -> bool {
    let (_, predicate, _) = claim.triple();
    let verb = predicate.split([' ', '_']).next().unwrap_or_default();
    let is_past = verb.len() > 4 && verb.ends_with("ed") || PAST.contains(&verb);
    // What a known relation says lasts until another takes its place.
    is_past && claim.relation().is_none() && claim.phase() == Some(Phase::Steady)
}

/// A claim as an entry of the timeline.
fn entry((claim, days): (&WireClaim<LocalDoor>, &Option<ClaimDays>)) -> Entry {
    let (from, until) = match (claim.valid_from(), claim.valid_until(), days) {
        (None, None, Some(days)) => (Some(days.from.clone()), Some(days.until.clone())),
        (Some(from), None, _) if is_event(claim) => (Some(from.to_owned()), Some(from.to_owned())),
        (from, until, _) => (from.map(str::to_owned), until.map(str::to_owned)),
    };
    let (_, predicate, _) = claim.triple();
    Entry {
        is_property: is_property(claim),
        lane: claim.relation().unwrap_or(predicate).replace('_', " "),
        words: claim.place().map_or_else(String::new, |place| one_line(&place.quote)),
        from,
        until,
        status: claim.status().map(|status| status.to_string()).unwrap_or_default(),
        place: place_words(claim),
        address: links::claim_place(claim),
        why: links::claim(claim.id()),
    }
}

#[derive(Deserialize)]
pub(super) struct Asked {
    #[serde(default)]
    name: String,
    #[serde(default)]
    captured: String,
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    let request = AskEntity { name, captured: !asked.captured.is_empty() };
    app.answer(&admitted, Part::Place, request, EntityPage::new).await
}

/// A name that was typed into the form has an address of its own.
pub(super) async fn find(Query(asked): Query<Asked>) -> Response {
    let address = if asked.name.trim().is_empty() { "/".to_owned() } else { links::entity(asked.name.trim()) };
    (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response()
}
