//! What is decided on the page, where it was started so: each is one line of `.memora/decisions.jsonl`, or one file of agents' memory,
//! and can be undone.

use axum::extract::{Extension, Form, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use memora_engine::report::{AppliedReport, DecisionKind, ForgetStatus, WriteStatus};
use memora_engine::{ClaimId, DecisionRequest, ItemChange, LocalDoor, MemoryId, MemorySession, MemoryWriter};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use crate::app::{Part, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::error::PageError;
use crate::guard::Admitted;
use crate::links;
use crate::pages::review;

/// A choice of a review, or a decision about a claim.
#[derive(Clone, Deserialize)]
pub(super) struct Decided {
    /// A choice, as its item encodes it.
    #[serde(default)]
    tick: String,
    /// `keep`, `retract`, `end` or `restore`.
    #[serde(default)]
    act: String,
    /// About which claim.
    #[serde(default)]
    claim: String,
    /// The place in the review to go back to.
    #[serde(default)]
    n: usize,
    #[serde(default)]
    kind: String,
    /// `review` to go back there.
    #[serde(default)]
    back: String,
}

/// What was decided, about what.
struct Done {
    act: String,
    about: String,
}

struct Decide(Decided);

impl PageRequest for Decide {
    type Answer = Done;
    const LABEL: &'static str = "decide";

    fn read(&self, reading: &Reading<'_>) -> Result<Done, PageError> {
        let Decided { tick, act, claim, .. } = &self.0;
        let (session, at) = (reading.session::<LocalDoor>()?, reading.decision_time());
        if !tick.is_empty() {
            let review = session.review();
            let applied = review.report_applied(review.apply_choice(tick, &at)?)?;
            return first_applied(applied);
        }
        let wrong = || PageError::refused("this is no decision", "keep, retract, end or restore a claim");
        if MemoryId::parse(claim).is_some() && act == "restore" {
            return change_memory_as_user(reading, claim, &MemoryAct::Restore);
        }
        let act = [DecisionKind::Keep, DecisionKind::Retract, DecisionKind::End, DecisionKind::Restore]
            .into_iter()
            .find(|known| known.as_str() == act);
        let claim = ClaimId::parse(claim).map_err(|_| wrong())?;
        let deciding = DecisionRequest { act: act.ok_or_else(wrong)?, claim, over: Vec::new(), at };
        let made = session.lifecycle_reports().decide_claim(&deciding)?;
        Ok(Done { act: made.decision.act.to_string(), about: made.decision.claim })
    }
}

fn first_applied(applied: AppliedReport) -> Result<Done, PageError> {
    match (applied.applied.into_iter().next(), applied.refused.into_iter().next()) {
        (Some(made), _) => Ok(Done { act: made.act.to_string(), about: made.claim }),
        (None, Some(refused)) => Err(PageError::refused(refused.why, "the review asks anew what is left to decide")),
        (None, None) => Err(PageError::refused("nothing was decided", "the review asks anew what is left to decide")),
    }
}

/// Decides, and leads back to where it was asked.
pub(super) async fn decide(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Form(decided): Form<Decided>,
) -> Response {
    match app.read(Decide(decided.clone())).await {
        Ok((done, _)) => {
            let code = |words: &str| utf8_percent_encode(words, NON_ALPHANUMERIC).to_string();
            let back = match decided.back.as_str() {
                "review" => {
                    let address = review::address(decided.n.max(1), &decided.kind);
                    format!("{address}&done={}&about={}", code(&done.act), code(&done.about))
                }
                _ => links::claim(&done.about),
            };
            see_other(back)
        }
        Err(error) => app.show_problem(&admitted, Part::Review, error),
    }
}

/// A change of what agents remember.
#[derive(Clone, Deserialize)]
pub(super) struct MemoryChange {
    id: String,
    /// `keep`, `forget`, `restore` or `correct`.
    act: String,
    /// The words that it is to have.
    #[serde(default)]
    words: String,
}

enum MemoryAct {
    Keep,
    Forget,
    Restore,
    Correct(String),
}

struct ChangeMemory(MemoryChange);

impl PageRequest for ChangeMemory {
    type Answer = Done;
    const LABEL: &'static str = "memory";

    fn read(&self, reading: &Reading<'_>) -> Result<Done, PageError> {
        let MemoryChange { id, act, words } = &self.0;
        let act = match act.as_str() {
            "keep" => MemoryAct::Keep,
            "forget" => MemoryAct::Forget,
            "restore" => MemoryAct::Restore,
            "correct" => MemoryAct::Correct(words.replace("\r\n", "\n")),
            _ => return Err(PageError::refused("this is no decision", "keep, forget, restore or correct a memory")),
        };
        change_memory_as_user(reading, id, &act)
    }
}

/// Changes a memory as its user.
fn change_memory_as_user(reading: &Reading<'_>, id: &str, act: &MemoryAct) -> Result<Done, PageError> {
    let unknown = || PageError::not_found("there is no such memory", "it was forgotten or superseded meanwhile");
    let not_owned = || PageError::refused("this memory stays as it is", ForgetStatus::NOT_OWNED_REASON);
    let id = MemoryId::parse(id).ok_or_else(unknown)?;
    let (of, writer) = (MemorySession::default(), MemoryWriter::user(reading.memora));
    let session = reading.session::<LocalDoor>()?;
    let memories = session.memories(&of, &writer)?;
    let done = |act: &str| Ok(Done { act: act.to_owned(), about: id.to_string() });
    match act {
        MemoryAct::Keep => memories.keep(&id, &reading.decision_time())?.ok_or_else(unknown).and(done("keep")),
        MemoryAct::Forget | MemoryAct::Restore => {
            let (changed, word) = match act {
                MemoryAct::Forget => (memories.forget(&id, Some("the user forgot it on the page"))?, "forget"),
                _ => (memories.restore(&id)?, "restore"),
            };
            match changed.status {
                ForgetStatus::Forgotten | ForgetStatus::Restored => done(word),
                ForgetStatus::Unknown => Err(unknown()),
                ForgetStatus::NotOwned => Err(not_owned()),
            }
        }
        MemoryAct::Correct(words) => {
            let written = memories.update(&id, &ItemChange::Content(words.clone()))?;
            match written.status {
                WriteStatus::Written => done("correct"),
                WriteStatus::NotOwned => Err(not_owned()),
                WriteStatus::Refused => {
                    let why = written
                        .reason
                        .map_or_else(String::new, |reason| format!(": {}", reason.as_str().replace('_', " ")));
                    Err(PageError::refused(format!("these words are not saved{why}"), "say it in other words"))
                }
                WriteStatus::Unknown | WriteStatus::NotFound | WriteStatus::NotCurrent => Err(unknown()),
            }
        }
    }
}

/// Changes a memory, and leads back to the list.
pub(super) async fn change_memory(
    State(app): State<SharedApp>,
    Extension(admitted): Extension<Admitted>,
    Form(change): Form<MemoryChange>,
) -> Response {
    match app.read(ChangeMemory(change)).await {
        Ok((done, _)) => {
            let code = |words: &str| utf8_percent_encode(words, NON_ALPHANUMERIC).to_string();
            see_other(format!("/memory?done={}&about={}", code(&done.act), code(&done.about)))
        }
        Err(error) => app.show_problem(&admitted, Part::Memory, error),
    }
}

fn see_other(address: String) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response()
}
