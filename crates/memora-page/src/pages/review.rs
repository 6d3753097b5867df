//! `/review`: what wants the user's eye, one question at a time.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Extension, Query, State};
use axum::response::Response;
use memora_engine::report::{DecisionKind, KindCount, ReviewChoice, ReviewItem, ReviewKind, ReviewReport, WireClaim};
use memora_engine::{LocalDoor, NotePath, Session};
use serde::Deserialize;

use super::parts::{Evidence, read_evidence};
use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::done::Done;
use crate::error::PageError;
use crate::guard::Admitted;
use crate::last_review::{LastReview, ReviewState};
use crate::links;

/// How many items are collected.
const ITEMS_MAX: usize = 200;

#[derive(Clone, Deserialize)]
pub(super) struct Asked {
    /// Which one, from 1.
    #[serde(default)]
    n: usize,
    /// The kind that is asked about; all without one.
    #[serde(default)]
    kind: String,
    /// The mark of what was decided a moment ago.
    #[serde(default)]
    done: String,
}

struct Collect {
    asked: Asked,
    last: Arc<LastReview>,
}

/// One item of the review.
struct Collected {
    item: Option<ReviewItem<LocalDoor>>,
    claims: Vec<Evidence<LocalDoor>>,
    /// Which one it is, from 1, and of how many.
    number: usize,
    count: usize,
    found: Vec<KindCount>,
}

impl PageRequest for Collect {
    type Answer = Collected;
    const LABEL: &'static str = "review";
    const IS_SLOW: bool = true;

    fn read(&self, reading: &Reading<'_>) -> Result<Collected, PageError> {
        let session = reading.session::<LocalDoor>()?;
        let (mark, day) = (session.state_mark(), reading.memora.config().today.to_string());
        let state = ReviewState { mark, day };
        let kept = self.last.find(&state).map(|report| self.choose(report));
        let chosen = match kept.filter(|chosen| chosen.claims().all(|claim| still_stands(&session, claim))) {
            Some(chosen) => chosen,
            None => {
                let report = session.review().report_with_memories(ITEMS_MAX, reading.freshness)?;
                self.last.keep(state, &report);
                self.choose(report)
            }
        };
        let Chosen { mut item, number, count, found } = chosen;
        let claims = item.as_mut().map(|item| std::mem::take(&mut item.claims)).unwrap_or_default();
        let claims = read_evidence(reading, &session, claims)?;
        Ok(Collected { item, claims, number, count, found })
    }
}

/// The item that is asked for, among how many.
struct Chosen {
    item: Option<ReviewItem<LocalDoor>>,
    number: usize,
    count: usize,
    found: Vec<KindCount>,
}

impl Chosen {
    fn claims(&self) -> impl Iterator<Item = &WireClaim<LocalDoor>> {
        self.item.iter().flat_map(|item| &item.claims)
    }
}

impl Collect {
    fn choose(&self, report: ReviewReport<LocalDoor>) -> Chosen {
        let kind = &self.asked.kind;
        let asked = |item: &ReviewItem<LocalDoor>| kind.is_empty() || item.kind.as_str() == kind;
        let mut items: Vec<ReviewItem<LocalDoor>> = report.items.into_iter().filter(asked).collect();
        let count = items.len();
        let number = self.asked.n.clamp(1, count.max(1));
        let item = (count > 0).then(|| items.swap_remove(number - 1));
        Chosen { item, number, count, found: report.found }
    }
}

/// Re-reads the place of a claim, and compares its bytes.
fn still_stands(session: &Session<'_, LocalDoor>, claim: &WireClaim<LocalDoor>) -> bool {
    let bytes_stand = || {
        let place = claim.place()?;
        let source = session.catalog().read_source(&NotePath::new(&place.path).ok()?).ok()??;
        let bytes = source.text().get(place.start?..place.end?)?;
        Some(place.hash.as_deref() == Some(blake3::hash(bytes.as_bytes()).to_hex().as_str()))
    };
    bytes_stand().unwrap_or(false)
}

#[derive(Template)]
#[template(path = "review.html")]
struct ReviewPage {
    frame: Frame,
    asked: Asked,
    collected: Collected,
    done: Option<Done>,
}

impl Screen for ReviewPage {}

impl ReviewPage {
    /// The address of an item of the same kinds.
    fn at(&self, number: &usize) -> String {
        address(*number, &self.asked.kind)
    }

    fn next(&self) -> Option<String> {
        (self.collected.number < self.collected.count).then(|| self.at(&(self.collected.number + 1)))
    }

    fn previous(&self) -> Option<String> {
        (self.collected.number > 1).then(|| self.at(&(self.collected.number - 1)))
    }

