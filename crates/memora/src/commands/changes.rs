//! `memora changes`: newer statements beside the older ones that they may overtake.

use memora_engine::report::Freshness;
use memora_engine::{ChangesRequest, Door, Memora};

use super::vault::warn_withheld;
use crate::args::Changes;
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run<D: Door>(
    memora: &mut Memora,
    args: &Changes,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let request =
        ChangesRequest { since: args.since, limit: args.limit.max(1), from: args.from, ended_only: args.ended };
    ui.begin_activity("looking for what is older");
    let session = memora.session(door.clone())?;
    let report = session.lifecycle_reports().list_changes(&request, freshness)?;
    drop(session);
    ui.print_report(&report, |report| screen::format_changes(report, args.ended))?;
    if !report.pairs.is_empty() {
        ui.hint(
            "whether the older ones still hold is yours to say: memora retract --ended CLAIM, or memora keep CLAIM",
        );
    }
    warn_withheld(memora, &door, ui);
    Ok(if report.pairs.is_empty() { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}
