//! `memora contradictions`: lists contradictions found by the rules, optionally judged by a model.

use memora_engine::report::{ContradictionsReport, Freshness};
use memora_engine::{AskError, Door, Memora, ModelCall};

use super::judged_list::{JudgedList, ListJudge, warn_kept_back};
use crate::args::Contradictions;
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run<D: Door>(
    memora: &mut Memora,
    args: &Contradictions,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let judge = ListJudge::connect(memora, args.judge.as_deref(), ui)?;
    let list = ContradictionList { all: args.all, limit: args.limit.max(1), door: &door, freshness };
    let report = match &judge {
        Some(judge) => judge.judge(&list, memora, &door, ui)?,
        None => {
            let session = memora.session(door.clone())?;
            session.lifecycle_reports().list_contradictions(list.all, list.limit, freshness)?
        }
    };
    ui.print_report(&report, |report| screen::format_contradictions(report, args.all))?;
    warn_unread(&report.unread, ui);
    if report.remaining_open() > 0 {
        ui.hint("memora keep CLAIM decides for one; with --beside OTHER both hold");
    }
    warn_kept_back(judge.as_ref(), memora, &door, ui);
    Ok(if report.remaining_open() == 0 { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

/// The options of a list, and its door.
struct ContradictionList<'a, D> {
    all: bool,
    limit: usize,
    door: &'a D,
    freshness: Freshness,
}

impl<D: Door> JudgedList<D> for ContradictionList<'_, D> {
    type Report = ContradictionsReport<D>;

    fn judge<M: Door>(&self, memora: &Memora, sees: &M, call: &ModelCall<'_, M>) -> Result<Self::Report, AskError> {
        memora.judge_contradictions(self.all, self.limit, self.door, sees, call, self.freshness)
    }
}

/// Warns about lines of the decisions file that are malformed or of a later version.
fn warn_unread(lines: &[usize], ui: &Ui) {
    let Some(first) = lines.first() else { return };
    ui.status_line(&format!(
        "note: {} lines of .memora/decisions.jsonl cannot be read, the first is line {first}",
        lines.len()
    ));
    ui.hint("they are kept and do not count; a merge may have left them, or a later version of memora");
}