    /// The kinds that there are, with how many, and whether each is asked about.
    fn kinds(&self) -> Vec<(String, &'static str, usize, bool)> {
        let kinds = self.collected.found.iter().filter(|found| found.count > 0);
        let address = |kind: ReviewKind| format!("/review?kind={}", kind.as_str());
        kinds
            .map(|found| {
                (address(found.kind), kind_words(found.kind), found.count, found.kind.as_str() == self.asked.kind)
            })
            .collect()
    }

    fn kind_words(item: &ReviewItem<LocalDoor>) -> &'static str {
        kind_words(item.kind)
    }

    /// How many sentences rest on it, in words.
    fn dependents(item: &ReviewItem<LocalDoor>) -> Option<String> {
        let words = if item.dependents == 1 { "sentence rests on it" } else { "sentences rest on it" };
        (item.dependents > 0).then(|| format!("{} {words}", item.dependents))
    }

    /// Why it is asked, as a sentence begins.
    fn because(item: &ReviewItem<LocalDoor>) -> String {
        let mut rest = item.why.trim_end_matches('.').chars();
        rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
    }

    /// The note that it is about.
    fn note(item: &ReviewItem<LocalDoor>) -> Option<(String, String)> {
        item.path.as_ref().map(|path| (links::note(path), path.clone()))
    }

    /// A choice as a command; nothing where there is no command for it.
    fn command(&self, choice: &ReviewChoice) -> Option<String> {
        let is_memory = self.collected.item.as_ref().is_some_and(|item| item.memory.is_some());
        command(choice, is_memory)
    }

    /// What follows from a choice.
    fn consequence(&self, choice: &ReviewChoice) -> &'static str {
        let is_memory = self.collected.item.as_ref().is_some_and(|item| item.memory.is_some());
        consequence(choice, is_memory)
    }
}

/// The address of an item.
pub(super) fn address(number: usize, kind: &str) -> String {
    if kind.is_empty() || !kind.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_') {
        format!("/review?n={number}")
    } else {
        format!("/review?kind={kind}&n={number}")
    }
}

fn command(choice: &ReviewChoice, is_memory: bool) -> Option<String> {
    let ReviewChoice { act, claim, over, .. } = choice;
    let with = |flag: &str| over.iter().map(|id| format!(" {flag} {id}")).collect::<String>();
    Some(match (act, is_memory) {
        (DecisionKind::Keep, true) => format!("memora keep {claim}"),
        (DecisionKind::Retract, true) => format!("memora memory forget {claim}"),
        (DecisionKind::Keep, false) => format!("memora keep {claim}{}", with("--over")),
        (DecisionKind::Both, _) => format!("memora keep {claim}{}", with("--beside")),
        (DecisionKind::Retract, false) => format!("memora retract {claim}"),
        (DecisionKind::End, _) => format!("memora retract {claim} --ended"),
        (DecisionKind::Restore, _) => format!("memora restore {claim}"),
        (DecisionKind::Later, _) => return None,
    })
}

fn consequence(choice: &ReviewChoice, is_memory: bool) -> &'static str {
    match (choice.act, is_memory) {
        (DecisionKind::Keep, true) => "agents go on remembering it",
        (DecisionKind::Retract, true) => "it moves to the archive, where it can be brought back",
        (DecisionKind::Keep, false) if choice.over.is_empty() => "it counts as confirmed today",
        (DecisionKind::Keep, false) => "this one counts, and the other is superseded",
        (DecisionKind::Both, _) => "both count, and it is not asked again",
        (DecisionKind::Retract, false) => "it counts as never true: answers leave it out",
        (DecisionKind::End, _) => "it counts until today, and then no longer",
        (DecisionKind::Restore, _) => "what you decided about it is taken back",
        (DecisionKind::Later, _) => "nothing changes; it is asked again in 30 days",
    }
}

fn kind_words(kind: ReviewKind) -> &'static str {
    match kind {
        ReviewKind::Stale => "stale",
        ReviewKind::Contradiction => "contradiction",
        ReviewKind::Changed => "overtaken",
        ReviewKind::Edit => "edited number",
        ReviewKind::Aging => "aging",
        ReviewKind::Intention => "intention",
        ReviewKind::SingleSource => "single source",
        ReviewKind::Frontier => "without a note",
        ReviewKind::Memory => "agents' memory",
    }
}

pub(super) async fn show(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Query(asked): Query<Asked>,
) -> Response {
    let request = Collect { asked: asked.clone(), last: Arc::clone(&app.last_review) };
    app.answer(&admitted, Part::Review, request, |frame, collected| ReviewPage {
        frame,
        done: admitted.find_done(&asked.done),
        asked,
        collected,
    })
    .await
}
