//! `/claim/…`: why something is so: its places, what became of it, what it is to other claims, what the user decided.

use std::collections::{HashMap, HashSet};

use askama::Template;
use axum::extract::{Extension, Path, Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use memora_engine::report::{
    ClaimState, DecisionKind, DecisionReport, EdgeDirection, EdgeLabel, EdgeReport, WhyReport, WireClaim,
};
use memora_engine::{ClaimId, LocalDoor, NotePath, Session};
use serde::Deserialize;

use super::parts::{Evidence, EvidenceReader};
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::done::Done;
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;
use crate::svg::shorten;

/// How many places are shown, and how many other claims.
const PLACES_MAX: usize = 20;
const EDGES_MAX: usize = 40;

#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    /// The mark of what was decided a moment ago.
    #[serde(default)]
    done: String,
}

struct Explain(String);

struct Explained {
    report: WhyReport<LocalDoor>,
    /// One for each place; what the readings of a place say stands in `readings`.
    places: Vec<Evidence<LocalDoor>>,
    /// How many more places there are.
    places_left_out: usize,
    /// The other claims, each place once, with all that this one is to it.
    edges: Vec<(Vec<String>, Evidence<LocalDoor>)>,
    edges_left_out: usize,
    /// Of what no longer stands, where it stood, and what stands nearest there now.
    former: Option<Former>,
}

/// Where something stood.
struct Former {
    path: String,
    /// Whether there still is such a note.
    is_there: bool,
    /// What stands nearest now: its words, its address, its explanation.
    nearest: Option<(String, String, String)>,
}

impl PageRequest for Explain {
    type Answer = Explained;
    const LABEL: &'static str = "why";
    const IS_SLOW: bool = true;

    fn read(&self, reading: &Reading<'_>) -> Result<Explained, PageError> {
        let wrong =
            || PageError::not_found("this is not the id of a claim", "an id is copied from an answer or a note");
        let id = ClaimId::parse(&self.0).map_err(|_| wrong())?;
        let session = reading.session::<LocalDoor>()?;
        let mut report = session.catalog().explain_claim(&id)?;
        reading.check_awaited()?;
        let mut reader = EvidenceReader::new(reading, &session);
        let mut places = each_place_once(&report.claims);
        let places_left_out = places.len().saturating_sub(PLACES_MAX);
        places.truncate(PLACES_MAX);
        let places =
            (1..).zip(places).map(|(number, claim)| reader.read(claim.clone(), number)).collect::<Result<_, _>>()?;
        let mut others = group_edges(std::mem::take(&mut report.edges));
        let edges_left_out = others.len().saturating_sub(EDGES_MAX);
        others.truncate(EDGES_MAX);
        let read = |(words, other)| Ok::<_, PageError>((words, reader.read(other, 0)?));
        let edges = others.into_iter().map(read).collect::<Result<_, _>>()?;
        let former = if report.claims.is_empty() { find_former(&session, &id)? } else { None };
        Ok(Explained { report, places, places_left_out, edges, edges_left_out, former })
    }
}

/// The first claim of each place.
fn each_place_once(claims: &[WireClaim<LocalDoor>]) -> Vec<&WireClaim<LocalDoor>> {
    let mut seen = HashSet::new();
    let at = |claim: &&WireClaim<LocalDoor>| seen.insert(claim.place().map(|place| (place.path.clone(), place.start)));
    claims.iter().filter(at).collect()
}

/// Other claims by their places, each with all that the claim is to it.
fn group_edges(edges: Vec<EdgeReport<LocalDoor>>) -> Vec<(Vec<String>, WireClaim<LocalDoor>)> {
    let mut found: Vec<(Vec<String>, WireClaim<LocalDoor>)> = Vec::new();
    let mut at: HashMap<String, usize> = HashMap::new();
    for edge in edges {
        let words = edge_words(&edge);
        let known = *at.entry(links::claim_place(&edge.other)).or_insert(found.len());
        match found.get_mut(known) {
            Some((all, _)) if all.contains(&words) => {}
            Some((all, _)) => all.push(words),
            None => found.push((vec![words], edge.other)),
        }
    }
    found
}

/// Where a claim stood that stands there no longer, and what is nearest to that place now.
fn find_former(session: &Session<'_, LocalDoor>, id: &ClaimId) -> Result<Option<Former>, PageError> {
    let Some((path, start)) = session.catalog().former_place(id)? else { return Ok(None) };
    let Some(source) =
        NotePath::new(&path).ok().map(|path| session.catalog().read_source(&path)).transpose()?.flatten()
    else {
        return Ok(Some(Former { path, is_there: false, nearest: None }));
    };
    let nearest = source.statements().iter().min_by_key(|statement| statement.start.abs_diff(start));
    let nearest = nearest.map(|statement| {
        let lines = source.lines();
        let line = lines.partition_point(|line| line.end < statement.start);
        let words = lines.get(line).and_then(|line| source.text().get(line.start..line.end)).unwrap_or_default();
        (shorten(words.trim(), 300), links::line(&path, Some(line + 1)), links::claim(&statement.claim))
    });
    Ok(Some(Former { path, is_there: true, nearest }))
}

#[derive(Template)]
#[template(path = "claim.html")]
struct ClaimPage {
    frame: Frame,
    explained: Explained,
    done: Option<Done>,
}

impl Screen for ClaimPage {
    fn status(&self) -> StatusCode {
        match self.explained.report.status {
            ClaimState::Unknown => StatusCode::NOT_FOUND,
            _ => StatusCode::OK,
        }
    }
}

