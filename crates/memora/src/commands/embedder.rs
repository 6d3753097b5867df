//! `memora embedder`: how things stand, installing, choosing.

use memora_engine::{
    Door, EmbedderChoice, FetchProgress, Fetcher, Installation, Limits, Memora, Missing, Origin, Pins, Watch,
};

use super::{catch_up, config, heard};
use crate::args::{Global, Install};
use crate::failure::{Failure, Outcome};
use crate::print;
use crate::ui::Ui;

pub(super) fn status<D: Door>(memora: &mut Memora, door: D, ui: &Ui) -> Result<Outcome, Failure> {
    catch_up(memora, ui)?;
    let report = memora.session(door)?.embedder_report()?;
    ui.report(&report, print::embedder)?;
    Ok(Outcome::Good)
}

/// Says once that the embedder that was chosen is not there.
pub(super) fn say_missing(memora: &Memora, ui: &Ui) {
    let Some((name, code, reason)) = memora.missing_embedder() else { return };
    let why = if ui.may_name_notes() { reason } else { code.replace('_', " ") };
    ui.say(&format!("note: {name} is configured and cannot be used: {why}"));
    ui.hint("memora embedder install fetches it; until then memora index has the embedded model stand in");
}

fn named(name: &str) -> Result<EmbedderChoice, Failure> {
    EmbedderChoice::named(name).ok_or_else(|| {
        let names = EmbedderChoice::ALL.map(EmbedderChoice::name).join(", ");
        Failure::say(format!("there is no embedder {name}")).hinted(format!("there are: {names}"))
    })
}

pub(super) fn choose(global: &Global, name: &str, ui: &Ui) -> Result<Outcome, Failure> {
    let choice = named(name)?;
    let config = config(global)?;
    if let Err(absent) = config.try_embedder(choice) {
        return Err(Failure::new(absent).hinted("memora embedder install fetches what is missing"));
    }
    let path = config.choose_embedder(choice)?;
    ui.say(&format!("{name} is chosen, in {}", path.display()));
    ui.hint("memora index makes its vectors; until they are made, those that are there serve");
    Ok(Outcome::Good)
}

pub(super) fn install(global: &Global, args: &Install, ui: &Ui) -> Result<Outcome, Failure> {
    let choice = named(&args.name)?;
    if choice == EmbedderChoice::Embedded {
        return Err(Failure::say("the embedded model is part of the program").hinted("memora embedder use embedded"));
    }
    let config = config(global)?;
    let origin = args.from.as_deref().map_or(Ok(Origin::Publisher), Origin::parse)?;
    let plan = Installation::new(&config, Pins::shipped(), global.vault.as_deref())?;
    let files = plan.missing();
    if !files.files().is_empty() {
        announce(args, &files, &plan, ui);
        if !args.yes && !agreed(ui)? {
            return Err(Failure::say("nothing was fetched").hinted("say y, or --yes, to fetch it"));
        }
        let stop = heard();
        let mut bar = ui.bytes_bar();
        let mut talk = |progress: FetchProgress<'_>| bar(progress.name, progress.done, progress.total);
        let mut watch = Watch { stop: &stop, talk: &mut talk };
        plan.run(&Fetcher::new(Limits::default()), &origin, &mut watch)?;
    }
    config.try_embedder(choice).map_err(|absent| {
        let hint = if plan.has_library() {
            "what was fetched is what was published, so something of this system is missing for it"
        } else {
            "get ONNX Runtime 1.24 or later for this system, and name its library with ORT_DYLIB_PATH"
        };
        Failure::new(absent).hinted(hint)
    })?;
    ui.say(&format!("{} is installed in {}, and works", args.name, plan.folder().display()));
    if config.embedder != choice {
        ui.hint(&format!("memora embedder use {} chooses it", args.name));
    }
    Ok(Outcome::Good)
}

/// Says what is fetched, from where, how much, under what terms and where it is put.
fn announce(args: &Install, files: &Missing<'_>, plan: &Installation, ui: &Ui) {
    ui.say(&format!("{} needs {}, to be put into {}:", args.name, size(files.bytes()), plan.folder().display()));
    for pin in files.files() {
        let from = args.from.clone().unwrap_or_else(|| pin.host());
        ui.say(&format!("  {}, {}, {}, from {from}", pin.name, size(pin.bytes), pin.licence));
    }
    if !plan.has_library() {
        ui.say("note: ONNX Runtime is not published for this system, and has to be had otherwise");
        ui.hint("name its library with ORT_DYLIB_PATH");
    }
}

fn agreed(ui: &Ui) -> Result<bool, Failure> {
    ui.ask("fetch it? [y/N] ")
        .ok_or_else(|| Failure::say("nothing was fetched, since nobody can be asked").hinted("--yes agrees to it"))
}

/// Decimal, as systems and shops have it.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        _ => format!("{} MB", bytes.div_ceil(1_000_000)),
    }
}
