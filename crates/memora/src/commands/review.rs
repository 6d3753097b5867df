//! `review`: prints the review, writes it into the vault, or applies its ticked boxes.

use memora_engine::report::{Freshness, ReviewReport, Strictness};
use memora_engine::{ConnectedModel, Door, LanguageModel, LocalDoor, Memora, ModelCall, ProposedRewordings, pluralize};

use super::decide::decision_time;
use super::model;
use super::stop::stop_flag;
use super::vault::warn_withheld;
use crate::args::Review;
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

/// The number of review items stored for comparison with the next review.
pub(super) const KEPT_ITEMS_MAX: usize = 200;

pub(super) fn run<D: Door>(
    memora: &mut Memora,
    args: &Review,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    if args.apply {
        return apply_reviews(memora, door, ui);
    }
    let model = match &args.propose {
        Some(name) => model::connect_named(memora, name, ui)?,
        None => None,
    };
    let limit = args.limit.clamp(1, 1000);
    let proposals = match &model {
        None => None,
        Some((ConnectedModel::Local(near), _)) => Some(propose_rewordings(memora, limit, near, &door, false, ui)?),
        Some((ConnectedModel::Remote(far), config)) => {
            model::warn_remote(config, far.remote_reason(), ui);
            Some(propose_rewordings(memora, limit, far, &memora.cloud_door(), true, ui)?)
        }
    };
    let gather = ReviewBuilder { proposals: proposals.as_ref(), freshness };
    if args.write {
        return write_review(memora, limit, gather, &door, ui);
    }
    let report = gather.build_review(memora, &door, limit)?;
    let outcome = print_review(memora, &report, &door, ui)?;
    if report.items.iter().any(|item| !item.choices.is_empty()) {
        ui.hint("memora review --write puts it into a note with boxes to tick");
    }
    Ok(outcome)
}

/// The inputs of a review, for any door.
#[derive(Clone, Copy)]
struct ReviewBuilder<'a> {
    proposals: Option<&'a ProposedRewordings>,
    freshness: Freshness,
}

impl ReviewBuilder<'_> {
    fn build_review<D: Door>(self, memora: &Memora, door: &D, limit: usize) -> Result<ReviewReport<D>, CommandError> {
        let mut report = memora.session(door.clone())?.review().report_with_memories(limit, self.freshness)?;
        self.proposals.iter().for_each(|proposals| proposals.attach_to_report(&mut report));
        Ok(report)
    }
}

/// Writes the review into the vault. The note is the user's own, so it is built for the local door; the printed report
/// is built once more for a cloud door.
fn write_review<D: Door>(
    memora: &mut Memora,
    limit: usize,
    gather: ReviewBuilder<'_>,
    door: &D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let all = gather.build_review(memora, &LocalDoor, limit.max(KEPT_ITEMS_MAX))?;
    let mut own = all.clone();
    memora.review_history().leave_out_written(&mut own)?;
    let mut own = own.with_limit(limit);
    let printed = match door.is_local() {
        true => None,
        false => Some(gather.build_review(memora, door, limit)?),
    };
    let at = decision_time(memora);
    // With nothing to add, a second note of the day would only repeat the first.
    let path = match &own.already {
        Some(_) if own.items.is_empty() => None,
        _ => Some(memora.write_review(&own, &at)?),
    };
    if memora.review_history().keep(&all, &at, path.as_ref().map(|path| (&own, path))).is_err() {
        ui.status_line("note: the index is being written, so the next review cannot say what is new");
    }
    if let Some(report) = printed {
        ui.status_line("note: the review is in the folder Memora");
        return print_review(memora, &report, door, ui);
    }
    own.written = path.map(|path| path.as_str().to_owned());
    print_review(memora, &own, door, ui)
}

fn print_review<R: Door, D: Door>(
    memora: &Memora,
    report: &ReviewReport<R>,
    door: &D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    ui.print_report(report, screen::format_review)?;
    warn_withheld(memora, door, ui);
    let open = !report.items.is_empty() || report.already.is_some();
    Ok(if !open { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

/// Asks a model for rewordings; the model may see what the door `sees` shows.
fn propose_rewordings<M: Door>(
    memora: &Memora,
    limit: usize,
    model: &dyn LanguageModel<M>,
    sees: &M,
    leaves: bool,
    ui: &Ui,
) -> Result<ProposedRewordings, CommandError> {
    ui.begin_activity(format!("asking {}", model.name()));
    let stop = stop_flag();
    let asking = ModelCall { model, leaves, strictness: Strictness::Loose, stop: &stop };
    let proposals = memora
        .propose_rewordings(limit, sees, &asking)
        .map_err(|error| CommandError::from(error).with_hint("without --propose no model is asked"))?;
    if let Some(failure) = proposals.failure() {
        ui.status_line(&format!("note: {} proposes no more: {failure}", model.name()));
    }
    if proposals.rejected_count() > 0 {
        let about = pluralize(proposals.rejected_count(), "sentence");
        ui.status_line(&format!("note: what {} replied about {about} does not hold, and is not shown", model.name()));
    }
    Ok(proposals)
}

fn apply_reviews<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    let ticked = memora.session(LocalDoor)?.review().apply_reviews(&decision_time(memora))?;
    let report = memora.session(door.clone())?.review().report_applied(ticked)?;
    ui.print_report(&report, screen::format_applied)?;
    if report.conflict {
        ui.hint("tick one box about a claim, or decide by hand: memora keep, retract, restore");
    }
    warn_withheld(memora, &door, ui);
    Ok(if report.conflict { CommandOutcome::Doubtful } else { CommandOutcome::Good })
}