impl ClaimPage {
    fn report(&self) -> &WhyReport<LocalDoor> {
        &self.explained.report
    }

    /// What is asked of it: what no longer stands is not asked why it is so.
    fn question(&self) -> &'static str {
        match self.report().status {
            ClaimState::Current | ClaimState::Stale | ClaimState::Redacted => "Why is this so?",
            ClaimState::Superseded | ClaimState::Withdrawn if !self.explained.places.is_empty() => {
                "Why does this no longer hold?"
            }
            ClaimState::Superseded | ClaimState::Withdrawn | ClaimState::Changed | ClaimState::MissingNote => {
                "This no longer stands in your notes"
            }
            ClaimState::Unknown => "No such claim",
        }
    }

    /// The day on which the user said that it no longer holds.
    fn ended(&self) -> Option<&str> {
        self.explained.places.iter().find_map(|place| place.ended.as_deref())
    }

    /// Its state, in words.
    fn state_words(&self) -> String {
        match self.ended() {
            Some(_) => "you ended it".to_owned(),
            None => self.report().status.to_string().replace('_', " "),
        }
    }

    /// Why it has that state.
    fn explanation(&self) -> String {
        match self.ended() {
            Some(day) => {
                format!("still in the note; you said on {day} that it no longer holds, and when it ended is not known")
            }
            None => self.report().explanation.clone(),
        }
    }

    /// What can be decided, with what follows from it.
    fn choices(&self) -> Vec<(&'static str, &'static str, &'static str)> {
        let mut choices = vec![
            ("keep", "it holds", "it counts as confirmed today"),
            ("end", "it no longer holds", "it counts until today, and then no longer"),
            ("retract", "it never held", "answers leave it out; the note still says so"),
        ];
        // Of what was decided, the last that was not taken back or put off.
        let mut acts = self.report().decisions.iter().map(|made| made.act).filter(|act| *act != DecisionKind::Later);
        if acts.next_back().is_some_and(|act| act != DecisionKind::Restore) {
            choices.push(("restore", "undo what I decided", "it counts as the note has it"));
        }
        choices
    }

    /// The shape and the colour of its state.
    fn state_mark(&self) -> (&'static str, &'static str) {
        match self.report().status {
            ClaimState::Current => ("✓", "good"),
            ClaimState::Stale => ("≈", "weak"),
            ClaimState::Superseded => ("→", "weak"),
            ClaimState::Withdrawn | ClaimState::Changed | ClaimState::MissingNote => ("✗", "bad"),
            ClaimState::Redacted | ClaimState::Unknown => ("?", "none"),
        }
    }

    /// Subject, predicate and object of each reading, once.
    fn readings(&self) -> Vec<(String, String, String, Option<String>)> {
        let mut seen = Vec::new();
        for claim in &self.report().claims {
            let (subject, predicate, object) = claim.triple();
            let relation = claim.relation().map(str::to_owned);
            let reading = (subject.to_owned(), predicate.to_owned(), object.to_owned(), relation);
            if !seen.contains(&reading) {
                seen.push(reading);
            }
        }
        seen
    }

    /// Whom the claims are about.
    fn subjects(&self) -> Vec<(String, String)> {
        let mut names: Vec<String> = self.readings().into_iter().map(|(subject, ..)| subject).collect();
        names.dedup();
        names.into_iter().map(|name| (links::entity(&name), name)).collect()
    }

    /// When it was first indexed, in UTC.
    fn first_seen(&self) -> Option<String> {
        let at = jiff::Timestamp::from_second(self.report().first_seen?).ok()?;
        Some(at.strftime("%Y-%m-%d %H:%M UTC").to_string())
    }

    fn can_decide(&self) -> bool {
        matches!(
            self.report().status,
            ClaimState::Current | ClaimState::Stale | ClaimState::Superseded | ClaimState::Withdrawn
        )
    }

    fn decision_words(decision: &DecisionReport) -> String {
        let mut words = match decision.act {
            DecisionKind::Keep => "it holds",
            DecisionKind::Both => "both hold",
            DecisionKind::Retract => "it never held",
            DecisionKind::End => "it no longer holds",
            DecisionKind::Restore => "taken back",
            DecisionKind::Later => "to be asked later",
        }
        .to_owned();
        for (word, ids) in [(" over ", &decision.over), (" despite ", &decision.despite)] {
            if !ids.is_empty() {
                words.push_str(word);
                words.push_str(&ids.join(", "));
            }
        }
        words
    }
}

/// What an edge says, from the claim's side.
fn edge_words(edge: &EdgeReport<LocalDoor>) -> String {
    let words = match (edge.kind, edge.direction) {
        (EdgeLabel::Supersedes, EdgeDirection::To) => "supersedes",
        (EdgeLabel::Supersedes, EdgeDirection::From) => "was superseded by",
        (EdgeLabel::Contradicts, _) => "contradicts",
        (EdgeLabel::Entails, EdgeDirection::To) => "says also",
        (EdgeLabel::Entails, EdgeDirection::From) => "is also said by",
        (EdgeLabel::Corroborates, _) => "is said again by",
        (EdgeLabel::Derives, EdgeDirection::To) => "rests on",
        (EdgeLabel::Derives, EdgeDirection::From) => "is cited by",
    };
    match edge.basis {
        Some(basis) => format!("{words} ({})", basis.to_string().replace('_', " ")),
        None => words.to_owned(),
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    let done = admitted.find_done(&asked.done);
    app.answer(&admitted, Part::Place, Explain(id), |frame, explained| ClaimPage { frame, explained, done }).await
}
