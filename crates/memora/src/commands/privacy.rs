//! `memora privacy`: reports why notes are guarded, and what was sent.

use memora_engine::report::Freshness;
use memora_engine::{AuditOptions, Door, Memora};

use super::filters;
use super::vault::{warn_idle_rules, warn_withheld};
use crate::args::{Audit, Egress, ModelLocality};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run_audit<D: Door>(
    memora: &Memora,
    args: &Audit,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let local_model = args.model == ModelLocality::Local;
    if !door.is_local() && (args.note.is_some() || args.list || local_model) {
        return Err(CommandError::usage("the list of guarded notes is shown at a local door only")
            .with_hint("--door local, if only you read it"));
    }
    let note = args.note.as_ref().map(|note| filters::resolve_note(note, memora, &door, ui)).transpose()?;
    let options = AuditOptions { note, local_model, list: args.list };
    let report = memora.session(door.clone())?.audit().audit_vault(&options, freshness)?;
    let is_there = report.open != Some(0) || report.guarded.iter().flatten().next().is_some();
    if let Some(note) = options.note.filter(|_| !is_there) {
        return Err(CommandError::usage(format!("there is no note {note} that can be read"))
            .with_hint("write its path from the vault's root; memora index lists the files that were not read"));
    }
    ui.print_report(&report, screen::format_audit)?;
    warn_idle_rules(memora, ui);
    warn_withheld(memora, &door, ui);
    Ok(CommandOutcome::Good)
}

pub(super) fn show_egress<D: Door>(
    memora: &Memora,
    args: &Egress,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = memora.session(door)?.audit().report_egress(args.last.max(1))?;
    ui.print_report(&report, screen::format_egress)?;
    Ok(CommandOutcome::Good)
}
