//! What is decided on the page, where it was started so: each is one line of `.memora/decisions.jsonl`, or one file of agents' memory,
//! and can be undone.

use axum::extract::{Extension, Form, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use memora_engine::report::{AppliedReport, DecisionKind, DecisionReport, ForgetStatus, WriteStatus};
use memora_engine::{ClaimId, DecisionRequest, ItemChange, LocalDoor, MemoryId, MemorySession, MemoryWriter};
use serde::Deserialize;

use crate::app::{Part, SharedApp};
use crate::audience::{PageRequest, Reading};
use crate::done::{Done, MemoryAct, words_of_memory};
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

struct Decide(Decided);

impl PageRequest for Decide {
    type Answer = (Done, String);
    const LABEL: &'static str = "decide";

    fn read(&self, reading: &Reading<'_>) -> Result<Self::Answer, PageError> {
        let Decided { tick, act, claim, .. } = &self.0;
        let (session, at) = (reading.session::<LocalDoor>()?, reading.decision_time());
        let made = if tick.is_empty() {
            let wrong = || PageError::refused("this is no decision", "keep, retract, end or restore a claim");
            let act = [DecisionKind::Keep, DecisionKind::Retract, DecisionKind::End, DecisionKind::Restore]
                .into_iter()
                .find(|known| known.as_str() == act);
            let claim = ClaimId::parse(claim).map_err(|_| wrong())?;
            let deciding = DecisionRequest { act: act.ok_or_else(wrong)?, claim, over: Vec::new(), at };
            session.lifecycle_reports().decide_claim(&deciding)?.decision
        } else {
            let review = session.review();
            first_applied(review.report_applied(review.apply_choice(tick, &at)?)?)?
        };
        Ok((Done::decided(&session, reading, &made)?, made.claim))
    }
}

fn first_applied(applied: AppliedReport) -> Result<DecisionReport, PageError> {
    match (applied.applied.into_iter().next(), applied.refused.into_iter().next()) {
        (Some(made), _) => Ok(made),
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
        Ok(((done, claim), _)) => {
            let mark = admitted.keep_done(done);
            see_other(match decided.back.as_str() {
                "review" => format!("{}&done={mark}", review::address(decided.n.max(1), &decided.kind)),
                _ => format!("{}?done={mark}", links::claim(&claim)),
            })
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
            "correct" => MemoryAct::Correct,
            _ => return Err(PageError::refused("this is no decision", "keep, forget, restore or correct a memory")),
        };
        let told = match act {
            MemoryAct::Correct => words.clone(),
            _ => words_of_memory(reading, id)?,
        };
        change_as_user(reading, id, act, words)?;
        Ok(Done::changed(act, id, told))
    }
}

/// Changes a memory as its user.
fn change_as_user(reading: &Reading<'_>, id: &str, act: MemoryAct, words: &str) -> Result<(), PageError> {
    let unknown = || PageError::not_found("there is no such memory", "it was forgotten or superseded meanwhile");
    let not_owned = || PageError::refused("this memory stays as it is", ForgetStatus::NOT_OWNED_REASON);
    let id = MemoryId::parse(id).ok_or_else(unknown)?;
    let (of, writer) = (MemorySession::default(), MemoryWriter::user(reading.memora));
    let session = reading.session::<LocalDoor>()?;
    let memories = session.memories(&of, &writer)?;
    match act {
        MemoryAct::Later => Ok(()),
        MemoryAct::Keep => memories.gate().keep(&id, &reading.decision_time())?.ok_or_else(unknown).map(drop),
        MemoryAct::Forget | MemoryAct::Restore => {
            let changed = match act {
                MemoryAct::Forget => memories.upkeep().forget(&id, Some("the user forgot it on the page"))?,
                _ => memories.upkeep().restore(&id)?,
            };
            match changed.status {
                ForgetStatus::Forgotten | ForgetStatus::Restored => Ok(()),
                ForgetStatus::Unknown => Err(unknown()),
                ForgetStatus::NotOwned => Err(not_owned()),
            }
        }
        MemoryAct::Correct => {
            let written = memories.gate().update(&id, &ItemChange::Content(words.replace("\r\n", "\n")))?;
            match written.status {
                WriteStatus::Written => Ok(()),
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
        Ok((done, _)) => see_other(format!("/memory?done={}", admitted.keep_done(done))),
        Err(error) => app.show_problem(&admitted, Part::Memory, error),
    }
}

fn see_other(address: String) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, address)]).into_response()
}
