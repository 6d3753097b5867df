//! `/health`: whether all is as it should be, and what to do where it is not.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{Extension, State};
use axum::response::Response;
use memora_engine::LocalDoor;
use memora_engine::report::{DoctorReport, EmbedderReport, Problem, StatusReport};

use crate::app::{Frame, Part, Screen, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;

/// How many problems of a kind are listed.
const PROBLEMS_MAX: usize = 50;

struct Examine;

struct Examined {
    doctor: DoctorReport,
    status: StatusReport,
    problems: Vec<Problem>,
}

impl PageRequest for Examine {
    type Answer = Examined;
    const LABEL: &'static str = "health";
    const IS_SLOW: bool = true;

    fn read(&self, reading: &Reading<'_>) -> Result<Examined, PageError> {
        let session = reading.session::<LocalDoor>()?;
        let doctor = session.doctor();
        Ok(Examined {
            doctor: doctor.run_checks(false, reading.freshness)?,
            status: doctor.report_status(reading.freshness)?,
            problems: doctor.problems()?,
        })
    }
}

#[derive(Template)]
#[template(path = "health.html")]
struct HealthPage {
    frame: Frame,
    examined: Examined,
}

impl Screen for HealthPage {}

/// Problems of one kind.
struct ProblemKind<'p> {
    message: &'p str,
    hint: &'p str,
    places: Vec<(String, String)>,
    count: usize,
}

impl HealthPage {
    fn embedder(&self) -> &EmbedderReport {
        &self.examined.status.embedder
    }

    /// What a check is about, as somebody says it who knows no index.
    fn check_words(name: &str) -> &str {
        match name {
            "state" => "Memora’s own folder",
            "database" => "what answers are looked up in",
            "lexical index" => "search by words",
            "freshness" => "whether all changes are read",
            "unreadable" => "files that cannot be opened",
            "spans" => "every cited place, byte for byte",
            name => name,
        }
    }

    /// What finds passages that say the same in other words.
    fn meaning_words(&self) -> String {
        match self.embedder().live {
            None => "nothing so far: notes are still being read".to_owned(),
            Some("embedded") => "the word vectors that are part of the program".to_owned(),
            Some(other) => format!("the model {other} on this machine"),
        }
    }

    /// The problems, the most frequent kind first.
    fn problems(&self) -> Vec<ProblemKind<'_>> {
        let mut by_kind: BTreeMap<&str, Vec<&Problem>> = BTreeMap::new();
        for problem in &self.examined.problems {
            by_kind.entry(&problem.kind).or_default().push(problem);
        }
        let mut kinds: Vec<ProblemKind<'_>> = by_kind
            .into_values()
            .filter_map(|all| {
                let first = *all.first()?;
                let place = |problem: &&Problem| {
                    let address = links::line(&problem.path, Some(problem.line));
                    (address, format!("{}:{}", problem.path, problem.line))
                };
                Some(ProblemKind {
                    message: &first.message,
                    hint: &first.hint,
                    places: all.iter().take(PROBLEMS_MAX).map(place).collect(),
                    count: all.len(),
                })
            })
            .collect();
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.count));
        kinds
    }
}

pub(super) async fn show(State(app): State<SharedApp>, Extension(admitted): Extension<Admitted>) -> Response {
    app.answer(&admitted, Part::Health, Examine, |frame, examined| HealthPage { frame, examined }).await
}
