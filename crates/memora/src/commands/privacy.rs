//! `memora privacy`: why what is guarded, and what left.

use memora_engine::{AuditOptions, Door, Memora, NotePath};

use super::{catch_up_on_notes, say_withheld};
use crate::args::{Audit, Egress, ModelWord, Privacy, PrivacyCommand};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn run<D: Door>(memora: &mut Memora, args: &Privacy, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    match &args.what {
        PrivacyCommand::Audit(args) => audit(memora, args, door, ui),
        PrivacyCommand::Egress(args) => egress(memora, args, door, ui),
    }
}

fn audit<D: Door>(memora: &mut Memora, args: &Audit, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let local_model = args.model == ModelWord::Local;
    if !door.is_local() && (args.note.is_some() || args.list || local_model) {
        return Err(Failure::say("which notes are guarded, and why, is not told where others may read it")
            .hinted("--door local, if only you read it"));
    }
    let note =
        args.note.as_deref().map(NotePath::new).transpose().map_err(|error| {
            Failure::new(error).hinted("give the path from the vault's root, such as people/Anna.md")
        })?;
    let options = AuditOptions { note, local_model, list: args.list };
    let freshness = catch_up_on_notes(memora, ui)?;
    let report = memora.session(door.clone())?.audit().audit_vault(&options, freshness)?;
    let is_there = report.open != Some(0) || report.guarded.iter().flatten().next().is_some();
    if let Some(note) = options.note.filter(|_| !is_there) {
        return Err(Failure::say(format!("there is no note {note} that can be read"))
            .hinted("write its path from the vault's root; memora index lists the files that were not read"));
    }
    ui.report(&report, print::audit)?;
    say_withheld(&door, ui);
    Ok(Outcome::Good)
}

fn egress<D: Door>(memora: &mut Memora, args: &Egress, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    let report = memora.session(door)?.audit().report_egress(args.last.max(1))?;
    ui.report(&report, print::egress)?;
    Ok(Outcome::Good)
}
