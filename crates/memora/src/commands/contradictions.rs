//! `memora contradictions`: what cannot both be so, by the rules, and by a model where one is to judge.

use memora_engine::report::{ContradictionsReport, Freshness};
use memora_engine::{ConnectedModel, Door, LanguageModel, Memora, ModelCall};

use super::{catch_up_on_notes, heard, model, say_withheld};
use crate::args::Contradictions;
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn contradictions<D: Door>(
    memora: &mut Memora,
    args: &Contradictions,
    door: D,
    ui: &Ui,
) -> Result<Outcome, Failure> {
    let model = match &args.judge {
        Some(name) => model::named(memora, name, ui)?,
        None => None,
    };
    let freshness = catch_up_on_notes(memora, ui)?;
    let listing = Listing { memora, all: args.all, limit: args.limit.max(1), door: &door, freshness, ui };
    let report = match &model {
        None => memora.session(door.clone())?.lifecycle_reports().list_contradictions(
            listing.all,
            listing.limit,
            freshness,
        )?,
        Some((ConnectedModel::Local(near), _)) => listing.judged(near, &door, false)?,
        Some((ConnectedModel::Remote(far), config)) => {
            model::say_far(config, far.remote_reason(), ui);
            listing.judged(far, &memora.cloud_door(), true)?
        }
    };
    ui.report(&report, print::contradictions)?;
    say_unread(&report.unread, ui);
    if report.remaining_open() > 0 {
        ui.hint("memora keep CLAIM decides for one; with --beside OTHER both hold");
    }
    match &model {
        Some((ConnectedModel::Remote(_), config)) if ui.is_local() => {
            ui.say(&format!("note: guarded text was kept from {}, and pairs with it are not judged", config.name));
        }
        _ => say_withheld(&door, ui),
    }
    Ok(if report.remaining_open() == 0 { Outcome::Good } else { Outcome::Doubtful })
}

/// What is to be listed, and to whom.
struct Listing<'a, D> {
    memora: &'a Memora,
    all: bool,
    limit: usize,
    door: &'a D,
    freshness: Freshness,
    ui: &'a Ui,
}

impl<D: Door> Listing<'_, D> {
    /// The same as a model judges it that may see what the door `sees` shows.
    fn judged<M: Door>(
        &self,
        model: &dyn LanguageModel<M>,
        sees: &M,
        leaves: bool,
    ) -> Result<ContradictionsReport<D>, Failure> {
        self.ui.progress(&format!("asking {}", model.name()));
        let stop = heard();
        let asking = ModelCall { model, leaves, strict: false, stop: &stop };
        self.memora
            .judge_contradictions(self.all, self.limit, self.door, sees, &asking, self.freshness)
            .map_err(|error| Failure::from(error).hinted("without --judge the rules alone decide"))
    }
}

/// Lines of the file that are no decisions, or of a later version.
fn say_unread(lines: &[usize], ui: &Ui) {
    let Some(first) = lines.first() else { return };
    ui.say(&format!(
        "note: {} lines of .memora/decisions.jsonl cannot be read, the first is line {first}",
        lines.len()
    ));
    ui.hint("they are kept and do not count; a merge may have left them, or a later version of memora");
}
