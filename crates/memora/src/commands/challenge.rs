//! `challenge`: the review, printed, written into the vault, or applied as it was ticked.

use memora_engine::report::{ChallengeReport, Freshness};
use memora_engine::{ConnectedModel, Door, LanguageModel, LocalDoor, Memora, ModelCall, ProposedRewordings, pluralize};

use super::decide::now;
use super::{catch_up_on_notes, heard, model, say_withheld};
use crate::args::Challenge;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

/// How much of a review is kept to be compared with.
pub(super) const KEPT_MAX: usize = 200;

pub(super) fn challenge<D: Door>(memora: &mut Memora, args: &Challenge, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    if args.apply {
        return apply(memora, door, ui);
    }
    let model = match &args.propose {
        Some(name) => model::named(memora, name, ui)?,
        None => None,
    };
    let freshness = catch_up_on_notes(memora, ui)?;
    let limit = args.limit.clamp(1, 1000);
    let proposals = match &model {
        None => None,
        Some((ConnectedModel::Local(near), _)) => Some(proposals(memora, limit, near, &door, false, ui)?),
        Some((ConnectedModel::Remote(far), config)) => {
            model::say_far(config, far.remote_reason(), ui);
            Some(proposals(memora, limit, far, &memora.cloud_door(), true, ui)?)
        }
    };
    let gather = Gather { proposals: proposals.as_ref(), freshness };
    if args.write {
        return write(memora, limit, gather, &door, ui);
    }
    let report = gather.review(memora, &door, limit)?;
    let outcome = show(&report, &door, ui)?;
    if report.items.iter().any(|item| !item.choices.is_empty()) {
        ui.hint("memora challenge --write puts it into a note with boxes to tick");
    }
    Ok(outcome)
}

/// What a review is gathered with, for whatever door.
#[derive(Clone, Copy)]
struct Gather<'a> {
    proposals: Option<&'a ProposedRewordings>,
    freshness: Freshness,
}

impl Gather<'_> {
    fn review<D: Door>(self, memora: &Memora, door: &D, limit: usize) -> Result<ChallengeReport<D>, Failure> {
        let mut report = memora.session(door.clone())?.review().report_items(limit, self.freshness)?;
        self.proposals.iter().for_each(|proposals| proposals.attach_to_report(&mut report));
        Ok(report)
    }
}

/// Writes the review into the vault, which is the user's own whoever reads what is printed. It is gathered once, and for a cloud
/// door once more, as far as that sees it.
fn write<D: Door>(
    memora: &mut Memora,
    limit: usize,
    gather: Gather<'_>,
    door: &D,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    let all = gather.review(memora, &LocalDoor, limit.max(KEPT_MAX))?;
    let mut own = all.clone().with_limit(limit);
    let printed = match door.is_local() {
        true => None,
        false => Some(gather.review(memora, door, limit)?),
    };
    let at = now(memora);
    let path = memora.write_review(&own, &at)?;
    if memora.keep_review(&all, &at).is_err() {
        ui.say("note: the index is being written, so the next review cannot say what is new");
    }
    if let Some(report) = printed {
        ui.say("note: the review was written into Memora");
        return show(&report, door, ui);
    }
    own.written = Some(path.as_str().to_owned());
    show(&own, door, ui)
}

fn show<R: Door, D: Door>(report: &ChallengeReport<R>, door: &D, ui: &Ui) -> Result<Outcome, Failure> {
    ui.report(report, print::challenge)?;
    say_withheld(door, ui);
    Ok(if report.items.is_empty() { Outcome::Good } else { Outcome::Doubtful })
}

/// Wordings by a model that may see what the door `sees` shows.
fn proposals<M: Door>(
    memora: &Memora,
    limit: usize,
    model: &dyn LanguageModel<M>,
    sees: &M,
    leaves: bool,
    ui: &Ui,
) -> Result<ProposedRewordings, Failure> {
    ui.progress(&format!("asking {}", model.name()));
    let stop = heard();
    let asking = ModelCall { model, leaves, strict: false, stop: &stop };
    let proposals = memora
        .propose_rewordings(limit, sees, &asking)
        .map_err(|error| Failure::from(error).hinted("without --propose no model is asked"))?;
    if let Some(failure) = proposals.failure() {
        ui.say(&format!("note: {} proposes no more: {failure}", model.name()));
    }
    if proposals.rejected_count() > 0 {
        let about = pluralize(proposals.rejected_count(), "sentence");
        ui.say(&format!("note: what {} replied about {about} does not hold, and is not shown", model.name()));
    }
    Ok(proposals)
}

fn apply<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    catch_up_on_notes(memora, ui)?;
    let ticked = memora.session(LocalDoor)?.review().apply_reviews(&now(memora))?;
    let report = memora.session(door.clone())?.review().report_applied(ticked)?;
    ui.report(&report, print::applied)?;
    if report.conflict {
        ui.hint("tick one box about a claim, or decide by hand: memora keep, retract, restore");
    }
    say_withheld(&door, ui);
    Ok(if report.conflict { Outcome::Doubtful } else { Outcome::Good })
}
