//! `memora capture`: creates a note if its citations support it.

use memora_engine::report::Freshness;
use memora_engine::{CaptureRequest, Door, Memora};

use super::input;
use super::vault::warn_withheld;
use crate::args::Capture;
use crate::command_error::{CommandError, CommandOutcome};
use crate::screen;
use crate::ui::Ui;

pub(super) fn run<D: Door>(
    memora: &mut Memora,
    args: &Capture,
    freshness: Freshness,
    door: D,
    ui: &Ui,
) -> Result<CommandOutcome, CommandError> {
    let capturing = CaptureRequest {
        title: args.title.clone(),
        text: input::read_text(args.file.as_deref(), "capture")?,
        folder: args.folder.clone(),
        by: args.by.clone(),
        band: args.privacy.unwrap_or_default(),
        at: memora.config().today.to_datetime(jiff::Zoned::now().time()),
    };
    let report = memora.session(door.clone())?.captures().capture_text(&capturing, freshness)?;
    ui.print_report(&report, screen::format_captured)?;
    if report.path.is_none() {
        ui.hint("correct it or cite another claim (memora search shows ids), then run it again");
    }
    warn_withheld(memora, &door, ui);
    Ok(if report.path.is_some() { CommandOutcome::Good } else { CommandOutcome::Doubtful })
}
