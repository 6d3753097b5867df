//! `memora changes`: newer statements beside the older ones that they may overtake, optionally judged by a model.

use memora_engine::report::{ChangesReport, Freshness};
use memora_engine::{AskError, ChangesRequest, Door, Memora, ModelCall};

use super::judged_list::{JudgedList, ListJudge, warn_kept_back};
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
    let judge = ListJudge::connect(memora, args.judge.as_deref(), ui)?;
    ui.begin_activity("looking for what is older");
    let report = match &judge {
        Some(judge) => {
            let list = ChangeList { all: args.all, request, door: &door, freshness };
            judge.judge(&list, memora, &door, ui)?
        }
        None => memora.session(door.clone())?.lifecycle_reports().list_changes(&request, freshness)?,
    };
    ui.print_report(&report, |report| screen::format_changes(report, args.ended))?;
    if report.has_remaining() {
        ui.hint(
            "whether the older ones still hold is yours to say: memora retract --ended CLAIM, or memora keep CLAIM",
        );
    }
    warn_kept_back(judge.as_ref(), memora, &door, ui);
    Ok(if report.has_remaining() { CommandOutcome::Doubtful } else { CommandOutcome::Good })
}

/// The options of a list, and its door.
struct ChangeList<'a, D> {
    all: bool,
    request: ChangesRequest,
    door: &'a D,
    freshness: Freshness,
}

impl<D: Door> JudgedList<D> for ChangeList<'_, D> {
    type Report = ChangesReport<D>;

    fn judge<M: Door>(&self, memora: &Memora, sees: &M, call: &ModelCall<'_, M>) -> Result<Self::Report, AskError> {
        memora.judge_changes(self.all, &self.request, self.door, sees, call, self.freshness)
    }
}
