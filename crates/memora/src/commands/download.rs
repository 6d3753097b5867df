//! Downloads the files of a model, after asking the user.

use memora_engine::{
    Config, FetchLimits, FetchObserver, FetchProgress, Fetcher, Installation, MissingFiles, Origin, PinTable,
};

use super::stop::stop_flag;
use crate::args::{FetchArgs, GlobalArgs};
use crate::command_error::CommandError;
use crate::ui::Ui;

/// Downloads the missing files of a model and of its library, after listing them and asking.
pub(super) fn fetch_model(
    config: &Config,
    global: &GlobalArgs,
    model: &str,
    how: &FetchArgs,
    ui: &Ui,
) -> Result<Installation, CommandError> {
    let origin = how.from.as_deref().map_or(Ok(Origin::Publisher), Origin::parse)?;
    let plan = Installation::new(config, PinTable::shipped(), model, global.vault.as_deref())?;
    let files = plan.missing_files();
    if !files.files().is_empty() {
        announce_download(model, how, &files, &plan, ui);
        if !how.yes && !confirm_download(ui)? {
            return Err(CommandError::failed("nothing was fetched").with_hint("say y, or --yes, to fetch it"));
        }
        let stop = stop_flag();
        let mut bar = ui.download_bar();
        let mut progress = |progress: FetchProgress<'_>| bar(progress.name, progress.done, progress.total);
        let mut watch = FetchObserver { stop: &stop, progress: &mut progress };
        plan.fetch_missing(&Fetcher::new(FetchLimits::default()), &origin, &mut watch)?;
    }
    drop(files);
    Ok(plan)
}

/// Returns the hint for a complete download that does not work.
pub(super) fn library_hint(plan: &Installation) -> &'static str {
    if plan.has_onnx_runtime() {
        "what was fetched is what was published, so something of this system is missing for it"
    } else {
        "get ONNX Runtime 1.24 or later for this system, and name its library with ORT_DYLIB_PATH"
    }
}

/// Announces the files: source, size, licence, hash and destination.
fn announce_download(model: &str, how: &FetchArgs, files: &MissingFiles<'_>, plan: &Installation, ui: &Ui) {
    ui.status_line(&format!(
        "{model} needs {}, to be put into {}:",
        format_bytes(files.bytes()),
        plan.folder().display()
    ));
    for pin in files.files() {
        let from = how.from.clone().unwrap_or_else(|| pin.host());
        ui.status_line(&format!("  {}, {}, {}, from {from}", pin.name, format_bytes(pin.bytes), pin.licence));
        ui.status_line(&format!("    sha256 {}", pin.sha256));
    }
    if !plan.has_onnx_runtime() {
        ui.status_line("note: ONNX Runtime is not published for this system, and has to be had otherwise");
        ui.hint("name its library with ORT_DYLIB_PATH");
    }
}

fn confirm_download(ui: &Ui) -> Result<bool, CommandError> {
    ui.confirm("fetch it? [y/N] ").ok_or_else(|| {
        CommandError::failed("nothing was fetched: there is no terminal to confirm on").with_hint("--yes agrees to it")
    })
}

/// Formats a size in decimal units, as operating systems and shops do.
pub(super) fn format_bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
