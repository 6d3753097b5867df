//! `stale`, and the commands that record decisions about claims.

use memora_engine::report::Freshness;
use memora_engine::{ClaimId, DecisionKind, DecisionRequest, Door, Memora};

use super::vault::warn_withheld;
use crate::args::{Keep, Stale};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn list_stale<D: Door>(
    memora: &mut Memora,
    args: &Stale,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = memora.session(door.clone())?.lifecycle_reports().list_stale(args.limit.max(1), freshness)?;
    ui.print_report(&report, screen::format_stale)?;
    if !report.stale.is_empty() {
        ui.hint("mend the sentence and what it cites, or confirm that it still holds: memora keep CLAIM");
    }
    warn_withheld(memora, &door, ui);
    Ok(if report.stale.is_empty() { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

pub(super) fn keep_claim<D: Door>(
    memora: &mut Memora,
    args: &Keep,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let (act, others) =
        if args.beside.is_empty() { (DecisionKind::Keep, &args.over) } else { (DecisionKind::Both, &args.beside) };
    decide_claim(memora, act, &args.claim, others, door, ui)
}

pub(super) fn decide_claim<D: Door>(
    memora: &mut Memora,
    act: DecisionKind,
    claim: &ClaimId,
    others: &[ClaimId],
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let deciding = DecisionRequest { act, claim: *claim, over: others.to_vec(), at: decision_time(memora) };
    let made = memora.session(door.clone())?.lifecycle_reports().decide_claim(&deciding)?;
    // A new session reads the decisions again, and so sees the change.
    let report = memora.session(door.clone())?.lifecycle_reports().with_decided_claims(made)?;
    ui.print_report(&report, screen::format_decided)?;
    warn_withheld(memora, &door, ui);
    Ok(CommandOutcome::Good)
}

/// Returns the current time in UTC; if another day counts as today, the same time on that day.
pub(super) fn decision_time(memora: &Memora) -> String {
    let (now, today) = (jiff::Timestamp::now(), memora.config().today);
    if jiff::Zoned::now().date() == today {
        return now.strftime("%Y-%m-%dT%H:%M:%S%.6fZ").to_string();
    }
    format!("{today}T{}Z", now.strftime("%H:%M:%S%.6f"))
}
