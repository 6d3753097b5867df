//! `memora privacy`: reports why notes are guarded, and what was sent.

use memora_engine::{AuditOptions, Door, Memora, NotePath};

use super::{catch_up_on_notes, warn_withheld};
use crate::args::{Audit, Egress, ModelLocality, Privacy, PrivacyCommand};
use crate::failure::{CommandOutcome, Failure};
use crate::print;
use crate::ui::Ui;

pub(super) fn run<D: Door>(memora: &mut Memora, args: &Privacy, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    match &args.what {
        PrivacyCommand::Audit(args) => run_audit(memora, args, door, ui),
        PrivacyCommand::Egress(args) => show_egress(memora, args, door, ui),
    }
}

fn run_audit<D: Door>(memora: &mut Memora, args: &Audit, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let local_model = args.model == ModelLocality::Local;
    if !door.is_local() && (args.note.is_some() || args.list || local_model) {
        return Err(Failure::from_message("the list of guarded notes is shown at a local door only")
            .with_hint("--door local, if only you read it"));
    }
    let note = args.note.as_deref().map(NotePath::new).transpose().map_err(|error| {
        Failure::new(error).with_hint("give the path from the vault's root, such as people/Anna.md")
    })?;
    let options = AuditOptions { note, local_model, list: args.list };
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.audit().audit_vault(&options, freshness)?;
    let is_there = report.open != Some(0) || report.guarded.iter().flatten().next().is_some();
    if let Some(note) = options.note.filter(|_| !is_there) {
        return Err(Failure::from_message(format!("there is no note {note} that can be read"))
            .with_hint("write its path from the vault's root; memora index lists the files that were not read"));
    }
    ui.print_report(&report, print::format_audit)?;
    warn_withheld(&door, ui);
    Ok(CommandOutcome::Good)
}

fn show_egress<D: Door>(memora: &mut Memora, args: &Egress, door: D, ui: &Ui) -> Result<CommandOutcome, Failure> {
    let report = memora.session(door)?.audit().report_egress(args.last.max(1))?;
    ui.print_report(&report, print::format_egress)?;
    Ok(CommandOutcome::Good)
}
