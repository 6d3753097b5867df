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
