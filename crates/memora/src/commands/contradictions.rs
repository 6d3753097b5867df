//! `memora contradictions`: lists contradictions found by the rules, optionally judged by a model.

use memora_engine::report::{ContradictionsReport, Freshness, Strictness};
use memora_engine::{ConnectedModel, Door, LanguageModel, Memora, ModelCall};

use super::model;
use super::stop::stop_flag;
use super::vault::warn_withheld;
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
    let model = match &args.judge {
        Some(name) => model::connect_named(memora, name, ui)?,
        None => None,
    };
    let listing = ContradictionListing { memora, all: args.all, limit: args.limit.max(1), door: &door, freshness, ui };
    let report = match &model {
        None => memora.session(door.clone())?.lifecycle_reports().list_contradictions(
            listing.all,
            listing.limit,
            freshness,
        )?,
        Some((ConnectedModel::Local(near), _)) => listing.judge_with_model(near, &door, false)?,
        Some((ConnectedModel::Remote(far), config)) => {
            model::warn_remote(config, far.remote_reason(), ui);
            listing.judge_with_model(far, &memora.cloud_door(), true)?
        }
    };
    ui.print_report(&report, |report| screen::format_contradictions(report, args.all))?;
    warn_unread(&report.unread, ui);
    if report.remaining_open() > 0 {
        ui.hint("memora keep CLAIM decides for one; with --beside OTHER both hold");
    }
    match &model {
        Some((ConnectedModel::Remote(_), config)) if ui.is_local() => {
            ui.status_line(&format!(
                "note: guarded text was kept from {}, and pairs with it are not judged",
                config.name
            ));
        }
        _ => warn_withheld(memora, &door, ui),
    }
    Ok(if report.remaining_open() == 0 { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

/// The options of a listing, and its door.
struct ContradictionListing<'a, D> {
    memora: &'a Memora,
    all: bool,
    limit: usize,
    door: &'a D,
    freshness: Freshness,
    ui: &'a Ui,
}

impl<D: Door> ContradictionListing<'_, D> {
    /// Lists the contradictions as judged by a model, which may see what the door `sees` shows.
    fn judge_with_model<M: Door>(
        &self,
        model: &dyn LanguageModel<M>,
        sees: &M,
        leaves: bool,
    ) -> Result<ContradictionsReport<D>, CommandError> {
        self.ui.begin_activity(format!("asking {}", model.name()));
        let stop = stop_flag();
        let asking = ModelCall { model, leaves, strictness: Strictness::Loose, stop: &stop };
        self.memora
            .judge_contradictions(self.all, self.limit, self.door, sees, &asking, self.freshness)
            .map_err(|error| CommandError::from(error).with_hint("without --judge the rules alone decide"))
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
