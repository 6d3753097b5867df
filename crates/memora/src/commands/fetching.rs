//! Fetching the files of a model, at the user's word.

use memora_engine::{
    Config, FetchLimits, FetchObserver, FetchProgress, Fetcher, Installation, MissingFiles, Origin, PinTable,
};

use super::heard;
use crate::args::{Fetching, Global};
use crate::failure::Failure;
use crate::ui::Ui;

/// Fetches what is missing of a model and of the library, after saying what that is and asking.
pub(super) fn fetch(
    config: &Config,
    global: &Global,
    model: &str,
    how: &Fetching,
    ui: &Ui,
) -> Result<Installation, Failure> {
    let origin = how.from.as_deref().map_or(Ok(Origin::Publisher), Origin::parse)?;
    let plan = Installation::new(config, PinTable::shipped(), model, global.vault.as_deref())?;
    let files = plan.missing_files();
    if !files.files().is_empty() {
        announce(model, how, &files, &plan, ui);
        if !how.yes && !agreed(ui)? {
            return Err(Failure::say("nothing was fetched").hinted("say y, or --yes, to fetch it"));
        }
        let stop = heard();
        let mut bar = ui.bytes_bar();
        let mut talk = |progress: FetchProgress<'_>| bar(progress.name, progress.done, progress.total);
        let mut watch = FetchObserver { stop: &stop, talk: &mut talk };
        plan.fetch_missing(&Fetcher::new(FetchLimits::default()), &origin, &mut watch)?;
    }
    drop(files);
    Ok(plan)
}

/// What to do where all was fetched and nothing works.
pub(super) fn without_library(plan: &Installation) -> &'static str {
    if plan.has_onnx_runtime() {
        "what was fetched is what was published, so something of this system is missing for it"
    } else {
        "get ONNX Runtime 1.24 or later for this system, and name its library with ORT_DYLIB_PATH"
    }
}

/// Says what is fetched, from where, how much, under what terms, what it must hash to, and where it is put.
fn announce(model: &str, how: &Fetching, files: &MissingFiles<'_>, plan: &Installation, ui: &Ui) {
    ui.say(&format!("{model} needs {}, to be put into {}:", size(files.bytes()), plan.folder().display()));
    for pin in files.files() {
        let from = how.from.clone().unwrap_or_else(|| pin.host());
        ui.say(&format!("  {}, {}, {}, from {from}", pin.name, size(pin.bytes), pin.licence));
        ui.say(&format!("    sha256 {}", pin.sha256));
    }
    if !plan.has_onnx_runtime() {
        ui.say("note: ONNX Runtime is not published for this system, and has to be had otherwise");
        ui.hint("name its library with ORT_DYLIB_PATH");
    }
}

fn agreed(ui: &Ui) -> Result<bool, Failure> {
    ui.ask("fetch it? [y/N] ")
        .ok_or_else(|| Failure::say("nothing was fetched, since nobody can be asked").hinted("--yes agrees to it"))
}

/// Decimal, as systems and shops have it.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
