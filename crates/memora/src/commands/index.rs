//! `index`, `status`, `doctor` and `reset`: the index and its state.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use memora_engine::report::Freshness;
use memora_engine::{Door, Memora, SyncBound};

use super::stop::stop_flag;
use super::vault::{report_other_indexer, require_notes, sync_index, warn_idle_rules, warn_unwiped, warn_withheld};
use crate::args::{Doctor, Index, Reset};
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run_index<D: Door>(
    memora: &mut Memora,
    args: &Index,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let started = Instant::now();
    let synced = sync_index(memora, SyncBound::All, ui)?;
    require_notes(memora, synced.seen, ui)?;
    if synced.is_blocked() {
        return Err(report_other_indexer());
    }
    warn_unwiped(&synced, ui);
    // Elsewhere a measured time could tell how much is guarded.
    let tells_times = ui.may_name_notes() && !ui.wants_json();
    if args.complete {
        if tells_times {
            ui.status_line(&format!(
                "ready for questions after {:.2} s; passages are now read ahead, which takes longer (Ctrl-C keeps what is done)",
                synced.took.as_secs_f64()
            ));
        }
        let stop = stop_flag();
        let failed = |error| {
            CommandError::failed(format!("what was read could not be kept: {error}")).with_hint("memora doctor")
        };
        let passages = memora.precompute_passages(&stop, &mut shown_by(ui.reading_bar("notes"))).map_err(failed)?;
        if !passages.complete {
            return Err(stopped_reading(&stop, passages.done, "notes"));
        }
        let ahead =
            memora.precompute_token_vectors(&stop, &mut shown_by(ui.reading_bar("statements"))).map_err(failed)?;
        if !ahead.complete {
            return Err(stopped_reading(&stop, ahead.done, "statements"));
        }
    }
    ui.begin_activity("counting");
    let report = memora.session(door.clone())?.doctor().report_index(&synced)?;
    ui.print_report(&report, screen::format_index)?;
    if tells_times {
        ui.status_line(&format!("took {:.2} s", started.elapsed().as_secs_f64()));
    }
    warn_idle_rules(memora, ui);
    warn_withheld(memora, &door, ui);
    Ok(CommandOutcome::Good)
}

/// Shows how far reading ahead is, and has it go on.
fn shown_by(mut bar: impl FnMut(usize, usize)) -> impl FnMut(usize, usize) -> bool {
    move |done, due| {
        bar(done, due);
        true
    }
}

/// Reading ahead that did not come to its end.
fn stopped_reading(stop: &AtomicBool, done: usize, what: &str) -> CommandError {
    let why = if stop.load(Ordering::Relaxed) { "stopped" } else { "another memora process is at the index" };
    CommandError::failed(format!("{why}; {done} {what} were read ahead, and are kept"))
        .with_hint("memora index --complete goes on")
}

pub(super) fn show_status<D: Door>(
    memora: &Memora,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = memora.session(door)?.doctor().report_status(freshness)?;
    ui.print_report(&report, screen::format_status)?;
    Ok(CommandOutcome::Good)
}

pub(super) fn run_doctor<D: Door>(
    memora: &Memora,
    args: &Doctor,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let report = memora
        .session(door)?
        .doctor()
        .run_checks(args.check_spans, freshness)?
        .with_check(memora.check_model(&stop_flag()));
    ui.print_report(&report, screen::format_doctor)?;
    Ok(if report.healthy { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}

pub(super) fn reset_index(memora: &mut Memora, args: &Reset, ui: &Ui) -> Result<CommandOutcome, CommandError> {
    memora.reset(!args.journal)?;
    ui.status_line(if args.journal {
        "the index and the journal are empty"
    } else {
        "the index is empty; the journal was kept"
    });
    ui.hint("the next command makes the index again");
    Ok(CommandOutcome::Good)
}
