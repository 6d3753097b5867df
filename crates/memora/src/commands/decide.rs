//! `stale`, and what is decided about claims.

use memora_engine::{ClaimId, DecisionKind, DecisionRequest, Door, Memora};

use super::{catch_up, catch_up_on_notes, claim_id, say_withheld};
use crate::args::{Keep, Stale};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn stale<D: Door>(memora: &mut Memora, args: &Stale, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.lifecycle_reports().list_stale(args.limit.max(1), freshness)?;
    ui.report(&report, print::stale)?;
    if !report.stale.is_empty() {
        ui.hint("mend the sentence and what it cites, or say that it holds all the same: memora keep CLAIM");
    }
    say_withheld(&door, ui);
    Ok(if report.stale.is_empty() { Outcome::Good } else { Outcome::Doubtful })
}

pub(super) fn keep<D: Door>(memora: &mut Memora, args: &Keep, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let (act, others) =
        if args.beside.is_empty() { (DecisionKind::Keep, &args.over) } else { (DecisionKind::Both, &args.beside) };
    decide(memora, act, &args.claim, others, door, ui)
}

pub(super) fn decide<D: Door>(
    memora: &mut Memora,
    act: DecisionKind,
    claim: &str,
    others: &[String],
    door: D,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    let claim = claim_id(claim, "decided about")?;
    let over = others.iter().map(|other| claim_id(other, "decided about")).collect::<Result<Vec<ClaimId>, _>>()?;
    catch_up(memora, ui)?;
    let deciding = DecisionRequest { act, claim, over, at: now(memora) };
    let made = memora.session(door.clone())?.lifecycle_reports().decide_claim(&deciding)?;
    // What it changed is seen by who reads the decisions anew.
    let report = memora.session(door.clone())?.lifecycle_reports().with_decided_claims(made)?;
    ui.report(&report, print::decided)?;
    say_withheld(&door, ui);
    Ok(Outcome::Good)
}

/// Now, in UTC; where another day counts as today, at this time of that day.
pub(super) fn now(memora: &Memora) -> String {
    let (now, today) = (jiff::Timestamp::now(), memora.config().today);
    if jiff::Zoned::now().date() == today {
        return now.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
    }
    format!("{today}T{}Z", now.strftime("%H:%M:%S%.6f"))
}
