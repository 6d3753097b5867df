//! `stale`, and the commands that record decisions about claims.

use memora_engine::report::Freshness;
use memora_engine::{
    ClaimId, DecideError, DecisionKind, DecisionRequest, Door, Hint as _, LocalDoor, Memora, MemoryId, MemorySession,
    MemoryWriter,
};

use super::vault::warn_withheld;
use crate::args::{DecidedId, Keep, Stale};
use crate::command_error::{CommandError, CommandErrorKind, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn list_stale<D: Door>(
    memora: &mut Memora,
    args: &Stale,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let limit = args.limit.max(1);
    let session = memora.session(door.clone())?;
    let mut report = session.lifecycle_reports().list_stale(limit, freshness)?;
    let (of, writer) = (MemorySession::default(), MemoryWriter::user(memora));
    if session.cites_in_memory()? {
        let (memories, more) = session.memories(&of, &writer)?.reader().list_stale(limit)?;
        report.memories = memories;
        report.more |= more;
    }
    drop(session);
    ui.print_report(&report, screen::format_stale)?;
    if !report.stale.is_empty() {
        ui.hint("correct the sentence and its citation, or confirm that it still holds: memora keep CLAIM");
    }
    if !report.memories.is_empty() {
        ui.hint("confirm a memory that still holds, memora keep ID, or forget it: memora memory forget ID");
    }
    warn_withheld(memora, &door, ui);
    let none = report.stale.is_empty() && report.memories.is_empty();
    Ok(if none { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

pub(super) fn keep_claim<D: Door>(
    memora: &mut Memora,
    args: &Keep,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let claim = match &args.what {
        DecidedId::Claim(claim) => claim,
        DecidedId::Memory(id) => return keep_memory(memora, args, id, &door, ui),
    };
    let (act, others) =
        if args.beside.is_empty() { (DecisionKind::Keep, &args.over) } else { (DecisionKind::Both, &args.beside) };
    decide_claim(memora, act, claim, others, door, ui)
}

/// Confirms a memory, which no other program may do for its user.
fn keep_memory<D: Door>(
    memora: &mut Memora,
    args: &Keep,
    id: &MemoryId,
    door: &D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    if !door.is_local() {
        return Err(CommandError::usage("only you can confirm a memory, at a terminal")
            .with_hint("run it in a terminal, or with --door local if only you read the output"));
    }
    if !args.over.is_empty() || !args.beside.is_empty() {
        return Err(CommandError::usage("--over and --beside are for claims")
            .with_hint("memora keep with the memory's id alone: it stands beside what the notes say"));
    }
    let at = decision_time(memora);
    let (of, writer) = (MemorySession::default(), MemoryWriter::user(memora));
    let session = memora.session(LocalDoor)?;
    let report = session.memories(&of, &writer)?.gate().keep(id, &at)?.ok_or_else(|| {
        CommandError::usage(format!("there is no memory {id}")).with_hint(
            "memora memory list --all lists them; one in the archive is first restored: memora memory restore",
        )
    })?;
    ui.print_report(&report, screen::format_decided)?;
    Ok(CommandOutcome::Good)
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
    // What became of such a claim, `why` tells with the same exit code.
    let or_gone = |error: DecideError| match error {
        DecideError::Gone(_) => {
            let hint = error.hint();
            CommandError::from_error(CommandErrorKind::Gone, error).with_hint(hint)
        }
        error => error.into(),
    };
    let made = memora.session(door.clone())?.lifecycle_reports().decide_claim(&deciding).map_err(or_gone)?;
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
