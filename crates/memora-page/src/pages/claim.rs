//! `/claim/…`: why something is so: its places, what became of it, what it is to other claims, what the user decided.

use askama::Template;
use axum::extract::{Extension, Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use memora_engine::report::{ClaimState, DecisionReport, EdgeDirection, EdgeLabel, EdgeReport, WhyReport, WireClaim};
use memora_engine::{ClaimId, LocalDoor};

use super::parts::{Evidence, read_evidence};
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;

struct Explain(String);

struct Explained {
    report: WhyReport<LocalDoor>,
    /// One for each place; what the readings of a place say stands in `readings`.
    places: Vec<Evidence<LocalDoor>>,
    /// The other claims, each place once, with all that this one is to it.
    edges: Vec<(Vec<String>, Evidence<LocalDoor>)>,
}

impl PageRequest for Explain {
    type Answer = Explained;
    const LABEL: &'static str = "why";

    fn read(&self, reading: &Reading<'_>) -> Result<Explained, PageError> {
        let wrong =
            || PageError::not_found("this is not the id of a claim", "an id is copied from an answer or a note");
        let id = ClaimId::parse(&self.0).map_err(|_| wrong())?;
        let session = reading.session::<LocalDoor>()?;
        let mut report = session.catalog().explain_claim(&id)?;
        let mut places: Vec<WireClaim<LocalDoor>> = Vec::new();
        for claim in &report.claims {
            let at = |claim: &WireClaim<LocalDoor>| claim.place().map(|place| (place.path.clone(), place.start));
            if places.iter().all(|known| at(known) != at(claim)) {
                places.push(claim.clone());
            }
        }
        let mut edges: Vec<(Vec<String>, Evidence<LocalDoor>)> = Vec::new();
        for edge in std::mem::take(&mut report.edges) {
            let words = edge_words(&edge);
            let other = Evidence::read(&session, edge.other, 0)?;
            match edges.iter_mut().find(|(_, known)| known.address() == other.address()) {
                Some((all, _)) if all.contains(&words) => {}
                Some((all, _)) => all.push(words),
                None => edges.push((vec![words], other)),
            }
        }
        let places = read_evidence(&session, places)?;
        Ok(Explained { report, places, edges })
    }
}

#[derive(Template)]
#[template(path = "claim.html")]
struct ClaimPage {
    frame: Frame,
    explained: Explained,
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
        let mut words = decision.act.to_string();
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
) -> Response {
    app.answer(&admitted, Part::Place, Explain(id), |frame, explained| ClaimPage { frame, explained }).await
}
